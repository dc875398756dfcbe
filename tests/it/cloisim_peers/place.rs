//! The ports of a host with the bridge: no other test uses them, and a host that is started later can use them again.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Number of ports of a test; the first one is for the service.
const PORTS: u16 = 60;
/// The range is below the ports that systems assign to sockets without a fixed port.
const FIRST: u16 = 15_000;
const LAST: u16 = 23_900;

/// Ports of a test.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    service: u16,
}

impl Place {
    /// Finds free ports.
    #[track_caller]
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        // Test programs that run at the same time begin at different blocks.
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
    pub(crate) fn service(&self) -> String {
        self.service.to_string()
    }

    /// The argument that attaches the bridge to the world and all vehicles.
    pub(crate) fn bridge(&self, backend: &str) -> String {
        let (service, first, last) = (self.service, self.service + 1, self.service + PORTS - 1);
        format!("*=cloisim:127.0.0.1:{service};ports={first}-{last};backend={backend}")
    }
}
