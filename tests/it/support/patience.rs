//! The time available for a test.

use std::env;

/// Whether tests that become more thorough with time may take minutes: true if the environment variable
/// `BRIDGEHEAD_LONG` is 1. Such a test may assume that nothing else runs on the machine.
pub(crate) fn is_long() -> bool {
    env::var("BRIDGEHEAD_LONG").is_ok_and(|value| value == "1")
}
