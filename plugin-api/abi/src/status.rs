//! Status codes: what every fallible ABI function returns.
//!
//! Zero is success, a positive value is a success that asks for something, a negative value is a failure.

/// Result of an ABI call: one of the constants of this module. Unknown negative values mean failure,
/// unknown positive values mean success.
pub type Status = i32;

/// Done.
pub const OK: Status = 0;
/// `start` or a reset acknowledgement goes on in the background and will be reported through
/// [`crate::host::HostLifecycle`].
pub const PENDING: Status = 1;
/// The plugin asks for the run to stop.
pub const REQUEST_STOP: Status = 16;
/// The plugin asks for the run to end as a success.
pub const REQUEST_SUCCEED: Status = 17;
/// The plugin asks for the run to end as a failure.
pub const REQUEST_FAIL: Status = 18;
/// The plugin asks for a reset.
pub const REQUEST_RESET: Status = 19;
/// The plugin asks for the run to be aborted.
pub const REQUEST_ABORT: Status = 20;

/// The thing asked for is not offered here.
pub const UNSUPPORTED: Status = -1;
/// An argument is out of range or malformed.
pub const INVALID_ARG: Status = -2;
/// The call is not allowed in the present state.
pub const WRONG_STATE: Status = -3;
/// The call is not allowed on this thread.
pub const WRONG_THREAD: Status = -4;
/// No such name, topic, link or joint.
pub const NOT_FOUND: Status = -5;
/// The name is taken.
pub const EXISTS: Status = -6;
/// A queue is full.
pub const WOULD_BLOCK: Status = -7;
/// Nothing arrived before the deadline.
pub const TIMEOUT: Status = -8;
/// The operating system refused.
pub const IO: Status = -9;
/// A type's schema is malformed, or conflicts with one of the same name.
pub const SCHEMA: Status = -10;
/// The wait was ended because the run or the connection ends.
pub const INTERRUPTED: Status = -11;
/// The callee panicked; its instance is no longer called except to stop and destroy it.
pub const PANIC: Status = -100;
/// The callee cannot go on.
pub const FATAL: Status = -101;

/// The constant's name, for messages.
#[must_use]
pub const fn name(status: Status) -> &'static str {
    match status {
        OK => "OK",
        PENDING => "PENDING",
        REQUEST_STOP => "REQUEST_STOP",
        REQUEST_SUCCEED => "REQUEST_SUCCEED",
        REQUEST_FAIL => "REQUEST_FAIL",
        REQUEST_RESET => "REQUEST_RESET",
        REQUEST_ABORT => "REQUEST_ABORT",
        UNSUPPORTED => "UNSUPPORTED",
        INVALID_ARG => "INVALID_ARG",
        WRONG_STATE => "WRONG_STATE",
        WRONG_THREAD => "WRONG_THREAD",
        NOT_FOUND => "NOT_FOUND",
        EXISTS => "EXISTS",
        WOULD_BLOCK => "WOULD_BLOCK",
        TIMEOUT => "TIMEOUT",
        IO => "IO",
        SCHEMA => "SCHEMA",
        INTERRUPTED => "INTERRUPTED",
        PANIC => "PANIC",
        FATAL => "FATAL",
        _ => "unknown status",
    }
}
