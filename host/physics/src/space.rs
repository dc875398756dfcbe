//! Which models overlap a region of space.
//!
//! Every shape is tested: the engine's own index does not contain what was added or moved since the last
//! step.

use bridgehead_pose::DVec3;
use rapier3d_f64::geometry::{Aabb, SharedShape, TypedShape};
use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::bounding_volume::BoundingVolume;
use rapier3d_f64::parry::query::intersection_test;
use rapier3d_f64::parry::shape::{HeightField, Shape};

use super::id::ModelId;
use super::shape;
use super::world::Physics;

/// The least thickness, metres; thinner regions are made this thick, because the engine needs it.
const THIN: f64 = 1e-6;

/// A region of space, in the world.
#[derive(Clone)]
pub struct Space {
    shape: SharedShape,
    pose: RapierPose,
    bounds: Aabb,
}

impl Space {
    /// A ball.
    #[must_use]
    pub fn ball(centre: DVec3, radius: f64) -> Self {
        Self::new(SharedShape::ball(radius.max(THIN)), centre)
    }

    /// A box along the axes of the world.
    #[must_use]
    pub fn aligned(low: DVec3, high: DVec3) -> Self {
        let half = ((high - low) / 2.0).max(DVec3::splat(THIN));
        Self::new(SharedShape::cuboid(half.x, half.y, half.z), low.midpoint(high))
    }

    /// The convex hull of points, which may lie in a plane; `None` if they do not even span an area.
    #[must_use]
    pub fn hull(points: &[DVec3]) -> Option<Self> {
        let first = *points.first()?;
        let farthest = |measure: &dyn Fn(DVec3) -> f64| {
            points.iter().copied().max_by(|a, b| measure(*a).total_cmp(&measure(*b)))
        };
        let second = farthest(&|point| point.distance(first))?;
        let along = (second - first).try_normalize()?;
        let scale = second.distance(first);
        let aside = |point: DVec3| (point - first).reject_from_normalized(along);
        let third = aside(farthest(&|point| aside(point).length())?);
        if third.length() < 1e-9 * scale {
            return None;
        }
        let normal = along.cross(third).try_normalize()?;
        let height = |point: DVec3| (point - first).dot(normal).abs();
        let is_thick = farthest(&height).map(height)? > THIN * scale;
        let shape = match is_thick {
            true => shape::hull(points).ok()?,
            false => polygon(points, [along, normal.cross(along)])?,
        };
        Some(Self::new(shape, DVec3::ZERO))
    }

    fn new(shape: SharedShape, position: DVec3) -> Self {
        let pose = RapierPose::from_translation(position);
        Self { bounds: shape.compute_aabb(&pose), shape, pose }
    }

    fn touches(&self, other: &dyn Shape, pose: &RapierPose) -> bool {
        if let TypedShape::HeightField(field) = other.as_typed_shape() {
            return self.bounds.intersects(&other.compute_aabb(pose)) && self.touches_field(field, pose);
        }
        // The box around a half space covers everything.
        let is_near = other.as_support_map().is_none() || self.bounds.intersects(&other.compute_aabb(pose));
        is_near && self.meets(other, pose)
    }

    fn meets(&self, other: &dyn Shape, pose: &RapierPose) -> bool {
        intersection_test(&self.pose, &*self.shape, pose, other).is_ok_and(|found| found.intersecting)
    }

    fn touches_field(&self, field: &HeightField, pose: &RapierPose) -> bool {
        let bounds = self.shape.compute_aabb(&pose.inv_mul(&self.pose));
        let mut touches = false;
        field.map_elements_in_local_aabb(&bounds, &mut |_, triangle| {
            touches = touches || self.meets(triangle, pose);
        });
        touches
    }
}

/// The convex hull of points in a plane that these axes span, as triangles.
fn polygon(points: &[DVec3], [right, up]: [DVec3; 2]) -> Option<SharedShape> {
    let mut sorted: Vec<(f64, f64, DVec3)> =
        points.iter().map(|point| (point.dot(right), point.dot(up), *point)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    // Along the lower side and back along the upper one, without points that do not turn left.
    let mut corners = side(sorted.iter());
    corners.extend(side(sorted.iter().rev()));
    let count = u32::try_from(corners.len()).ok()?;
    let fan = (1..count.checked_sub(1)?).map(|index| [0, index, index + 1]).collect();
    SharedShape::trimesh(corners, fan).ok()
}

/// One side of a polygon without its last corner, which is the first one of the other side.
fn side<'a>(sorted: impl Iterator<Item = &'a (f64, f64, DVec3)>) -> Vec<DVec3> {
    let mut corners: Vec<&(f64, f64, DVec3)> = Vec::new();
    for point in sorted {
        while let [.., a, b] = corners[..] {
            if (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0) > 0.0 {
                break;
            }
            corners.pop();
        }
        corners.push(point);
    }
    corners.pop();
    corners.into_iter().map(|corner| corner.2).collect()
}

impl Physics {
    /// Returns true if a shape of a model overlaps a region: solids with their volume, meshes and heightmaps
    /// with their surface, a plane with everything below it.
    pub fn overlaps(&self, model: ModelId, space: &Space) -> bool {
        let mut found = false;
        self.shapes_of(model, |shape, pose| found = found || space.touches(shape, pose));
        found
    }
}
