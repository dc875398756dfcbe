//! Joints in the table of the physics: what holds them, and their frames.

use std::f64::consts::TAU;

use bridgehead_dynamics::{Axis, AxisId, Free, World};
use bridgehead_pose::{DQuat, DVec3, Pose};
use serde::{Deserialize, Serialize};

use super::coupling::Follow;
use super::id::{JointId, LinkId, ModelId};
use super::link::from_core;
use super::motor::JointCommand;
use super::spec::{JointKind, JointSpec};

/// The rate at which a revolute joint returns into its limits, or approaches its offset, rad/s; and a prismatic one, m/s.
const TURNING: f64 = 1.0;
const SLIDING: f64 = 0.1;

/// A stop of this stiffness is rigid: it is the default of SDF, and makes no difference in a step of a millisecond.
const RIGID_STOP: f64 = 1e8;

/// A stop whose stiffness and dissipation are both smaller is no limit.
const NO_STOP: f64 = 1e-9;

/// A joint in the table of the physics.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Joint {
    /// The model of the child.
    pub(super) model: ModelId,
    /// The model of the parent; `None` for the world.
    pub(super) parent_model: Option<ModelId>,
    pub(super) spec: JointSpec,
    /// Parent and child; `None` is the world.
    pub(super) links: [Option<LinkId>; 2],
    /// The bodies of parent and child, or of the companion between two axes.
    pub(super) bodies: [usize; 2],
    /// The joint in these bodies: both coincide at position zero, and x is the axis.
    pub(super) frames: [Pose; 2],
    pub(super) holder: Holder,
    pub(super) command: JointCommand,
    /// The leader, if the joint follows one.
    pub(super) follows: Option<Follow>,
    /// The other axis of a joint with two.
    pub(super) twin: Option<JointId>,
}

/// What holds a joint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum Holder {
    /// Its links are one body, or forces move neither.
    Rigid,
    /// The coordinates of a tree, from this degree of freedom on.
    Tree {
        /// The tree.
        tree: usize,
        /// The first degree of freedom.
        freedom: usize,
    },
    /// A constraint.
    Constraint(usize),
    /// Gears, which are a coupling of two other joints.
    Coupling,
}

/// The joint frames in two bodies.
pub(super) fn frames(spec: &JointSpec, parent: &Pose, child: &Pose) -> [Pose; 2] {
    let turn = if spec.kind.has_position() {
        DQuat::from_rotation_arc(DVec3::X, spec.axis.normalize_or(DVec3::X))
    } else {
        spec.pose.rotation
    };
    let joint = Pose::new(spec.pose.position, turn);
    [joint.relative_to(parent), joint.relative_to(child)]
}

/// The joint of a tree; two axes and gears are made of others.
pub(super) fn core_kind(kind: JointKind) -> bridgehead_dynamics::Joint {
    match kind {
        JointKind::Prismatic => bridgehead_dynamics::Joint::Prismatic,
        JointKind::Ball => bridgehead_dynamics::Joint::Ball,
        JointKind::Screw { pitch } => bridgehead_dynamics::Joint::Screw(pitch / TAU),
        JointKind::Revolute | JointKind::Continuous | JointKind::Fixed => {
            bridgehead_dynamics::Joint::Revolute
        }
        JointKind::Universal | JointKind::Revolute2 | JointKind::Gearbox { .. } => {
            bridgehead_dynamics::Joint::Revolute
        }
    }
}

/// What a constraint lets free; `None` if it is made of others, or is a thread.
pub(super) fn core_free(kind: JointKind) -> Option<Free> {
    match kind {
        JointKind::Fixed => Some(Free::Nothing),
        JointKind::Revolute | JointKind::Continuous => Some(Free::Turning),
        JointKind::Prismatic => Some(Free::Sliding),
        JointKind::Ball => Some(Free::Pivoting),
        JointKind::Universal | JointKind::Revolute2 => None,
        JointKind::Screw { .. } | JointKind::Gearbox { .. } => None,
    }
}

/// What acts along the axis of a joint without a command.
pub(super) fn axis_of(spec: &JointSpec) -> Axis {
    /// SDF writes "none" as ±1e16 or as an infinite number.
    const NONE: f64 = 1e15;
    let [lower, upper] = spec.limits;
    let is_stopped = spec.stop.is_none_or(|stop| stop.stiffness.max(stop.dissipation) > NO_STOP);
    let limits = if spec.kind == JointKind::Continuous || !is_stopped {
        [f64::NEG_INFINITY, f64::INFINITY]
    } else {
        [
            if lower > -NONE { lower } else { f64::NEG_INFINITY },
            if upper < NONE { upper } else { f64::INFINITY },
        ]
    };
    let stop = spec.stop.filter(|stop| stop.stiffness < RIGID_STOP);
    Axis {
        limits,
        stop,
        return_speed: rate(spec),
        speed_limit: speed_limit(spec).unwrap_or(f64::INFINITY),
        friction: spec.friction,
        damping: spec.damping,
        stiffness: spec.spring_stiffness,
        reference: spec.spring_reference,
        ..Axis::default()
    }
}

/// The velocity limit, rad/s or m/s. Zero means no limit: robot descriptions write it for "unknown".
pub(super) fn speed_limit(spec: &JointSpec) -> Option<f64> {
    let limit = spec.velocity;
    (limit > 0.0 && limit.is_finite()).then_some(limit)
}

/// The rate at which a joint moves by itself to where it must be, within its own limit.
pub(super) fn rate(spec: &JointSpec) -> f64 {
    let usual = if spec.kind == JointKind::Prismatic { SLIDING } else { TURNING };
    speed_limit(spec).map_or(usual, |limit| usual.min(limit))
}

impl Joint {
    /// The axis with a single position, if the joint has one.
    pub(super) fn axis(&self) -> Option<AxisId> {
        if !self.spec.kind.has_position() {
            return None;
        }
        match self.holder {
            Holder::Tree { tree, freedom } => Some(AxisId::Tree { tree, freedom }),
            Holder::Constraint(index) => Some(AxisId::Constraint(index)),
            Holder::Rigid | Holder::Coupling => None,
        }
    }

    /// The direction of the axis in the world.
    pub(super) fn direction(&self, world: &World) -> DVec3 {
        from_core(&world.pose(self.bodies[0])).rotate(self.frames[0].rotate(DVec3::X))
    }

    /// The origin of the joint in the world; in SDF the joint frame belongs to the child.
    pub(super) fn origin(&self, world: &World) -> DVec3 {
        from_core(&world.pose(self.bodies[1])).transform_point(self.frames[1].position)
    }
}
