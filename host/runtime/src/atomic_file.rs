//! Writes files atomically: the previous file stays until the new one is complete. Usable from any thread.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file, and replaces an existing one.
///
/// # Errors
/// Returns an error if the folder cannot be written to or is full. An existing file is unchanged then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |temporary| write_all(temporary, bytes)?.sync_all())
}

/// Writes a file that can be made again, as [`write()`] does, but without waiting for the disk, which takes long
/// if it is busy. A power failure may damage the file, so it needs a checksum.
///
/// # Errors
/// Returns the errors of [`write()`].
pub fn write_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |temporary| write_all(temporary, bytes).map(drop))
}

fn replace(path: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let temporary = beside(path);
    let written = write(&temporary).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The same problem may prevent the removal of the partial file.
        drop(fs::remove_file(&temporary));
    }
    written
}

/// Checks that a file can be written, without changing an existing one.
///
/// # Errors
/// Returns the errors of [`write()`] that can be detected in advance.
pub fn try_out(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let temporary = beside(path);
    File::create(&temporary).and_then(|_| fs::remove_file(&temporary))
}

/// Returns a name in the same folder, because a file can be renamed only within its file system.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn write_all(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    Ok(file)
}
