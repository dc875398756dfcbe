//! Errors of entity operations: one enum for each operation and one variant for each reason, so that a protocol can map
//! each to a result code. Plain values.

use bridgehead_physics::PhysicsError;
use thiserror::Error;

use bridgehead_runtime::text::shortened;

/// Characters of an invalid name that an error shows.
const MAX_SHOWN: usize = 80;
/// Characters of a finding about a text that an error shows. Long names make it long.
const MAX_FINDING: usize = 800;

/// Why an entity was not spawned; the world is unchanged.
#[derive(Debug, Error, PartialEq)]
pub enum SpawnError {
    /// No world is loaded.
    #[error("[BH-ENT-001] no world is loaded, so nothing can be spawned; load one first")]
    NoWorld,
    /// The requested name is invalid.
    #[error(
        "[BH-ENT-002] `{}` is not a valid entity name: use up to 255 letters, digits and `_`, no digit first, and not \
         `world`",
        shortened(.0, MAX_SHOWN)
    )]
    NameInvalid(String),
    /// The namespace is invalid.
    #[error(
        "[BH-ENT-003] `{}` is not a valid namespace: join names of letters, digits and `_` by single `/`, none at the \
         end, up to 255 in all",
        shortened(.0, MAX_SHOWN)
    )]
    NamespaceInvalid(String),
    /// Neither an address nor a text was given.
    #[error("[BH-ENT-004] the request has no model to spawn: give a file or a text")]
    NoResource,
    /// The pose is invalid or too far away.
    #[error("[BH-ENT-005] the initial pose cannot be used: {0}")]
    PoseInvalid(String),
    /// The frame of the pose does not exist.
    #[error(
        "[BH-ENT-006] there is no entity `{0}` in whose frame the pose is given; leave it empty for the world"
    )]
    UnknownFrame(String),
    /// The text is not a model.
    #[error("[BH-ENT-007] the model to spawn cannot be read: {}", shortened(.0, MAX_FINDING))]
    Unreadable(String),
    /// A required file is missing.
    #[error("[BH-ENT-008] a file that the entity needs is missing: {0}")]
    MissingAssets(String),
    /// A required file is unusable.
    #[error("[BH-ENT-009] a file that the entity needs cannot be used: {0}")]
    UnsupportedAssets(String),
    /// Neither the request nor the model has a name.
    #[error("[BH-ENT-010] neither the request nor the model has a name; give a name or allow renaming")]
    NoName,
    /// The name is in use.
    #[error("[BH-ENT-011] there is an entity `{0}` already; give another name or allow renaming")]
    NameTaken(String),
    /// Physics rejects it.
    #[error("[BH-ENT-012] the entity cannot be simulated: {0}")]
    Refused(String),
    /// The operating system has no descriptors or threads left.
    #[error("[BH-ENT-014] the operating system refuses what another entity needs: {0}")]
    Exhausted(String),
    /// The world is gone.
    #[error(
        "[BH-ENT-015] the world was unloaded or replaced while the entity was prepared; try: again in the new world"
    )]
    WorldGone,
    /// It could not be prepared, through no fault of the model.
    #[error(
        "[BH-ENT-016] the entity could not be prepared: {0}; this is a defect of the host or a lack of threads"
    )]
    NotPrepared(String),
}

/// Why an entity was not deleted; it is unchanged.
#[derive(Debug, Error, PartialEq)]
pub enum DeleteError {
    /// No world is loaded.
    #[error("[BH-ENT-020] no world is loaded, so there is nothing to delete")]
    NoWorld,
    /// There is no entity of that name.
    #[error("[BH-ENT-021] there is no entity `{0}` to delete")]
    NotFound(String),
    /// It is an actor.
    #[error("[BH-ENT-022] `{0}` is an actor, which cannot be deleted: remove it from the world file instead")]
    Actor(String),
    /// Physics failed.
    #[error("[BH-ENT-023] the entity was deleted, but with a failure: {0}")]
    Failed(PhysicsError),
}

/// Why the state of an entity was not set; it is unchanged.
#[derive(Debug, Error, PartialEq)]
pub enum StateError {
    /// No world is loaded.
    #[error("[BH-ENT-030] no world is loaded, so no state can be set")]
    NoWorld,
    /// There is no entity of that name.
    #[error("[BH-ENT-031] there is no entity `{0}` whose state could be set")]
    NotFound(String),
    /// The frame does not exist.
    #[error(
        "[BH-ENT-032] there is no entity `{0}` in whose frame the state is given; leave it empty for the world"
    )]
    UnknownFrame(String),
    /// The pose is invalid.
    #[error("[BH-ENT-033] the pose cannot be used: {0}")]
    PoseInvalid(String),
    /// A velocity or acceleration is not finite.
    #[error("[BH-ENT-034] a velocity or acceleration contains a number that is not finite")]
    NotFinite,
    /// A velocity or acceleration is too large.
    #[error(
        "[BH-ENT-039] the {name} `{value:e}` of a state is too large; expected {:e} to {most:e}",
        -most
    )]
    TooLarge {
        /// The quantity.
        name: &'static str,
        /// The given number.
        value: f64,
        /// The largest allowed amount.
        most: f64,
    },
    /// Static entities have no velocity.
    #[error(
        "[BH-ENT-035] `{0}` is static: only its pose can be set, with a velocity and acceleration of zero"
    )]
    Static(String),
    /// It is an actor.
    #[error("[BH-ENT-036] `{0}` is an actor, which follows its script: its state cannot be set")]
    Actor(String),
    /// Physics failed.
    #[error("[BH-ENT-038] the state cannot be set: {0}")]
    Failed(PhysicsError),
}

/// Why an entity was not described or measured.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum InfoError {
    /// No world is loaded.
    #[error("[BH-ENT-040] no world is loaded, so there are no entities")]
    NoWorld,
    /// There is no entity of that name.
    #[error("[BH-ENT-041] there is no entity `{0}`")]
    NotFound(String),
    /// A description or tag is too long.
    #[error("[BH-ENT-042] the information about the entity is too long: {0}")]
    TooLong(String),
}

/// Why points do not form a region.
#[derive(Debug, Error, PartialEq)]
pub enum RegionError {
    /// Wrong number of points.
    #[error("[BH-ENT-045] a {kind} needs {wants} points, found {found}")]
    Count {
        /// `sphere`, `box` or `convex hull`.
        kind: &'static str,
        /// Required number.
        wants: &'static str,
        /// Given number.
        found: usize,
    },
    /// A number is not finite or too large.
    #[error("[BH-ENT-046] a point of the region is not finite, or farther than {0:e} m away")]
    NotFinite(f64),
    /// The radius is negative.
    #[error("[BH-ENT-047] a sphere cannot have the radius {0} m")]
    Radius(f64),
    /// The corners are in the wrong order.
    #[error(
        "[BH-ENT-048] the corners of the box are in the wrong order: give the upper corner first, then the lower one"
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
    #[error("[BH-ENT-050] no world is loaded, so there are no named poses")]
    NoWorld,
    /// There is no entity of that name.
    #[error("[BH-ENT-051] the world has no pose `{0}`")]
    NotFound(String),
}
