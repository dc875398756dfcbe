//! What must hold before a model is added; the first thing that does not is refused by name.
//!
//! Shapes are checked where they are built. Pure functions of the specification.

use super::body;
use super::error::PhysicsError;
use super::joint;
use super::spec::{CollisionSpec, JointSpec, LinkSpec, ModelSpec};
use crate::pose::Pose;

pub(super) fn model(spec: &ModelSpec) -> Result<(), PhysicsError> {
    spec.links.iter().try_for_each(|link| check_link(spec, link))?;
    spec.joints.iter().try_for_each(|joint| check_joint(spec, joint))
}

fn check_link(spec: &ModelSpec, link: &LinkSpec) -> Result<(), PhysicsError> {
    finite(spec, &link.pose, "link", &link.name)?;
    let moves = !spec.is_static && !link.kinematic;
    if let Some(problem) = body::inertia_problem(&link.inertial).filter(|_| moves) {
        return Err(PhysicsError::BadInertia { model: spec.name.clone(), link: link.name.clone(), problem });
    }
    let decays =
        [("linear velocity decay", link.linear_decay), ("angular velocity decay", link.angular_decay)];
    not_negative(spec, &link.name, &decays)?;
    link.collisions.iter().try_for_each(|collision| check_collision(spec, collision))
}

fn check_collision(spec: &ModelSpec, collision: &CollisionSpec) -> Result<(), PhysicsError> {
    finite(spec, &collision.pose, "collision", &collision.name)?;
    let surface = &collision.surface;
    // SDF lets friction be infinite, which the physics caps.
    let friction = if surface.friction == f64::INFINITY { 0.0 } else { surface.friction };
    not_negative(spec, &collision.name, &[("friction", friction), ("restitution", surface.restitution)])
}

fn check_joint(spec: &ModelSpec, joint: &JointSpec) -> Result<(), PhysicsError> {
    let (model, name) = (spec.name.clone(), joint.name.clone());
    if joint::locked_axes(joint.kind).is_none() {
        return Err(PhysicsError::UnsupportedJoint { model, joint: name, kind: joint.kind.name() });
    }
    let known = |link: usize| link < spec.links.len();
    if !known(joint.child) || !joint.parent.is_none_or(known) || joint.parent == Some(joint.child) {
        return Err(PhysicsError::JointWithoutLinks { model, joint: name });
    }
    finite(spec, &joint.pose, "joint", &joint.name)?;
    if joint.kind.has_position() { check_motion(spec, joint) } else { Ok(()) }
}

/// The numbers that only joints with a position use.
fn check_motion(spec: &ModelSpec, joint: &JointSpec) -> Result<(), PhysicsError> {
    let (model, name) = (spec.name.clone(), joint.name.clone());
    if joint.axis.try_normalize().is_none() {
        return Err(PhysicsError::BadAxis { model, joint: name, axis: joint.axis.to_string() });
    }
    let [lower, upper] = joint.limits;
    if lower.is_nan() || upper.is_nan() || lower > upper {
        return Err(PhysicsError::BadLimits { model, joint: name, lower, upper });
    }
    let dynamics = [
        ("damping", joint.damping),
        ("friction", joint.friction),
        ("spring stiffness", joint.spring_stiffness),
        ("size of the spring reference", joint.spring_reference.abs()),
    ];
    not_negative(spec, &joint.name, &dynamics)
}

fn finite(spec: &ModelSpec, pose: &Pose, kind: &str, name: &str) -> Result<(), PhysicsError> {
    let what = || format!("the pose of {kind} {name}");
    if pose.is_finite() {
        Ok(())
    } else {
        Err(PhysicsError::NotFinite { model: spec.name.clone(), what: what() })
    }
}

fn not_negative(
    spec: &ModelSpec,
    of: &str,
    coefficients: &[(&'static str, f64)],
) -> Result<(), PhysicsError> {
    let bad = coefficients.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0));
    bad.map_or(Ok(()), |&(coefficient, found)| {
        Err(PhysicsError::BadCoefficient { model: spec.name.clone(), of: of.to_owned(), coefficient, found })
    })
}
