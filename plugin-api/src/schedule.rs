//! When a sensor samples: at the multiples of its period in simulated time, in integer nanoseconds.
//!
//! A schedule remembers nothing, so there is nothing to reset and nothing to catch up: whether a sample is due
//! follows from the step alone. A run that is reset, paused or single-stepped samples at the same times as one
//! that is not, and a sensor that slept without listeners wakes up in phase.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::model::Step;

const NANOS_PER_SECOND: f64 = 1e9;

/// The steps in which [`ModelPlugin::sample`](crate::model::ModelPlugin::sample) has something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleTimes {
    schedule: Schedule,
    steps_before: u32,
}

impl SampleTimes {
    /// Every step.
    pub const EVERY_STEP: SampleTimes = SampleTimes { schedule: Schedule::EVERY_STEP, steps_before: 0 };

    /// These steps and, before each, so many more: 1 for a sensor that measures a change over one step.
    #[must_use]
    pub fn with_steps_before(self, count: u32) -> Self {
        SampleTimes { steps_before: count, ..self }
    }

    /// The simulated time, nanoseconds: after `step`, the first step that ends at or after it is one of them.
    #[must_use]
    pub fn next_ns(&self, step: &Step) -> i64 {
        let period_ns = self.schedule.period_ns.max(1);
        let due_ns = step.time_ns.div_euclid(period_ns).saturating_add(1).saturating_mul(period_ns);
        due_ns.saturating_sub(step.width_ns.saturating_mul(i64::from(self.steps_before)))
    }

    /// From what a plugin says across the boundary.
    #[must_use]
    pub fn from_abi(raw: &bridgehead_abi::model::SampleTimes) -> Self {
        let schedule = Schedule { period_ns: raw.period_ns.max(0) };
        SampleTimes { schedule, steps_before: raw.steps_before }
    }

    pub(crate) fn to_abi(self) -> bridgehead_abi::model::SampleTimes {
        bridgehead_abi::model::SampleTimes {
            struct_size: bridgehead_abi::model::SampleTimes::SIZE,
            steps_before: self.steps_before,
            period_ns: self.schedule.period_ns,
        }
    }
}

impl From<Schedule> for SampleTimes {
    /// The steps in which a sample is due, and no others.
    fn from(schedule: Schedule) -> Self {
        SampleTimes { schedule, steps_before: 0 }
    }
}

/// Sample times of one sensor.
///
/// Sample `k` belongs to the first step that ends at or after `k × period`; no step gives more than one. After
/// `T` seconds `T / period` samples were due (rounded down), however long `T` is: steps that do not divide the
/// period shift single samples by less than one step and never add up. A period shorter than the step gives
/// one sample per step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Nanoseconds; 0 for every step.
    period_ns: i64,
}

impl Schedule {
    /// A sample in every step.
    pub const EVERY_STEP: Schedule = Schedule { period_ns: 0 };

    /// Samples at the multiples of `period`; zero means every step. This is what
    /// [`crate::host::Attachment::update_period`] holds for a sensor.
    #[must_use]
    pub fn with_period(period: Duration) -> Self {
        Schedule { period_ns: i64::try_from(period.as_nanos()).unwrap_or(i64::MAX) }
    }

    /// Samples at `rate` per second; 0 means every step. A period that is no whole number of nanoseconds is
    /// rounded down, so that 60 Hz is due in the step that ends at 50 ms and not in the one after it.
    ///
    /// # Errors
    /// Returns an error if the rate is negative or not finite.
    pub fn with_rate(rate: f64) -> Result<Self> {
        if !rate.is_finite() || rate < 0.0 {
            return Err(Error::invalid(format!("a rate of {rate} Hz; expected 0 (every step) or more")));
        }
        if rate == 0.0 {
            return Ok(Self::EVERY_STEP);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a float beyond i64 becomes its bound: never due"
        )]
        let period_ns = (NANOS_PER_SECOND / rate).floor().max(1.0) as i64;
        Ok(Schedule { period_ns })
    }

    /// Nanoseconds between samples in a run of steps as wide as `step`.
    #[must_use]
    pub fn interval_ns(&self, step: &Step) -> i64 {
        self.period_ns.max(step.width_ns)
    }

    /// The number of the sample that is due in `step`, or `None`. Numbers grow with time, start again when
    /// time does, and have gaps where the period is shorter than the step: the key of a sample's
    /// [noise](crate::random::RandomKey::sample).
    #[must_use]
    pub fn due(&self, step: &Step) -> Option<u64> {
        if self.period_ns == 0 {
            return Some(step.number);
        }
        let sample = step.time_ns.div_euclid(self.period_ns);
        let before = step.time_ns.saturating_sub(step.width_ns).div_euclid(self.period_ns);
        (sample > before).then(|| u64::try_from(sample).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    fn step(number: u64, width_ns: i64) -> Step {
        let time_ns = (i64::try_from(number).expect("small") + 1) * width_ns;
        Step { number, time_ns, width_ns, reset_epoch: 0 }
    }

    /// End times of the steps in which a sample was due, and the samples' numbers.
    fn samples(schedule: Schedule, steps: u64, width_ns: i64) -> Vec<(i64, u64)> {
        let steps = (0..steps).map(|number| step(number, width_ns));
        steps.filter_map(|step| Some((step.time_ns, schedule.due(&step)?))).collect()
    }

    #[test]
    fn samples_fall_on_multiples_of_the_period() {
        let schedule = Schedule::with_period(Duration::from_millis(100));
        assert_eq!(samples(schedule, 350, MS), [(100 * MS, 1), (200 * MS, 2), (300 * MS, 3)]);
    }

    #[test]
    fn the_count_is_exact_over_a_long_run_whatever_the_step() {
        for (rate, width_ns, seconds) in [(30.0, MS, 1000), (7.0, 4 * MS, 1000), (60.0, 2_083_333, 900)] {
            let steps = u64::try_from(i64::from(seconds) * 1_000_000_000 / width_ns).expect("positive");
            let count = samples(Schedule::with_rate(rate).expect("rate"), steps, width_ns).len();
            let expected = rate * f64::from(seconds);
            let count = f64::from(u32::try_from(count).expect("small"));
            assert!((count - expected).abs() <= 1.0, "{count} samples, expected {expected}");
        }
    }

    #[test]
    fn a_period_between_two_step_ends_waits_for_the_second() {
        let schedule = Schedule::with_rate(30.0).expect("rate");
        let times: Vec<i64> = samples(schedule, 100, MS).iter().map(|(time, _)| time / MS).collect();
        assert_eq!(times, [34, 67, 100]);
    }

    #[test]
    fn a_caller_that_waits_misses_no_sample_and_calls_little_more() {
        for (rate, width_ns, steps_before) in [(30.0, MS, 0), (7.0, 4 * MS, 1), (60.0, 2_083_333, 2)] {
            let schedule = Schedule::with_rate(rate).expect("rate");
            let times = SampleTimes::from(schedule).with_steps_before(steps_before);
            let mut next_ns = i64::MIN;
            let mut called = Vec::new();
            for step in (0..10_000).map(|number| step(number, width_ns)) {
                if step.time_ns >= next_ns {
                    called.push(step.number);
                    next_ns = times.next_ns(&step);
                }
            }
            let due = |number: u64| schedule.due(&step(number, width_ns)).is_some();
            let wanted = |number: u64| (0..=u64::from(steps_before)).any(|after| due(number + after));
            let expected: Vec<u64> = (0..10_000).filter(|number| *number == 0 || wanted(*number)).collect();
            assert_eq!(called, expected, "{rate} Hz in steps of {width_ns} ns");
        }
    }

    #[test]
    fn a_period_shorter_than_the_step_gives_one_sample_per_step() {
        let schedule = Schedule::with_rate(1000.0).expect("rate");
        assert_eq!(samples(schedule, 3, 4 * MS), [(4 * MS, 4), (8 * MS, 8), (12 * MS, 12)]);
        assert_eq!(schedule.interval_ns(&step(0, 4 * MS)), 4 * MS);
    }

    #[test]
    fn without_a_period_every_step_has_a_sample() {
        assert_eq!(samples(Schedule::EVERY_STEP, 2, MS), [(MS, 0), (2 * MS, 1)]);
        assert_eq!(Schedule::with_rate(0.0), Ok(Schedule::EVERY_STEP));
        assert_eq!(Schedule::with_period(Duration::ZERO), Schedule::EVERY_STEP);
    }

    #[test]
    fn time_that_starts_again_gives_the_same_samples() {
        let schedule = Schedule::with_rate(20.0).expect("rate");
        assert_eq!(samples(schedule, 500, MS), samples(schedule, 500, MS));
        let after_reset = Step { reset_epoch: 1, ..step(49, MS) };
        assert_eq!(schedule.due(&after_reset), Some(1));
    }

    #[test]
    fn a_long_sleep_is_not_followed_by_a_burst() {
        let schedule = Schedule::with_rate(100.0).expect("rate");
        let woken: Vec<_> = (995..1010).filter_map(|number| schedule.due(&step(number, MS))).collect();
        assert_eq!(woken, [100, 101]);
    }

    #[test]
    fn a_rate_that_is_none_is_refused() {
        let error = Schedule::with_rate(-5.0).expect_err("negative");
        assert_eq!(error.text(), "a rate of -5 Hz; expected 0 (every step) or more");
        assert!(Schedule::with_rate(f64::NAN).is_err());
        assert!(Schedule::with_rate(f64::INFINITY).is_err());
    }
}
