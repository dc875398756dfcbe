//! Why a command ends before it could do its work, and how that is said.

use std::io;
use std::path::PathBuf;

use crate::config::ConfigErrors;

/// What keeps a command from its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// What was asked for cannot be understood.
    #[error(transparent)]
    Configuration(#[from] ConfigErrors),
    /// The host could not be set up.
    #[error("error: {what}: {source}")]
    Setup {
        /// What could not be done.
        what: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// The result could not be written.
    #[error("error[BH-SIM-901]: the result cannot be written to `{}`: {source}\n  try: free some space, or name another file with `--result`", path.display())]
    Result {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}
