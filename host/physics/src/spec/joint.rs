//! The specification of a joint.

use bridgehead_dynamics::SoftStop;
use bridgehead_pose::{DVec3, Pose};
use serde::{Deserialize, Serialize};

/// A joint. Its limits and dynamics are those of its first axis.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JointSpec {
    /// The name, for errors.
    pub name: String,
    /// The type, which decides the degrees of freedom.
    pub kind: JointKind,
    /// The index of the parent link in the model; `None` for the world.
    pub parent: Option<usize>,
    /// The index of the child link in the model.
    pub child: usize,
    /// The joint frame in the world; its origin is the anchor.
    pub pose: Pose,
    /// The axis in the world; need not be normalised. Ignored for fixed and ball joints.
    pub axis: DVec3,
    /// Lower and upper limit, radians or metres; infinite for none.
    pub limits: [f64; 2],
    /// Makes the limits springs with dampers; `None` for rigid stops.
    pub stop: Option<SoftStop>,
    /// The greatest force or torque of a motor, N or N m; infinite or negative for none.
    pub effort: f64,
    /// The greatest speed, rad/s or m/s; zero, infinite or negative for none.
    pub velocity: f64,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Dry friction, N m or N.
    pub friction: f64,
    /// The stiffness of a spring, N m/rad or N/m.
    pub spring_stiffness: f64,
    /// The position at which the spring is at rest, radians or metres.
    pub spring_reference: f64,
    /// The joint that the first axis mimics.
    pub mimic: Option<MimicSpec>,
    /// The second axis of a universal, revolute2 or gearbox joint.
    pub second: Option<AxisSpec>,
    /// True if the first axis is fixed in the child and the second in the parent, because the caller has
    /// swapped the sides.
    pub is_reversed: bool,
}

impl JointSpec {
    /// Creates a joint of this kind without limits, friction, damping or spring.
    #[must_use]
    pub fn new(
        name: &str,
        kind: JointKind,
        parent: Option<usize>,
        child: usize,
        pose: Pose,
        axis: DVec3,
    ) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            parent,
            child,
            pose,
            axis,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            stop: None,
            effort: f64::INFINITY,
            velocity: f64::INFINITY,
            damping: 0.0,
            friction: 0.0,
            spring_stiffness: 0.0,
            spring_reference: 0.0,
            mimic: None,
            second: None,
            is_reversed: false,
        }
    }

    /// The joint with the direction, limits and dynamics of an axis.
    #[must_use]
    pub(crate) fn about(self, axis: &AxisSpec) -> Self {
        Self {
            axis: axis.direction,
            limits: axis.limits,
            stop: axis.stop,
            effort: axis.effort,
            velocity: axis.velocity,
            damping: axis.damping,
            friction: axis.friction,
            spring_stiffness: axis.spring_stiffness,
            spring_reference: axis.spring_reference,
            mimic: axis.mimic,
            second: None,
            ..self
        }
    }
}

/// The second axis of a joint, like the first one in [`JointSpec`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct AxisSpec {
    /// The axis in the world; need not be normalised.
    pub direction: DVec3,
    /// Lower and upper limit, radians; infinite for none.
    pub limits: [f64; 2],
    /// Makes the limits springs with dampers; `None` for rigid stops.
    pub stop: Option<SoftStop>,
    /// The greatest torque of a motor, N m; infinite or negative for none.
    pub effort: f64,
    /// The greatest speed, rad/s; zero, infinite or negative for none.
    pub velocity: f64,
    /// Viscous damping, N m s/rad.
    pub damping: f64,
    /// Dry friction, N m.
    pub friction: f64,
    /// The stiffness of a spring, N m/rad.
    pub spring_stiffness: f64,
    /// The position at which the spring is at rest, radians.
    pub spring_reference: f64,
    /// The joint that this axis mimics.
    pub mimic: Option<MimicSpec>,
}

impl AxisSpec {
    /// Creates an axis without limits, friction, damping or spring.
    #[must_use]
    pub fn new(direction: DVec3) -> Self {
        Self {
            direction,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            stop: None,
            effort: f64::INFINITY,
            velocity: f64::INFINITY,
            damping: 0.0,
            friction: 0.0,
            spring_stiffness: 0.0,
            spring_reference: 0.0,
            mimic: None,
        }
    }
}

/// The relation of an axis to its leader: its position is `multiplier` times that of the leader, plus
/// `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MimicSpec {
    /// The index of the leading joint in the model.
    pub leader: usize,
    /// True if the second axis of that joint leads.
    pub second_axis: bool,
    /// Radians or metres per radian or metre of the leader.
    pub multiplier: f64,
    /// The position while the leader is at zero.
    pub offset: f64,
}

/// The joint types of SDF.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum JointKind {
    /// No motion.
    Fixed,
    /// Rotation about the axis, with limits.
    Revolute,
    /// Rotation about the axis without limits.
    Continuous,
    /// Translation along the axis.
    Prismatic,
    /// Rotation about every axis.
    Ball,
    /// Rotation about the first axis, which is fixed in the parent, and the second, which is fixed in the
    /// child.
    Universal,
    /// The same, for axes at any angle to each other.
    Revolute2,
    /// Rotation about the axis that also moves along it. The position is the angle.
    Screw {
        /// Metres along the axis per turn; positive for a right-handed thread.
        pitch: f64,
    },
    /// Couples the rotations of parent and child relative to a third body, to which each is joined by a
    /// revolute joint.
    Gearbox {
        /// The angle of the child in the opposite direction, divided by the angle of the parent.
        ratio: f64,
        /// The index of the link that the angles are measured against; `None` for the world.
        reference: Option<usize>,
    },
}

impl JointKind {
    /// The name in SDF.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
            Self::Ball => "ball",
            Self::Universal => "universal",
            Self::Revolute2 => "revolute2",
            Self::Screw { .. } => "screw",
            Self::Gearbox { .. } => "gearbox",
        }
    }

    /// Returns true if the joint has a single position.
    #[must_use]
    pub fn has_position(self) -> bool {
        match self {
            Self::Revolute | Self::Continuous | Self::Prismatic | Self::Screw { .. } => true,
            Self::Fixed | Self::Ball | Self::Universal | Self::Revolute2 | Self::Gearbox { .. } => false,
        }
    }

    /// Returns true if the joint turns about two axes in series.
    pub(crate) fn is_in_series(self) -> bool {
        match self {
            Self::Universal | Self::Revolute2 => true,
            Self::Fixed | Self::Revolute | Self::Continuous | Self::Prismatic => false,
            Self::Ball | Self::Screw { .. } | Self::Gearbox { .. } => false,
        }
    }
}
