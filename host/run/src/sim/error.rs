//! Why a run could not begin.

use thiserror::Error;

use crate::bridge::AttachError;

/// Why a run could not begin, which is a configuration error, or was cut off by a panic.
#[derive(Debug, Error)]
pub enum SimError {
    /// What `--strict` does not accept of plugins, folders or a world.
    #[error("[BH-SIM-200] {0}")]
    Plugins(String),
    /// A bridge that cannot be attached.
    #[error(transparent)]
    Bridge(#[from] AttachError),
    /// An output file that cannot be written.
    #[error("[BH-SIM-201] `{path}` cannot be written: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The host itself panicked, before or during the run.
    #[error(
        "[BH-SIM-902] the simulation panicked: `{0}`; this is a defect of the host, please report it with the world and \
         the last requests"
    )]
    Panicked(String),
}
