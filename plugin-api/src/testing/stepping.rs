//! `bridgehead.stepping/1` of a test: the test completes the steps.

use std::time::Duration;

use bridgehead_abi::stepping::{LATE_END, Tick as RawTick};
use bridgehead_abi::{Status, status};

use super::host::{Shared, TestHost, lock};
use crate::host::Tick;
use crate::hosting::SteppingHost;

/// Longest time of a call.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// What the bridge holds.
#[derive(Default)]
pub(super) struct StepHold {
    /// First step that is not released; `None` if nothing is held.
    first_held: Option<u64>,
    complete: Option<Tick>,
    epoch: u32,
}

impl StepHold {
    fn tick(&self) -> Result<Tick, Status> {
        let first_held = self.first_held.ok_or(status::WRONG_STATE)?;
        self.complete.filter(|tick| first_held <= tick.step + 1).ok_or(status::TIMEOUT)
    }
}

impl TestHost {
    /// Completes a step, as the run does; the bridge gets a tick if it has not released the next one.
    pub fn complete_step(self, tick: Tick) {
        let mut hold = lock(&self.shared.stepping);
        if hold.epoch != tick.epoch {
            hold.epoch = tick.epoch;
            hold.first_held = hold.first_held.map(|_| 0);
        }
        hold.complete = Some(tick);
        drop(hold);
        self.shared.announce();
    }

    /// Waits until the bridge has released a step, at most `time`. Returns whether it has; true if it holds nothing.
    #[must_use]
    pub fn wait_for_release(self, step: u64, time: Duration) -> bool {
        self.shared
            .wait_within(time, || lock(&self.shared.stepping).first_held.is_none_or(|held| held > step))
    }

    /// Returns true if the bridge waits for ticks.
    #[must_use]
    pub fn holds_steps(self) -> bool {
        lock(&self.shared.stepping).first_held.is_some()
    }
}

impl SteppingHost for Shared {
    fn hold(&self, _: u64, late: u32) -> Result<(), Status> {
        if late > LATE_END {
            return Err(status::INVALID_ARG);
        }
        lock(&self.stepping).first_held = Some(0);
        self.announce();
        Ok(())
    }

    fn wait(&self, timeout_ns: u64) -> Result<RawTick, Status> {
        let time = Duration::from_nanos(timeout_ns).min(MAX_WAIT);
        self.wait_within(time, || lock(&self.stepping).tick() != Err(status::TIMEOUT));
        let tick = lock(&self.stepping).tick()?;
        Ok(RawTick {
            struct_size: RawTick::SIZE,
            reset_epoch: tick.epoch,
            step: tick.step,
            time_ns: tick.time_ns,
            width_ns: tick.width_ns,
        })
    }

    fn release(&self, reset_epoch: u32, step: u64) -> Result<(), Status> {
        let mut hold = lock(&self.stepping);
        let first_held = hold.first_held.ok_or(status::WRONG_STATE)?;
        if reset_epoch != hold.epoch {
            return Err(status::NOT_FOUND);
        }
        hold.first_held = (step != u64::MAX).then(|| first_held.max(step.saturating_add(1)));
        drop(hold);
        self.announce();
        Ok(())
    }
}
