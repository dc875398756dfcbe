//! Bridges, plugins, sensors, changes and poses as tables of a file.

use bridgehead_sdf::element::PoseBounds;
use bridgehead_sdf::params::Params;
use serde_json::{Map, Value};

use crate::config::argument::ArgumentRequest;
use crate::config::layers::Layers;
use crate::config::pose::PoseRequest;
use crate::config::request::{BridgeRequest, PluginRequest};
use crate::config::sensor::{OverrideRequest, SensorRequest};
use crate::config::value;
use crate::config::world_value::ValueRequest;
use crate::duration::duration_text;

/// A table and its origin.
type Entry = (Map<String, Value>, String);

impl Layers {
    /// Returns the lists of a file by name, with all their tables.
    pub(super) fn lists(&self) -> [(&'static str, Vec<Entry>); 7] {
        let merged = self.clone().merged();
        [
            ("bridge", merged.bridges.iter().map(bridge).collect()),
            ("plugin", merged.plugins.iter().map(plugin).collect()),
            ("sensor", merged.sensors.iter().map(sensor).collect()),
            ("override", merged.overrides.iter().map(change).collect()),
            ("argument", merged.arguments.iter().map(argument).collect()),
            ("value", merged.values.iter().map(world_value).collect()),
            ("pose", merged.poses.iter().map(pose).collect()),
        ]
    }
}

/// Returns a table of the present values.
fn table<const N: usize>(entries: [(&str, Option<Value>); N]) -> Map<String, Value> {
    let present = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
    present.collect()
}

fn some(text: &str) -> Option<Value> {
    Some(Value::from(text))
}

fn optional(text: &Option<String>) -> Option<Value> {
    text.as_deref().map(Value::from)
}

fn bridge(request: &BridgeRequest) -> Entry {
    let queue = request.queue.map(|limits| {
        Value::from(table([
            ("policy", some(value::word(value::OVERFLOWS, limits.overflow))),
            ("messages", Some(Value::from(limits.messages))),
            ("bytes", some(&value::size_text(limits.bytes))),
        ]))
    });
    let entries = table([
        ("attach", some(&request.attach)),
        ("name", some(&request.name)),
        ("connection", some(&request.connection)),
        ("required", Some(Value::from(request.required))),
        ("connect_timeout", some(&duration_text(request.connect_timeout))),
        ("reconnect", some(value::word(value::RECONNECTS, request.reconnect))),
        ("isolation", some(value::word(value::ISOLATIONS, request.is_isolated))),
        ("queue", queue),
        ("step_timeout", optional(&request.step_limits.timeout.map(duration_text))),
        ("on_step_timeout", request.step_limits.late.and_then(|late| some(value::word(value::LATE, late)))),
    ]);
    (entries, request.place.clone().unwrap_or_else(|| String::from("--bridge")))
}

fn plugin(request: &PluginRequest) -> Entry {
    let entries = table([
        ("attach", some(&request.attach)),
        ("plugin", some(&request.plugin)),
        ("name", some(&request.name)),
        ("params", params(&request.params)),
    ]);
    (entries, request.params.place().map(ToString::to_string).unwrap_or_default())
}

fn sensor(request: &SensorRequest) -> Entry {
    let entries = table([
        ("attach", some(&request.attach)),
        ("name", some(&request.name)),
        ("type", some(&request.kind)),
        ("link", optional(&request.link)),
        ("parent", optional(&request.parent)),
        ("pose", Some(Value::from(request.pose.to_vec()))),
        ("update_rate", Some(Value::from(request.update_rate))),
        ("topic", optional(&request.topic)),
        ("frame_id", optional(&request.frame_id)),
        ("params", params(&request.params)),
    ]);
    (entries, request.place.to_string())
}

fn change(request: &OverrideRequest) -> Entry {
    let entries = table([
        ("path", some(&request.path)),
        ("enabled", Some(Value::from(request.enabled))),
        ("update_rate", request.update_rate.map(Value::from)),
        ("topic", optional(&request.topic)),
        ("frame_id", optional(&request.frame_id)),
        ("params", params(&request.params)),
    ]);
    (entries, request.place.to_string())
}

fn argument(request: &ArgumentRequest) -> Entry {
    let entries =
        table([("name", some(&request.name)), ("value", Some(Value::from(request.value.as_str())))]);
    (entries, request.place.clone())
}

fn world_value(request: &ValueRequest) -> Entry {
    let entries = table([
        ("path", some(&request.assignment.path.to_string())),
        ("value", some(&request.assignment.value)),
    ]);
    (entries, request.place.clone())
}

fn pose(request: &PoseRequest) -> Entry {
    let (size, radius) = match request.bounds {
        Some(PoseBounds::Box { size }) => (Some(Value::from(size.to_array().to_vec())), None),
        Some(PoseBounds::Sphere { radius }) => (None, Some(Value::from(radius))),
        None => (None, None),
    };
    let entries = table([
        ("name", some(&request.name)),
        ("relative_to", some(&request.relative_to)),
        ("pose", Some(Value::from(request.pose.to_vec()))),
        ("description", some(&request.description)),
        ("tags", Some(Value::from(request.tags.clone()))),
        ("box", size),
        ("sphere", radius),
    ]);
    (entries, request.place.to_string())
}

/// Returns the parameters of an element, if it has any.
fn params(node: &Params) -> Option<Value> {
    (!node.is_empty()).then(|| Value::from(content(node)))
}

/// Returns the value that a node was read from: a text, or a table of its attributes and children.
fn node_value(node: &Params) -> Value {
    if node.children().is_empty() && node.attributes().next().is_none() {
        return Value::from(node.text());
    }
    Value::from(content(node))
}

/// Several children with the same name become a list.
fn content(node: &Params) -> Map<String, Value> {
    let mut entries: Map<String, Value> =
        node.attributes().map(|(name, value)| (format!("@{name}"), Value::from(value))).collect();
    for child in node.children() {
        if entries.contains_key(child.name()) {
            continue;
        }
        let mut all: Vec<Value> = node.children_named(child.name()).map(node_value).collect();
        let value = if all.len() == 1 { all.remove(0) } else { Value::from(all) };
        entries.insert(child.name().to_owned(), value);
    }
    entries
}
