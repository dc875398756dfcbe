//! Responses of services of `simulation_interfaces`, over any transport.

use serde_json::{Value, json};

/// `RESULT_OK` of `simulation_interfaces`.
pub(crate) const OK: u64 = 1;

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
