//! Why a world was not saved, or a camera or road not set.

use std::path::PathBuf;

use thiserror::Error;

use crate::world::save::NotSaved;

/// Why a world was not saved, or a camera or road not set. Nothing has changed then.
#[derive(Debug, Error)]
pub enum SaveError {
    /// No world is loaded.
    #[error("[BH-RES-040] no world is loaded that could be saved; try: load one")]
    NoWorld,
    /// The file exists.
    #[error("[BH-RES-041] `{}` exists already; try: another name, or ask for it to be overwritten", .0.display())]
    Exists(PathBuf),
    /// The path leads out of the output folder.
    #[error(
        "[BH-RES-045] `{path}` is not a file in the output folder `{}`; expected a relative path without `..` and \
         without symbolic links that lead out; try: `saved.sdf`",
        output.display()
    )]
    Outside {
        /// The given path.
        path: String,
        /// The output folder.
        output: PathBuf,
    },
    /// The file exists and is not a world.
    #[error(
        "[BH-RES-046] `{}` exists and is not a world, so it is not overwritten; try: another name",
        .0.display()
    )]
    NotAWorld(PathBuf),
    /// The file exists and is not a snapshot.
    #[error(
        "[BH-RES-047] `{}` exists and is not a snapshot, so it is not overwritten; try: another name",
        .0.display()
    )]
    NotASnapshot(PathBuf),
    /// The snapshot cannot be made or written.
    #[error("[BH-RES-048] the snapshot `{}` is not written: {reason}", path.display())]
    NotWritten {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// It is the file of the world.
    #[error(
        "[BH-RES-042] `{}` is the file that the world comes from; try: another name, or ask for the source to be \
         overwritten",
        .0.display()
    )]
    Source(PathBuf),
    /// The world has no such road.
    #[error("[BH-RES-043] the world has no road `{road}`; it has: {has}")]
    NoSuchRoad {
        /// The given name.
        road: String,
        /// The roads of the world.
        has: String,
    },
    /// A point or pose is missing or not finite.
    #[error("[BH-RES-044] {0}")]
    Position(&'static str),
    /// The text or the file cannot be written.
    #[error(transparent)]
    NotSaved(#[from] NotSaved),
}
