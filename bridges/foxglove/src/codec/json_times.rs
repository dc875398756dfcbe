//! JSON of clients, also with times as viewers write them.
//!
//! In the viewers a time is `{"sec": 1, "nsec": 2}`, and they publish it like that; in ROS 2 the second member is
//! `nanosec`.

use bridgehead_plugin_api::messages::JsonPlan;
use serde_json::Value;

/// Converts a JSON text to a message of the host.
///
/// # Errors
/// Returns the reason if it is not a message of the type.
pub(super) fn decode(plan: &JsonPlan, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8: {error}"))?;
    let first = decode_text(plan, text);
    let Err(reason) = first else { return first };
    let Some(renamed) = with_times_of_ros(text) else { return Err(reason) };
    decode_text(plan, &renamed).map_err(|_| reason)
}

fn decode_text(plan: &JsonPlan, text: &str) -> Result<Vec<u8>, String> {
    let mut payload = Vec::new();
    plan.decode(text, &mut payload).map(|()| payload).map_err(|error| error.to_string())
}

/// Returns the text with `nanosec` in place of `nsec` in all times; `None` if it has no such time.
fn with_times_of_ros(text: &str) -> Option<String> {
    if !text.contains("\"nsec\"") {
        return None;
    }
    let mut value: Value = serde_json::from_str(text).ok()?;
    rename(&mut value);
    Some(value.to_string())
}

/// Values are at most 128 levels deep, which `serde_json` checks.
fn rename(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if members.len() == 2
                && members.contains_key("sec")
                && let Some(nanoseconds) = members.remove("nsec")
            {
                members.insert("nanosec".to_owned(), nanoseconds);
            }
            members.values_mut().for_each(rename);
        }
        Value::Array(elements) => elements.iter_mut().for_each(rename),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
