//! The only access to the file system: what is at a path, and reading regular files within limits. The rest of the
//! crate uses the trait [`Files`], so that tests can provide files in memory; meshes and lists of the other crates are
//! read here too. Usable from any thread.
//!
//! A path can come from a client, so anything can be there. Only regular files are opened: opening a pipe waits for its
//! writer, and opening a device can have effects.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

pub use bridgehead_files::{FileKind, ReadError as FileError, Xacro, XacroError, open};

use super::diagnostic::Diagnostic;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not a regular file, too large, not a text, or the system refused.
    #[error("{0}")]
    File(#[from] FileError),
    /// The budget does not suffice.
    #[error("{0}")]
    Stopped(Box<Diagnostic>),
    /// It is a xacro source, and cannot be expanded.
    #[error("{0}")]
    Xacro(#[from] XacroError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::File(error.into())
    }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// Returns an error if it is not a regular file, cannot be read, or is larger.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    Ok(bridgehead_files::read_bytes(path, most)?)
}

/// The operations on a file system that the reader needs.
pub trait Files {
    /// Returns the whole text of a file of at most `most` bytes.
    ///
    /// # Errors
    /// Returns an error if it is not a regular file, cannot be read, is larger, or is not UTF-8.
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError>;

    /// Returns the text of at most `most` bytes that a xacro source generates.
    ///
    /// # Errors
    /// Returns an error if it cannot be expanded.
    fn expand(&self, xacro: Xacro<'_>, most: u64) -> Result<String, ReadError>;

    /// Returns what is at a path.
    fn kind(&self, path: &Path) -> FileKind;

    /// Returns true if a file with this name exists.
    fn is_file(&self, path: &Path) -> bool {
        self.kind(path) == FileKind::File
    }

    /// Returns true if a folder with this name exists.
    fn is_dir(&self, path: &Path) -> bool {
        self.kind(path) == FileKind::Folder
    }
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError> {
        Ok(bridgehead_files::read_text(path, most)?)
    }

    fn expand(&self, xacro: Xacro<'_>, most: u64) -> Result<String, ReadError> {
        Ok(xacro.expand(most)?)
    }

    fn kind(&self, path: &Path) -> FileKind {
        match fs::metadata(path) {
            Ok(found) => FileKind::of(found.file_type()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => FileKind::Hidden,
            Err(_) => FileKind::Absent,
        }
    }
}

/// Files in memory; folders exist if they contain a file.
#[derive(Clone, Debug, Default)]
pub struct InMemory(BTreeMap<PathBuf, String>);

impl InMemory {
    /// Creates an empty file system.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same files and one more.
    #[must_use]
    pub fn with(mut self, path: impl AsRef<Path>, text: impl Into<String>) -> Self {
        self.0.insert(normalize(path.as_ref()), text.into());
        self
    }
}

impl Files for InMemory {
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError> {
        let text = self.0.get(&normalize(path)).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        if text.len() as u64 > most { Err(FileError::TooLarge(most).into()) } else { Ok(text.clone()) }
    }

    /// No program can read them.
    fn expand(&self, _: Xacro<'_>, _: u64) -> Result<String, ReadError> {
        Err(XacroError::Missing.into())
    }

    fn kind(&self, path: &Path) -> FileKind {
        let path = normalize(path);
        if self.0.contains_key(&path) {
            FileKind::File
        } else if self.0.keys().any(|file| file.starts_with(&path)) {
            FileKind::Folder
        } else {
            FileKind::Absent
        }
    }
}

/// Resolves `.` and `..` by name alone, so that one file has one spelling.
#[must_use]
pub(super) fn normalize(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut clean, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => {
                clean.pop();
            }
            Component::ParentDir | Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                clean.push(part)
            }
        }
        clean
    })
}

#[cfg(test)]
mod tests;
