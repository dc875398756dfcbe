//! A small file system that a test fills and empties. Test programs of other packages include this file by its path.
#![allow(dead_code, reason = "test programs that include this file use parts of it")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::skip;

/// A mounted tmpfs, unmounted on drop.
pub(crate) struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    /// Mounts a file system of some KiB on an empty folder, which is created, or skips the test. `options` are further
    /// options of the mount, such as `noexec`.
    #[track_caller]
    pub(crate) fn mount(path: &Path, kib: u32, options: &str) -> Option<Self> {
        fs::create_dir_all(path).expect("a folder");
        let options = format!("size={kib}k,mode=0777{}{options}", if options.is_empty() { "" } else { "," });
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(path)
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(SmallDisk { path: path.to_owned() });
        }
        skip::missing("a tmpfs cannot be mounted, which needs root");
        None
    }

    /// Returns the path of a file on this disk.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file until nothing more fits.
    pub(crate) fn fill(&self) {
        let mut filler = File::create(self.path("filler")).expect("a file");
        while filler.write_all(&[0; 4096]).is_ok() {}
    }

    /// Removes what [`Self::fill`] has written.
    pub(crate) fn free(&self) {
        let filler = self.path("filler");
        // Truncated first: a process that another thread of the test is just starting may still hold the file open, and
        // would keep its space.
        File::options().write(true).open(&filler).and_then(|file| file.set_len(0)).expect("the filler");
        fs::remove_file(filler).expect("the filler");
    }

    /// Forbids any change, as after an error of the device.
    pub(crate) fn make_read_only(&self) {
        let status = Command::new("mount").args(["-o", "remount,ro"]).arg(&self.path).status();
        assert!(status.is_ok_and(|status| status.success()), "remounted");
    }

    /// Returns the names of the files whose name begins with `prefix`, the oldest part first.
    pub(crate) fn parts(&self, prefix: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.path).expect("a folder");
        let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        found.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)));
        let number = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let digits = name.split_once(".part").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
            digits.split('.').next().and_then(|digits| digits.parse::<u32>().ok()).unwrap_or(1)
        };
        found.sort_by_key(number);
        found
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because a process of a failed test may still use it.
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}
