//! Configured sources of worlds and models, and configured descriptions of worlds. Plain values.

use std::path::PathBuf;

/// The worlds section of the configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Folders, files, and patterns such as `scenes/*.sdf`; empty for the default: the resource path and the folder
    /// of the loaded world.
    pub places: Vec<PathBuf>,
    /// Descriptions of single worlds.
    pub described: Vec<Described>,
}

/// The configured description of one world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The file.
    pub path: PathBuf,
    /// Replaces the world's own description, unless empty.
    pub description: String,
    /// Added to the world's own tags.
    pub tags: Vec<String>,
}
