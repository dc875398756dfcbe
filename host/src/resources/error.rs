//! Why a resource cannot be used. Each kind has a result code of its own with whoever asked.

use std::path::PathBuf;

use thiserror::Error;

/// Why a resource cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ResourceError {
    /// Neither an address nor a text.
    #[error("[BH-RES-001] neither an address nor a text was given; try: give one of them")]
    NoResource,
    /// Neither SDF nor URDF, by its name or by what is in it.
    #[error("[BH-RES-002] `{shown}` is of a format that is not read: {found}; expected {expected}")]
    UnsupportedFormat {
        /// What was asked for.
        shown: String,
        /// What it is.
        found: String,
        /// What is read.
        expected: &'static str,
    },
    /// There is nothing of that name.
    #[error("[BH-RES-003] `{uri}` was not found; {looked}")]
    NotFound {
        /// What was asked for.
        uri: String,
        /// Where it was looked for.
        looked: String,
    },
    /// It is there and cannot be read.
    #[error("[BH-RES-004] `{}` cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// What was read cannot be understood.
    #[error("[BH-RES-005] `{shown}` cannot be loaded: {finding}")]
    Parse {
        /// What was asked for.
        shown: String,
        /// What was found, with file, line and column.
        finding: String,
    },
    /// It refers to files that are not there.
    #[error("[BH-RES-006] `{shown}` refers to what is not there: {}", findings.join("; "))]
    MissingAssets {
        /// What was asked for.
        shown: String,
        /// What is missing, each with its place.
        findings: Vec<String>,
    },
    /// It refers to files that cannot be used.
    #[error("[BH-RES-007] `{shown}` refers to what cannot be used: {}", findings.join("; "))]
    UnsupportedAssets {
        /// What was asked for.
        shown: String,
        /// What cannot be used, and why.
        findings: Vec<String>,
    },
    /// It holds elements without effect, and none were wanted.
    #[error("[BH-RES-008] `{shown}` holds elements that have no effect: {}", findings.join("; "))]
    UnsupportedElements {
        /// What was asked for.
        shown: String,
        /// The elements, each kind once, with its place.
        findings: Vec<String>,
    },
}
