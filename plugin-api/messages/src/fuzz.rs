//! Fuzz targets of this crate; see `tests/fuzz`.

use std::sync::LazyLock;

use crate::{CdrPlan, JsonPlan, RecordLine, Schema, all_schemas};

/// The name by which a mutated descriptor set is resolved.
const MUTATED: &str = "fuzzed.v1.Fuzzed";

/// Messages of all kinds of fields. The first byte of an input is an index into this list, so new ones go at the end.
const TYPES: [&str; 10] = [
    "simulation_interfaces.v1.SpawnEntityRequest",
    "simulation_interfaces.v1.GetEntitiesStatesResponse",
    "bridgehead_simulation_interfaces.v1.AddTriggersRequest",
    "trajectory_msgs.v1.JointTrajectory",
    "sensor_msgs.v1.PointCloud2",
    "sensor_msgs.v1.JointState",
    "tf2_msgs.v1.TFMessage",
    "visualization_msgs.v1.MarkerArray",
    "geometry_msgs.v1.Twist",
    "std_msgs.v1.String",
];

/// Plans of these messages.
static PLANS: LazyLock<Vec<(JsonPlan, CdrPlan)>> = LazyLock::new(|| {
    let plans = TYPES.iter().map(|name| {
        let schema =
            all_schemas().find(|schema| schema.full_name().ends_with(name)).expect("a message of the crate");
        let message = schema.resolve().expect("a valid message");
        (JsonPlan::compile(&message), CdrPlan::compile(&message))
    });
    plans.collect()
});

/// Returns the plans of the message that the first byte chooses, and the other bytes.
fn chosen(bytes: &[u8]) -> Option<(&'static (JsonPlan, CdrPlan), &[u8])> {
    let (number, rest) = bytes.split_first()?;
    Some((PLANS.get(usize::from(*number) % PLANS.len())?, rest))
}

/// Any text as JSON of a message: a payload that becomes JSON again, or refused.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn json(bytes: &[u8]) -> bool {
    let Some(((json, _), rest)) = chosen(bytes) else { return false };
    let Ok(text) = std::str::from_utf8(rest) else { return false };
    let mut payload = Vec::new();
    if json.decode(text, &mut payload).is_err() {
        return false;
    }
    json.encode(&payload, &mut Vec::new()).expect("a decoded message can be encoded");
    true
}

/// Any bytes as CDR of a message: a payload that becomes CDR and JSON, or refused.
///
/// # Panics
/// Panics if a rule of the reader is broken.
pub fn cdr(bytes: &[u8]) -> bool {
    let Some(((json, cdr), rest)) = chosen(bytes) else { return false };
    let mut payload = Vec::new();
    if cdr.decode(rest, &mut payload).is_err() {
        return false;
    }
    assert!(payload.len() <= 16 * rest.len() + 64, "{} bytes of {}", payload.len(), rest.len());
    cdr.encode(&payload, &mut Vec::new()).expect("a decoded message can be encoded");
    json.encode(&payload, &mut Vec::new()).expect("a decoded message is valid");
    true
}

/// Any bytes as a payload in the wire format of protobuf: JSON and CDR, or refused.
pub fn payload(bytes: &[u8]) -> bool {
    let Some(((json, cdr), rest)) = chosen(bytes) else { return false };
    let is_cdr = cdr.encode(rest, &mut Vec::new()).is_ok();
    json.encode(rest, &mut Vec::new()).is_ok() && is_cdr
}

/// Any bytes as the descriptor of a message: resolved, or refused.
pub fn descriptor(bytes: &[u8]) -> bool {
    let Ok(message) = Schema::new(bytes.to_vec(), MUTATED).resolve() else { return false };
    let _ = (CdrPlan::compile(&message), JsonPlan::compile(&message), crate::ros::msg_text(&message));
    true
}

/// Any text as a line of a recording.
pub fn record_line(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| RecordLine::parse(text).is_ok())
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_text_is_json_of_a_message_or_refused() {
        short_run("json", 50_000, super::json);
    }

    #[test]
    fn any_bytes_are_cdr_of_a_message_or_refused() {
        short_run("cdr", 50_000, super::cdr);
    }

    #[test]
    fn any_bytes_are_a_payload_or_refused() {
        short_run("payload", 50_000, super::payload);
    }

    #[test]
    fn any_bytes_are_a_descriptor_or_refused() {
        short_run("descriptor", 5000, super::descriptor);
    }

    #[test]
    fn any_text_is_a_line_of_a_recording_or_refused() {
        short_run("record_line", 50_000, super::record_line);
    }
}
