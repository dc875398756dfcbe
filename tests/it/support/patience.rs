//! The time available for a test.

use std::env;
use std::time::Duration;

use bridgehead_host::clock;

/// Whether tests that become more thorough with time may take minutes: true if the environment variable
/// `BRIDGEHEAD_LONG` is 1.
pub(crate) fn is_long() -> bool {
    env::var("BRIDGEHEAD_LONG").is_ok_and(|value| value == "1")
}

/// Whether `tests/run.sh --load` uses up processor time beside the tests.
pub(crate) fn is_loaded() -> bool {
    env::var("BRIDGEHEAD_LOAD").is_ok()
}

/// Whether wall times may be compared with each other: in long runs, unless `tests/run.sh --load` uses up processor time
/// beside the tests.
pub(crate) fn is_quiet() -> bool {
    is_long() && !is_loaded()
}

/// Does what must end soon. Fails if it takes longer than `limit`, unless `tests/run.sh --load` uses up processor time
/// beside the tests.
#[track_caller]
pub(crate) fn prompt<T>(what: &str, limit: Duration, body: impl FnOnce() -> T) -> T {
    // Wall time: for tests that bound it.
    let began = clock::now();
    let done = body();
    let took = began.elapsed();
    assert!(took < limit || is_loaded(), "{what}: {took:?}, not within {limit:?}");
    done
}
