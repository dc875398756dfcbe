//! The wall clock, for time-outs towards peers and for what keeps them alive: nothing simulated depends on it.

use std::time::Instant;

/// Now.
#[expect(
    clippy::disallowed_methods,
    reason = "peers live by the wall clock; the simulation hears nothing of it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// A thread of a test.
#[cfg(test)]
pub(crate) fn thread<T: Send + 'static>(
    body: impl FnOnce() -> T + Send + 'static,
) -> std::thread::JoinHandle<T> {
    std::thread::Builder::new().spawn(body).expect("a thread")
}
