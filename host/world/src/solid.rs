//! The solid of a collision: its shape for physics, for rays, and for bounding boxes.
//!
//! Mesh files are read here, each once for a world. Usable from any thread.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use bridgehead_mesh::{Heights, Mesh, MeshError, Relief, Selection, Triangles, Volume, extrude};
use bridgehead_physics::rays::{Shape, TriMesh};
use bridgehead_physics::{CollisionShape, Decomposition, hull_volume};
use bridgehead_sdf::Account;
use bridgehead_sdf::element::{self, Geometry, Optimization};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::pose::{DMat3, DQuat, DVec2, DVec3, Pose};

use super::convex_cache;

/// A mesh is convex if its hull is not larger by more than this fraction.
const CONVEX: f64 = 0.01;

/// The shape of a collision in the host.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// Shape for contacts.
    pub(super) shape: CollisionShape,
    /// Shape for rays, with its pose in the frame of the collision.
    pub(super) seen: (Shape, Pose),
    /// Bounding box in the frame of the collision; `None` if unbounded.
    pub(super) bounds: Option<[DVec3; 2]>,
    /// Enclosed volume, for automatic inertia; `None` if unbounded.
    pub(super) volume: Option<Volume>,
}

impl Solid {
    /// Builds the shape for contacts, which takes long for a mesh. A shape that cannot be built stays as it is: physics
    /// reports it when the model is added.
    pub(super) fn build(&mut self) {
        if let Ok(built) = self.shape.built() {
            self.shape = built;
        }
    }
}

/// The mesh files of a world. A copy shares those that were read before.
#[derive(Clone, Debug, Default)]
pub(super) struct Meshes {
    files: HashMap<PathBuf, Arc<Mesh>>,
    selections: HashMap<Key, Arc<Prepared>>,
    /// Whether a plane with a size ends there.
    pub(super) finite_planes: bool,
}

/// File, part of it, and the bits of the scale.
type Key = (PathBuf, Option<String>, bool, [u64; 3]);

#[derive(Debug)]
struct Prepared {
    triangles: Triangles,
    seen: Arc<TriMesh>,
}

impl Meshes {
    /// Converts a geometry to a solid. Returns `None` for a geometry without extent or with a missing file, which the
    /// reader reported. `moves` is true for moving links; only a static link may have an open surface.
    ///
    /// # Errors
    /// Returns an error if the file of a mesh cannot be used, or the budget of `account` does not suffice.
    pub(super) fn solid(
        &mut self,
        geometry: &Geometry,
        moves: bool,
        account: Account<'_>,
    ) -> Result<Option<Solid>, MeshError> {
        let solid = match geometry {
            Geometry::Plane { normal, size: Some(size) }
                if self.finite_planes && size.min_element() > 0.0 =>
            {
                slab(*normal, *size)
            }
            Geometry::Mesh(mesh) => {
                let Some(prepared) = self.mesh(mesh, account)? else { return Ok(None) };
                of_triangles(&prepared.triangles, &prepared.seen, mesh.optimization, moves)
            }
            Geometry::Polyline { outlines, height } => {
                let triangles = extrude(outlines, *height)?;
                check_extent(&triangles)?;
                let Some(seen) = tri_mesh(&triangles) else { return Ok(None) };
                of_triangles(&triangles, &seen, None, moves)
            }
            Geometry::Heightmap(map) => return heightmap(map, moves, account),
            Geometry::Empty | Geometry::Unsupported { .. } => return Ok(None),
            _ => return Ok(primitive(geometry)),
        };
        Ok(Some(solid))
    }

    /// Returns the shape of a visual for rays, with its pose in the frame of the visual. `None` for one without extent.
    ///
    /// # Errors
    /// Returns an error like [`Meshes::solid`].
    pub(super) fn seen(
        &mut self,
        geometry: &Geometry,
        account: Account<'_>,
    ) -> Result<Option<(Shape, Pose)>, MeshError> {
        let of_mesh = |mesh: Arc<TriMesh>| (Shape::Mesh(mesh), Pose::IDENTITY);
        Ok(match geometry {
            Geometry::Plane { normal, size: Some(size) } if size.min_element() > 0.0 => {
                Some(slab(*normal, *size).seen)
            }
            Geometry::Mesh(mesh) => {
                self.mesh(mesh, account)?.map(|prepared| of_mesh(Arc::clone(&prepared.seen)))
            }
            Geometry::Polyline { outlines, height } => {
                let triangles = extrude(outlines, *height)?;
                check_extent(&triangles)?;
                tri_mesh(&triangles).map(of_mesh)
            }
            Geometry::Heightmap(map) => heightmap(map, false, account)?.map(|solid| solid.seen),
            _ => seen(geometry),
        })
    }

    /// Takes over the files that a copy has read.
    pub(super) fn merge(&mut self, copy: Meshes) {
        self.files.extend(copy.files);
        self.selections.extend(copy.selections);
    }

    fn mesh(
        &mut self,
        mesh: &element::Mesh,
        account: Account<'_>,
    ) -> Result<Option<Arc<Prepared>>, MeshError> {
        let Some(path) = &mesh.path else { return Ok(None) };
        let scale = mesh.scale.to_array().map(f64::to_bits);
        let key = (path.clone(), mesh.submesh.clone(), mesh.center_submesh, scale);
        if let Some(known) = self.selections.get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let file = match self.files.get(path) {
            Some(file) => Arc::clone(file),
            None => {
                let file = Arc::new(Mesh::load(path, account)?);
                self.files.insert(path.clone(), Arc::clone(&file));
                file
            }
        };
        let selection =
            Selection { part: mesh.submesh.as_deref(), is_centred: mesh.center_submesh, scale: mesh.scale };
        let triangles = file.select(&selection)?;
        // Each scale and part is a copy.
        let size = (triangles.points.len() + triangles.indices.len()) as u64;
        account.charge(Limit::Triangles, size).map_err(MeshError::Stopped)?;
        check_extent(&triangles)?;
        let Some(seen) = tri_mesh(&triangles) else { return Ok(None) };
        let prepared = Arc::new(Prepared { triangles, seen });
        self.selections.insert(key, Arc::clone(&prepared));
        Ok(Some(prepared))
    }
}

/// Maximum side length and distance from the origin, metres. Beyond it the engine's numbers have no precision.
const EXTENT: std::ops::RangeInclusive<f64> = 1e-6..=1e7;

fn check_extent(triangles: &Triangles) -> Result<(), MeshError> {
    let [low, high] = triangles.bounds();
    let metres = (high - low).max_element().max(low.abs().max(high.abs()).max_element());
    if EXTENT.contains(&metres) {
        return Ok(());
    }
    Err(MeshError::Extent { metres, least: *EXTENT.start(), most: *EXTENT.end() })
}

/// Indices and numbers were checked when the file was read, so every non-empty list of triangles gives a mesh.
fn tri_mesh(triangles: &Triangles) -> Option<Arc<TriMesh>> {
    TriMesh::new(&triangles.points, &triangles.indices).ok().map(Arc::new)
}

fn of_triangles(
    triangles: &Triangles,
    seen: &Arc<TriMesh>,
    optimization: Option<Optimization>,
    moves: bool,
) -> Solid {
    let points = || triangles.points.clone();
    let shape = match optimization {
        Some(Optimization::ConvexHull) => CollisionShape::Hull { points: points() },
        Some(Optimization::ConvexDecomposition { parts, resolution }) => {
            decomposed(triangles, Decomposition { resolution, parts })
        }
        None if !moves => CollisionShape::Mesh { points: points(), triangles: triangles.indices.clone() },
        None if is_convex(triangles) => CollisionShape::Hull { points: points() },
        None => decomposed(triangles, Decomposition::default()),
    };
    Solid {
        shape,
        seen: (Shape::Mesh(Arc::clone(seen)), Pose::IDENTITY),
        bounds: Some(triangles.bounds()),
        volume: Some(triangles.volume()),
    }
}

fn heightmap(
    map: &element::Heightmap,
    moves: bool,
    account: Account<'_>,
) -> Result<Option<Solid>, MeshError> {
    let Some(path) = &map.path else { return Ok(None) };
    if moves {
        return Err(MeshError::MovingHeightmap { uri: map.uri.clone() });
    }
    let relief = Relief { size: map.size, position: map.position, sampling: map.sampling };
    let heights = Heights::load(path, &relief, account)?;
    let triangles = heights.triangles();
    check_extent(&triangles)?;
    let Some(seen) = tri_mesh(&triangles) else { return Ok(None) };
    let Heights { columns, rows, heights, extent, position } = heights;
    Ok(Some(Solid {
        shape: CollisionShape::Heights { columns, rows, heights, extent: extent.to_array(), position },
        seen: (Shape::Mesh(seen), Pose::IDENTITY),
        bounds: Some(triangles.bounds()),
        volume: None,
    }))
}

fn is_convex(triangles: &Triangles) -> bool {
    let own = triangles.volume().volume.abs();
    hull_volume(&triangles.points).is_some_and(|hull| hull - own <= CONVEX * hull)
}

fn decomposed(triangles: &Triangles, how: Decomposition) -> CollisionShape {
    let parts = convex_cache::parts(triangles, how);
    if parts.is_empty() {
        // A surface without thickness: its hull is the best approximation.
        return CollisionShape::Hull { points: triangles.points.clone() };
    }
    CollisionShape::Parts { parts }
}

/// Converts the primitive shapes of SDF.
fn primitive(geometry: &Geometry) -> Option<Solid> {
    let shape = match *geometry {
        Geometry::Box { size } => CollisionShape::Box { size },
        Geometry::Sphere { radius } => CollisionShape::Sphere { radius },
        Geometry::Cylinder { radius, length } => CollisionShape::Cylinder { radius, length },
        Geometry::Capsule { radius, length } => CollisionShape::Capsule { radius, length },
        Geometry::Cone { radius, length } => CollisionShape::Cone { radius, length },
        Geometry::Ellipsoid { radii } => CollisionShape::Ellipsoid { radii },
        Geometry::Plane { normal, .. } => CollisionShape::Plane { normal },
        _ => return None,
    };
    let half = half_size(geometry);
    Some(Solid {
        shape,
        seen: seen(geometry)?,
        bounds: half.map(|half| [-half, half]),
        volume: volume(geometry),
    })
}

/// Thickness of a slab, metres: a body of 50 m/s does not pass it in a step of a millisecond.
const SLAB: f64 = 0.1;

/// Converts a plane that ends at its size to a slab below it.
fn slab(normal: DVec3, size: DVec2) -> Solid {
    let turn = DQuat::from_rotation_arc(DVec3::Z, normal.normalize_or(DVec3::Z));
    let half = size / 2.0;
    let corners = [-half.x, half.x].into_iter().flat_map(|x| {
        [-half.y, half.y].into_iter().flat_map(move |y| [-SLAB, 0.0].map(|z| turn * DVec3::new(x, y, z)))
    });
    let points: Vec<DVec3> = corners.collect();
    let bounds =
        points.iter().fold([DVec3::MAX, DVec3::MIN], |[low, high], &point| [low.min(point), high.max(point)]);
    Solid {
        shape: CollisionShape::Hull { points },
        seen: (
            Shape::Rectangle { half_x: half.x, half_y: half.y },
            Pose { rotation: turn, ..Pose::IDENTITY },
        ),
        bounds: Some(bounds),
        volume: None,
    }
}

/// Converts a plane for rays, whose normal is z.
fn seen(geometry: &Geometry) -> Option<(Shape, Pose)> {
    let upright = |shape| (shape, Pose::IDENTITY);
    Some(match *geometry {
        Geometry::Plane { normal, .. } => {
            let turn = DQuat::from_rotation_arc(DVec3::Z, normal.normalize_or(DVec3::Z));
            (Shape::Plane, Pose { rotation: turn, ..Pose::IDENTITY })
        }
        Geometry::Box { size } => upright(Shape::Box { half: size / 2.0 }),
        Geometry::Sphere { radius } => upright(Shape::Sphere { radius }),
        Geometry::Cylinder { radius, length } => {
            upright(Shape::Cylinder { radius, half_length: length / 2.0 })
        }
        Geometry::Capsule { radius, length } => upright(Shape::Capsule { radius, half_length: length / 2.0 }),
        Geometry::Cone { radius, length } => upright(Shape::Cone { radius, half_length: length / 2.0 }),
        Geometry::Ellipsoid { radii } => upright(Shape::Ellipsoid { radii }),
        _ => return None,
    })
}

/// Returns the half extents of a shape along its own axes; `None` if unbounded.
fn half_size(geometry: &Geometry) -> Option<DVec3> {
    let round = |radius, half: f64| DVec3::new(radius, radius, half);
    Some(match *geometry {
        Geometry::Box { size } => size / 2.0,
        Geometry::Sphere { radius } => DVec3::splat(radius),
        Geometry::Cylinder { radius, length } | Geometry::Cone { radius, length } => {
            round(radius, length / 2.0)
        }
        Geometry::Capsule { radius, length } => round(radius, length / 2.0 + radius),
        Geometry::Ellipsoid { radii } => radii,
        _ => return None,
    })
}

/// Returns volume and inertia for a density of 1, from the standard formulas.
fn volume(geometry: &Geometry) -> Option<Volume> {
    use std::f64::consts::PI;
    let about_origin = |volume: f64, moments: DVec3| Volume {
        volume,
        centre: DVec3::ZERO,
        inertia: DMat3::from_diagonal(moments * volume),
    };
    let box_like =
        |squares: DVec3| DVec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y);
    Some(match *geometry {
        Geometry::Box { size } => about_origin(size.x * size.y * size.z, box_like(size * size) / 12.0),
        Geometry::Sphere { radius } => {
            about_origin(4.0 / 3.0 * PI * radius * radius * radius, DVec3::splat(0.4 * radius * radius))
        }
        Geometry::Ellipsoid { radii } => {
            about_origin(4.0 / 3.0 * PI * radii.x * radii.y * radii.z, box_like(radii * radii) / 5.0)
        }
        Geometry::Cylinder { radius, length } => {
            let side = (3.0 * radius * radius + length * length) / 12.0;
            about_origin(PI * radius * radius * length, DVec3::new(side, side, radius * radius / 2.0))
        }
        Geometry::Cone { radius, length } => {
            let side = 3.0 / 20.0 * radius * radius + 3.0 / 80.0 * length * length;
            let cone = about_origin(
                PI * radius * radius * length / 3.0,
                DVec3::new(side, side, 0.3 * radius * radius),
            );
            // A quarter of the height above the base, which is at -length / 2.
            Volume { centre: DVec3::new(0.0, 0.0, -length / 4.0), ..cone }
        }
        Geometry::Capsule { radius, length } => {
            let (rr, ll) = (radius * radius, length * length);
            let (tube, caps) = (PI * rr * length, 4.0 / 3.0 * PI * rr * radius);
            let side = tube * (rr / 4.0 + ll / 12.0) + caps * (0.4 * rr + 0.375 * radius * length + ll / 4.0);
            let along = tube * rr / 2.0 + caps * 0.4 * rr;
            Volume {
                volume: tube + caps,
                centre: DVec3::ZERO,
                inertia: DMat3::from_diagonal(DVec3::new(side, side, along)),
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
