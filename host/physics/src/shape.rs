//! The shapes of SDF as rapier's shapes.
//!
//! SDF's cylinder, cone and heightmap are upright along z, rapier's along y, so a shape comes with a pose.

use std::fmt;
use std::panic::catch_unwind;

use bridgehead_pose::{DQuat, DVec3, Pose};
use rapier3d_f64::geometry::{Array2, SharedShape};
use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::shape::HeightFieldFlags;

use super::error::ShapeError;
use super::extreme;
use super::spec::CollisionShape;

/// Points along a half circle and around the axis of an ellipsoid: at most 0.5 % of the radius off.
const ELLIPSOID_RINGS: u32 = 16;

/// A shape of the engine, ready to be added to a world. Building the shape of a mesh takes long, and it needs no world,
/// so that it can be done on any thread. Copies share the shape.
#[derive(Clone)]
pub struct BuiltShape {
    shape: SharedShape,
    /// Its pose in the collision frame.
    pose: Pose,
}

impl fmt::Debug for BuiltShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BuiltShape").field(&self.shape.shape_type()).finish()
    }
}

impl CollisionShape {
    /// Returns the same shape, built.
    ///
    /// # Errors
    /// Returns an error if it cannot be simulated.
    pub fn built(&self) -> Result<Self, ShapeError> {
        let (shape, pose) = build(self)?;
        Ok(CollisionShape::Built(BuiltShape { shape, pose }))
    }
}

/// Builds the shape; returns it with its pose in the collision frame.
pub(super) fn build(shape: &CollisionShape) -> Result<(SharedShape, Pose), ShapeError> {
    let upright = Pose::new(DVec3::ZERO, DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2));
    match shape {
        CollisionShape::Box { size } => {
            positive("size", &size.to_array())?;
            Ok((SharedShape::cuboid(size.x / 2.0, size.y / 2.0, size.z / 2.0), Pose::IDENTITY))
        }
        CollisionShape::Sphere { radius } => {
            positive("radius", &[*radius])?;
            Ok((SharedShape::ball(*radius), Pose::IDENTITY))
        }
        CollisionShape::Cylinder { radius, length } => {
            positive("radius and length", &[*radius, *length])?;
            Ok((SharedShape::cylinder(length / 2.0, *radius), upright))
        }
        CollisionShape::Capsule { radius, length } => {
            positive("radius and length", &[*radius, *length])?;
            Ok((SharedShape::capsule_z(length / 2.0, *radius), Pose::IDENTITY))
        }
        CollisionShape::Cone { radius, length } => {
            positive("radius and length", &[*radius, *length])?;
            Ok((SharedShape::cone(length / 2.0, *radius), upright))
        }
        CollisionShape::Ellipsoid { radii } => {
            positive("radii", &radii.to_array())?;
            Ok((hull(&ellipsoid_points(*radii))?, Pose::IDENTITY))
        }
        CollisionShape::Built(built) => Ok((built.shape.clone(), built.pose)),
        CollisionShape::Plane { normal } => {
            let normal = normal.try_normalize().ok_or(ShapeError::NoNormal)?;
            Ok((SharedShape::halfspace(normal), Pose::IDENTITY))
        }
        CollisionShape::Mesh { points, triangles } => Ok((mesh(points, triangles)?, Pose::IDENTITY)),
        CollisionShape::Heights { columns, rows, heights, extent, position } => {
            let field = height_field(*columns, *rows, heights, *extent)?;
            Ok((field, Pose::new(*position, upright.rotation)))
        }
        CollisionShape::Hull { points } => Ok((hull(points)?, Pose::IDENTITY)),
        CollisionShape::Parts { parts } => {
            let hulls: Result<Vec<_>, ShapeError> =
                parts.iter().map(|points| Ok((RapierPose::IDENTITY, hull(points)?))).collect();
            let hulls = hulls?;
            if hulls.is_empty() {
                return Err(ShapeError::NoParts);
            }
            Ok((SharedShape::compound(hulls), Pose::IDENTITY))
        }
    }
}

/// The parts of a shape at a pose: those of a compound, or the shape itself.
pub(super) fn convex_shapes(shape: &SharedShape, pose: &Pose) -> Vec<(SharedShape, Pose)> {
    match shape.as_compound() {
        Some(compound) => {
            let part = |(inner, part): &(RapierPose, SharedShape)| {
                (part.clone(), *pose * Pose::new(inner.translation, inner.rotation))
            };
            compound.shapes().iter().map(part).collect()
        }
        None => vec![(shape.clone(), *pose)],
    }
}

/// The range of dimensions, metres. Outside of it the results of the engine are meaningless, and it may
/// panic.
const DIMENSIONS: std::ops::RangeInclusive<f64> = 1e-6..=1e7;

fn positive(name: &'static str, values: &[f64]) -> Result<(), ShapeError> {
    if values.iter().all(|value| DIMENSIONS.contains(value)) {
        return Ok(());
    }
    let (least, most) = (DIMENSIONS.start(), DIMENSIONS.end());
    Err(ShapeError::Dimension { name, least: *least, most: *most, found: values.to_vec() })
}

pub(super) fn hull(points: &[DVec3]) -> Result<SharedShape, ShapeError> {
    if points.len() < 4 || points.iter().any(|point| !point.is_finite()) {
        return Err(ShapeError::HullPoints);
    }
    let fewer = (points.len() > extreme::MAX).then(|| extreme::points(points));
    let points = fewer.as_deref().unwrap_or(points);
    // parry panics on some sets of points that lie in a plane or on a line.
    let hull = catch_unwind(|| SharedShape::convex_hull(points)).ok().flatten();
    hull.ok_or(ShapeError::Flat)
}

/// Returns the volume of the convex hull of points; `None` if they span none.
#[must_use]
pub fn hull_volume(points: &[DVec3]) -> Option<f64> {
    let hull = hull(points).ok()?;
    Some(hull.mass_properties(1.0).mass())
}

fn mesh(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<SharedShape, ShapeError> {
    if points.iter().any(|point| !point.is_finite()) {
        return Err(ShapeError::NotFinite("a point"));
    }
    if triangles.iter().flatten().any(|&index| index as usize >= points.len()) {
        return Err(ShapeError::NoPoint { count: points.len() });
    }
    SharedShape::trimesh(points.to_vec(), triangles.to_vec())
        .map_err(|error| ShapeError::Mesh(error.to_string()))
}

/// Builds a height field. rapier's rows run along its z, which is SDF's -y, in the same order as ours.
fn height_field(
    columns: usize,
    rows: usize,
    heights: &[f64],
    [along_x, along_y]: [f64; 2],
) -> Result<SharedShape, ShapeError> {
    positive("extent", &[along_x, along_y])?;
    if columns < 2 || rows < 2 || columns.checked_mul(rows) != Some(heights.len()) {
        return Err(ShapeError::Grid { found: heights.len(), columns, rows });
    }
    if heights.iter().any(|height| !height.is_finite()) {
        return Err(ShapeError::NotFinite("a height"));
    }
    let heights = Array2::from_fn(rows, columns, |row, column| heights[row * columns + column]);
    let scale = DVec3::new(along_x, 1.0, along_y);
    // Wheels roll over the edges between triangles without bumps.
    Ok(SharedShape::heightfield_with_flags(heights, scale, HeightFieldFlags::FIX_INTERNAL_EDGES))
}

fn ellipsoid_points(radii: DVec3) -> Vec<DVec3> {
    let step = std::f64::consts::PI / f64::from(ELLIPSOID_RINGS);
    let rings = (1..ELLIPSOID_RINGS).flat_map(|ring| (0..2 * ELLIPSOID_RINGS).map(move |turn| (ring, turn)));
    let points = rings.map(|(ring, turn)| {
        let along = DQuat::from_rotation_y(f64::from(ring) * step) * DVec3::Z;
        DQuat::from_rotation_z(f64::from(turn) * step) * along * radii
    });
    points.chain([DVec3::Z * radii.z, DVec3::NEG_Z * radii.z]).collect()
}
