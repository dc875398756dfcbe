//! The wall clock, for time-outs towards peers: nothing simulated depends on it.

use std::time::Instant;

/// Returns the current time.
#[expect(
    clippy::disallowed_methods,
    reason = "time-outs of peers need the wall clock; the simulation never sees it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
