//! The wall clock, for time-outs towards peers: nothing simulated depends on it.

use std::time::Instant;

/// Returns the current time.
#[expect(
    clippy::disallowed_methods,
    reason = "time-outs of peers need the wall clock; the simulation never sees it"
)]
pub fn now() -> Instant {
    Instant::now()
}

/// Returns the nanoseconds since 1970, for what peers show of a message.
#[expect(clippy::disallowed_methods, reason = "the time of the sender, as nodes of ROS write it")]
pub fn unix_nanos() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
