//! `<joint>`: a connection of two links that constrains their relative motion. Plain values, usable from any
//! thread.

use super::frame::FramePose;
use super::sensor::Sensor;
use crate::document::Origin;
use glam::DVec3;

/// A `<joint>`.
#[derive(Clone, Debug, Default)]
pub struct Joint {
    /// Name within its model.
    pub name: String,
    /// The type, which decides the motion it allows.
    pub kind: JointKind,
    /// The frame its parent side is fixed to: a link, a frame, a nested model, or `world`.
    pub parent: String,
    /// The frame its child side is fixed to; never `world` in files that follow the standard.
    pub child: String,
    /// Its pose; the default frame is the child.
    pub pose: FramePose,
    /// First axis; present for every kind that has one.
    pub axis: Option<Axis>,
    /// Second axis of `universal`, `revolute2` and `gearbox`.
    pub axis2: Option<Axis>,
    /// Sensors mounted on the joint (force-torque).
    pub sensors: Vec<Sensor>,
    /// The element in its file.
    pub origin: Origin,
}

/// The type of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JointKind {
    /// No motion.
    #[default]
    Fixed,
    /// Turns about one axis, within limits.
    Revolute,
    /// Turns about one axis without limits.
    Continuous,
    /// Slides along one axis.
    Prismatic,
    /// Turns about any axis.
    Ball,
    /// Turns about two axes at right angles.
    Universal,
    /// Turns about two axes in series.
    Revolute2,
    /// Turns and slides along one axis, coupled.
    Screw {
        /// Travel along the axis per turn, metres per revolution; positive is a right-handed thread.
        pitch: f64,
    },
    /// Couples the rotations of two links.
    Gearbox {
        /// The angle of the child is the angle of the parent times this, the other way around.
        ratio: f64,
        /// The link both rotations are measured against.
        reference_body: String,
    },
}

impl JointKind {
    /// The name in SDF.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
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

    /// Returns true if the axis, or the second one, has a single position.
    #[must_use]
    pub const fn has_position(&self, second: bool) -> bool {
        match self {
            Self::Revolute | Self::Continuous | Self::Prismatic | Self::Screw { .. } => !second,
            Self::Universal | Self::Revolute2 => true,
            Self::Fixed | Self::Ball | Self::Gearbox { .. } => false,
        }
    }

    /// How many `<axis>` elements the kind uses: 0, 1 or 2.
    #[must_use]
    pub const fn axis_count(&self) -> usize {
        match self {
            Self::Fixed | Self::Ball => 0,
            Self::Revolute | Self::Continuous | Self::Prismatic | Self::Screw { .. } => 1,
            Self::Universal | Self::Revolute2 | Self::Gearbox { .. } => 2,
        }
    }
}

/// An `<axis>` or `<axis2>`.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Unit direction, in the frame named by `expressed_in`.
    pub xyz: DVec3,
    /// The frame `xyz` is written in; `None` means the joint frame.
    pub expressed_in: Option<String>,
    /// Limits of the motion.
    pub limit: Limit,
    /// Damping, friction and spring.
    pub dynamics: Dynamics,
    /// Another joint this axis follows.
    pub mimic: Option<Mimic>,
}

impl Default for Axis {
    fn default() -> Self {
        Self {
            xyz: DVec3::Z,
            expressed_in: None,
            limit: Limit::default(),
            dynamics: Dynamics::default(),
            mimic: None,
        }
    }
}

/// `<limit>`: radians and N·m for rotation, metres and N for translation; infinite without a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Lowest position.
    pub lower: f64,
    /// Highest position.
    pub upper: f64,
    /// Largest force or torque a motor may apply, never negative.
    pub effort: f64,
    /// Largest speed, per second, never negative.
    pub velocity: f64,
    /// What holds the axis beyond a limit of its position; `None` for a rigid stop.
    pub stop: Option<SoftStop>,
}

/// `<stiffness>` and `<dissipation>` of a `<limit>`, if one of them is written: a spring and damper beyond the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftStop {
    /// N·m/rad or N/m.
    pub stiffness: f64,
    /// N·m·s/rad or N·s/m.
    pub dissipation: f64,
}

impl Default for SoftStop {
    /// The defaults of SDF.
    fn default() -> Self {
        Self { stiffness: 1e8, dissipation: 1.0 }
    }
}

impl Limit {
    /// Returns true if the position is limited on either side.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.lower.is_finite() || self.upper.is_finite()
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            effort: f64::INFINITY,
            velocity: f64::INFINITY,
            stop: None,
        }
    }
}

/// `<dynamics>`: passive forces in the axis; N·m·s/rad or N·s/m, N·m or N, rad or m, N·m/rad or N/m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// Viscous damping.
    pub damping: f64,
    /// Dry friction.
    pub friction: f64,
    /// Position at which the spring rests.
    pub spring_reference: f64,
    /// Stiffness of the spring.
    pub spring_stiffness: f64,
}

/// `<mimic>`: position = multiplier · (leader − reference) + offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// Name of the leading joint.
    pub joint: String,
    /// Axis of the leading joint: `axis` or `axis2`.
    pub axis: String,
    /// Ratio of this axis to the leader.
    pub multiplier: f64,
    /// Position of this axis when the leader is at `reference`.
    pub offset: f64,
    /// Position of the leader taken as zero.
    pub reference: f64,
}
