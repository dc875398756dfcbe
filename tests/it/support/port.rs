//! Ports for servers of tests.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports that systems assign to sockets without a fixed one.
const FIRST: u16 = 25_000;
const LAST: u16 = 32_700;

/// Returns a port that no other test uses.
#[track_caller]
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Test programs that run at the same time begin at different ports.
    let count = LAST - FIRST;
    let begin = u16::try_from(std::process::id() % u32::from(count)).expect("small");
    let ports = (0..count).map(|_| FIRST + (begin + NEXT.fetch_add(1, Ordering::Relaxed)) % count);
    ports.into_iter().find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).expect("a free port")
}
