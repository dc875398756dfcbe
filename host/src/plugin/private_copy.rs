//! The folder with private copies of the libraries that this process loads.
//!
//! A mapped file that is overwritten in place, as compilers do, kills the process; and the dynamic linker
//! returns the old library when a path is opened again. Both end where each load has a file of its own.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::{env, process};

/// How many names are tried for the folder before giving up.
const MAX_TRIES: u32 = 1000;

/// A folder only this user can enter, removed with its contents when dropped. Libraries stay usable after
/// that: the mapping keeps the file alive.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    path: PathBuf,
    copies: u32,
    /// Whether it is to be removed by this process.
    owned: bool,
}

impl PrivateFolder {
    /// Makes a folder of its own in the temporary folder.
    pub(super) fn create() -> io::Result<Self> {
        let parent = env::temp_dir();
        for number in 0..MAX_TRIES {
            let path = parent.join(format!("bridgehead-{}-{number}", process::id()));
            // `mkdir` fails on anything that is already there, also on a link laid out as a trap.
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(PrivateFolder { path, copies: 0, owned: true }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!("`{}` is full of folders of earlier processes", parent.display())))
    }

    /// Uses a folder that another process made and will remove.
    pub(super) fn existing(path: &Path) -> Self {
        PrivateFolder { path: path.to_owned(), copies: 0, owned: false }
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a copy under a unique name that still shows the name of the original, for debuggers and
    /// backtraces.
    pub(super) fn copy(&mut self, original: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
        let name = original.file_name().unwrap_or_default();
        let folder = self.path.join(self.copies.to_string());
        self.copies += 1;
        DirBuilder::new().mode(0o700).create(&folder)?;
        let path = folder.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o500).open(&path)?;
        file.write_all(bytes)?;
        Ok(path)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        if !self.owned {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.path) {
            log::debug!("private plugin folder `{}` stays behind: {error}", self.path.display());
        }
    }
}
