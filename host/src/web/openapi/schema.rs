//! JSON schemas of messages: names and ranges of ROS, byte arrays as base64, every member optional in
//! a request and present in a response.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::ros::RosElement;
use bridgehead_plugin_api::messages::{Arity, Field, MessageType, Struct, Wire, comment};
use serde_json::{Map, Value, json};

/// The schemas in use.
#[derive(Default)]
pub(super) struct Schemas {
    all: BTreeMap<String, Value>,
}

/// Returns the comment on a message or a field.
pub(super) fn comment_of(full_name: &str) -> Option<&'static str> {
    comment(full_name)
}

impl Schemas {
    /// Returns a reference to the schema of a request.
    pub(super) fn request(&mut self, of: &MessageType) -> Value {
        self.message(of, of.root(), false)
    }

    /// Adds the schema of the messages of a topic.
    pub(super) fn add(&mut self, of: &MessageType) {
        self.message(of, of.root(), false);
    }

    /// Returns a reference to the schema of a response.
    pub(super) fn response(&mut self, of: &MessageType) -> Value {
        self.message(of, of.root(), true)
    }

    /// Returns the members of a request as parameters of a query.
    pub(super) fn parameters(&mut self, of: &MessageType) -> Value {
        let parameter = |field: &Field| {
            let is_text = field.wire() == Wire::String && field.arity() == Arity::One;
            let schema = self.field(of, field);
            let mut parameter = json!({ "name": field.name(), "in": "query", "required": false });
            if let Some(members) = parameter.as_object_mut() {
                if let Some(text) = comment(&format!("{}.{}", of.full_name(), field.name())) {
                    members.insert("description".to_owned(), Value::from(text));
                }
                // Everything that is no text is written as JSON.
                if is_text {
                    members.insert("schema".to_owned(), schema);
                } else {
                    members.insert("content".to_owned(), json!({ "application/json": { "schema": schema } }));
                }
            }
            parameter
        };
        Value::Array(of.fields().iter().map(parameter).collect())
    }

    /// Returns every schema, including those of the server itself.
    pub(super) fn finish(mut self) -> Value {
        self.all.insert("Problem".to_owned(), problem());
        self.all.insert("Goal".to_owned(), goal());
        Value::Object(self.all.into_iter().collect())
    }

    fn message(&mut self, of: &MessageType, message: &Struct, is_whole: bool) -> Value {
        let name = message.full_name();
        if !self.all.contains_key(name) {
            // Named before its fields are looked at: a message is written once.
            self.all.insert(name.to_owned(), Value::Null);
            let schema = self.object(of, message, is_whole);
            self.all.insert(name.to_owned(), schema);
        }
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    fn object(&mut self, of: &MessageType, message: &Struct, is_whole: bool) -> Value {
        let mut properties = Map::new();
        for field in message.fields() {
            let mut schema = self.field(of, field);
            let text = comment(&format!("{}.{}", message.full_name(), field.name()));
            if let (Some(text), Some(members)) = (text, schema.as_object_mut()) {
                members.insert("description".to_owned(), Value::from(text));
            }
            properties.insert(field.name().to_owned(), schema);
        }
        let mut schema = json!({
            "type": "object",
            "title": message.ros_type().to_string(),
            "description": described(message),
            "additionalProperties": false,
            "properties": properties,
        });
        if let (true, Some(members)) = (is_whole, schema.as_object_mut()) {
            let names: Vec<&str> = message.fields().iter().map(Field::name).collect();
            members.insert("required".to_owned(), Value::from(names));
        }
        schema
    }

    fn field(&mut self, of: &MessageType, field: &Field) -> Value {
        let element = match field.wire() {
            // A request may also use a list of numbers; a response has the text.
            Wire::Bytes => return bytes(field.arity()),
            Wire::Message(id) => match of.dependencies().get(id.index()) {
                Some(contained) => self.message(of, contained, false),
                None => json!({}),
            },
            _ => scalar(field.ros_element()),
        };
        match field.arity() {
            Arity::One => with_default(element, field),
            Arity::Sequence => json!({ "type": "array", "items": element }),
            Arity::Bounded(most) => json!({ "type": "array", "items": element, "maxItems": most }),
            Arity::Fixed(length) => {
                json!({ "type": "array", "items": element, "minItems": length, "maxItems": length })
            }
        }
    }
}

/// Returns the comment on a message, and its constants.
fn described(message: &Struct) -> String {
    let mut text = comment(message.full_name()).unwrap_or_default().to_owned();
    if !message.constants().is_empty() {
        text.push_str("\n\nConstants:\n");
        message.constants().iter().for_each(|constant| text.push_str(&format!("\n- `{constant}`")));
    }
    text
}

fn scalar(element: RosElement) -> Value {
    match element {
        RosElement::Bool => json!({ "type": "boolean" }),
        RosElement::String => json!({ "type": "string" }),
        RosElement::BoundedString(most) => json!({ "type": "string", "maxLength": most }),
        RosElement::Float32 | RosElement::Float64 => {
            let format = if element == RosElement::Float32 { "float" } else { "double" };
            json!({ "anyOf": [
                { "type": "number", "format": format },
                { "type": "string", "enum": ["NaN", "Infinity", "-Infinity"] },
            ] })
        }
        _ => match element.range() {
            Some((least, most)) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            None => json!({}),
        },
    }
}

fn bytes(arity: Arity) -> Value {
    let text = json!({ "type": "string", "contentEncoding": "base64" });
    let mut list = json!({ "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 } });
    if let (Arity::Fixed(length), Some(members)) = (arity, list.as_object_mut()) {
        members.insert("minItems".to_owned(), Value::from(length));
        members.insert("maxItems".to_owned(), Value::from(length));
    }
    json!({ "anyOf": [text, list] })
}

/// Returns the default of a member.
fn with_default(mut schema: Value, field: &Field) -> Value {
    let Some(text) = field.ros_added().or(field.ros_default()) else { return schema };
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.trim_matches(['"', '\''])));
    if let Some(members) = schema.as_object_mut() {
        members.insert("default".to_owned(), value);
    }
    schema
}

fn problem() -> Value {
    json!({
        "type": "object",
        "description": "Why a request was not served.",
        "required": ["code", "message"],
        "properties": {
            "code": { "type": "string", "pattern": "^BH-[A-Z]{3}-[0-9]{3}$", "description": "Stable; the page of error codes explains it." },
            "message": { "type": "string", "description": "What was requested, and what is wrong with it." },
            "path": { "type": "string", "description": "The member of the request that is wrong." },
        },
    })
}

fn goal() -> Value {
    json!({
        "type": "object",
        "description": "How far a goal is.",
        "required": ["goal_id", "status", "status_code"],
        "properties": {
            "goal_id": { "type": "string", "format": "uuid" },
            "status": { "type": "string", "enum": ["unknown", "accepted", "executing", "canceling", "succeeded", "canceled", "aborted"] },
            "status_code": { "type": "integer", "description": "The same, as `action_msgs/msg/GoalStatus` has it." },
            "completed_steps": { "type": "integer", "minimum": 0 },
            "remaining_steps": { "type": "integer", "minimum": 0 },
            "result": { "type": "object", "description": "Once it has ended.", "properties": {
                "result": { "type": "integer" }, "error_message": { "type": "string" } } },
        },
    })
}
