//! DDS domains for tests that run at the same time, in one process or in several.

use std::fs::{self, File};
use std::net::UdpSocket;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU16, Ordering};

/// Domains above have ports in the range that the system assigns automatically.
const LAST: u16 = 100;

/// Where the next search begins.
static NEXT: AtomicU16 = AtomicU16::new(0);

/// A domain that no other test uses during the lifetime of this value.
#[derive(Debug)]
pub(crate) struct Domain {
    number: u16,
    /// Locked; the system releases the lock even if the test crashes.
    _lock: File,
}

impl Domain {
    /// Finds a free domain.
    #[track_caller]
    pub(crate) fn free() -> Self {
        let seed = std::process::id() % u32::from(LAST + 1);
        let first = NEXT.fetch_add(1, Ordering::Relaxed) + u16::try_from(seed).expect("below a hundred");
        let numbers = (0..=LAST).map(|offset| first.wrapping_add(offset) % (LAST + 1));
        let mut free = numbers.filter_map(Domain::take).filter(Domain::is_unused);
        free.next().expect("a free domain of DDS")
    }

    pub(crate) fn number(&self) -> u16 {
        self.number
    }

    fn take(number: u16) -> Option<Self> {
        let path = folder().join(format!("{number}.lock"));
        let lock = File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        lock.try_lock().ok().map(|()| Domain { number, _lock: lock })
    }

    /// Whether the ports of the first participants of the domain are free.
    fn is_unused(&self) -> bool {
        let base = 7400 + 250 * self.number;
        (0..4).all(|index| UdpSocket::bind(("0.0.0.0", base + 10 + 2 * index)).is_ok())
    }
}

/// The folder of locks, shared by all test runs on this machine.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join("bridgehead-dds-domains");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
