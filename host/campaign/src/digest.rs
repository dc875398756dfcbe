//! SHA-256 of files, each file read once.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use bridgehead_files::open;
use sha2::{Digest as _, Sha256};

use crate::Key;

/// Hashes of files by their paths. A file that changes later keeps its first hash.
#[derive(Debug, Default)]
pub struct Digests {
    known: HashMap<PathBuf, Key>,
}

impl Digests {
    /// Returns the hash of a file, which is read unless it is known.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a regular one.
    pub fn of(&mut self, path: &Path) -> io::Result<Key> {
        if let Some(known) = self.known.get(path) {
            return Ok(*known);
        }
        let digest = read(path)?;
        self.known.insert(path.to_owned(), digest);
        Ok(digest)
    }
}

fn read(path: &Path) -> io::Result<Key> {
    /// Bytes that are read at once.
    const BLOCK: usize = 1 << 18;
    let mut file = open(path)?;
    let (mut hash, mut block) = (Sha256::new(), vec![0; BLOCK]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(Key(hash.finalize().into())),
            count => hash.update(block.get(..count).unwrap_or_default()),
        }
    }
}

/// Returns the hash of bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> Key {
    Key(Sha256::digest(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From FIPS 180-2: the message "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_is_read_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::fs::write(&path, "abc").expect("written");
        let mut digests = Digests::default();
        assert_eq!(digests.of(&path).expect("read").to_string(), ABC);
        std::fs::write(&path, "other").expect("written");
        assert_eq!(digests.of(&path).expect("known").to_string(), ABC);
        assert!(digests.of(folder.path()).is_err(), "a folder");
        assert_eq!(of_bytes(b"abc").to_string(), ABC);
    }
}
