//! The file that a client may save a world to: inside the output folder of the run, and new or another world.
//!
//! The path comes from a client, so it is checked as it is written and as the file system resolves it.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use bridgehead_files::read_text;
use bridgehead_sdf::{Document, Source};

use super::error::SaveError;

/// Longest path, bytes: that of Linux.
const MAX_PATH: usize = 4096;
/// Larger files are not read to find out whether they are worlds.
const MAX_BYTES: u64 = 256 << 20;

/// Returns the file that `path` names in the folder `output`.
///
/// # Errors
/// Returns an error if the path is absolute, contains `..`, or leads out of the folder through a symbolic link.
pub(in crate::sim) fn inside(output: &Path, path: &Path) -> Result<PathBuf, SaveError> {
    let outside = || SaveError::Outside { path: shown(path), output: output.to_owned() };
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    // No file has a zero byte in its name.
    let is_name = path.as_os_str().len() <= MAX_PATH && !path.as_os_str().as_encoded_bytes().contains(&0);
    if !(is_plain && is_name && path.file_name().is_some()) {
        return Err(outside());
    }
    let target = output.join(path);
    let folder = target.parent().ok_or_else(outside)?;
    // A folder that does not exist leads nowhere; writing the file reports it.
    let resolved = match (fs::canonicalize(folder), fs::canonicalize(output)) {
        (Ok(folder), Ok(output)) if !folder.starts_with(&output) => return Err(outside()),
        (Ok(folder), Ok(_)) => folder,
        (Err(_), _) | (_, Err(_)) => return Ok(target),
    };
    let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|facts| facts.is_symlink());
    let file = target.file_name().map(|name| resolved.join(name)).ok_or_else(outside)?;
    if is_link(&file) { Err(outside()) } else { Ok(target) }
}

/// Returns a path for an error message.
fn shown(path: &Path) -> String {
    crate::text::shortened(&path.to_string_lossy(), 200).into_owned()
}

/// Checks that a file may be overwritten: it does not exist, or it contains a world.
///
/// # Errors
/// Returns an error if it is anything else, or if it cannot be read.
pub(super) fn is_replaceable(path: &Path) -> Result<(), SaveError> {
    match fs::symlink_metadata(path) {
        // Writing the file reports a folder that may not be entered.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => {
            Ok(())
        }
        Ok(facts) if facts.is_file() && facts.len() <= MAX_BYTES && is_world(path) => Ok(()),
        Ok(_) | Err(_) => Err(SaveError::NotAWorld(path.to_owned())),
    }
}

fn is_world(path: &Path) -> bool {
    let text = read_text(path, MAX_BYTES).ok();
    let document = text.and_then(|text| Document::parse(Source::from_text("target", text)).ok());
    document.is_some_and(|document| {
        let root = document.root();
        root.name() == "sdf" && root.child("world").is_some()
    })
}
