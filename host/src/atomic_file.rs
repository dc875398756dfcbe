//! Files that are written whole or not at all: what was there before stays until its successor is complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file, over one that is there.
///
/// # Errors
/// Where the folder cannot be written to or is full; a file that was there is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = beside(path);
    let written = write_synced(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Whatever is wrong with the folder may also keep the rest of the file there.
        drop(fs::remove_file(&temporary));
    }
    written
}

/// Finds out whether a file could be written, without touching one that is there.
///
/// # Errors
/// As for [`write()`], as far as that can be known beforehand.
pub fn try_out(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let temporary = beside(path);
    File::create(&temporary).and_then(|_| fs::remove_file(&temporary))
}

/// A name in the same folder, since a file can be renamed within its file system only.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
