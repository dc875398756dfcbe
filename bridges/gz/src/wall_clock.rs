//! The wall clock, for rates and time-outs of clients: nothing simulated depends on it.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::lock::lock;

/// Shortest time between two lines of one kind in the log.
const INTERVAL: Duration = Duration::from_secs(10);

/// Returns the current time.
#[expect(
    clippy::disallowed_methods,
    reason = "rates and time-outs of clients need the wall clock; the simulation never sees it"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Limits the lines of one kind in the log.
#[derive(Debug, Default)]
pub(crate) struct Limiter(Mutex<(Option<Instant>, u64)>);

impl Limiter {
    /// Logs a line if the last one is long enough ago.
    pub(crate) fn warn(&self, text: &str) {
        let now = now();
        let mut state = lock(&self.0);
        if state.0.is_some_and(|last| now.saturating_duration_since(last) < INTERVAL) {
            state.1 += 1;
            return;
        }
        let suppressed = std::mem::take(&mut state.1);
        state.0 = Some(now);
        drop(state);
        match suppressed {
            0 => log::warn!("{text}"),
            count => log::warn!("{text}; {count} more since the last line of this kind"),
        }
    }
}

/// Returns the time since the epoch of Unix in nanoseconds, for messages that have it beside the simulated time.
#[expect(
    clippy::disallowed_methods,
    reason = "clocks of Gazebo have the time of the system beside the simulated one"
)]
pub(crate) fn since_epoch_ns() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
