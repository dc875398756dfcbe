//! The JSON texts of the server.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::codec::{Definition, ENCODINGS};

/// What the server supports.
const CAPABILITIES: [&str; 7] =
    ["clientPublish", "time", "services", "connectionGraph", "assets", "parameters", "parametersSubscribe"];

/// How serious a status is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Something was lost.
    Warning,
    /// A request failed.
    Error,
}

/// A channel as clients see it.
pub(crate) struct ChannelInfo<'a> {
    pub(crate) id: u32,
    pub(crate) topic: &'a str,
    pub(crate) definition: &'a Definition,
}

/// A service as clients see it.
pub(crate) struct ServiceInfo<'a> {
    pub(crate) id: u32,
    pub(crate) name: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) request: &'a Definition,
    pub(crate) response: &'a Definition,
}

/// Publishers or subscribers by topic, or providers by service.
pub(crate) type Ends = BTreeMap<String, BTreeSet<String>>;

/// Changes of the connection graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GraphChanges {
    pub(crate) published: Ends,
    pub(crate) subscribed: Ends,
    pub(crate) services: Ends,
    pub(crate) removed_topics: Vec<String>,
    pub(crate) removed_services: Vec<String>,
}

/// Returns the first text of a connection.
pub(crate) fn server_info(session: &str, metadata: &[(&str, &str)]) -> String {
    let metadata: Map<String, Value> =
        metadata.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())).collect();
    json!({
        "op": "serverInfo",
        "name": "Bridgehead",
        "capabilities": CAPABILITIES,
        "supportedEncodings": ENCODINGS.map(|encoding| encoding.name()),
        "metadata": metadata,
        "sessionId": session,
    })
    .to_string()
}

/// Returns a status for the user of a client.
pub(crate) fn status(level: Level, message: &str) -> String {
    let level = match level {
        Level::Warning => 1,
        Level::Error => 2,
    };
    json!({"op": "status", "level": level, "message": message}).to_string()
}

/// Announces channels.
pub(crate) fn advertise<'a>(channels: impl Iterator<Item = ChannelInfo<'a>>) -> String {
    let channels: Vec<Value> = channels.map(|channel| channel_value(&channel)).collect();
    json!({"op": "advertise", "channels": channels}).to_string()
}

fn channel_value(channel: &ChannelInfo<'_>) -> Value {
    let Definition { encoding, schema_name, schema_encoding, schema } = channel.definition;
    json!({
        "id": channel.id,
        "topic": channel.topic,
        "encoding": encoding.name(),
        "schemaName": schema_name,
        "schemaEncoding": schema_encoding,
        "schema": schema,
    })
}

/// Withdraws channels.
pub(crate) fn unadvertise(ids: &[u32]) -> String {
    json!({"op": "unadvertise", "channelIds": ids}).to_string()
}

/// Announces services. Older clients read `requestSchema` and `responseSchema`.
pub(crate) fn advertise_services<'a>(services: impl Iterator<Item = ServiceInfo<'a>>) -> String {
    let services: Vec<Value> = services.map(|service| service_value(&service)).collect();
    json!({"op": "advertiseServices", "services": services}).to_string()
}

fn service_value(service: &ServiceInfo<'_>) -> Value {
    let side = |of: &Definition| {
        json!({
            "encoding": of.encoding.name(),
            "schemaName": of.schema_name,
            "schemaEncoding": of.schema_encoding,
            "schema": of.schema,
        })
    };
    json!({
        "id": service.id,
        "name": service.name,
        "type": service.kind,
        "request": side(service.request),
        "response": side(service.response),
        "requestSchema": service.request.schema,
        "responseSchema": service.response.schema,
    })
}

/// Withdraws services.
pub(crate) fn unadvertise_services(ids: &[u32]) -> String {
    json!({"op": "unadvertiseServices", "serviceIds": ids}).to_string()
}

/// Reports a failed call.
pub(crate) fn call_failure(service: u32, call: u32, message: &str) -> String {
    json!({"op": "serviceCallFailure", "serviceId": service, "callId": call, "message": message}).to_string()
}

/// Returns values of parameters, with the id of the request that they answer.
pub(crate) fn parameter_values(values: &Map<String, Value>, id: Option<&str>) -> String {
    let parameters: Vec<Value> = values.iter().map(|(name, value)| parameter(name, value)).collect();
    let mut event = json!({"op": "parameterValues", "parameters": parameters});
    if let (Some(id), Some(members)) = (id, event.as_object_mut()) {
        members.insert("id".to_owned(), id.into());
    }
    event.to_string()
}

/// Floating-point numbers have a type, because JSON does not distinguish 1.0 from 1.
fn parameter(name: &str, value: &Value) -> Value {
    if value.is_f64() {
        return json!({"name": name, "value": value, "type": "float64"});
    }
    json!({"name": name, "value": value})
}

/// Returns changes of the connection graph.
pub(crate) fn connection_graph(changes: &GraphChanges) -> String {
    let list = |ends: &Ends, key: &str| -> Vec<Value> {
        ends.iter().map(|(name, ids)| json!({"name": name, key: ids})).collect()
    };
    json!({
        "op": "connectionGraphUpdate",
        "publishedTopics": list(&changes.published, "publisherIds"),
        "subscribedTopics": list(&changes.subscribed, "subscriberIds"),
        "advertisedServices": list(&changes.services, "providerIds"),
        "removedTopics": changes.removed_topics,
        "removedServices": changes.removed_services,
    })
    .to_string()
}
