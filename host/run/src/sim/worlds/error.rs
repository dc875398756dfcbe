//! Why a world was not loaded.

use bridgehead_sdf::Code;
use thiserror::Error;

use crate::bridge::AttachError;
use crate::resources::ResourceError;
use crate::sim::poses::PoseError;
use crate::sim::sensors::SensorError;
use crate::world::{BuildError, RestoreError};

/// Maximum number of waiting loads.
pub(super) const MAX_WAITING: usize = 16;

/// Why a world was not loaded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LoadError {
    /// The resource of the world cannot be used.
    #[error(transparent)]
    Resource(#[from] ResourceError),
    /// There is no world to reload.
    #[error("[BH-RES-020] no world is loaded that could be loaded again; try: load one")]
    NoWorld,
    /// Too many loads wait.
    #[error("[BH-RES-021] {MAX_WAITING} loads wait already; try: again when they have ended")]
    TooMany,
    /// The load was interrupted before the world was there.
    #[error("[BH-RES-022] the load was interrupted before the world was there")]
    Interrupted,
    /// The host panicked while it prepared the world.
    #[error(
        "[BH-RES-023] preparing the world panicked: `{0}`; this is a defect of the host, please report it with the world"
    )]
    Panicked(String),
    /// The operating system cannot create a thread.
    #[error("[BH-RES-024] no thread prepares the world: {0}; try: raise the limit on threads or processes")]
    NoThread(String),
    /// Physics, plugins, bridges or the configuration do not fit the world; the text begins with its code.
    #[error("{0}")]
    Failed(String),
}

impl LoadError {
    /// Returns true if neither the world nor the configuration is to blame.
    pub(in crate::sim) fn is_of_host(&self) -> bool {
        match self {
            LoadError::Interrupted | LoadError::Panicked(_) | LoadError::NoThread(_) => true,
            LoadError::Resource(_) | LoadError::NoWorld | LoadError::TooMany | LoadError::Failed(_) => false,
        }
    }
}

impl From<BuildError> for LoadError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Stopped(finding) if finding.code == Code::Cancelled => LoadError::Interrupted,
            BuildError::Settings(_) | BuildError::Physics(_) | BuildError::Stopped(_) => {
                LoadError::Failed(error.to_string())
            }
        }
    }
}

impl From<RestoreError> for LoadError {
    fn from(error: RestoreError) -> Self {
        match error {
            RestoreError::World(error) => error.into(),
            RestoreError::Unreadable(_) | RestoreError::OtherWorld(_) => LoadError::Failed(error.to_string()),
        }
    }
}

/// Errors with the same result code for clients of the control plane.
macro_rules! failed {
    ($($error:ty),*) => {
        $(impl From<$error> for LoadError {
            fn from(error: $error) -> Self {
                LoadError::Failed(error.to_string())
            }
        })*
    };
}

failed!(AttachError, PoseError, SensorError);
