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

extension_handle! {
    /// Reads the simulated clock. `[any]`
    Clock, abi::host::HostClock, abi::extension::CLOCK
}

impl Clock {
    /// The clock now; zero and paused once the instance is gone.
    #[must_use]
    pub fn read(self) -> ClockReading {
        let mut raw = abi::host::ClockReading {
            struct_size: abi::host::ClockReading::SIZE,
            reset_epoch: 0,
            time_ns: 0,
            step_width_ns: 0,
            step: 0,
            real_time_factor: 0.0,
            paused: 1,
            reserved: 0,
        };
        // SAFETY: `raw` is writable for the call.
        let _ = self.call(|table, host| unsafe { (table.read)(host, &raw mut raw) });
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
        // SAFETY: the table belongs to this host object.
        let nanos = self.call(|table, host| unsafe { (table.monotonic_ns)(host) });
        Duration::from_nanos(u64::try_from(nanos.unwrap_or(0)).unwrap_or(0))
    }
}
