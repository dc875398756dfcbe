//! The working directory, and the mask of the permissions of new files.

use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{Dev, Mode, OFlags};
use rustix::process::{fchdir, umask};

use super::super::Rule;
use super::{Cost, State};

/// The working directory.
pub(super) struct Folder {
    path: PathBuf,
    descriptor: OwnedFd,
    /// Device and number of the folder.
    identity: (Dev, u64),
}

impl State for Folder {
    const RULE: Rule = Rule::WorkingFolder;
    const COST: Cost = Cost::Low;

    /// `None` if it was deleted or cannot be opened.
    fn read() -> Option<Self> {
        let path = std::env::current_dir().ok()?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::open(c".", flags, Mode::empty()).ok()?;
        Some(Folder { path, descriptor, identity: identity()? })
    }

    /// No call can help it if the directory was deleted.
    fn change(&self) -> Option<String> {
        if identity().is_none_or(|identity| identity == self.identity) {
            return None;
        }
        let now = std::env::current_dir();
        let to = now.map_or_else(|error| error.to_string(), |path| path.display().to_string());
        Some(format!("changed the working directory of the host from `{}` to `{to}`", self.path.display()))
    }

    fn restore(&self) -> bool {
        fchdir(&self.descriptor).is_ok()
    }
}

/// Device and number of the working directory.
fn identity() -> Option<(Dev, u64)> {
    rustix::fs::stat(c".").ok().map(|facts| (facts.st_dev, facts.st_ino))
}

/// The mask of permissions.
pub(super) struct Umask(u32);

impl State for Umask {
    const RULE: Rule = Rule::Umask;
    const COST: Cost = Cost::High;

    /// From a file of the system: the function for it would change the mask for a moment, in which other threads may make
    /// files.
    fn read() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
        u32::from_str_radix(line.trim(), 8).ok().map(Umask)
    }

    fn change(&self) -> Option<String> {
        let Umask(now) = Self::read()?;
        let Umask(before) = *self;
        (now != before).then(|| format!("changed the umask of the process from {before:03o} to {now:03o}"))
    }

    fn restore(&self) -> bool {
        umask(Mode::from_raw_mode(self.0));
        true
    }
}
