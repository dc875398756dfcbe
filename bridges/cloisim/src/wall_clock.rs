//! The wall clock, for time-outs towards peers and keep-alive messages: nothing simulated depends on it.

use std::time::Instant;

/// Returns the current time.
#[expect(
    clippy::disallowed_methods,
    reason = "time-outs of peers need the wall clock; the simulation never sees it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Starts a thread for a test.
#[cfg(test)]
pub(crate) fn thread<T: Send + 'static>(
    body: impl FnOnce() -> T + Send + 'static,
) -> std::thread::JoinHandle<T> {
    std::thread::Builder::new().spawn(body).expect("a thread")
}
