//! `bridgehead.clock/1` of a test: simulated time that only the test advances.

use std::time::Duration;

use bridgehead_abi::host::ClockReading;

use super::host::{Shared, TestHost, lock};
use crate::hosting::ClockHost;
use crate::model::Step;

/// Simulated time. Step `n` ends at `n * width`; step 0 is the state before the first one.
pub(super) struct VirtualClock {
    width_ns: i64,
    step: u64,
    reset_epoch: u32,
    is_paused: bool,
}

impl VirtualClock {
    pub(super) fn new(width: Duration) -> Self {
        let width_ns = i64::try_from(width.as_nanos()).unwrap_or(i64::MAX);
        VirtualClock { width_ns, step: 0, reset_epoch: 0, is_paused: false }
    }

    pub(super) fn advance(&mut self, steps: u64) {
        self.step += steps;
    }

    /// Begins a new epoch; time starts again where the reset covers it.
    pub(super) fn reset(&mut self, covers_time: bool) {
        self.reset_epoch += 1;
        if covers_time {
            self.step = 0;
        }
    }

    pub(super) fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    pub(super) fn now(&self) -> Step {
        let steps = i64::try_from(self.step).unwrap_or(i64::MAX);
        Step {
            number: self.step,
            time_ns: steps.saturating_mul(self.width_ns),
            width_ns: self.width_ns,
            reset_epoch: self.reset_epoch,
        }
    }
}

impl TestHost {
    /// The step in progress or last completed.
    #[must_use]
    pub fn now(self) -> Step {
        lock(&self.shared.clock).now()
    }

    /// Lets simulated time pass without calling the plugin.
    pub fn advance(self, steps: u64) {
        lock(&self.shared.clock).advance(steps);
        self.shared.announce();
    }
}

impl ClockHost for Shared {
    fn read(&self) -> ClockReading {
        let clock = lock(&self.clock);
        let now = clock.now();
        ClockReading {
            struct_size: ClockReading::SIZE,
            reset_epoch: now.reset_epoch,
            time_ns: now.time_ns,
            step_width_ns: now.width_ns,
            step: now.number,
            real_time_factor: 1.0,
            paused: u32::from(clock.is_paused),
            reserved: 0,
        }
    }

    #[expect(clippy::disallowed_methods, reason = "peers of a bridge under test live in wall time")]
    fn monotonic_ns(&self) -> i64 {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        i64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(i64::MAX)
    }
}
