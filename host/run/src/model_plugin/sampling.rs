//! The steps in which an instance's `sample` is called. A sensor of 10 Hz has nothing to do in 99 of 100 steps of 1 ms,
//! and a call that does nothing still fetches the instance into the caches.
//!
//! Queried once, on the start thread; used by the simulation thread.

use bridgehead_abi::model::StepInfo;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::objects::ModelRef;
use bridgehead_plugin_api::schedule::SampleTimes;

/// The next call of `sample`, and those after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampling {
    /// Simulated time of the next call: the first step at or after it, nanoseconds.
    next_ns: i64,
    /// `None` for every step.
    times: Option<SampleTimes>,
}

impl Sampling {
    /// Calls in every step.
    pub(super) const EVERY_STEP: Sampling = Sampling { next_ns: i64::MIN, times: None };

    /// Reads the plugin's sample times. Call it after `awake`.
    pub(super) fn of(instance: &ModelRef) -> Self {
        let known = instance.sample_times().filter(|times| times.period_ns > 0);
        Sampling { next_ns: i64::MIN, times: known.map(SampleTimes::from_abi) }
    }

    /// Makes the next step one with a call, whatever its time. For resets.
    pub(super) fn restart(&mut self) {
        self.next_ns = i64::MIN;
    }

    /// Returns true if this step has a call. Call it once in each step.
    pub(super) fn take(&mut self, step: &StepInfo) -> bool {
        if step.time_ns < self.next_ns {
            return false;
        }
        if let Some(times) = &self.times {
            let (time_ns, width_ns) = (step.time_ns, step.width_ns);
            let step = Step { number: step.step, time_ns, width_ns, reset_epoch: step.reset_epoch };
            self.next_ns = times.next_ns(&step);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::schedule::Schedule;

    fn step(number: u64, reset_epoch: u32) -> StepInfo {
        let (struct_size, width_ns) = (StepInfo::SIZE, 1_000_000);
        let time_ns = i64::try_from(number).expect("small") * width_ns;
        StepInfo { struct_size, reset_epoch, time_ns, width_ns, step: number }
    }

    /// The steps up to 25 in which an instance is called, beginning with `first`.
    fn calls(sampling: &mut Sampling, first: u64) -> Vec<u64> {
        (first..=25).filter(|number| sampling.take(&step(*number, 0))).collect()
    }

    #[test]
    fn only_steps_with_something_to_do_are_called_and_the_first_after_a_reset() {
        let schedule = Schedule::with_rate(100.0).expect("a rate");
        let mut sampling = Sampling { times: Some(schedule.into()), ..Sampling::EVERY_STEP };
        assert_eq!(calls(&mut sampling, 1), [1, 10, 20]);
        sampling.restart();
        assert_eq!(calls(&mut sampling, 1), [1, 10, 20]);
        let before = SampleTimes::from(schedule).with_steps_before(1);
        let mut sampling = Sampling { times: Some(before), ..Sampling::EVERY_STEP };
        assert_eq!(calls(&mut sampling, 2), [2, 9, 10, 19, 20]);
    }

    #[test]
    fn without_sample_times_every_step_has_a_call() {
        let mut sampling = Sampling::EVERY_STEP;
        assert_eq!(calls(&mut sampling, 21), [21, 22, 23, 24, 25]);
    }
}
