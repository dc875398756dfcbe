//! SDF terms into those of physics.

use super::auto_inertia;
use super::solid::Solid;
use crate::physics::{
    CollisionSpec, Inertial as InertialSpec, JointKind as SpecJointKind, JointSpec, LinkSpec, ModelSpec,
    Surface as SurfaceSpec,
};
use crate::pose::{DVec3, Pose};
use crate::sdf::element::{Inertial, JointKind, Surface};
use crate::sdf::resolved::{Axis, Body, Joint, Link, Model};

/// The solids of each link's collisions, in their order.
pub(super) type Solids = Vec<Vec<Option<Solid>>>;

/// What a model is for physics. Joints that physics cannot have (both sides in the world) are left out, and
/// their indices are `None`.
pub(super) fn model_spec(model: &Model, solids: &Solids) -> (ModelSpec, Vec<Option<usize>>) {
    let mut spec = ModelSpec { name: model.name.clone(), is_static: model.is_static, ..ModelSpec::default() };
    spec.links =
        model.links.iter().zip(solids).map(|(link, solids)| link_spec(model, link, solids)).collect();
    let mut indices = Vec::with_capacity(model.joints.len());
    for joint in &model.joints {
        let joint = joint_spec(model, joint).filter(|_| !model.is_static);
        indices.push(joint.as_ref().map(|_| spec.joints.len()));
        spec.joints.extend(joint);
    }
    (spec, indices)
}

fn link_spec(model: &Model, link: &Link, solids: &[Option<Solid>]) -> LinkSpec {
    let inertial = auto_inertia::of_link(link, solids).unwrap_or_else(|| inertial_spec(&link.inertial));
    LinkSpec {
        inertial,
        collisions: link
            .collisions
            .iter()
            .zip(solids)
            .filter_map(|(placed, solid)| {
                Some(CollisionSpec {
                    name: placed.element.name.clone(),
                    pose: placed.pose,
                    shape: solid.as_ref()?.shape.clone(),
                    surface: surface_spec(&placed.element.surface),
                })
            })
            .collect(),
        gravity: link.gravity,
        kinematic: link.kinematic,
        self_collide: link.self_collide,
        linear_decay: link.velocity_decay.linear,
        angular_decay: link.velocity_decay.angular,
        ..LinkSpec::new(&link.name, model.link_pose_world(link))
    }
}

fn inertial_spec(inertial: &Inertial) -> InertialSpec {
    InertialSpec {
        mass: inertial.mass,
        pose: inertial.pose,
        moments: inertial.diagonal,
        products: inertial.products,
    }
}

fn surface_spec(surface: &Surface) -> SurfaceSpec {
    // SDF's bounce threshold is a closing speed; its default of 100 km/s means that nothing bounces.
    let bounces = surface.bounce.threshold < 1_000.0;
    SurfaceSpec {
        friction: surface.friction.coefficient(),
        restitution: if bounces { surface.bounce.restitution } else { 0.0 },
        collide_bitmask: u32::from(surface.contact.collide_bitmask),
    }
}

fn joint_kind(kind: &JointKind) -> SpecJointKind {
    match kind {
        JointKind::Fixed => SpecJointKind::Fixed,
        JointKind::Revolute => SpecJointKind::Revolute,
        JointKind::Continuous => SpecJointKind::Continuous,
        JointKind::Prismatic => SpecJointKind::Prismatic,
        JointKind::Ball => SpecJointKind::Ball,
        JointKind::Universal => SpecJointKind::Universal,
        JointKind::Revolute2 => SpecJointKind::Revolute2,
        JointKind::Screw { .. } => SpecJointKind::Screw,
        JointKind::Gearbox { .. } => SpecJointKind::Gearbox,
    }
}

fn joint_spec(model: &Model, joint: &Joint) -> Option<JointSpec> {
    let (parent, child, flip) = match (joint.parent, joint.child) {
        (Body::Link(parent), Body::Link(child)) => (Some(parent), child, 1.0),
        (Body::World, Body::Link(child)) => (None, child, 1.0),
        // Physics wants the moving side as the child; the axis turns the other way then.
        (Body::Link(parent), Body::World) => (None, parent, -1.0),
        (Body::World, Body::World) => return None,
    };
    let direction = joint.axis.as_ref().map_or(DVec3::Z, |axis| axis.direction_in_model);
    let pose: Pose = model.pose * joint.pose;
    let axis = model.pose.rotation * direction * flip;
    let mut spec = JointSpec::new(&joint.name, joint_kind(&joint.kind), parent, child, pose, axis);
    if let Some(axis) = &joint.axis {
        fill_axis(&mut spec, axis);
    }
    Some(spec)
}

/// A joint of the world for physics; which links it ties is said apart. `sign` is -1 where the sides are swapped.
pub(super) fn world_joint_spec(joint: &Joint, sign: f64) -> JointSpec {
    let direction = joint.axis.as_ref().map_or(DVec3::Z, |axis| axis.direction_in_model);
    let kind = joint_kind(&joint.kind);
    let mut spec = JointSpec::new(&joint.name, kind, None, 0, joint.pose, direction * sign);
    if let Some(axis) = &joint.axis {
        fill_axis(&mut spec, axis);
    }
    spec
}

fn fill_axis(spec: &mut JointSpec, axis: &Axis) {
    spec.limits = [axis.limit.lower, axis.limit.upper];
    spec.effort = axis.limit.effort;
    spec.velocity = axis.limit.velocity;
    spec.damping = axis.dynamics.damping;
    spec.friction = axis.dynamics.friction;
    spec.spring_stiffness = axis.dynamics.spring_stiffness;
    spec.spring_reference = axis.dynamics.spring_reference;
}
