//! The version of a file: finds out that a file was changed or replaced without reading it.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Identifies a version of a file. Equal stamps mean the same content, unless somebody resets the modification time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Seconds and nanoseconds.
    modified: (i64, i64),
    len: u64,
    /// Device and inode: a file that replaces another may have an equal time on a disk with coarse times.
    place: (u64, u64),
}

impl FileStamp {
    /// Returns the current stamp; `None` if there is no such file.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let facts = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(FileStamp {
            modified: (facts.mtime(), facts.mtime_nsec()),
            len: facts.len(),
            place: (facts.dev(), facts.ino()),
        })
    }
}
