//! Durations of an instance's calls, compared with its time budget. Simulation thread only.

use std::fmt;
use std::time::{Duration, Instant};

use super::Call;
use crate::statistics::Accumulator;

/// Code of the warning about a call that took longer than its budget.
pub const OVER_BUDGET: &str = "BH-PLG-111";

/// Code of the reason to disable an instance whose calls take too long.
pub const TOO_OFTEN: &str = "BH-PLG-112";

/// Time limits for calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// A call that takes longer, without the time in which it waited for a processor, is an overrun.
    pub budget: Duration,
    /// Number of consecutive overruns after which an instance is disabled.
    pub overruns: u32,
}

impl Default for CallLimits {
    /// Generous, so that load on the machine does not change a run.
    fn default() -> Self {
        CallLimits { budget: Duration::from_secs(1), overruns: 3 }
    }
}

/// Measures consecutive calls with one clock reading between two of them.
#[derive(Debug)]
pub struct Stopwatch {
    limits: CallLimits,
    step: u64,
    last: Option<Instant>,
}

impl Stopwatch {
    /// Creates a stopwatch for the calls of one phase of a step.
    #[must_use]
    pub fn new(limits: CallLimits, step: u64) -> Self {
        Stopwatch { limits, step, last: None }
    }

    /// Starts measuring a call. Reads the clock only before the first one.
    #[inline]
    pub fn begin(&mut self) {
        self.last.get_or_insert_with(crate::clock::now);
    }

    /// The time since the last reading.
    #[inline]
    fn lap(&mut self) -> Duration {
        let now = crate::clock::now();
        let before = self.last.replace(now);
        before.map_or(Duration::ZERO, |before| now.saturating_duration_since(before))
    }
}

/// Statistics of an instance's calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// Number of timed calls: `reset`, `sample` and `control`.
    pub calls: u64,
    /// Their total duration.
    pub busy: Duration,
    /// The longest duration.
    pub longest: Duration,
    /// Number of calls over the budget.
    pub overruns: u64,
    /// Their durations.
    pub durations: Accumulator,
    /// Number of consecutive overruns up to now: a fast `sample` does not excuse a slow `control`.
    in_a_row: PerCall<u32>,
    busy_of: PerCall<Duration>,
}

/// A value for each kind of call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PerCall<T> {
    sample: T,
    control: T,
    others: T,
}

impl<T> PerCall<T> {
    fn of(&mut self, call: Call) -> &mut T {
        match call {
            Call::Sample => &mut self.sample,
            Call::Control => &mut self.control,
            _ => &mut self.others,
        }
    }
}

impl Timing {
    /// Adds the statistics of another instance.
    pub fn merge(&mut self, other: &Timing) {
        self.calls += other.calls;
        self.busy += other.busy;
        self.longest = self.longest.max(other.longest);
        self.overruns += other.overruns;
        self.durations.merge(&other.durations);
        self.busy_of.sample += other.busy_of.sample;
        self.busy_of.control += other.busy_of.control;
        self.busy_of.others += other.busy_of.others;
    }

    /// Returns the call that took most of the time.
    #[must_use]
    pub fn slowest(&self) -> &'static str {
        let PerCall { sample, control, others } = self.busy_of;
        match sample.max(control).max(others) {
            most if most == sample => Call::Sample.name(),
            most if most == control => Call::Control.name(),
            _ => Call::Reset.name(),
        }
    }

    /// Adds the call that has just returned. Returns the reason if the instance must be disabled. If the call took longer
    /// than its budget, `waited` returns how long it waited for a processor meanwhile, which does not count.
    pub fn add(
        &mut self,
        label: &str,
        call: Call,
        watch: &mut Stopwatch,
        waited: impl FnOnce() -> Duration,
    ) -> Option<String> {
        let took = watch.lap();
        self.calls += 1;
        self.busy += took;
        *self.busy_of.of(call) += took;
        self.longest = self.longest.max(took);
        self.durations.add_time(took);
        let in_a_row = self.in_a_row.of(call);
        let is_long = took > watch.limits.budget;
        let waited = if is_long { waited() } else { Duration::ZERO };
        if took.saturating_sub(waited) <= watch.limits.budget {
            *in_a_row = 0;
            return None;
        }
        self.overruns += 1;
        *in_a_row += 1;
        let in_a_row = *in_a_row;
        let (call, budget) = (call.name(), watch.limits.budget);
        // Only the overruns 1, 2, 4, 8, … are logged, so that a slow plugin does not fill the log.
        if self.overruns.is_power_of_two() {
            log::warn!(
                target: label,
                "[{OVER_BUDGET}] `{call}` took {took:.1?} in step {}{}; its budget is {budget:?} (overrun {})",
                watch.step,
                Excuse(waited),
                self.overruns
            );
        }
        (in_a_row >= watch.limits.overruns).then(|| {
            format!(
                "[{TOO_OFTEN}] `{call}` took longer than its budget of {budget:?} {in_a_row} times in a row"
            )
        })
    }
}

/// Says how long a call waited for a processor.
struct Excuse(Duration);

impl fmt::Display for Excuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_zero() {
            Ok(())
        } else {
            write!(f, ", of which it waited {:.1?} for a processor", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a call with a duration in milliseconds.
    fn add(timing: &mut Timing, millis: u64) -> Option<String> {
        add_call(timing, Call::Sample, millis)
    }

    fn add_call(timing: &mut Timing, call: Call, millis: u64) -> Option<String> {
        add_waiting(timing, call, millis, 0)
    }

    /// Adds a call that waited for a processor for a part of its duration.
    fn add_waiting(timing: &mut Timing, call: Call, millis: u64, waited: u64) -> Option<String> {
        let limits = CallLimits { budget: Duration::from_millis(100), overruns: 3 };
        let past = crate::clock::now().checked_sub(Duration::from_millis(millis));
        let mut watch = Stopwatch { limits, step: 7, last: past };
        timing.add("car1/lidar", call, &mut watch, || Duration::from_millis(waited))
    }

    #[test]
    fn a_slow_call_is_not_excused_by_a_quick_one_of_another_kind() {
        let mut timing = Timing::default();
        for _ in 0..2 {
            assert_eq!(add_call(&mut timing, Call::Sample, 1), None);
            assert_eq!(add_call(&mut timing, Call::Control, 200), None);
        }
        assert_eq!(add_call(&mut timing, Call::Sample, 1), None);
        let reason = add_call(&mut timing, Call::Control, 200);
        assert!(reason.is_some_and(|reason| reason.contains("`control`") && reason.contains("3 times")));
    }

    #[test]
    fn only_consecutive_overruns_disable_an_instance() {
        let mut timing = Timing::default();
        for millis in [200, 200, 1, 200, 200] {
            assert_eq!(add(&mut timing, millis), None);
        }
        let Some(reason) = add(&mut timing, 300) else { panic!("it is not disabled") };
        assert_eq!(reason, "[BH-PLG-112] `sample` took longer than its budget of 100ms 3 times in a row");
        assert_eq!((timing.calls, timing.overruns), (6, 5));
        assert!(timing.longest >= Duration::from_millis(300) && timing.busy >= Duration::from_millis(1100));
    }

    #[test]
    fn time_without_a_processor_does_not_count() {
        let mut timing = Timing::default();
        for _ in 0..3 {
            assert_eq!(add_waiting(&mut timing, Call::Sample, 5000, 4950), None);
        }
        assert_eq!((timing.overruns, timing.longest >= Duration::from_secs(5)), (0, true));
        for expected in [false, false, true] {
            let reason = add_waiting(&mut timing, Call::Sample, 5000, 4000);
            assert_eq!(reason.is_some(), expected, "{reason:?}");
        }
        assert_eq!(
            Excuse(Duration::from_millis(1500)).to_string(),
            ", of which it waited 1.5s for a processor"
        );
        assert_eq!(Excuse(Duration::ZERO).to_string(), "");
    }

    #[test]
    fn merged_timings_cover_all_calls() {
        let [mut first, mut second] = [Timing::default(), Timing::default()];
        [1, 2].iter().for_each(|millis| drop(add(&mut first, *millis)));
        drop(add(&mut second, 300));
        first.merge(&second);
        let durations = first.durations.seconds();
        assert_eq!((first.calls, first.overruns, durations.count), (3, 1, 3));
        assert!(durations.max >= 0.3 && durations.p99 >= 0.29, "{durations:?}");
        assert!((durations.mean - first.busy.as_secs_f64() / 3.0).abs() < 1e-6, "{durations:?}");
    }

    #[test]
    fn a_watch_counts_from_the_end_of_the_call_before() {
        let mut watch = Stopwatch::new(CallLimits::default(), 1);
        let mut timing = Timing::default();
        watch.begin();
        let first = watch.last;
        watch.begin();
        assert_eq!(watch.last, first);
        timing.add("x", Call::Reset, &mut watch, || panic!("a short call"));
        assert_eq!((timing.calls, timing.overruns), (1, 0));
        assert!(watch.last > first || timing.busy.is_zero());
    }
}
