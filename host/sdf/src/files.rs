//! The only access to the file system: reading text and checking whether files exist. The rest of the crate
//! uses this trait, so that tests can provide files in memory. Usable from any thread.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The operations on a file system that the reader needs.
pub trait Files {
    /// Returns the whole text of a file.
    ///
    /// # Errors
    /// Returns an error if the file does not exist, cannot be read, or is not UTF-8.
    fn read(&self, path: &Path) -> io::Result<String>;

    /// Returns true if a file with this name exists.
    fn is_file(&self, path: &Path) -> bool;

    /// Returns true if a folder with this name exists.
    fn is_dir(&self, path: &Path) -> bool;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<String> {
        std::fs::read_to_string(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
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
    fn read(&self, path: &Path) -> io::Result<String> {
        self.0.get(&normalize(path)).cloned().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.contains_key(&normalize(path))
    }

    fn is_dir(&self, path: &Path) -> bool {
        let folder = normalize(path);
        self.0.keys().any(|file| *file != folder && file.starts_with(&folder))
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
