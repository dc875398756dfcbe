//! What an instance says to the run and asks of it.

use bridgehead_abi::host::{ClockReading, HostClock, HostLifecycle, HostLockstep, HostLog};
use bridgehead_abi::report::HostReport;
use bridgehead_abi::stepping::{HostStepping, Tick};
use bridgehead_abi::{Host, Status, extension as id, status};

use super::argument::{Argument, Message, Posted, Words};
use super::call::{Asking, Call, Refused, Served, answer, answer_bare, returned, sent, taken};
#[cfg(feature = "testing")]
use super::misuse;
use super::record::{Line, LogRecord};
use super::{At, Bare, Function, Hosting, Outcome, Place};
use crate::host::Extension;

extension! {
    /// `bridgehead.log/1`: lines of plugins.
    LogHost, log: HostLog = id::LOG;

    /// Returns 1 if a line of this level would be written, otherwise 0.
    any fn enabled(level: u32) => u8, log_enabled;
    /// Writes a line.
    any fn write(record: LogRecord) => ();
}

extension! {
    /// `bridgehead.clock/1`: the simulated clock.
    ClockHost, clock: HostClock = id::CLOCK;

    /// Reads the simulated clock.
    any fn read() ~> ClockReading;
    /// Returns nanoseconds of a monotonic clock.
    any fn monotonic_ns() => i64, monotonic_ns;
}

extension! {
    /// `bridgehead.lifecycle/1`: what an instance reports and asks for outside of its calls.
    LifecycleHost, lifecycle: HostLifecycle = id::LIFECYCLE;

    /// Ends a start in the background.
    any fn started(status: i32, text: Words);
    /// Asks for something.
    any fn request(request: i32, reason: Words);
    /// Acknowledges a reset.
    any fn acknowledge(ticket: u64);
    /// Reports a failure.
    any fn report_error(code: Words, text: Words) => ();
}

extension! {
    /// `bridgehead.lockstep/1`: steps that wait for a bridge.
    LockstepHost, lockstep: HostLockstep = id::LOCKSTEP;

    /// Holds the simulation.
    main fn hold();
    /// Lets steps run.
    any fn release_through(step: u64);
}

extension! {
    /// `bridgehead.stepping/1`: steps that wait for a live peer.
    SteppingHost, stepping: HostStepping = id::STEPPING;

    /// Holds the simulation.
    main fn hold(limit_ns: u64, late: u32);
    /// Waits for the end of the last released step.
    any fn wait(timeout_ns: u64) -> Tick;
    /// Lets steps run.
    any fn release(reset_epoch: u32, step: u64);
}

extension! {
    /// `bridgehead.report/1`: what an instance reports of itself.
    ReportHost, report: HostReport = id::REPORT;

    /// Adds to the lost messages.
    any fn lost(messages: u64) => ();
    /// Says what peers find at an address.
    any fn endpoint(address: Words, purpose: Words) => ();
}
