//! The simple shapes that a shape consists of, for computing extents and overlaps.

use bridgehead_sdf::pose::DVec3;
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
        let collider = self.collider(collision).and_then(|handle| self.rapier.colliders.get(handle));
        let Some((collider, body)) = collider.and_then(|collider| Some((collider, collider.parent()?)))
        else {
            return;
        };
        // A collider follows its body only in the next step.
        let pose = self.rapier.bodies.get(body).zip(collider.position_wrt_parent());
        let Some(pose) = pose.map(|(body, in_body)| *body.position() * *in_body) else { return };
        if pose.translation.is_finite() && pose.rotation.is_finite() {
            see(collider.shape(), &pose);
        }
    }
}
