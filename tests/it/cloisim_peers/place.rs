//! Where a host with the bridge is found: ports that no other test has, the same for a host that comes after it.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports of a test, the first one for the service.
const PORTS: u16 = 60;
/// Below the ports that systems give to whoever asks for any.
const FIRST: u16 = 15_000;
const LAST: u16 = 23_900;

/// Ports of a test.
#[derive(Clone, Debug)]
pub(super) struct Place {
    service: u16,
}

impl Place {
    /// Ports that nobody has now.
    #[track_caller]
    pub(super) fn new() -> Self {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        // Programs of tests that run at the same time begin at places of their own.
        let blocks = (LAST - FIRST) / PORTS;
        let begin = u16::try_from(std::process::id() % u32::from(blocks)).expect("small");
        for _ in 0..blocks {
            let block = (begin + NEXT.fetch_add(1, Ordering::Relaxed)) % blocks;
            let service = FIRST + block * PORTS;
            if (service..service + PORTS).all(|port| TcpListener::bind(("127.0.0.1", port)).is_ok()) {
                return Place { service };
            }
        }
        panic!("no {PORTS} ports from {FIRST} to {LAST} are free");
    }

    /// The port of the service, as an argument.
    pub(super) fn service(&self) -> String {
        self.service.to_string()
    }

    /// What attaches the bridge to everything.
    pub(super) fn bridge(&self, backend: &str) -> String {
        let (service, first, last) = (self.service, self.service + 1, self.service + PORTS - 1);
        format!("*=cloisim:service=127.0.0.1:{service};ports={first}-{last};backend={backend}")
    }
}
