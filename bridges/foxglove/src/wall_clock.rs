//! The wall clock, for rates and for intervals between reports to clients; nothing simulated depends on it.

use std::time::Instant;

/// Returns the current time.
#[expect(clippy::disallowed_methods, reason = "rates towards clients are rates of wall time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
