//! Simulated time.

use std::time::Duration;

use bridgehead_abi as abi;

use super::extension_handle;

/// The simulated clock at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockReading {
    /// Simulated time in nanoseconds.
    pub time_ns: i64,
    /// Width of one step in nanoseconds.
    pub step_width_ns: i64,
    /// Number of the step in progress or last completed.
    pub step: u64,
    /// Counts resets.
    pub reset_epoch: u32,
    /// Achieved simulated seconds per wall second.
    pub real_time_factor: f64,
    /// Whether the simulation is paused or stopped.
    pub is_paused: bool,
}

impl ClockReading {
    /// What a clock shows without an instance.
    const PAUSED: ClockReading = ClockReading {
        time_ns: 0,
        step_width_ns: 0,
        step: 0,
        reset_epoch: 0,
        real_time_factor: 0.0,
        is_paused: true,
    };
}

extension_handle! {
    /// Reads the simulated clock. `[any]`
    Clock, abi::host::HostClock, abi::extension::CLOCK
}

impl Clock {
    /// The clock now; zero and paused once the instance is gone.
    #[must_use]
    pub fn read(self) -> ClockReading {
        let Ok(raw) = self.extension.read() else { return ClockReading::PAUSED };
        ClockReading {
            time_ns: raw.time_ns,
            step_width_ns: raw.step_width_ns,
            step: raw.step,
            reset_epoch: raw.reset_epoch,
            real_time_factor: raw.real_time_factor,
            is_paused: raw.paused != 0,
        }
    }

    /// A monotonic wall clock, for time-outs towards peers only: nothing simulated may depend on it.
    #[must_use]
    pub fn monotonic(self) -> Duration {
        Duration::from_nanos(u64::try_from(self.extension.monotonic_ns().unwrap_or(0)).unwrap_or(0))
    }
}
