//! The JSON schema of a type: what its messages look like in JSON, in the subset that viewers read.

use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Struct, Wire};
use serde_json::{Map, Value, json};

/// Returns the schema of a type as a text.
pub(super) fn text(message: &MessageType) -> String {
    let mut schema = object(message, message.root());
    if let Some(members) = schema.as_object_mut() {
        members.insert("title".to_owned(), message.ros_type().to_string().into());
    }
    schema.to_string()
}

fn object(message: &MessageType, of: &Struct) -> Value {
    let members = of.fields().iter().map(|field| (field.name().to_owned(), member(message, field)));
    json!({"type": "object", "properties": members.collect::<Map<_, _>>()})
}

fn member(message: &MessageType, field: &Field) -> Value {
    let single = element(message, field.wire());
    // Bytes are one text, whatever their number.
    if field.arity() == Arity::One || field.wire() == Wire::Bytes {
        return single;
    }
    json!({"type": "array", "items": single})
}

fn element(message: &MessageType, wire: Wire) -> Value {
    match wire {
        Wire::Bool => json!({"type": "boolean"}),
        Wire::String => json!({"type": "string"}),
        Wire::Bytes => json!({"type": "string", "contentEncoding": "base64"}),
        Wire::Float | Wire::Double => json!({"type": "number"}),
        Wire::Message(id) => {
            let contained = message.dependencies().get(id.index());
            contained.map_or_else(|| json!({"type": "object"}), |contained| object(message, contained))
        }
        Wire::Int32
        | Wire::Int64
        | Wire::Uint32
        | Wire::Uint64
        | Wire::Sint32
        | Wire::Sint64
        | Wire::Fixed32
        | Wire::Fixed64
        | Wire::Sfixed32
        | Wire::Sfixed64 => json!({"type": "integer"}),
    }
}
