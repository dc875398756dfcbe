//! What the physics is told about a joint.

use bridgehead_sdf::pose::{DVec3, Pose};
use serde::{Deserialize, Serialize};

/// A joint. What it says of limits and dynamics is said of its first axis.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JointSpec {
    /// The name, for errors.
    pub name: String,
    /// What motion it leaves free.
    pub kind: JointKind,
    /// The index of the parent link in the model, none for the world.
    pub parent: Option<usize>,
    /// The index of the child link in the model.
    pub child: usize,
    /// The joint frame in the world; its origin is the anchor.
    pub pose: Pose,
    /// The axis in the world; need not have length one. Not used by fixed and ball joints.
    pub axis: DVec3,
    /// Lower and upper limit, radians or metres; infinite when there is none.
    pub limits: [f64; 2],
    /// The greatest force or torque of a motor, N or N m; infinite or negative when there is none.
    pub effort: f64,
    /// The greatest speed that may be commanded, rad/s or m/s; infinite or negative when there is none.
    pub velocity: f64,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Dry friction, N m or N.
    pub friction: f64,
    /// The stiffness of a spring, N m/rad or N/m.
    pub spring_stiffness: f64,
    /// Where the spring is at rest, radians or metres.
    pub spring_reference: f64,
    /// The joint that the first axis follows.
    pub mimic: Option<MimicSpec>,
    /// The second axis of a universal, revolute2 or gearbox joint.
    pub second: Option<AxisSpec>,
    /// Whether the first axis stands fast in the child and the second in the parent: where whoever fills this in has
    /// exchanged the sides.
    pub is_reversed: bool,
}

impl JointSpec {
    /// A joint of this kind without limits, friction, damping or spring.
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

    /// The same joint from the child to the parent: its position about the opposite axis is the same. None where the
    /// parent is the world.
    pub(crate) fn turned(&self) -> Option<Self> {
        let parent = self.parent?;
        Some(Self { parent: Some(self.child), child: parent, axis: -self.axis, ..self.clone() })
    }

    /// The joint with limits and dynamics of an axis, about the axis.
    #[must_use]
    pub(crate) fn about(self, axis: &AxisSpec) -> Self {
        Self {
            axis: axis.direction,
            limits: axis.limits,
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
    /// The axis in the world; need not have length one.
    pub direction: DVec3,
    /// Lower and upper limit, radians; infinite when there is none.
    pub limits: [f64; 2],
    /// The greatest torque of a motor, N m; infinite or negative when there is none.
    pub effort: f64,
    /// The greatest speed that may be commanded, rad/s; infinite or negative when there is none.
    pub velocity: f64,
    /// Viscous damping, N m s/rad.
    pub damping: f64,
    /// Dry friction, N m.
    pub friction: f64,
    /// The stiffness of a spring, N m/rad.
    pub spring_stiffness: f64,
    /// Where the spring is at rest, radians.
    pub spring_reference: f64,
    /// The joint that this axis follows.
    pub mimic: Option<MimicSpec>,
}

impl AxisSpec {
    /// An axis without limits, friction, damping or spring.
    #[must_use]
    pub fn new(direction: DVec3) -> Self {
        Self {
            direction,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
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

/// An axis follows another one: its position is `multiplier` times that of the leader, plus `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MimicSpec {
    /// The index of the leading joint in the model.
    pub leader: usize,
    /// Whether the second axis of that joint leads.
    pub second_axis: bool,
    /// Radians or metres per radian or metre of the leader.
    pub multiplier: f64,
    /// The position while the leader stands at zero.
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
    /// Rotation about the first axis, which stands fast in the parent, and the second, which stands fast in the child.
    Universal,
    /// The same, for axes at any angle to each other.
    Revolute2,
    /// Rotation about the axis that also moves along it. The position is the angle.
    Screw {
        /// Metres along the axis per turn; positive for a right-handed thread.
        pitch: f64,
    },
    /// Couples the rotations of parent and child against a third body, to which a hinge joins each of them.
    Gearbox {
        /// What the angle of the parent is multiplied by to give the angle of the child the other way around.
        ratio: f64,
        /// The index of the link that the angles are measured against, none for the world.
        reference: Option<usize>,
    },
}

impl JointKind {
    /// The name SDF gives it.
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

    /// Whether one number says where the joint stands.
    #[must_use]
    pub fn has_position(self) -> bool {
        match self {
            Self::Revolute | Self::Continuous | Self::Prismatic | Self::Screw { .. } => true,
            Self::Fixed | Self::Ball | Self::Universal | Self::Revolute2 | Self::Gearbox { .. } => false,
        }
    }

    /// Whether it turns about two axes in series.
    pub(crate) fn is_in_series(self) -> bool {
        match self {
            Self::Universal | Self::Revolute2 => true,
            Self::Fixed | Self::Revolute | Self::Continuous | Self::Prismatic => false,
            Self::Ball | Self::Screw { .. } | Self::Gearbox { .. } => false,
        }
    }
}
