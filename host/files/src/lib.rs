//! Reading files that somebody else names: worlds and what they refer to, configurations, recordings, snapshots, stores;
//! and expanding those that are xacro.
//!
//! Anything can be at a path. Only regular files are opened, because opening a pipe waits for its writer, and opening a
//! device can have effects; and no more than a given number of bytes is read, because a file may be endless. Usable from any
//! thread.

mod xacro;

use std::fmt;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

pub use xacro::{Xacro, XacroError};

/// The most bytes of a file that people write, such as a configuration: 16 MiB.
pub const MAX_OF_TEXT: u64 = 16 << 20;
/// The most bytes of a file that a program writes, such as a snapshot or a result: 1 GiB.
pub const MAX_OF_DATA: u64 = 1 << 30;

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
    /// Returns the kind of a type of the system.
    #[must_use]
    pub fn of(found: FileType) -> Self {
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
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(error) => error,
            other => io::Error::new(io::ErrorKind::InvalidInput, other.to_string()),
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

/// Reads a regular file of at most `most` bytes as a text.
///
/// # Errors
/// Returns an error as [`read_bytes`] does, or if it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, ReadError> {
    String::from_utf8(read_bytes(path, most)?).map_err(|_| ReadError::NotText)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "abc").expect("written");
        assert_eq!(read_text(&path("file"), 3).expect("a text"), "abc");
        assert!(matches!(read_bytes(&path("file"), 2), Err(ReadError::TooLarge(2))));
        fs::write(path("bytes"), [0xff]).expect("written");
        assert!(matches!(read_text(&path("bytes"), 9), Err(ReadError::NotText)));
        assert!(Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo").success());
        symlink("/dev/zero", path("link")).expect("a link");
        let sparse = File::create(path("sparse")).expect("a file");
        sparse.set_len(30 << 30).expect("a sparse file");
        for (name, expected) in [
            ("pipe", "it is a named pipe; only regular files are read"),
            ("link", "it is a character device; only regular files are read"),
            ("", "it is a folder; only regular files are read"),
            ("sparse", "it has more than 16777216 bytes, which is the limit"),
        ] {
            let found = read_bytes(&path(name), MAX_OF_TEXT).expect_err(name).to_string();
            assert_eq!(found, expected, "{name}");
        }
        let error = io::Error::from(read_bytes(&path("none"), 1).expect_err("nothing"));
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
