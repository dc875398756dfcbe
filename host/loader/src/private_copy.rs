//! The folder with private copies of the libraries that this process loads.
//!
//! Overwriting a mapped file in place, as compilers do, crashes the process, and the dynamic linker returns the old
//! library if a path is opened again. Private copies avoid both: each load has its own file.
//!
//! Only a library that is opened is copied, and the kernel copies it: a file system that can share blocks between files
//! copies nothing.
//!
//! A killed process leaves its folder behind, and the next process removes it: a running process holds a lock in its
//! folder. Main thread only.

use std::fs::{self, DirBuilder, DirEntry, File, OpenOptions};
use std::io::{self, Take};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, process};

/// Maximum number of folder names that are tried.
const MAX_TRIES: u32 = 1000;

/// Number of the next folder. A path is never used twice: the dynamic linker would return the library that was opened
/// from it first, although its file is gone.
static NEXT_FOLDER: AtomicU32 = AtomicU32::new(0);

/// Prefix of folder names; the numbers of the process and of the folder follow.
const PREFIX: &str = "bridgehead-";
/// The locked file in a folder.
const LOCK: &str = "lock";
/// A folder changed more recently than this may belong to a process that has not locked it yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder that only this user can enter, removed with its contents on drop. Libraries stay usable after that, because
/// the mapping keeps the file alive.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    copies: u32,
    /// The locked file; `None` if another process removes the folder.
    lock: Option<File>,
}

impl PrivateFolder {
    /// Creates a folder in the temporary folder, and removes those of killed processes.
    pub fn create() -> io::Result<Self> {
        let folder = PrivateFolder::create_in(&env::temp_dir())?;
        sweep(&env::temp_dir(), fs::metadata(&folder.path)?.uid());
        Ok(folder)
    }

    fn create_in(parent: &Path) -> io::Result<Self> {
        for _ in 0..MAX_TRIES {
            let number = NEXT_FOLDER.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("{PREFIX}{}-{number}", process::id()));
            // `mkdir` fails if the path exists, also for a malicious link.
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    let lock = File::create_new(path.join(LOCK))?;
                    // Without file system locks, other processes get no lock either and leave the folder alone.
                    drop(lock.try_lock());
                    return Ok(PrivateFolder { path, copies: 0, lock: Some(lock) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(format!("`{}` is full of folders of earlier processes", parent.display())))
    }

    /// Uses a folder that another process created and will remove.
    pub(super) fn existing(path: &Path) -> Self {
        PrivateFolder { path: path.to_owned(), copies: 0, lock: None }
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a copy of `content` under a unique name that contains the name of the original, for debuggers and
    /// backtraces.
    pub(super) fn copy(&mut self, original: &Path, mut content: Take<File>) -> io::Result<PathBuf> {
        let name = original.file_name().unwrap_or_default();
        let folder = self.path.join(self.copies.to_string());
        self.copies += 1;
        DirBuilder::new().mode(0o700).create(&folder)?;
        let path = folder.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o500).open(&path)?;
        // Between two files, this is `copy_file_range`, which shares blocks if possible.
        io::copy(&mut content, &mut file)?;
        Ok(path)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        if self.lock.is_none() {
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.path) {
            log::debug!("private plugin folder `{}` is not removed: {error}", self.path.display());
        }
    }
}

/// Removes the folders of this user in `parent` whose processes have ended.
fn sweep(parent: &Path, user: u32) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten().filter(is_named_as_ours) {
        // A folder that cannot be removed is tried again by the next process.
        if let Some(_lock) = lock_abandoned(&entry, user)
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            log::debug!("`{}` is not removed: {error}", entry.path().display());
        }
    }
}

fn is_named_as_ours(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let numbers = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, folder)| is_number(process) && is_number(folder))
}

/// Locks an abandoned folder; `None` if it may be in use or belongs to another user.
fn lock_abandoned(entry: &DirEntry, user: u32) -> Option<File> {
    // Links are not followed.
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

    /// Sets the modification time of a folder to long ago.
    fn age(folder: &Path) {
        File::open(folder).and_then(|folder| folder.set_modified(SystemTime::UNIX_EPOCH)).expect("a folder");
    }

    #[test]
    fn only_folders_of_killed_processes_are_removed() {
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
        assert!(dead.exists(), "it belongs to another user");
        sweep(parent.path(), user);
        assert!(!dead.exists());
        assert!(others.iter().chain([&young]).all(|folder| folder.exists()) && alive.path().exists());
        let path = alive.path().to_owned();
        drop(alive);
        assert!(!path.exists());
    }
}
