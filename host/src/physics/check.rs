//! What must hold before a model is added; the first thing that does not is refused by name.
//!
//! Shapes are checked where they are built. Pure functions of the specification.

use rapier3d_f64::dynamics::JointAxesMask;

use super::error::PhysicsError;
use super::inertia;
use super::joint;
use super::spec::{CollisionSpec, JointSpec, LinkSpec, ModelSpec};
use crate::pose::Pose;

pub(super) fn model(spec: &ModelSpec) -> Result<(), PhysicsError> {
    spec.links.iter().try_for_each(|link| check_link(spec, link))?;
    spec.joints.iter().try_for_each(|joint| check_joint(spec, joint))
}

fn check_link(spec: &ModelSpec, link: &LinkSpec) -> Result<(), PhysicsError> {
    finite(&spec.name, &link.pose, "link", &link.name)?;
    let moves = !spec.is_static && !link.kinematic;
    if let Some(problem) = inertia::problem(&link.inertial).filter(|_| moves) {
        return Err(PhysicsError::BadInertia { model: spec.name.clone(), link: link.name.clone(), problem });
    }
    let decays =
        [("linear velocity decay", link.linear_decay), ("angular velocity decay", link.angular_decay)];
    not_negative(&spec.name, &link.name, &decays)?;
    link.collisions.iter().try_for_each(|collision| check_collision(spec, collision))
}

fn check_collision(spec: &ModelSpec, collision: &CollisionSpec) -> Result<(), PhysicsError> {
    finite(&spec.name, &collision.pose, "collision", &collision.name)?;
    let surface = &collision.surface;
    // SDF lets friction be infinite, which the physics caps.
    let friction = if surface.friction == f64::INFINITY { 0.0 } else { surface.friction };
    not_negative(&spec.name, &collision.name, &[("friction", friction), ("restitution", surface.restitution)])
}

fn check_joint(spec: &ModelSpec, joint: &JointSpec) -> Result<(), PhysicsError> {
    let known = |link: usize| link < spec.links.len();
    if !known(joint.child) || !joint.parent.is_none_or(known) || joint.parent == Some(joint.child) {
        let (model, joint) = (spec.name.clone(), joint.name.clone());
        return Err(PhysicsError::JointWithoutLinks { model, joint });
    }
    self::joint(&spec.name, joint).map(|_| ())
}

/// A joint but for the links that it ties; gives the axes that it locks.
pub(super) fn joint(model: &str, joint: &JointSpec) -> Result<JointAxesMask, PhysicsError> {
    let Some(locked) = joint::locked_axes(joint.kind) else {
        let (model, joint, kind) = (model.to_owned(), joint.name.clone(), joint.kind.name());
        return Err(PhysicsError::UnsupportedJoint { model, joint, kind });
    };
    finite(model, &joint.pose, "joint", &joint.name)?;
    if joint.kind.has_position() {
        check_motion(model, joint)?;
    }
    Ok(locked)
}

/// The numbers that only joints with a position use.
fn check_motion(model: &str, joint: &JointSpec) -> Result<(), PhysicsError> {
    let names = || (model.to_owned(), joint.name.clone());
    if joint.axis.try_normalize().is_none() {
        let (model, name) = names();
        return Err(PhysicsError::BadAxis { model, joint: name, axis: joint.axis.to_string() });
    }
    let [lower, upper] = joint.limits;
    if lower.is_nan() || upper.is_nan() || lower > upper {
        let (model, joint) = names();
        return Err(PhysicsError::BadLimits { model, joint, lower, upper });
    }
    let dynamics = [
        ("damping", joint.damping),
        ("friction", joint.friction),
        ("spring stiffness", joint.spring_stiffness),
        ("size of the spring reference", joint.spring_reference.abs()),
    ];
    not_negative(model, &joint.name, &dynamics)
}

fn finite(model: &str, pose: &Pose, kind: &str, name: &str) -> Result<(), PhysicsError> {
    let what = || format!("the pose of {kind} {name}");
    if pose.is_finite() {
        Ok(())
    } else {
        Err(PhysicsError::NotFinite { model: model.to_owned(), what: what() })
    }
}

fn not_negative(model: &str, of: &str, coefficients: &[(&'static str, f64)]) -> Result<(), PhysicsError> {
    let bad = coefficients.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0));
    bad.map_or(Ok(()), |&(coefficient, found)| {
        Err(PhysicsError::BadCoefficient { model: model.to_owned(), of: of.to_owned(), coefficient, found })
    })
}
