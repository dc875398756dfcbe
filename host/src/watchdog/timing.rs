//! How long the calls of an instance take, and whether it keeps to its budget.

use std::time::{Duration, Instant};

use super::Call;
use crate::statistics::Accumulator;

/// What calls may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// A longer call is an overrun.
    pub budget: Duration,
    /// So many overruns of an instance, one call after the other, and it is left out.
    pub overruns: u32,
}

impl Default for CallLimits {
    /// Generous: what a busy machine does to a call must not change a run.
    fn default() -> Self {
        CallLimits { budget: Duration::from_secs(1), overruns: 3 }
    }
}

/// Reads the clock once between two calls.
#[derive(Debug)]
pub struct Stopwatch {
    limits: CallLimits,
    step: u64,
    last: Option<Instant>,
}

impl Stopwatch {
    /// For the calls of one phase of a step.
    #[must_use]
    pub fn new(limits: CallLimits, step: u64) -> Self {
        Stopwatch { limits, step, last: None }
    }

    /// To be called before a call; costs something before the first one only.
    pub fn begin(&mut self) {
        self.last.get_or_insert_with(crate::clock::now);
    }

    /// The time since the last look.
    fn lap(&mut self) -> Duration {
        let now = crate::clock::now();
        let before = self.last.replace(now);
        before.map_or(Duration::ZERO, |before| now.saturating_duration_since(before))
    }
}

/// What the calls of an instance took so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// Timed calls: `reset`, `sample` and `control`.
    pub calls: u64,
    /// All of them together.
    pub busy: Duration,
    /// The longest.
    pub longest: Duration,
    /// How many took longer than the budget.
    pub overruns: u64,
    /// How long they took each.
    pub durations: Accumulator,
    /// How many of the last ones did, without one that did not between them.
    in_a_row: InARow,
}

/// For each kind of call by itself: a `control` that is slow each time is so beside a quick `sample` too.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct InARow {
    sample: u32,
    control: u32,
    others: u32,
}

impl InARow {
    fn of(&mut self, call: Call) -> &mut u32 {
        match call {
            Call::Sample => &mut self.sample,
            Call::Control => &mut self.control,
            _ => &mut self.others,
        }
    }
}

impl Timing {
    /// Adds the calls of another instance.
    pub fn merge(&mut self, other: &Timing) {
        self.calls += other.calls;
        self.busy += other.busy;
        self.longest = self.longest.max(other.longest);
        self.overruns += other.overruns;
        self.durations.merge(&other.durations);
    }

    /// Adds the call that has just ended. Gives the reason where the instance is to be left out.
    pub fn add(&mut self, label: &str, call: Call, watch: &mut Stopwatch) -> Option<String> {
        let took = watch.lap();
        self.calls += 1;
        self.busy += took;
        self.longest = self.longest.max(took);
        self.durations.add_time(took);
        let in_a_row = self.in_a_row.of(call);
        if took <= watch.limits.budget {
            *in_a_row = 0;
            return None;
        }
        self.overruns += 1;
        *in_a_row += 1;
        let in_a_row = *in_a_row;
        let (call, budget) = (call.name(), watch.limits.budget);
        // The first one, the second, the fourth, …: a slow plugin must not fill the log.
        if self.overruns.is_power_of_two() {
            log::warn!(
                target: label,
                "[BH-PLG-111] `{call}` took {took:.1?} in step {}; its budget is {budget:?} (overrun {})",
                watch.step,
                self.overruns
            );
        }
        (in_a_row >= watch.limits.overruns).then(|| {
            format!(
                "`{call}` took longer than its budget of {budget:?} {in_a_row} times in a row [BH-PLG-112]"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a call that seems to have taken so many milliseconds.
    fn add(timing: &mut Timing, millis: u64) -> Option<String> {
        add_call(timing, Call::Sample, millis)
    }

    fn add_call(timing: &mut Timing, call: Call, millis: u64) -> Option<String> {
        let limits = CallLimits { budget: Duration::from_millis(100), overruns: 3 };
        let past = crate::clock::now().checked_sub(Duration::from_millis(millis));
        let mut watch = Stopwatch { limits, step: 7, last: past };
        timing.add("car1/lidar", call, &mut watch)
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
    fn only_overruns_one_after_the_other_put_an_instance_out() {
        let mut timing = Timing::default();
        for millis in [200, 200, 1, 200, 200] {
            assert_eq!(add(&mut timing, millis), None);
        }
        let Some(reason) = add(&mut timing, 300) else { panic!("it is not out") };
        assert_eq!(reason, "`sample` took longer than its budget of 100ms 3 times in a row [BH-PLG-112]");
        assert_eq!((timing.calls, timing.overruns), (6, 5));
        assert!(timing.longest >= Duration::from_millis(300) && timing.busy >= Duration::from_millis(1100));
    }

    #[test]
    fn timings_put_together_know_how_long_all_calls_took() {
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
        timing.add("x", Call::Reset, &mut watch);
        assert_eq!((timing.calls, timing.overruns), (1, 0));
        assert!(watch.last > first || timing.busy.is_zero());
    }
}
