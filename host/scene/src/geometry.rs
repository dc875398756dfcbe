//! The shapes of visuals: those with a few numbers, and those that need a mesh.

use std::path::Path;

use bridgehead_mesh::{Heights, MeshError, Relief, VisualMesh, extrude};
use bridgehead_messages::bridgehead_simulation_interfaces as own;
use bridgehead_sdf::Account;
use bridgehead_sdf::element::{Geometry, Heightmap, Mesh};
use bridgehead_sdf::pose::{DQuat, DVec2, DVec3, Pose};

use crate::library::MeshKey;

/// What a geometry is drawn with.
pub(crate) enum Drawn {
    /// Nothing.
    Nothing,
    /// A shape of `SceneVisual` with its size, and its pose in the visual.
    Shape(u32, DVec3, Pose),
    /// A mesh, with factors along its axes.
    Mesh(MeshKey, DVec3),
}

/// A shape with a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// A constant of `SceneVisual`.
    pub kind: u32,
    /// Side lengths of what it fills, metres.
    pub size: DVec3,
    /// Pose in the visual.
    pub pose: Pose,
}

/// Returns the shape of a geometry; `None` if it needs a mesh or is not drawn. No file is read.
#[must_use]
pub fn shape(geometry: &Geometry) -> Option<Shape> {
    match drawn(geometry) {
        Drawn::Shape(kind, size, pose) => Some(Shape { kind, size, pose }),
        Drawn::Mesh(..) | Drawn::Nothing => None,
    }
}

/// Returns what a geometry is drawn with. No file is read.
pub(crate) fn drawn(geometry: &Geometry) -> Drawn {
    let round = |radius: f64, length: f64| DVec3::new(2.0 * radius, 2.0 * radius, length);
    let shape = |kind, size| Drawn::Shape(kind, size, Pose::IDENTITY);
    match geometry {
        Geometry::Box { size } => shape(own::SceneVisual::BOX, *size),
        Geometry::Sphere { radius } => shape(own::SceneVisual::SPHERE, DVec3::splat(2.0 * radius)),
        Geometry::Ellipsoid { radii } => shape(own::SceneVisual::ELLIPSOID, 2.0 * *radii),
        Geometry::Cylinder { radius, length } => shape(own::SceneVisual::CYLINDER, round(*radius, *length)),
        Geometry::Capsule { radius, length } => {
            shape(own::SceneVisual::CAPSULE, round(*radius, length + 2.0 * radius))
        }
        Geometry::Cone { radius, length } => shape(own::SceneVisual::CONE, round(*radius, *length)),
        Geometry::Plane { normal, size } => plane(*normal, size.unwrap_or(DVec2::ONE)),
        Geometry::Mesh(Mesh { path: Some(path), submesh, center_submesh, scale, .. }) => {
            Drawn::Mesh(MeshKey::File(path.clone(), submesh.clone(), *center_submesh), *scale)
        }
        Geometry::Heightmap(Heightmap { path: Some(_), .. }) | Geometry::Polyline { .. } => {
            Drawn::Mesh(MeshKey::Made(format!("{geometry:?}")), DVec3::ONE)
        }
        Geometry::Mesh(_) | Geometry::Heightmap(_) | Geometry::Empty | Geometry::Unsupported { .. } => {
            Drawn::Nothing
        }
    }
}

fn plane(normal: DVec3, size: DVec2) -> Drawn {
    let rotation = DQuat::from_rotation_arc(DVec3::Z, normal.normalize_or(DVec3::Z));
    Drawn::Shape(own::SceneVisual::PLANE, size.extend(0.0), Pose { rotation, ..Pose::IDENTITY })
}

/// Reads or makes the mesh of a geometry.
pub(crate) fn mesh(geometry: &Geometry, account: Account<'_>) -> Result<VisualMesh, String> {
    read(geometry, account).map_err(|error| error.to_string())
}

fn read(geometry: &Geometry, account: Account<'_>) -> Result<VisualMesh, MeshError> {
    match geometry {
        Geometry::Mesh(Mesh { path: Some(path), submesh, center_submesh, .. }) => {
            VisualMesh::load(path, account)?.select(path, submesh.as_deref(), *center_submesh)
        }
        Geometry::Heightmap(map) => {
            let path = map.path.as_deref().unwrap_or(Path::new(""));
            let relief = Relief { size: map.size, position: map.position, sampling: map.sampling };
            let triangles = Heights::load(path, &relief, account)?.triangles();
            let mut mesh = VisualMesh::of_triangles("heightmap", &triangles, true);
            mesh.parts.iter_mut().for_each(|part| part.uvs = from_above(map, &part.positions));
            Ok(mesh)
        }
        Geometry::Polyline { outlines, height } => {
            Ok(VisualMesh::of_triangles("polyline", &extrude(outlines, *height)?, false))
        }
        _ => Ok(VisualMesh::default()),
    }
}

/// Returns texture coordinates that repeat the lowest texture over the ground, with its upper side towards +y.
#[expect(clippy::cast_possible_truncation, reason = "texture coordinates are f32")]
fn from_above(map: &Heightmap, positions: &[[f32; 3]]) -> Vec<[f32; 2]> {
    let size = map.textures.first().map_or(map.size.x, |texture| texture.size) as f32;
    if size <= 0.0 {
        return Vec::new();
    }
    positions.iter().map(|[x, y, _]| [x / size, -y / size]).collect()
}

/// Returns the address of a mesh file as written; empty for other geometries.
pub(crate) fn uri(geometry: &Geometry) -> &str {
    match geometry {
        Geometry::Mesh(mesh) => &mesh.uri,
        _ => "",
    }
}
