//! Folders of this process for tries, and names for files that are not complete yet.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::refused;
use crate::CampaignError;

/// Makes `<machine>-<process>-<number>` in a folder. Several machines may use the same folder.
pub(super) struct Scratch {
    root: PathBuf,
    machine: String,
    next: AtomicU64,
}

impl Scratch {
    pub(super) fn new(root: PathBuf) -> Self {
        let machine = rustix::system::uname().nodename().to_string_lossy().replace('/', "_");
        Scratch { root, machine, next: AtomicU64::new(0) }
    }

    /// Returns a path that nothing has yet.
    pub(super) fn unused(&self) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.root.join(format!("{}-{}-{number}", self.machine, std::process::id()))
    }

    /// Creates an empty folder.
    pub(super) fn begin(&self) -> Result<PathBuf, CampaignError> {
        let folder = self.unused();
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(folder),
            Err(error) => Err(refused(&folder, &error)),
        }
    }

    /// Removes what processes of this machine have left when they were killed.
    pub(super) fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.root) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let owner =
                name.strip_prefix(&format!("{}-", self.machine)).and_then(|rest| rest.split_once('-'));
            let is_dead = owner.is_some_and(|(process, _)| !Path::new("/proc").join(process).exists());
            if is_dead {
                drop(fs::remove_dir_all(entry.path()));
            }
        }
    }
}
