//! A gate in front of the preparation of worlds and models: a file that the host cannot open until the test lets it.
//!
//! A gate is a write lease (`F_SETLEASE` of `fcntl(2)`): the `open` of another process waits until the lease ends, at
//! most `/proc/sys/fs/lease-break-time`, which is 45 s. The file is an ordinary one that the host reads in every run: a
//! part of the cache of convex shapes. A world whose model has several such shapes is held once for each.

use std::fs::{self, File};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::{Setup, eventually, world};

/// Time for which the kernel holds an `open` because of a lease, unless the machine is configured otherwise.
pub(crate) const LONGEST: Duration = Duration::from_secs(45);

/// Sets the signal about a lease that is about to end; missing in `libc`.
const F_SETSIG: i32 = 10;

/// A model `gated` whose link has shapes that are not convex: the host looks for their convex parts in its cache.
pub(crate) fn gated_model(shapes: usize) -> String {
    let outline: String = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]
        .map(|[x, y]| format!("<point>{x} {y}</point>"))
        .concat();
    let shape = |number: usize| {
        let height = number + 1;
        format!(
            "<collision name='c{number}'><geometry><polyline>{outline}<height>{height}</height></polyline></geometry>\
             </collision>"
        )
    };
    let collisions: String = (0..shapes).map(shape).collect();
    format!("<model name='gated'><link name='l'>{collisions}</link></model>")
}

/// A cache of convex shapes with a gate at each of its files.
pub(crate) struct Gates {
    cache: TempDir,
    /// Closing a file ends its lease.
    leases: Vec<File>,
}

impl Gates {
    /// Fills a cache with the shapes of [`gated_model`], and closes a gate at each of them.
    #[track_caller]
    pub(crate) fn closed(shapes: usize) -> Self {
        let cache = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
        let setup = Setup::new().world(&world(&gated_model(shapes))).env("XDG_CACHE_HOME", cache.path());
        setup.args(["--duration", "0.001s"]).finish().expect_code(0);
        let folder = cache.path().join("bridgehead/convex");
        let files = fs::read_dir(&folder).expect("a cache").map(|entry| entry.expect("an entry").path());
        let leases: Vec<File> = files.map(|path| lease(&path)).collect();
        assert_eq!(leases.len(), shapes, "each shape has a file in the cache");
        Gates { cache, leases }
    }

    /// The value of `XDG_CACHE_HOME` with which a host meets these gates.
    pub(crate) fn cache(&self) -> PathBuf {
        self.cache.path().to_owned()
    }

    /// Waits until the host has reached a gate.
    #[track_caller]
    pub(crate) fn wait_for_host(&self) {
        eventually("the host reaches a gate", || self.leases.iter().any(is_reached));
    }

    /// Opens the gates.
    pub(crate) fn open(self) {
        drop(self.leases);
    }
}

#[track_caller]
fn lease(path: &Path) -> File {
    let file = File::options().read(true).write(true).open(path).expect("a file of the cache");
    // The kernel reports a waiting `open` by a signal. SIGIO would end this process, SIGURG is ignored.
    assert_eq!(control(&file, F_SETSIG, libc::SIGURG), 0);
    eventually("nobody else has opened the file", || control(&file, libc::F_SETLEASE, libc::F_WRLCK) == 0);
    file
}

/// Returns true if an `open` waits for the end of a lease: the lease is about to change.
fn is_reached(lease: &File) -> bool {
    control(lease, libc::F_GETLEASE, 0) != libc::F_WRLCK
}

#[expect(unsafe_code, reason = "std has no leases")]
fn control(file: &File, command: i32, argument: i32) -> i32 {
    // SAFETY: the descriptor is open, and these commands take an integer.
    unsafe { libc::fcntl(file.as_raw_fd(), command, argument) }
}
