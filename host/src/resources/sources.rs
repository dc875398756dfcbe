//! Where worlds and models are looked for, and what the configuration says of worlds that do not say it themselves.

use std::path::PathBuf;

/// What the configuration says of worlds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Folders, files, and patterns such as `scenes/*.sdf`; empty for the default: the resource path and the folder
    /// of the loaded world.
    pub places: Vec<PathBuf>,
    /// What is said of single worlds.
    pub described: Vec<Described>,
}

/// What the configuration says of one world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The file.
    pub path: PathBuf,
    /// In place of the world's own; empty for that.
    pub description: String,
    /// Beside the world's own.
    pub tags: Vec<String>,
}
