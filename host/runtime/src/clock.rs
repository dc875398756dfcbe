//! Reads the wall clock, as the only module, and paces simulated time against it.
//!
//! All other modules get instants and durations as values, so that no simulated value depends on them. Usable from any
//! thread.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The wall clock now, monotonic.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the place where the wall clock is read")]
#[inline]
pub fn now() -> Instant {
    Instant::now()
}

/// Nanoseconds of the wall clock since the first call in this process.
#[inline]
pub fn monotonic_ns() -> i64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let now = now();
    let start = *START.get_or_init(|| now);
    i64::try_from(now.saturating_duration_since(start).as_nanos()).unwrap_or(i64::MAX)
}

/// The time since 1970, UTC, for what people read. It may be set, so that no difference of it means anything.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the place where the wall clock is read")]
pub fn since_1970() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
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

/// Paces steps: a step of the width `w` is due once the clock has run for `w / factor` since the previous step was due.
///
/// The schedule is absolute, so that errors do not add up. Only the clock makes a step due: a pause, and a change of the
/// speed, keep the part of the wait that has passed, so that repeating them neither hurries nor stops simulated time.
///
/// A late run catches up by stepping without waits. Lateness beyond [`Pacer::MAX_CATCH_UP`] is dropped, because a run
/// would otherwise race after a long stall.
#[derive(Debug)]
pub struct Pacer {
    speed: Speed,
    /// Beginning of the schedule; `None` while the clock is held.
    start: Option<Instant>,
    /// Simulated time of the steps since then.
    simulated: Duration,
    /// Simulated seconds that the clock was ahead of the steps at the beginning of the schedule.
    waited: f64,
}

impl Pacer {
    /// Lateness beyond this is not caught up.
    pub const MAX_CATCH_UP: Duration = Duration::from_millis(500);

    /// Creates a pacer whose clock is held.
    #[must_use]
    pub fn new(speed: Speed) -> Self {
        Pacer { speed, start: None, simulated: Duration::ZERO, waited: 0.0 }
    }

    /// The set speed.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Runs at another speed from now on. Setting the current speed has no effect. `width` is that of the next step.
    pub fn set_speed(&mut self, speed: Speed, width: Duration, now: Instant) {
        if speed == self.speed {
            return;
        }
        let waited = match (self.speed, speed) {
            (Speed::Factor(before), Speed::Factor(after)) => {
                let waited = self.waited_until(before, now);
                // Lateness is a wall time. At most the slower of the two speeds makes it up.
                let late = ((waited - width.as_secs_f64()) / before).min(Self::MAX_CATCH_UP.as_secs_f64());
                waited.min(width.as_secs_f64()) + late.max(0.0) * before.min(after)
            }
            (Speed::Unlimited, _) | (_, Speed::Unlimited) => 0.0,
        };
        self.speed = speed;
        self.begin(self.start.map(|_| now), waited);
    }

    /// Starts the clock.
    pub fn release(&mut self, now: Instant) {
        self.begin(Some(now), self.waited);
    }

    /// Holds the clock. The part of the wait that has passed counts when the clock runs again; lateness does not.
    pub fn hold(&mut self, width: Duration, now: Instant) {
        let waited = match self.speed {
            Speed::Factor(factor) => self.waited_until(factor, now).min(width.as_secs_f64()),
            Speed::Unlimited => 0.0,
        };
        self.begin(None, waited);
    }

    /// Forgets the part of the wait that has passed: the next step belongs to another world.
    pub fn discard(&mut self) {
        self.waited = 0.0;
    }

    /// Begins a schedule.
    fn begin(&mut self, start: Option<Instant>, waited: f64) {
        (self.start, self.simulated, self.waited) = (start, Duration::ZERO, waited);
    }

    /// Returns the wall time since the beginning of the schedule.
    fn elapsed(&self, now: Instant) -> Duration {
        self.start.map_or(Duration::ZERO, |start| now.saturating_duration_since(start))
    }

    /// Returns the simulated seconds by which the clock is ahead of the steps.
    fn waited_until(&self, factor: f64, now: Instant) -> f64 {
        let run = self.waited + self.elapsed(now).as_secs_f64() * factor;
        (run - self.simulated.as_secs_f64()).max(0.0)
    }

    /// Returns when the next step is due, counted from the beginning of the schedule.
    fn due(&self, width: Duration) -> Duration {
        let Speed::Factor(factor) = self.speed else { return Duration::ZERO };
        let seconds = (self.simulated.saturating_add(width).as_secs_f64() - self.waited) / factor;
        Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
    }

    /// Returns how long the next step, which has the width `width`, still waits; zero if it is due.
    #[must_use]
    #[inline]
    pub fn wait_before(&self, width: Duration, now: Instant) -> Duration {
        self.due(width).saturating_sub(self.elapsed(now))
    }

    /// Drops lateness that is not caught up: the next step is due now then.
    pub fn limit_lateness(&mut self, width: Duration, now: Instant) {
        if self.speed == Speed::Unlimited {
            return;
        }
        let late = self.elapsed(now).saturating_sub(self.due(width));
        if late > Self::MAX_CATCH_UP {
            self.start = self.start.map(|start| start + late);
        }
    }

    /// Counts a step, which has run.
    pub fn count(&mut self, width: Duration) {
        self.simulated = self.simulated.saturating_add(width);
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

    fn running(speed: Speed) -> (Pacer, Instant) {
        let (mut pacer, start) = (Pacer::new(speed), now());
        pacer.release(start);
        (pacer, start)
    }

    fn micros(count: u64) -> Duration {
        Duration::from_micros(count)
    }

    #[test]
    fn the_schedule_is_absolute_and_does_not_drift() {
        let (mut pacer, start) = running(Speed::Factor(2.0));
        assert_eq!(pacer.wait_before(STEP, start), micros(500));
        pacer.count(STEP);
        // A little late: the next step is still due at its place in the schedule.
        assert_eq!(pacer.wait_before(STEP, start + micros(700)), micros(300));
    }

    #[test]
    fn a_long_stall_is_not_caught_up() {
        let (mut pacer, start) = running(Speed::Factor(1.0));
        let after_stall = start + Duration::from_secs(10);
        pacer.limit_lateness(STEP, after_stall);
        assert_eq!(pacer.wait_before(STEP, after_stall), Duration::ZERO);
        pacer.count(STEP);
        assert_eq!(pacer.wait_before(STEP, after_stall), STEP);
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
        let (mut pacer, start) = running(Speed::Unlimited);
        pacer.count(Duration::from_secs(1000));
        assert_eq!(pacer.wait_before(STEP, start), Duration::ZERO);
        pacer.set_speed(Speed::Factor(1.0), STEP, start + micros(5));
        assert_eq!(pacer.wait_before(STEP, start + micros(5)), STEP, "steps of that time are not owed");
    }

    #[test]
    fn a_pause_and_a_change_of_speed_keep_the_part_of_the_wait_that_has_passed() {
        let (mut pacer, start) = running(Speed::Factor(1.0));
        pacer.hold(STEP, start + micros(400));
        let again = start + Duration::from_secs(60);
        assert_eq!(pacer.wait_before(STEP, again), micros(600), "held");
        pacer.release(again);
        pacer.set_speed(Speed::Factor(0.5), STEP, again + micros(100));
        assert_eq!(pacer.wait_before(STEP, again + micros(100)), micros(1000));
        pacer.hold(STEP, again + Duration::from_secs(60));
        pacer.release(again);
        assert_eq!(pacer.wait_before(STEP, again), Duration::ZERO);
        pacer.count(STEP);
        assert_eq!(pacer.wait_before(STEP, again), STEP * 2, "a pause is not caught up");
    }

    #[test]
    fn lateness_at_a_high_speed_is_not_made_up_at_a_low_one() {
        let (mut pacer, start) = running(Speed::Factor(1e9));
        let late = start + Duration::from_millis(300);
        pacer.set_speed(Speed::Factor(1.0), STEP, late);
        for _ in 0..301 {
            assert_eq!(pacer.wait_before(STEP, late), Duration::ZERO);
            pacer.count(STEP);
        }
        assert!(pacer.wait_before(STEP, late) > STEP / 2);
    }

    #[test]
    fn no_speed_makes_the_pacer_panic() {
        for factor in [f64::MIN_POSITIVE, 1e-300, 1e-9, 1e9, 1e300, f64::MAX] {
            for other in [1e-300, 1.0, f64::MAX] {
                let (mut pacer, start) = running(Speed::Factor(factor));
                for wall in [0, 1, 1_000_000_000] {
                    let now = start + micros(wall);
                    pacer.limit_lateness(STEP, now);
                    std::hint::black_box(pacer.wait_before(STEP, now));
                    pacer.count(STEP);
                    pacer.set_speed(Speed::Factor(other), STEP, now);
                    pacer.hold(STEP, now);
                    pacer.release(now);
                }
                assert!(pacer.waited.is_finite());
            }
        }
    }
}
