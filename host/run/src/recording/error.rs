//! Why a recording cannot be viewed.

use std::path::PathBuf;

use thiserror::Error;

/// Why a file cannot be viewed.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The system refuses to read it.
    #[error("[BH-REC-001] the recording `{path}` cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// It is another kind of file.
    #[error(
        "[BH-REC-002] `{path}` is not an MCAP file: it begins with {found}; `bridgehead run --record FILE.mcap` writes \
         one"
    )]
    NotMcap {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: String,
    },
    /// It has no message that can be shown.
    #[error("[BH-REC-003] the recording `{path}` has no message that can be shown: {why}")]
    Empty {
        /// The file.
        path: PathBuf,
        /// What it has.
        why: String,
    },
}
