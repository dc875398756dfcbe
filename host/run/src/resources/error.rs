//! Errors of resources. The control services map each variant to a result code. Plain values.

use std::path::PathBuf;

use thiserror::Error;

/// Why a resource cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ResourceError {
    /// Neither an address nor a text was given.
    #[error("[BH-RES-001] neither an address nor a text was given; try: give one of them")]
    NoResource,
    /// The file name or the content is neither SDF nor URDF.
    #[error("[BH-RES-002] `{shown}` has an unsupported format: {found}; expected {expected}")]
    UnsupportedFormat {
        /// The requested resource.
        shown: String,
        /// The format found.
        found: String,
        /// The supported formats.
        expected: &'static str,
    },
    /// The resource does not exist.
    #[error("[BH-RES-003] `{uri}` was not found; {looked}")]
    NotFound {
        /// The requested resource.
        uri: String,
        /// The searched places.
        looked: String,
    },
    /// The file exists but cannot be read.
    #[error("[BH-RES-004] `{}` cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The text cannot be parsed.
    #[error("[BH-RES-005] `{shown}` cannot be loaded: {finding}")]
    Parse {
        /// The requested resource.
        shown: String,
        /// The first finding, with file, line and column.
        finding: String,
    },
    /// It refers to missing files.
    #[error("[BH-RES-006] `{shown}` refers to missing files: {}", findings.join("; "))]
    MissingAssets {
        /// The requested resource.
        shown: String,
        /// The missing files, each with its place.
        findings: Vec<String>,
    },
    /// It refers to unusable files.
    #[error("[BH-RES-007] `{shown}` refers to unusable files: {}", findings.join("; "))]
    UnsupportedAssets {
        /// The requested resource.
        shown: String,
        /// The unusable files, each with the reason.
        findings: Vec<String>,
    },
    /// It contains elements without effect, which the client rejects.
    #[error("[BH-RES-008] `{shown}` contains elements without effect: {}", findings.join("; "))]
    UnsupportedElements {
        /// The requested resource.
        shown: String,
        /// The elements, each kind once, with its place.
        findings: Vec<String>,
    },
}
