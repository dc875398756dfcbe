//! Commands of plugins to the world: checked when they are queued, applied before the next physics step, in the order
//! of the calls. Simulation thread only.

use bridgehead_physics::{JointCommand, SurfaceMotion};
use bridgehead_plugin_api::rules;
use bridgehead_plugin_api::rules::CommandFault;
use bridgehead_runtime::text::shortened;
use bridgehead_sdf::element::MAX_NAME;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::Model;
use thiserror::Error;

/// Characters of a name that an error shows.
const MAX_SHOWN: usize = 80;

/// A command of a plugin.
#[derive(Clone, Debug)]
pub enum WorldCommand {
    /// Drives a joint until the next command.
    Joint(u32, JointCommand),
    /// Applies a force and torque to a link during the next step, at its centre of mass, world frame.
    Wrench {
        /// The link.
        link: u32,
        /// Newtons.
        force: DVec3,
        /// Newton metres.
        torque: DVec3,
    },
    /// Applies a force at a point during the next step, world frame.
    ForceAt {
        /// The link.
        link: u32,
        /// Newtons.
        force: DVec3,
        /// Metres.
        point: DVec3,
    },
    /// Sets the slips of a surface.
    Slip {
        /// The collision.
        collision: u32,
        /// m/(s N), along both directions of friction.
        slips: [f64; 2],
    },
    /// Lets a surface run.
    Drive {
        /// The collision.
        collision: u32,
        /// Its motion.
        motion: SurfaceMotion,
    },
    /// Sets the velocity of the model of a link, world frame.
    Velocity {
        /// A link of the model.
        link: u32,
        /// m/s.
        linear: DVec3,
        /// rad/s.
        angular: DVec3,
    },
    /// Moves a link to a pose that it reaches at the end of the next step.
    MoveLink {
        /// The link.
        link: u32,
        /// Pose of the link frame in the world.
        pose: Pose,
    },
    /// Places a model.
    Pose {
        /// Index of the model.
        model: usize,
        /// Pose of the model frame in the world.
        pose: Pose,
    },
    /// Adds a model whose name and index are reserved.
    Spawn {
        /// Index of the model.
        model: usize,
        /// The model at its initial pose.
        source: Box<Model>,
    },
    /// Removes a model.
    Remove {
        /// Index of the model.
        model: usize,
    },
    /// Fixes two links to each other.
    Attach {
        /// Number of the bond.
        bond: u64,
        /// Parent link.
        parent: u32,
        /// Child link.
        child: u32,
    },
    /// Ends a bond.
    Detach {
        /// Number of the bond.
        bond: u64,
    },
}

/// Why a command was rejected.
#[derive(Debug, Error, PartialEq)]
pub enum CommandError {
    /// An unknown handle.
    #[error("{}", rules::no_such_handle(.kind, *.handle))]
    NoSuch {
        /// `link`, `joint`, `model`, `entity` or `bond`.
        kind: &'static str,
        /// The handle.
        handle: u64,
    },
    /// A number that is not finite, or negative where it must not be.
    #[error(transparent)]
    Number(#[from] CommandFault),
    /// A bond of a link with itself.
    #[error("[BH-PHY-052] the link `{0}` cannot be attached to itself; a bond connects two links")]
    SameLink(String),
    /// The text is not a model.
    #[error("[BH-PHY-053] the text to spawn is not a model: {0}")]
    NoModel(String),
    /// The name is in use.
    #[error("[BH-PHY-054] an entity `{0}` already exists; choose another name or allow renaming")]
    NameTaken(String),
    /// Actors follow their scripts only.
    #[error(
        "[BH-PHY-056] `{0}` is an actor, which follows its script: place, push or remove a model instead"
    )]
    Actor(String),
    /// A joint holds the link.
    #[error(
        "[BH-PHY-064] the link `{0}` cannot be moved along a path, because a joint holds it; command the joint, or move a \
         link without joints"
    )]
    HeldLink(String),
    /// The name is too long for topics, frames and files.
    #[error(
        "[BH-PHY-063] the name `{}` of an entity to spawn has {} bytes; expected at most {MAX_NAME}: choose a shorter \
         name",
        shortened(.0, MAX_SHOWN),
        .0.len()
    )]
    LongName(String),
}
