//! `bridgehead.clock/1`: the simulated clock.

use std::sync::atomic::Ordering;

use bridgehead_abi::host::ClockReading;
use bridgehead_plugin_api::hosting::ClockHost;

use super::context::Context;

impl ClockHost for Context {
    fn read(&self) -> ClockReading {
        let clock = &self.shared.clock;
        let (now, step_width_ns) = clock.read();
        ClockReading {
            struct_size: ClockReading::SIZE,
            reset_epoch: now.reset_epoch,
            time_ns: now.time_ns,
            step_width_ns,
            step: now.step,
            real_time_factor: clock.factor(),
            paused: u32::from(clock.is_paused.load(Ordering::Relaxed)),
            reserved: 0,
        }
    }

    fn monotonic_ns(&self) -> i64 {
        crate::clock::monotonic_ns()
    }
}
