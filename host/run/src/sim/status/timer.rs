//! When the status of a run is due.

use std::time::{Duration, Instant};

/// Interval at which the watcher gets the status.
pub(super) const PERIOD: Duration = Duration::from_secs(1);

/// When the status is due, and the message count of the last one.
pub(in crate::sim) struct StatusTimer {
    due: Instant,
    /// Published messages so far, at the last status.
    published: u64,
}

impl StatusTimer {
    pub(in crate::sim) fn new(now: Instant) -> Self {
        StatusTimer { due: now, published: 0 }
    }

    /// Returns the wall time since the last status, if the next one is due.
    pub(super) fn take_elapsed(&mut self, now: Instant) -> Option<Duration> {
        let late = now.checked_duration_since(self.due)?;
        self.due = now + PERIOD;
        Some(late + PERIOD)
    }

    /// Returns the messages per second since the last status.
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    pub(super) fn rate(&mut self, published: u64, elapsed: Duration) -> f64 {
        let new = published - std::mem::replace(&mut self.published, published);
        new as f64 / elapsed.as_secs_f64()
    }
}
