//! The folder with private copies of the libraries that this process loads.
//!
//! A mapped file that is overwritten in place, as compilers do, kills the process; and the dynamic linker
//! returns the old library when a path is opened again. Both end where each load has a file of its own.
//!
//! A process that is killed leaves its folder behind. The next one removes it: whoever lives holds a lock in its own.

use std::fs::{self, DirBuilder, DirEntry, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, process};

/// How many names are tried for the folder before giving up.
const MAX_TRIES: u32 = 1000;

/// What the names of folders begin with; numbers of the process and of the folder follow.
const PREFIX: &str = "bridgehead-";
/// The file in a folder that its process has locked.
const LOCK: &str = "lock";
/// A folder that was changed a shorter time ago may belong to a process that has not locked it yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder only this user can enter, removed with its contents when dropped. Libraries stay usable after
/// that: the mapping keeps the file alive.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    path: PathBuf,
    copies: u32,
    /// The file with the lock on it; none where another process will remove the folder.
    lock: Option<File>,
}

impl PrivateFolder {
    /// Makes a folder of its own in the temporary folder, and removes those that killed processes left there.
    pub(super) fn create() -> io::Result<Self> {
        let folder = PrivateFolder::create_in(&env::temp_dir())?;
        sweep(&env::temp_dir(), fs::metadata(&folder.path)?.uid());
        Ok(folder)
    }

    fn create_in(parent: &Path) -> io::Result<Self> {
        for number in 0..MAX_TRIES {
            let path = parent.join(format!("{PREFIX}{}-{number}", process::id()));
            // `mkdir` fails on anything that is already there, also on a link laid out as a trap.
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    let lock = File::create_new(path.join(LOCK))?;
                    // Where the file system knows no locks, whoever sweeps gets none either, and leaves it alone.
                    drop(lock.try_lock());
                    return Ok(PrivateFolder { path, copies: 0, lock: Some(lock) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!("`{}` is full of folders of earlier processes", parent.display())))
    }

    /// Uses a folder that another process made and will remove.
    pub(super) fn existing(path: &Path) -> Self {
        PrivateFolder { path: path.to_owned(), copies: 0, lock: None }
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
        if self.lock.is_none() {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.path) {
            log::debug!("private plugin folder `{}` stays behind: {error}", self.path.display());
        }
    }
}

/// Removes the folders of this user in `parent` whose processes are gone.
fn sweep(parent: &Path, user: u32) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(is_named_as_ours) {
        // Whoever cannot be removed now is tried again by the next process.
        if let Some(_lock) = left_behind(&entry, user)
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            log::debug!("`{}` stays behind: {error}", entry.path().display());
        }
    }
}

fn is_named_as_ours(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let numbers = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, folder)| is_number(process) && is_number(folder))
}

/// The lock on a folder that nobody else has locked; none where it may be in use, or is not ours.
fn left_behind(entry: &DirEntry, user: u32) -> Option<File> {
    // Of a link it is the link that is looked at.
    let metadata = entry.metadata().ok()?;
    let is_old = metadata.modified().ok()?.elapsed().is_ok_and(|age| age > YOUNG);
    if !metadata.is_dir() || metadata.uid() != user || !is_old {
        return None;
    }
    let lock = File::open(entry.path().join(LOCK)).ok()?;
    lock.try_lock().ok().map(|()| lock)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    /// Lets a folder look as if nothing had happened in it for long.
    fn age(folder: &Path) {
        File::open(folder).and_then(|folder| folder.set_modified(SystemTime::UNIX_EPOCH)).expect("a folder");
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let parent = tempfile::tempdir().expect("a folder");
        let user = fs::metadata(parent.path()).expect("a folder").uid();
        let alive = PrivateFolder::create_in(parent.path()).expect("a folder");
        let make = |name: &str, is_locked_once: bool| {
            let path = parent.path().join(name);
            fs::create_dir(&path).expect("a folder");
            if is_locked_once {
                fs::write(path.join(LOCK), "").expect("a file");
            }
            path
        };
        let dead = make("bridgehead-1-0", true);
        let others = [make("bridgehead-1-1", false), make("bridgehead-demo-1", true), make("other", true)];
        let young = make("bridgehead-2-0", true);
        for folder in others.iter().chain([&dead]).map(PathBuf::as_path).chain([alive.path()]) {
            age(folder);
        }
        sweep(parent.path(), user + 1);
        assert!(dead.exists(), "it is somebody else's");
        sweep(parent.path(), user);
        assert!(!dead.exists());
        assert!(others.iter().chain([&young]).all(|folder| folder.exists()) && alive.path().exists());
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!path.exists());
    }
}
