//! Reads the wall clock, as the only module, and paces simulated time against it.
//!
//! All other modules get instants and durations as values, so that no simulated value depends on them. Usable from any
//! thread.

use std::time::{Duration, Instant};

/// The wall clock now, monotonic.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the place where the wall clock is read")]
pub fn now() -> Instant {
    Instant::now()
}

/// Speed of simulated time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Simulated seconds per wall second, above 0.
    Factor(f64),
    /// As fast as possible.
    Unlimited,
}

/// Paces steps on an absolute schedule: step `n` since the last (re)start is due at `start + n * width /
/// factor`, so that errors do not add up. A late run catches up by stepping without waits. Lateness beyond
/// [`Pacer::MAX_CATCH_UP`] is dropped, because a run would otherwise race after a long stall.
#[derive(Debug)]
pub struct Pacer {
    speed: Speed,
    start: Instant,
    simulated: Duration,
}

impl Pacer {
    /// Lateness beyond this is not caught up.
    pub const MAX_CATCH_UP: Duration = Duration::from_millis(500);

    /// Starts a schedule now.
    #[must_use]
    pub fn new(speed: Speed, now: Instant) -> Self {
        Pacer { speed, start: now, simulated: Duration::ZERO }
    }

    /// Runs at another speed from now on.
    pub fn set_speed(&mut self, speed: Speed, now: Instant) {
        self.speed = speed;
        self.restart(now);
    }

    /// The set speed.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Starts the schedule again, after a pause or a reset.
    pub fn restart(&mut self, now: Instant) {
        self.start = now;
        self.simulated = Duration::ZERO;
    }

    /// Returns how long to wait before the next step, which has the width `width`; zero for no wait.
    pub fn wait_before(&mut self, width: Duration, now: Instant) -> Duration {
        self.simulated += width;
        let Speed::Factor(factor) = self.speed else {
            return Duration::ZERO;
        };
        let due = self.start + self.simulated.div_f64(factor);
        let late = now.saturating_duration_since(due);
        if late > Self::MAX_CATCH_UP {
            self.start += late;
        }
        due.saturating_duration_since(now)
    }
}

/// Achieved simulated seconds per wall second, over windows of about one second.
#[derive(Debug)]
pub struct RealTimeFactor {
    window_start: Instant,
    simulated: Duration,
    last: f64,
}

impl RealTimeFactor {
    /// Length of a window.
    const WINDOW: Duration = Duration::from_secs(1);

    /// Starts measuring.
    #[must_use]
    pub fn new(now: Instant) -> Self {
        RealTimeFactor { window_start: now, simulated: Duration::ZERO, last: 0.0 }
    }

    /// Counts a step. Returns the factor of the last complete window; before the first one is complete, of the running
    /// one.
    pub fn step(&mut self, width: Duration, now: Instant) -> f64 {
        self.simulated += width;
        let elapsed = now.saturating_duration_since(self.window_start);
        if elapsed >= Self::WINDOW {
            self.last = self.simulated.as_secs_f64() / elapsed.as_secs_f64();
            self.restart(now);
        } else if self.last == 0.0 && elapsed > Duration::ZERO {
            return self.simulated.as_secs_f64() / elapsed.as_secs_f64();
        }
        self.last
    }

    /// Restarts the window, to exclude a pause.
    pub fn restart(&mut self, now: Instant) {
        self.window_start = now;
        self.simulated = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_millis(1);

    #[test]
    fn the_schedule_is_absolute_and_does_not_drift() {
        let start = now();
        let mut pacer = Pacer::new(Speed::Factor(2.0), start);
        assert_eq!(pacer.wait_before(STEP, start), Duration::from_micros(500));
        // A little late: the next step is still due at its place in the schedule.
        let late = start + Duration::from_micros(700);
        assert_eq!(pacer.wait_before(STEP, late), Duration::from_micros(300));
    }

    #[test]
    fn a_long_stall_is_not_caught_up() {
        let start = now();
        let mut pacer = Pacer::new(Speed::Factor(1.0), start);
        let after_stall = start + Duration::from_secs(10);
        assert_eq!(pacer.wait_before(STEP, after_stall), Duration::ZERO);
        assert_eq!(pacer.wait_before(STEP, after_stall), STEP);
    }

    #[test]
    fn unlimited_never_waits() {
        let start = now();
        assert_eq!(Pacer::new(Speed::Unlimited, start).wait_before(STEP, start), Duration::ZERO);
    }
}
