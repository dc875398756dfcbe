//! Checks a model before it is added; the first problem is returned as an error with names.
//!
//! Shapes are checked where they are built. Pure functions of the specification.

use bridgehead_dynamics::Free;
use bridgehead_pose::{DVec3, Pose};

mod mimic;

use super::error::PhysicsError;
use super::inertia;
use super::joint;
use super::spec::{AxisSpec, CollisionSpec, JointKind, JointSpec, LinkSpec, ModelSpec};

pub(super) fn model(spec: &ModelSpec) -> Result<(), PhysicsError> {
    spec.links.iter().try_for_each(|link| check_link(spec, link))?;
    spec.joints.iter().try_for_each(|joint| check_joint(spec, joint))?;
    mimic::check(spec)
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
    // SDF allows infinite friction, which the physics caps.
    let friction = if surface.friction == f64::INFINITY { 0.0 } else { surface.friction };
    not_negative(&spec.name, &collision.name, &[("friction", friction), ("restitution", surface.restitution)])
}

fn check_joint(spec: &ModelSpec, joint: &JointSpec) -> Result<(), PhysicsError> {
    let known = |link: usize| link < spec.links.len();
    if !known(joint.child) || !joint.parent.is_none_or(known) || joint.parent == Some(joint.child) {
        let (model, joint) = (spec.name.clone(), joint.name.clone());
        return Err(PhysicsError::JointWithoutLinks { model, joint });
    }
    self::joint(&spec.name, joint)
}

/// Checks a joint that is added at run time, apart from its links; returns what it lets free.
pub(super) fn runtime_joint(model: &str, joint: &JointSpec) -> Result<Free, PhysicsError> {
    self::joint(model, joint)?;
    joint::core_free(joint.kind).ok_or_else(|| {
        let (model, joint, kind) = (model.to_owned(), joint.name.clone(), joint.kind.name());
        PhysicsError::UnsupportedJoint {
            model,
            joint,
            kind,
            problem: "connects models to each other or to the world",
        }
    })
}

/// Checks a joint, apart from its links.
fn joint(model: &str, joint: &JointSpec) -> Result<(), PhysicsError> {
    finite(model, &joint.pose, "joint", &joint.name)?;
    match joint.kind {
        JointKind::Fixed | JointKind::Ball => Ok(()),
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => check_motion(model, joint),
        JointKind::Universal | JointKind::Revolute2 | JointKind::Gearbox { .. } => check_axes(model, joint),
        JointKind::Screw { pitch } => check_pitch(model, joint, pitch),
    }
}

/// Checks both axes. Those of a gearbox may be parallel, because they belong to different links.
fn check_axes(model: &str, joint: &JointSpec) -> Result<(), PhysicsError> {
    check_motion(model, joint)?;
    let second = joint.second.clone().unwrap_or_else(|| AxisSpec::new(DVec3::ZERO));
    check_motion(model, &joint.clone().about(&second))?;
    let sine = joint.axis.normalize().cross(second.direction.normalize()).length();
    if joint.kind.is_in_series() && sine < MIN_SINE {
        let (first, second) = (joint.axis.to_string(), second.direction.to_string());
        let (model, joint) = (model.to_owned(), joint.name.clone());
        return Err(PhysicsError::ParallelAxes { model, joint, first, second });
    }
    Ok(())
}

/// Two axes in series closer to each other than 2.9° turn the child about one axis only.
const MIN_SINE: f64 = 0.05;

fn check_pitch(model: &str, joint: &JointSpec, pitch: f64) -> Result<(), PhysicsError> {
    check_motion(model, joint)?;
    if (1e-6..=1e6).contains(&pitch.abs()) {
        return Ok(());
    }
    Err(PhysicsError::BadPitch { model: model.to_owned(), joint: joint.name.clone(), pitch })
}

/// Checks the numbers that only joints with a position use.
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
    let [stiffness, dissipation] = joint.stop.map_or([0.0; 2], |stop| [stop.stiffness, stop.dissipation]);
    let dynamics = [
        ("stiffness of the limits", stiffness),
        ("dissipation of the limits", dissipation),
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
