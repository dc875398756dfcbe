//! Bytes of messages in JSON: the peers show them as numbers in a list, the run as text in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_plugin_api::messages::ros::RosElement;
use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Struct, Wire};
use serde_json::{Value, json};

/// A message of the run as peers show it.
pub(crate) fn with_lists(of: &MessageType, message: &Value) -> Value {
    let to_list = |value: &Value| {
        let text = value.as_str().expect("base64");
        json!(STANDARD.decode(text).expect("base64"))
    };
    each(of, of.root(), message, &to_list)
}

/// A message of a peer as the run shows it.
pub(crate) fn with_base64(of: &MessageType, message: &Value) -> Value {
    let to_text = |value: &Value| {
        let bytes: Vec<u8> = serde_json::from_value(value.clone()).expect("a list of bytes");
        json!(STANDARD.encode(bytes))
    };
    each(of, of.root(), message, &to_text)
}

/// Whether the field is an array of bytes.
pub(super) fn is_bytes(field: &Field) -> bool {
    let is_byte = matches!(field.ros_element(), RosElement::Byte | RosElement::Char | RosElement::Uint8);
    is_byte && field.arity() != Arity::One
}

/// A message with all its arrays of bytes converted.
fn each(of: &MessageType, part: &Struct, message: &Value, convert: &dyn Fn(&Value) -> Value) -> Value {
    let mut message = message.clone();
    for field in part.fields() {
        let Some(value) = message.get_mut(field.name()) else { continue };
        if is_bytes(field) {
            *value = convert(value);
        } else if let Wire::Message(id) = field.wire() {
            let inner = &of.dependencies()[id.index()];
            match value {
                Value::Array(values) => {
                    values.iter_mut().for_each(|value| *value = each(of, inner, value, convert));
                }
                value => *value = each(of, inner, value, convert),
            }
        }
    }
    message
}
