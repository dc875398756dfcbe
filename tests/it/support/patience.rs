//! How much time there is for a test.

use std::env;

/// Whether tests that get better with time may take minutes: where the environment variable `BRIDGEHEAD_LONG` is 1. The
/// machine is then taken to be for one test alone.
pub(crate) fn is_long() -> bool {
    env::var("BRIDGEHEAD_LONG").is_ok_and(|value| value == "1")
}
