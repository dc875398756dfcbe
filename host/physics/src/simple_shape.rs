//! The parts of shapes: what extents and overlaps are worked out from.

use bridgehead_sdf::pose::DVec3;
use rapier3d_f64::geometry::TypedShape;
use rapier3d_f64::math::Pose as RapierPose;
use rapier3d_f64::parry::shape::{HeightField, Shape, SupportMap};

use super::id::{CollisionId, ModelId};
use super::world::Physics;

/// A part of a shape that has no parts of its own.
pub(super) enum SimpleShape<'a> {
    /// Convex, with an end in every direction.
    Convex(&'a dyn Shape, &'a dyn SupportMap),
    /// The corners of a surface.
    Surface(Vec<DVec3>),
    /// A half of space.
    HalfSpace,
}

/// Shows every part of a shape that stands at `pose`, with where it stands.
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
    /// Shows every shape of a model with where it stands in the world; those of bodies that are no numbers any more
    /// are left out. False where the model was removed.
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
        // The collider itself follows its body only in the next step.
        let pose = self.rapier.bodies.get(body).zip(collider.position_wrt_parent());
        let Some(pose) = pose.map(|(body, in_body)| *body.position() * *in_body) else { return };
        if pose.translation.is_finite() && pose.rotation.is_finite() {
            see(collider.shape(), &pose);
        }
    }
}
