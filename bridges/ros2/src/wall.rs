//! The wall clock, for time-outs towards peers: nothing simulated depends on it.

use std::time::Instant;

/// Now.
#[expect(
    clippy::disallowed_methods,
    reason = "peers live by the wall clock; the simulation hears nothing of it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
