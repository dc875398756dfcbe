//! The errors of the physics.

use super::id::{CollisionId, JointId, LinkId, ModelId};

/// A refusal of the physics. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PhysicsError {
    /// A joint of a type that is not simulated at its place.
    #[error(
        "[BH-PHY-010] joint {model}::{joint} is of type {kind} and {problem}, which is not simulated; \
         use fixed, revolute, continuous, prismatic or ball there"
    )]
    UnsupportedJoint {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// Its type in SDF.
        kind: &'static str,
        /// What it does.
        problem: &'static str,
    },
    /// A joint with a link that does not exist, or with the same link twice.
    #[error("[BH-PHY-011] joint {model}::{joint} does not connect two different links of its model")]
    JointWithoutLinks {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
    },
    /// An axis without a direction.
    #[error(
        "[BH-PHY-012] the axis of joint {model}::{joint} is {axis}; it needs a finite direction, <xyz>0 0 1</xyz> for instance"
    )]
    BadAxis {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// The axis found.
        axis: String,
    },
    /// A mass or an inertia that is physically impossible.
    #[error("[BH-PHY-013] the inertia of link {model}::{link} cannot be simulated: {problem}")]
    BadInertia {
        /// The model.
        model: String,
        /// The link.
        link: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A shape that cannot be made.
    #[error(
        "[BH-PHY-014] the shape of collision {model}::{link}::{collision} cannot be simulated: {problem}"
    )]
    BadShape {
        /// The model.
        model: String,
        /// The link.
        link: String,
        /// The collision.
        collision: String,
        /// What is wrong with it.
        #[source]
        problem: Box<ShapeError>,
    },
    /// A number that is not finite where the model needs one.
    #[error("[BH-PHY-015] {what} of {model} is not finite")]
    NotFinite {
        /// The model.
        model: String,
        /// Whose number it is.
        what: String,
    },
    /// The model was removed.
    #[error("[BH-PHY-016] there is no model with number {}; it was removed", .0.index())]
    NoSuchModel(ModelId),
    /// The link was removed.
    #[error("[BH-PHY-017] there is no link with number {}; its model was removed", .0.index())]
    NoSuchLink(LinkId),
    /// The collision was removed.
    #[error("[BH-PHY-034] there is no collision with number {}; its model was removed", .0.index())]
    NoSuchCollision(CollisionId),
    /// The joint was removed.
    #[error("[BH-PHY-018] there is no joint with number {}; its model was removed", .0.index())]
    NoSuchJoint(JointId),
    /// A command for a joint without a single position.
    #[error(
        "[BH-PHY-019] joint {joint} is of type {kind} and takes no command; command a joint that has a position"
    )]
    NotActuated {
        /// The joint.
        joint: String,
        /// Its type in SDF.
        kind: &'static str,
    },
    /// A state became infinite or NaN.
    #[error(
        "[BH-PHY-020] the state of link {model}::{link} is no longer finite; \
         look for tiny masses, huge forces or shapes that start inside each other"
    )]
    Diverged {
        /// The model.
        model: String,
        /// The first link whose state became non-finite.
        link: String,
    },
    /// A lower limit above the upper one.
    #[error(
        "[BH-PHY-022] the limits of joint {model}::{joint} are {lower} to {upper}; the lower must not exceed the upper"
    )]
    BadLimits {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// The lower limit, radians or metres.
        lower: f64,
        /// The upper limit, radians or metres.
        upper: f64,
    },
    /// A coefficient that is negative or not finite.
    #[error(
        "[BH-PHY-023] the {coefficient} of {of} in model {model} must be finite and not negative, found {found}"
    )]
    BadCoefficient {
        /// The model.
        model: String,
        /// The link, joint or collision.
        of: String,
        /// Which coefficient.
        coefficient: &'static str,
        /// The value found.
        found: f64,
    },
    /// The engine panicked in a step.
    #[error(
        "[BH-PHY-024] the physics engine failed: {reason}; the world cannot be stepped any further. \
         Look for shapes that are very large or very small beside others"
    )]
    EngineFailed {
        /// The panic message.
        reason: String,
    },
    /// Parallel axes.
    #[error(
        "[BH-PHY-025] the two axes of joint {model}::{joint} are parallel, {first} and {second}, so that their \
         rotations cannot be distinguished; turn one of them, or use a revolute joint"
    )]
    ParallelAxes {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// The first axis.
        first: String,
        /// The second axis.
        second: String,
    },
    /// A gearbox without two revolute joints to couple.
    #[error("[BH-PHY-026] the gearbox {model}::{joint} cannot be simulated: {problem}")]
    BadGearbox {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A screw whose thread pitch is out of range.
    #[error(
        "[BH-PHY-027] the thread pitch of joint {model}::{joint} is {pitch} m per turn; its absolute value must be \
         within 1e-6 and 1e6 m (negative for a left-handed thread)"
    )]
    BadPitch {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// The pitch found.
        pitch: f64,
    },
    /// A mimic that cannot follow its leader.
    #[error("[BH-PHY-028] joint {model}::{joint} cannot follow another one: {problem}")]
    BadMimic {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A tree that would make a step take too long.
    #[error(
        "[BH-PHY-029] {joints} joints of model `{model}` must be one tree, which may have at most {limit}, because a step \
         would take too long; use fewer screws, gears and joints with two axes, or other joints between some of them"
    )]
    TooManyJoints {
        /// The model.
        model: String,
        /// Number of its joints.
        joints: usize,
        /// The limit.
        limit: usize,
    },
    /// A setting out of range.
    #[error("[BH-PHY-021] {name} must be {wanted}, found {found}")]
    BadSetting {
        /// The setting.
        name: &'static str,
        /// The range.
        wanted: &'static str,
        /// The value found.
        found: f64,
    },
}

/// Why a shape cannot be simulated. The text is a clause about the shape.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A dimension out of range.
    #[error("{name} must be from {least:e} to {most:e} m, found {found:?}")]
    Dimension {
        /// The dimension.
        name: &'static str,
        /// The least, metres.
        least: f64,
        /// The most, metres.
        most: f64,
        /// The values found, metres.
        found: Vec<f64>,
    },
    /// A plane whose normal is zero or not finite.
    #[error("its normal has no direction")]
    NoNormal,
    /// A compound of nothing.
    #[error("it has no parts")]
    NoParts,
    /// Too few points for a hull, or points that are not finite.
    #[error("a convex hull needs four or more finite points")]
    HullPoints,
    /// Points in a plane, on a line or in one place.
    #[error("its points span no volume")]
    Flat,
    /// A point or height with an infinite coordinate or NaN.
    #[error("{0} is not finite")]
    NotFinite(&'static str),
    /// A triangle with a corner that does not exist.
    #[error("a triangle refers to a point that does not exist; there are {count} points")]
    NoPoint {
        /// The points of the mesh.
        count: usize,
    },
    /// A mesh that the engine refuses, with its text.
    #[error("{0}")]
    Mesh(String),
    /// Heights that are no grid.
    #[error("expected a grid of {columns} × {rows} heights with at least 2 × 2, found {found} heights")]
    Grid {
        /// The heights there are.
        found: usize,
        /// Columns of the grid.
        columns: usize,
        /// Rows of the grid.
        rows: usize,
    },
}
