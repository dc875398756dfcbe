//! Steps that wait for a live peer.

use crate::{Host, Status};

/// After the time limit the step goes on waiting.
pub const LATE_WAIT: u32 = 0;
/// After the time limit the step runs without the peer's command.
pub const LATE_CONTINUE: u32 = 1;
/// After the time limit the run ends with an error.
pub const LATE_END: u32 = 2;

abi_struct! {
    /// A step that is complete. Everything that was published in it has been given to the transmit loop.
    pub struct Tick {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Number of resets so far.
        pub reset_epoch: u32,
        /// Number of the step; 0 before the first one.
        pub step: u64,
        /// Simulated time at its end, nanoseconds.
        pub time_ns: i64,
        /// Simulated time of a step, nanoseconds.
        pub width_ns: i64,
    }
}

abi_struct! {
    /// Extension `bridgehead.stepping/1`: a bridge to a peer that computes a command for each step, or for every n-th. The
    /// simulation waits for each of them. In a loop, the bridge waits for the end of a step, sends the peer what was
    /// published in it, delivers the command for the next one, and releases that.
    ///
    /// A bridge uses either this extension or `bridgehead.lockstep/1`, whose releases name no reset.
    pub struct HostStepping {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// From now on no step runs that the bridge has not released. The hold ends when the connection does, and begins
        /// anew, with nothing released, at each reset.
        ///
        /// `limit_ns` is how long a step may wait for a release, nanoseconds of wall time; 0 for no limit. `late` is one
        /// of the `LATE_` constants. The configuration of the bridge may change both.
        /// `[thread: main] [state: created, disconnected]`
        pub hold: unsafe extern "C" fn(host: *const Host, limit_ns: u64, late: u32) -> Status,
        /// Waits until the last released step is complete, or until the run begins if none is released yet, and gives it.
        /// TIMEOUT after `timeout_ns`, at most a second; WRONG_STATE if nothing is held, as after the end of the connection.
        /// `[thread: any] [state: any]`
        pub wait: unsafe extern "C" fn(host: *const Host, timeout_ns: u64, out: *mut Tick) -> Status,
        /// Releases the steps up to and including `step`, whose commands were delivered. NOT_FOUND if there was a reset
        /// after `reset_epoch`: nothing is released then.
        /// `[thread: any] [state: any]`
        pub release: unsafe extern "C" fn(host: *const Host, reset_epoch: u32, step: u64) -> Status,
    }
}
