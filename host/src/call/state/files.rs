//! The working directory, and the mask of the permissions of new files.

use std::ffi::CString;
use std::mem::zeroed;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};
use std::path::PathBuf;

use super::super::Rule;
use super::{Cost, State};

/// The working directory.
pub(super) struct Folder {
    path: PathBuf,
    descriptor: OwnedFd,
    /// Device and number of the folder.
    identity: (libc::dev_t, libc::ino_t),
}

impl State for Folder {
    const RULE: Rule = Rule::WorkingFolder;
    const COST: Cost = Cost::Low;

    /// `None` if it was deleted or cannot be opened.
    #[expect(unsafe_code, reason = "std opens no folders as paths")]
    fn read() -> Option<Self> {
        let path = std::env::current_dir().ok()?;
        let here = CString::new(".").ok()?;
        // SAFETY: the path ends with a zero byte; a descriptor that was opened belongs to nobody else.
        let descriptor = unsafe {
            let descriptor = libc::open(here.as_ptr(), libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC);
            (descriptor >= 0).then(|| OwnedFd::from_raw_fd(descriptor))?
        };
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

    #[expect(unsafe_code, reason = "std changes to paths only, and the path may lead elsewhere by now")]
    fn restore(&self) -> bool {
        // SAFETY: the descriptor is open.
        unsafe { libc::fchdir(self.descriptor.as_raw_fd()) == 0 }
    }
}

/// Device and number of the working directory.
#[expect(unsafe_code, reason = "std allocates for a path")]
fn identity() -> Option<(libc::dev_t, libc::ino_t)> {
    // SAFETY: the path ends with a zero byte; the struct is read only if the call has filled it in.
    unsafe {
        let mut facts: libc::stat = zeroed();
        (libc::stat(c".".as_ptr(), &raw mut facts) == 0).then_some((facts.st_dev, facts.st_ino))
    }
}

/// The mask of permissions.
pub(super) struct Umask(libc::mode_t);

impl State for Umask {
    const RULE: Rule = Rule::Umask;
    const COST: Cost = Cost::High;

    /// From a file of the system: the function for it would change the mask for a moment, in which other threads may make
    /// files.
    fn read() -> Option<Self> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
        libc::mode_t::from_str_radix(line.trim(), 8).ok().map(Umask)
    }

    fn change(&self) -> Option<String> {
        let Umask(now) = Self::read()?;
        let Umask(before) = *self;
        (now != before).then(|| format!("changed the umask of the process from {before:03o} to {now:03o}"))
    }

    #[expect(unsafe_code, reason = "std has no masks")]
    fn restore(&self) -> bool {
        // SAFETY: sets a number of the process.
        unsafe { libc::umask(self.0) };
        true
    }
}
