//! When the simulation thread last responded: it takes requests, or waits for them, between two steps.
//!
//! The simulation thread stores a time, and any thread reads it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::Watchdog;

/// The last time at which the simulation thread responded.
#[derive(Debug)]
pub(super) struct Heartbeat {
    origin: Instant,
    /// Nanoseconds since the origin.
    last: AtomicU64,
}

impl Default for Heartbeat {
    fn default() -> Self {
        Heartbeat { origin: crate::clock::now(), last: AtomicU64::new(0) }
    }
}

impl Watchdog {
    /// Records that the simulation thread responds. `[simulation thread]`
    pub fn beat(&self, now: Instant) {
        let since = now.saturating_duration_since(self.heartbeat.origin);
        self.heartbeat.last.store(u64::try_from(since.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Returns for how long the simulation thread has not responded.
    #[must_use]
    pub fn silence(&self, now: Instant) -> Duration {
        let since = now.saturating_duration_since(self.heartbeat.origin);
        since.saturating_sub(Duration::from_nanos(self.heartbeat.last.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_ends_with_a_beat() {
        let watchdog = Watchdog::default();
        let start = crate::clock::now();
        let second = Duration::from_secs(1);
        assert!(watchdog.silence(start + 3 * second) >= 3 * second, "it has never responded");
        watchdog.beat(start + 3 * second);
        assert_eq!(watchdog.silence(start + 3 * second), Duration::ZERO);
        assert_eq!(watchdog.silence(start + 8 * second), 5 * second);
        assert_eq!(watchdog.silence(start + second), Duration::ZERO);
    }
}
