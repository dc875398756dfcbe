//! Reads the wall clock, as the only module, and paces simulated time against it.
//!
//! All other modules get instants and durations as values, so that no simulated value depends on them. Usable from any
//! thread.

use std::ops::RangeInclusive;
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

/// Why a number is not a speed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SpeedFault {
    /// NaN.
    #[error("the speed is not a number")]
    NotANumber,
    /// No step would ever be due.
    #[error("at speed 0 no step would be run")]
    Zero,
    /// Time does not run backwards.
    #[error("speed {} is negative", shown(*.0))]
    Negative(f64),
    /// Outside [`Speed::RANGE`].
    #[error("speed {} cannot be paced", shown(*.0))]
    NotPaced(f64),
}

/// Returns a number with few characters: tiny and huge ones have hundreds of digits.
fn shown(number: f64) -> String {
    let is_plain = number == 0.0 || (1e-6..=1e9).contains(&number.abs()) || !number.is_finite();
    if is_plain { number.to_string() } else { format!("{number:e}") }
}

impl Speed {
    /// Slowest and fastest speed that can be paced; beyond them the schedule would exceed the range of the clock.
    pub const RANGE: RangeInclusive<f64> = 1e-6..=1e6;

    /// Returns the speed for a number. Every configuration, service and trigger reads its numbers here.
    ///
    /// # Errors
    /// Returns an error if the number is outside [`Self::RANGE`].
    pub fn of_factor(factor: f64) -> Result<Self, SpeedFault> {
        match factor {
            factor if factor.is_nan() => Err(SpeedFault::NotANumber),
            0.0 => Err(SpeedFault::Zero),
            factor if factor < 0.0 => Err(SpeedFault::Negative(factor)),
            factor if !Self::RANGE.contains(&factor) => Err(SpeedFault::NotPaced(factor)),
            factor => Ok(Speed::Factor(factor)),
        }
    }

    /// Returns the speed for a number of a client or trigger, for which any finite negative number means as fast as
    /// possible.
    ///
    /// # Errors
    /// Returns an error if the number is neither negative nor within [`Self::RANGE`].
    pub fn of_signed(factor: f64) -> Result<Self, SpeedFault> {
        match Self::of_factor(factor) {
            Err(SpeedFault::Negative(factor)) if factor.is_finite() => Ok(Speed::Unlimited),
            speed => speed,
        }
    }
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
    /// Wait for a step that is due after the last instant of the clock.
    const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

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
        let since_start = Duration::try_from_secs_f64(self.simulated.as_secs_f64() / factor);
        let due = since_start.ok().and_then(|since_start| self.start.checked_add(since_start));
        let due = due.unwrap_or(now + Self::LONGEST_WAIT);
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
    fn no_speed_leads_beyond_the_range_of_the_clock() {
        let start = now();
        let century = Duration::from_secs(100 * 365 * 24 * 3600);
        for (factor, width) in [(1e-300, STEP), (5e-324, STEP), (f64::NAN, STEP), (1e-6, century)] {
            let wait = Pacer::new(Speed::Factor(factor), start).wait_before(width, start);
            assert!(start.checked_add(wait).is_some(), "{factor} {width:?}: {wait:?}");
        }
    }

    #[test]
    fn only_speeds_that_can_be_paced_are_valid() {
        for good in [1e-6, 0.5, 1.0, 1e6] {
            assert_eq!(Speed::of_factor(good), Ok(Speed::Factor(good)));
            assert_eq!(Speed::of_signed(good), Ok(Speed::Factor(good)));
        }
        for bad in [0.0, -0.0, 1e-300, 9e-7, 1.1e6, 1e300, f64::INFINITY, f64::NAN, f64::NEG_INFINITY] {
            assert!(Speed::of_factor(bad).is_err() && Speed::of_signed(bad).is_err(), "{bad}");
        }
        for negative in [-1.0, -1e-300, -1e300] {
            assert_eq!(Speed::of_factor(negative), Err(SpeedFault::Negative(negative)));
            assert_eq!(Speed::of_signed(negative), Ok(Speed::Unlimited));
        }
    }

    #[test]
    fn unlimited_never_waits() {
        let start = now();
        assert_eq!(Pacer::new(Speed::Unlimited, start).wait_before(STEP, start), Duration::ZERO);
    }
}
