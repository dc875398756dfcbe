//! Definitions of messages and services as lists of fields.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::{Arity, MessageType, Struct, Wire, all_schemas};
use serde_json::{Value, json};

use super::is_time;
use crate::codes::UNKNOWN;
use crate::connection::Generation;
use crate::fault::Fault;
use crate::hub::Hub;
use crate::names::{is_message, is_type, parts};

/// Returns the definition of a message type of the run, or of this host.
pub(super) fn message(hub: &Hub, kind: &str) -> Result<Value, Fault> {
    let outgoing = hub.outgoing();
    let incoming = hub.incoming();
    let of_run = outgoing
        .iter()
        .map(|topic| topic.encoder.message())
        .chain(incoming.iter().map(|topic| topic.message()))
        .find(|message| is_message(kind, message.ros_type()));
    if let Some(message) = of_run {
        return Ok(definition(message, hub.generation));
    }
    let mut known = all_schemas().filter_map(|schema| schema.resolve().ok());
    let found = known.find(|message| is_message(kind, message.ros_type()));
    found.map(|message| definition(&message, hub.generation)).ok_or_else(|| unknown("message", kind))
}

/// Returns the definition of the request of a service type.
pub(super) fn request(hub: &Hub, kind: &str) -> Result<Value, Fault> {
    half(hub, kind, "_Request")
}

/// Returns the definition of the response of a service type.
pub(super) fn response(hub: &Hub, kind: &str) -> Result<Value, Fault> {
    half(hub, kind, "_Response")
}

fn half(hub: &Hub, kind: &str, ending: &str) -> Result<Value, Fault> {
    let services = hub.services();
    let of_run = services.iter().find(|service| parts(service.types.ros_type()) == parts(kind));
    if let Some(service) = of_run {
        let half = match ending {
            "_Request" => service.types.request(),
            _ => service.types.response(),
        };
        return Ok(definition(half, hub.generation));
    }
    let Some((package, name)) = parts(kind) else { return Err(unknown("service", kind)) };
    let name = format!("{name}{ending}");
    let mut known = all_schemas().filter_map(|schema| schema.resolve().ok());
    let found = known.find(|message| is_type(&message.ros_type().to_string(), package, &name));
    found.map(|message| definition(&message, hub.generation)).ok_or_else(|| unknown("service", kind))
}

fn unknown(what: &str, kind: &str) -> Fault {
    Fault::new(UNKNOWN, format!("this host knows no {what} type `{kind}`"))
}

/// Returns the definition of a message and of those that it contains, each once.
fn definition(message: &MessageType, generation: Generation) -> Value {
    let mut all = vec![fields(message, message.root(), generation)];
    let mut contained: BTreeMap<String, Value> = BTreeMap::new();
    for of in message.dependencies() {
        contained.insert(of.ros_type().short(), fields(message, of, generation));
    }
    all.extend(contained.into_values());
    json!({ "typedefs": all })
}

fn fields(message: &MessageType, of: &Struct, generation: Generation) -> Value {
    let has_times = generation == Generation::One && is_time(of.ros_type());
    let (mut names, mut types, mut lengths, mut examples) = (vec![], vec![], vec![], vec![]);
    for field in of.fields() {
        names.push(match field.name() {
            "sec" if has_times => "secs",
            "nanosec" if has_times => "nsecs",
            name => name,
        });
        let contained = match field.wire() {
            Wire::Message(id) => {
                message.dependencies().get(id.index()).map(|contained| contained.ros_type().short())
            }
            _ => None,
        };
        let is_message = contained.is_some();
        types.push(contained.unwrap_or_else(|| field.ros_element().name().to_owned()));
        let (length, example) = match field.arity() {
            Arity::One if is_message => (-1, "{}"),
            Arity::One => (-1, example(field.ros_element().name())),
            Arity::Sequence | Arity::Bounded(_) => (0, "[]"),
            Arity::Fixed(length) => (i64::from(length), "[]"),
        };
        lengths.push(length);
        examples.push(example);
    }
    let constants = of.constants().iter().filter_map(|line| line.split_once(' ')?.1.split_once('='));
    let (constant_names, constant_values): (Vec<&str>, Vec<&str>) = constants.unzip();
    json!({
        "type": of.ros_type().short(),
        "fieldnames": names,
        "fieldtypes": types,
        "fieldarraylen": lengths,
        "examples": examples,
        "constnames": constant_names,
        "constvalues": constant_values,
    })
}

fn example(element: &str) -> &'static str {
    match element {
        "string" => "",
        "bool" => "false",
        "float32" | "float64" => "0.0",
        _ => "0",
    }
}
