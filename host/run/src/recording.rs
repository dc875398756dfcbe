//! Recordings of runs, for `bridgehead view`: MCAP files as the logging bridge writes them.
//!
//! A file is read once from the front, without its index, so that the recording of a process that was killed can be
//! viewed too. [`Recording`] keeps where each message is, and reads its bytes when they are wanted, so that memory
//! depends on the number of messages, not on their size. [`Poses`] follows the poses of the scene through it.
//!
//! The time of a recording continues over resets, at which simulated time runs backwards. Usable from any thread.

mod index;
mod poses;
mod records;
#[cfg(test)]
mod tests;
mod topic;

use std::path::PathBuf;

use thiserror::Error;

pub use index::{Contents, Recording};
pub use poses::Poses;
pub use topic::{Entry, Topic};

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
