//! The encodings against each other and against other implementations, with random payloads of every message.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "helpers of tests: a panic is the failure, and random bits may be cut"
)]

mod cdr;
mod json;
mod random;
mod rosbags;
#[path = "../../../../tests/it/support/skip.rs"]
mod skip;
