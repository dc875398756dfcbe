//! Files that are read whole, if they are files and not too large.

use std::fs::File;
use std::io::{self, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::MeshError;

/// Bytes of the largest file that is read: a mesh of that size is a mistake, or an attack.
pub(crate) const MOST_BYTES: u64 = 256 << 20;

/// The bytes of a file of at most `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, MeshError> {
    let file = path.display().to_string();
    let opened = open(path).and_then(|opened| Ok((opened.metadata()?.len(), opened)));
    let (bytes, opened) = match opened {
        Ok(opened) => opened,
        Err(reason) => return Err(MeshError::Unreadable { file, reason }),
    };
    if bytes > most {
        return Err(MeshError::TooLarge { file, bytes, most });
    }
    // A file may grow while it is read.
    let mut content = Vec::new();
    match opened.take(most).read_to_end(&mut content) {
        Ok(_) => Ok(content),
        Err(reason) => Err(MeshError::Unreadable { file, reason }),
    }
}

/// A pipe would block, and a device may have no end.
fn open(path: &Path) -> io::Result<File> {
    if path.metadata()?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"))
    }
}

/// What a library makes of bytes that nobody vouches for: `None` where it panics.
pub(crate) fn contained<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).ok()
}
