//! Why an operation on an entity was refused. One enum for each operation and one variant for each reason, so that a
//! protocol can give each a number of its own.

use bridgehead_physics::PhysicsError;
use thiserror::Error;

/// Why an entity was not spawned; nothing is in the world then.
#[derive(Debug, Error, PartialEq)]
pub enum SpawnError {
    /// No world is loaded.
    #[error("[BH-ENT-001] there is no world that something could be spawned into; load one first")]
    NoWorld,
    /// The name that was asked for is none.
    #[error(
        "[BH-ENT-002] `{0}` is no name for an entity: use letters, digits and `_`, no digit first, and not `world`"
    )]
    NameInvalid(String),
    /// The namespace is none.
    #[error(
        "[BH-ENT-003] `{0}` is no namespace: join names of letters, digits and `_` by single `/`, none at the end"
    )]
    NamespaceInvalid(String),
    /// Neither an address nor a text was given.
    #[error("[BH-ENT-004] nothing says what to spawn: give a file or a text")]
    NoResource,
    /// The pose is none, or lies where physics has no numbers for it.
    #[error("[BH-ENT-005] the initial pose cannot be used: {0}")]
    PoseInvalid(String),
    /// The frame of the pose is not there.
    #[error(
        "[BH-ENT-006] there is no entity `{0}` in whose frame the pose is given; leave it empty for the world"
    )]
    UnknownFrame(String),
    /// The text is no model.
    #[error("[BH-ENT-007] what is to be spawned cannot be read: {0}")]
    Unreadable(String),
    /// A file that it needs is not there.
    #[error("[BH-ENT-008] a file that the entity needs is missing: {0}")]
    MissingAssets(String),
    /// A file that it needs cannot be used.
    #[error("[BH-ENT-009] a file that the entity needs cannot be used: {0}")]
    UnsupportedAssets(String),
    /// Neither the request nor the model has a name.
    #[error(
        "[BH-ENT-010] neither the request nor the model says how the entity is called; give a name or allow renaming"
    )]
    NoName,
    /// The name is taken.
    #[error("[BH-ENT-011] there is an entity `{0}` already; give another name or allow renaming")]
    NameTaken(String),
    /// Physics cannot have it.
    #[error("[BH-ENT-012] the entity cannot be simulated: {0}")]
    Refused(String),
}

/// Why an entity was not deleted; it stands as it stood.
#[derive(Debug, Error, PartialEq)]
pub enum DeleteError {
    /// No world is loaded.
    #[error("[BH-ENT-020] there is no world that something could be deleted from")]
    NoWorld,
    /// There is none of that name.
    #[error("[BH-ENT-021] there is no entity `{0}` to delete")]
    NotFound(String),
    /// It is an actor.
    #[error(
        "[BH-ENT-022] `{0}` is an actor, which belongs to its script: take it out of the world file instead"
    )]
    Actor(String),
    /// Physics failed.
    #[error("[BH-ENT-023] the entity is gone, and not without trouble: {0}")]
    Failed(PhysicsError),
}

/// Why the state of an entity was not set; all of it is as it was.
#[derive(Debug, Error, PartialEq)]
pub enum StateError {
    /// No world is loaded.
    #[error("[BH-ENT-030] there is no world whose entities could be set")]
    NoWorld,
    /// There is none of that name.
    #[error("[BH-ENT-031] there is no entity `{0}` whose state could be set")]
    NotFound(String),
    /// The frame is not there.
    #[error(
        "[BH-ENT-032] there is no entity `{0}` in whose frame the state is given; leave it empty for the world"
    )]
    UnknownFrame(String),
    /// The pose is none.
    #[error("[BH-ENT-033] the pose cannot be used: {0}")]
    PoseInvalid(String),
    /// A velocity or acceleration is no number.
    #[error("[BH-ENT-034] a velocity or acceleration holds a number that is not finite")]
    NotFinite,
    /// What never moves has no velocity.
    #[error(
        "[BH-ENT-035] `{0}` is static: only its pose can be set, with a velocity and acceleration of zero"
    )]
    Static(String),
    /// It is an actor.
    #[error("[BH-ENT-036] `{0}` is an actor, which its script leads: its state cannot be set")]
    Actor(String),
    /// Accelerations follow from forces.
    #[error(
        "[BH-ENT-037] the acceleration of `{0}` follows from the forces on it and cannot be set; leave it out or zero"
    )]
    Acceleration(String),
    /// Physics failed.
    #[error("[BH-ENT-038] the state cannot be set: {0}")]
    Failed(PhysicsError),
}

/// Why an entity was not described or measured.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum InfoError {
    /// No world is loaded.
    #[error("[BH-ENT-040] there is no world whose entities could be asked about")]
    NoWorld,
    /// There is none of that name.
    #[error("[BH-ENT-041] there is no entity `{0}`")]
    NotFound(String),
}

/// Why points are no region.
#[derive(Debug, Error, PartialEq)]
pub enum RegionError {
    /// Too few or too many of them.
    #[error("[BH-ENT-045] a {kind} is given by {wants} points, and here are {found}")]
    Count {
        /// sphere, box or convex hull.
        kind: &'static str,
        /// How many it takes.
        wants: &'static str,
        /// How many were given.
        found: usize,
    },
    /// A number is not finite, or too large to compute with.
    #[error("[BH-ENT-046] a point of the region is not finite, or farther than {0:e} m away")]
    NotFinite(f64),
    /// A radius below zero.
    #[error("[BH-ENT-047] a sphere cannot have the radius {0} m")]
    Radius(f64),
    /// Corners in the wrong order.
    #[error(
        "[BH-ENT-048] the box is inside out: its upper corner comes first, and no number of it is below the lower one's"
    )]
    InsideOut,
    /// The points of a hull lie on a line.
    #[error("[BH-ENT-049] the points of the convex hull lie on one line: give three or more that do not")]
    Collinear,
}

/// Why a named pose was not found.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PoseError {
    /// No world is loaded.
    #[error("[BH-ENT-050] there is no world whose poses could be asked about")]
    NoWorld,
    /// There is none of that name.
    #[error("[BH-ENT-051] the world has no pose `{0}`")]
    NotFound(String),
}
