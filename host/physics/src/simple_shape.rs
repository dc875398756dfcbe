//! The simple shapes that a shape consists of, for computing extents and overlaps.

use bridgehead_pose::DVec3;
use rapier3d_f64::geometry::TypedShape;
use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::shape::{HeightField, Shape, SupportMap};

use super::id::{CollisionId, ModelId};
use super::world::Physics;

/// A shape without parts.
pub(super) enum SimpleShape<'a> {
    /// Bounded and convex.
    Convex(&'a dyn Shape, &'a dyn SupportMap),
    /// The corners of a surface.
    Surface(Vec<DVec3>),
    /// A half space, which is unbounded.
    HalfSpace,
}

/// Calls `see` with every simple shape of a shape at `pose`, and its pose.
pub(super) fn for_each_simple_shape(
    shape: &dyn Shape,
    pose: &RapierPose,
    see: &mut dyn FnMut(SimpleShape<'_>, &RapierPose),
) {
    match shape.as_typed_shape() {
        TypedShape::Compound(compound) => {
            compound
                .shapes()
                .iter()
                .for_each(|(inner, part)| for_each_simple_shape(&**part, &(*pose * *inner), see));
        }
        TypedShape::TriMesh(mesh) => see(SimpleShape::Surface(mesh.vertices().to_vec()), pose),
        TypedShape::HeightField(field) => see(SimpleShape::Surface(corners(field)), pose),
        _ => match shape.as_support_map() {
            Some(ends) => see(SimpleShape::Convex(shape, ends), pose),
            None => see(SimpleShape::HalfSpace, pose),
        },
    }
}

fn corners(field: &HeightField) -> Vec<DVec3> {
    field.triangles().flat_map(|triangle| [triangle.a, triangle.b, triangle.c]).collect()
}

impl Physics {
    /// Calls `see` with every shape of a model and its pose in the world, except those of bodies that are not
    /// finite. Returns false if the model was removed.
    pub(super) fn shapes_of(&self, model: ModelId, mut see: impl FnMut(&dyn Shape, &RapierPose)) -> bool {
        let Some(model) = self.model(model) else { return false };
        model.collisions.iter().for_each(|&collision| self.show_shape(collision, &mut see));
        true
    }

    fn show_shape(&self, collision: CollisionId, see: &mut impl FnMut(&dyn Shape, &RapierPose)) {
        for &collider in self.collisions.get(collision).into_iter().flat_map(|found| &found.colliders) {
            let pose = self.world.shape_pose(collider);
            if pose.is_finite() {
                see(&**self.world.shape(collider), &pose);
            }
        }
    }
}
