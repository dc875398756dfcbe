//! The only access to the file system: what is at a path, and reading regular files within limits. The rest of the
//! crate uses the trait [`Files`], so that tests can provide files in memory; meshes and lists of the other crates are
//! read here too. Usable from any thread.
//!
//! A path can come from a client, so anything can be there. Only regular files are opened: opening a pipe waits for its
//! writer, and opening a device can have effects.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};

use super::diagnostic::Diagnostic;

/// What is at a path; links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Something that is never opened, such as a device.
    Special(&'static str),
    /// A folder above it may not be entered, so that nobody knows.
    Hidden,
    /// Nothing.
    Absent,
}

impl FileKind {
    fn of(found: FileType) -> Self {
        match found {
            found if found.is_file() => FileKind::File,
            found if found.is_dir() => FileKind::Folder,
            found if found.is_fifo() => FileKind::Special("a named pipe"),
            found if found.is_socket() => FileKind::Special("a socket"),
            found if found.is_char_device() => FileKind::Special("a character device"),
            found if found.is_block_device() => FileKind::Special("a block device"),
            _ => FileKind::Special("a special file"),
        }
    }
}

impl FileKind {
    /// Returns why it is not read.
    fn refused(self) -> String {
        match self {
            FileKind::Hidden => self.to_string(),
            FileKind::File | FileKind::Folder | FileKind::Special(_) | FileKind::Absent => {
                format!("{self}; only regular files are read")
            }
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::File => "a file",
            FileKind::Folder => "a folder",
            FileKind::Special(kind) => kind,
            FileKind::Hidden => "in a folder that may not be entered: permission denied",
            FileKind::Absent => "missing",
        })
    }
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not a regular file.
    #[error("it is {}", .0.refused())]
    Kind(FileKind),
    /// It is larger than allowed.
    #[error("it has more than {0} bytes, which is the limit")]
    TooLarge(u64),
    /// It is not a UTF-8 text.
    #[error("it is not a UTF-8 text")]
    NotText,
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The budget does not suffice.
    #[error("{0}")]
    Stopped(Box<Diagnostic>),
}

/// The operations on a file system that the reader needs.
pub trait Files {
    /// Returns the whole text of a file of at most `most` bytes.
    ///
    /// # Errors
    /// Returns an error if it is not a regular file, cannot be read, is larger, or is not UTF-8.
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError>;

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
        String::from_utf8(read_bytes(path, most)?).map_err(|_| ReadError::NotText)
    }

    fn kind(&self, path: &Path) -> FileKind {
        match fs::metadata(path) {
            Ok(found) => FileKind::of(found.file_type()),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => FileKind::Hidden,
            Err(_) => FileKind::Absent,
        }
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// Returns an error if it is something else, which is not opened, or if it cannot be opened.
pub fn open(path: &Path) -> Result<File, ReadError> {
    check_kind(&fs::metadata(path)?)?;
    // It may have been replaced since: opening a pipe must not wait, and what was opened is checked again.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    check_kind(&file.metadata()?)?;
    Ok(file)
}

fn check_kind(found: &fs::Metadata) -> Result<(), ReadError> {
    match FileKind::of(found.file_type()) {
        FileKind::File => Ok(()),
        other => Err(ReadError::Kind(other)),
    }
}

/// Reads a regular file of at most `most` bytes. No more than that is allocated, whatever size the system reports.
///
/// # Errors
/// Returns an error if it is not a regular file, cannot be read, or is larger.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    if size > most {
        return Err(ReadError::TooLarge(most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // Files of the system report a size of 0, and others may grow.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ReadError::TooLarge(most)) } else { Ok(bytes) }
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
        if text.len() as u64 > most { Err(ReadError::TooLarge(most)) } else { Ok(text.clone()) }
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
