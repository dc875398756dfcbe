//! Responses of services of `simulation_interfaces`, over any transport.

use serde_json::{Value, json};

// `RESULT_` constants of `simulation_interfaces` that every service may answer.
pub(crate) const UNSUPPORTED: u64 = 0;
pub(crate) const OK: u64 = 1;
pub(crate) const NOT_FOUND: u64 = 2;
pub(crate) const INCORRECT_STATE: u64 = 3;
pub(crate) const FAILED: u64 = 4;

// `STATE_` constants of `simulation_interfaces`.
pub(crate) const STOPPED: u64 = 0;
pub(crate) const PLAYING: u64 = 1;
pub(crate) const PAUSED: u64 = 2;
pub(crate) const QUITTING: u64 = 3;
pub(crate) const NO_WORLD: u64 = 4;
pub(crate) const LOADING: u64 = 5;

/// Returns the response to a request; fails unless its result is this one, and if a result other than OK has no error
/// message.
#[track_caller]
pub(crate) fn with_result(code: u64, service: &str, request: &Value, response: Value) -> Value {
    let result = &response["result"];
    assert_eq!(result["result"], json!(code), "{service} {request}: {response}");
    let has_no_message = result["error_message"].as_str().is_none_or(str::is_empty);
    assert!(code == OK || !has_no_message, "{service} {request}: not OK, without an error message");
    response
}

/// Number of the state in a response of `get_simulation_state`.
#[track_caller]
pub(crate) fn state_of(response: &Value) -> u64 {
    response["state"]["state"].as_u64().unwrap_or_else(|| panic!("no state in {response}"))
}
