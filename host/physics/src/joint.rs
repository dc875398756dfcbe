//! A joint between two bodies: its description for rapier, and its position.
//!
//! Positions are computed from the poses of the two bodies for both kinds of modelling. Turns are counted, so
//! that the angle of a wheel continues beyond a full turn. Commands are in `motor`.

use std::f64::consts::TAU;

use bridgehead_sdf::pose::{DQuat, DVec3, Pose};
use rapier3d_f64::dynamics::{
    GenericJoint, ImpulseJointHandle, JointAxesMask, JointAxis, MultibodyDofCoupling, MultibodyJointHandle,
    RigidBodyHandle, RigidBodySet,
};
use rapier3d_f64::na::RealField;

use serde::{Deserialize, Serialize};

use super::body::{from_rapier, to_rapier};
use super::coupling::Follow;
use super::id::ModelId;
use super::motor::JointCommand;
use super::spec::{JointKind, JointSpec};

/// Which of rapier's sets holds the joint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum Attachment {
    Impulse(ImpulseJointHandle),
    Multibody(MultibodyJointHandle),
    /// None: a gearbox is a coupling of two other joints.
    Coupling,
}

/// The two bodies of a joint; the parent is a fixed anchor if the joint connects to the world.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Ends {
    pub(super) parent: RigidBodyHandle,
    pub(super) child: RigidBodyHandle,
}

/// The joint frames in the two bodies; they coincide at position zero, and x is the axis.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Frames {
    pub(super) in_parent: Pose,
    pub(super) in_child: Pose,
}

/// A joint in the table of the physics.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Joint {
    /// The model of the child.
    pub(super) model: ModelId,
    /// The model of the parent; `None` for the world.
    pub(super) parent_model: Option<ModelId>,
    pub(super) spec: JointSpec,
    pub(super) attachment: Attachment,
    pub(super) ends: Ends,
    pub(super) frames: Frames,
    pub(super) position: f64,
    pub(super) command: JointCommand,
    /// The leader, if the joint follows one.
    pub(super) follows: Option<Follow>,
    /// True if parent and child are swapped here. Positions and efforts are the same both ways.
    pub(super) is_turned: bool,
}

/// Returns the axes that a joint locks; `None` if the engine has no such joint and it is made of others.
pub(super) fn locked_axes(kind: JointKind) -> Option<JointAxesMask> {
    match kind {
        JointKind::Fixed => Some(JointAxesMask::LOCKED_FIXED_AXES),
        JointKind::Revolute | JointKind::Continuous => Some(JointAxesMask::LOCKED_REVOLUTE_AXES),
        JointKind::Prismatic => Some(JointAxesMask::LOCKED_PRISMATIC_AXES),
        JointKind::Ball => Some(JointAxesMask::LOCKED_SPHERICAL_AXES),
        JointKind::Screw { .. } => Some(JointAxesMask::LOCKED_FIXED_AXES ^ TURN_AND_SLIDE),
        JointKind::Universal | JointKind::Revolute2 | JointKind::Gearbox { .. } => None,
    }
}

/// The axes of a screw before its pitch couples the two.
const TURN_AND_SLIDE: JointAxesMask = JointAxesMask::ANG_X.union(JointAxesMask::LIN_X);

/// The index of the position among the degrees of freedom of an engine joint, linear ones first.
pub(super) fn freedom_of(kind: JointKind) -> usize {
    match kind {
        JointKind::Screw { .. } => 1,
        JointKind::Fixed | JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => 0,
        JointKind::Ball | JointKind::Universal | JointKind::Revolute2 | JointKind::Gearbox { .. } => 0,
    }
}

/// Couples the translation of a multibody link to its rotation.
pub(super) fn thread(link: usize, pitch: f64) -> MultibodyDofCoupling {
    let [axis1, axis2] = [JointAxis::AngX, JointAxis::LinX].map(|axis| axis as usize);
    let coeff = pitch / TAU;
    MultibodyDofCoupling { link1: link, dof1: 1, axis1, link2: link, dof2: 0, axis2, coeff, offset: 0.0 }
}

impl Frames {
    pub(super) fn new(spec: &JointSpec, parent: &Pose, child: &Pose) -> Self {
        let turn = if spec.kind.has_position() {
            DQuat::from_rotation_arc(DVec3::X, spec.axis.normalize_or(DVec3::X))
        } else {
            spec.pose.rotation
        };
        let joint = Pose::new(spec.pose.position, turn);
        Self { in_parent: joint.relative_to(parent), in_child: joint.relative_to(child) }
    }
}

/// The joint for rapier, without a motor; `turns` says whether limits may lie beyond a full turn.
pub(super) fn describe(
    spec: &JointSpec,
    locked: JointAxesMask,
    frames: &Frames,
    turns: bool,
) -> GenericJoint {
    let mut joint = GenericJoint::new(locked);
    joint.set_local_frame1(to_rapier(&frames.in_parent)).set_local_frame2(to_rapier(&frames.in_child));
    joint.set_contacts_enabled(false);
    if let Some((axis, limits)) = limits(spec, turns) {
        joint.set_limits(axis, limits);
    }
    joint
}

/// The effective limits, if any; SDF writes "none" as ±1e16 or as an infinite number.
fn limits(spec: &JointSpec, turns: bool) -> Option<(JointAxis, [f64; 2])> {
    const NONE: f64 = 1e15;
    let [lower, upper] = spec.limits;
    let axis = axis_of(spec.kind)?;
    let limited = spec.kind != JointKind::Continuous && (lower > -NONE || upper < NONE);
    let representable = spec.kind == JointKind::Prismatic || turns || upper - lower < TAU;
    (limited && representable).then_some((axis, [lower.max(-NONE), upper.min(NONE)]))
}

/// The axis that moves, if the joint has a single position.
pub(super) fn axis_of(kind: JointKind) -> Option<JointAxis> {
    match kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Screw { .. } => Some(JointAxis::AngX),
        JointKind::Prismatic => Some(JointAxis::LinX),
        JointKind::Fixed | JointKind::Ball => None,
        JointKind::Universal | JointKind::Revolute2 | JointKind::Gearbox { .. } => None,
    }
}

/// The position and velocity of a joint, computed from its bodies.
pub(super) struct Reading {
    /// The joint frame on the side of the parent, in the world.
    pub(super) frame: Pose,
    /// Radians in -π..π, or metres.
    pub(super) position: f64,
    /// rad/s or m/s.
    pub(super) velocity: f64,
}

impl Joint {
    /// The direction of the axis in the world.
    pub(super) fn axis(reading: &Reading) -> DVec3 {
        reading.frame.rotate(DVec3::X)
    }

    /// Computes position and velocity; `None` if the joint has no single position.
    pub(super) fn read(&self, bodies: &RigidBodySet) -> Option<Reading> {
        let moving = axis_of(self.spec.kind)?;
        let (parent, child) = (bodies.get(self.ends.parent)?, bodies.get(self.ends.child)?);
        let frame = from_rapier(parent.position()) * self.frames.in_parent;
        let other = from_rapier(child.position()) * self.frames.in_child;
        let offset = other.relative_to(&frame);
        let axis = frame.rotate(DVec3::X);
        let (position, velocity) = if moving == JointAxis::AngX {
            (angle_about_x(offset.rotation), (child.angvel() - parent.angvel()).dot(axis))
        } else {
            let speed = child.velocity_at_point(other.position) - parent.velocity_at_point(other.position);
            (offset.position.x, speed.dot(axis))
        };
        Some(Reading { frame, position, velocity })
    }

    /// Returns the velocity, rad/s or m/s; `None` if the joint has no single position. Cheaper than
    /// [`Joint::read`]: plugins read it in every step.
    pub(super) fn velocity(&self, bodies: &RigidBodySet) -> Option<f64> {
        if axis_of(self.spec.kind)? != JointAxis::AngX {
            return self.read(bodies).map(|reading| reading.velocity);
        }
        let (parent, child) = (bodies.get(self.ends.parent)?, bodies.get(self.ends.child)?);
        let axis = *parent.rotation() * self.frames.in_parent.rotate(DVec3::X);
        Some((child.angvel() - parent.angvel()).dot(axis))
    }

    /// Updates the position of the joint and counts turns. Called for every joint in every step.
    pub(super) fn follow(&mut self, bodies: &RigidBodySet) {
        if let Some(position) = self.here(bodies) {
            self.position = position;
        }
    }

    /// The current position, turns counted; `None` if the joint has no single position.
    pub(super) fn here(&self, bodies: &RigidBodySet) -> Option<f64> {
        if axis_of(self.spec.kind)? != JointAxis::AngX {
            return self.read(bodies).map(|reading| reading.position);
        }
        let moved = self.angle(bodies)? - self.position;
        Some(self.position + (moved - TAU * (moved / TAU).round()))
    }

    /// The angle of the child about the axis, in -2π..2π.
    fn angle(&self, bodies: &RigidBodySet) -> Option<f64> {
        let (parent, child) = (bodies.get(self.ends.parent)?, bodies.get(self.ends.child)?);
        let frame = *parent.rotation() * self.frames.in_parent.rotation;
        let other = *child.rotation() * self.frames.in_child.rotation;
        Some(angle_about_x(frame.conjugate() * other))
    }
}

/// The angle of a rotation about x, in -2π..2π; its quaternion may be of any length. Uses rapier's own arc tangent, which is the same on every machine.
fn angle_about_x(rotation: DQuat) -> f64 {
    2.0 * RealField::atan2(rotation.x, rotation.w)
}
