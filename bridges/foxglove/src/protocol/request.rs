//! The JSON texts of clients, checked: everything has the right type, or the error names the member.

use serde_json::{Map, Value};

use super::quoted;

/// A request of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Subscribe(Vec<Subscription>),
    Unsubscribe(Vec<u32>),
    Advertise(Vec<ClientChannel>),
    Unadvertise(Vec<u32>),
    GetParameters { names: Vec<String>, id: Option<String> },
    SetParameters { names: Vec<String>, id: Option<String> },
    SubscribeParameterUpdates(Vec<String>),
    UnsubscribeParameterUpdates(Vec<String>),
    SubscribeConnectionGraph,
    UnsubscribeConnectionGraph,
    FetchAsset { uri: String, request_id: u32 },
}

/// A subscription of a client to a channel of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subscription {
    pub(crate) id: u32,
    pub(crate) channel: u32,
}

/// A channel on which a client publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientChannel {
    pub(crate) id: u32,
    pub(crate) topic: String,
    pub(crate) encoding: String,
    pub(crate) schema_name: String,
}

/// Longest text in bytes: requests are short, and their JSON needs many times as much memory.
const LONGEST: usize = 1 << 20;

/// The operations, for errors about unknown ones.
const OPERATIONS: &str = "subscribe, unsubscribe, advertise, unadvertise, getParameters, setParameters, \
    subscribeParameterUpdates, unsubscribeParameterUpdates, subscribeConnectionGraph, unsubscribeConnectionGraph or \
    fetchAsset";

/// Reads a text.
///
/// # Errors
/// Returns the reason if it is not a request of the protocol.
pub(crate) fn parse(text: &str) -> Result<Request, String> {
    if text.len() > LONGEST {
        return Err(format!("a text may have {LONGEST} bytes, found {}: `{}`", text.len(), quoted(text)));
    }
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("a text must be a JSON object, found `{}` ({error})", quoted(text)))?;
    let Value::Object(members) = value else {
        return Err(format!("a text must be a JSON object with `op`, found `{}`", quoted(text)));
    };
    let operation = string(&members, "op")?;
    match operation {
        "subscribe" => each(&members, "subscriptions", subscription).map(Request::Subscribe),
        "unsubscribe" => each(&members, "subscriptionIds", id).map(Request::Unsubscribe),
        "advertise" => each(&members, "channels", client_channel).map(Request::Advertise),
        "unadvertise" => each(&members, "channelIds", id).map(Request::Unadvertise),
        "getParameters" => {
            let (names, id) = (each(&members, "parameterNames", name)?, request_id(&members)?);
            Ok(Request::GetParameters { names, id })
        }
        "setParameters" => {
            let (names, id) = (each(&members, "parameters", parameter_name)?, request_id(&members)?);
            Ok(Request::SetParameters { names, id })
        }
        "subscribeParameterUpdates" => {
            each(&members, "parameterNames", name).map(Request::SubscribeParameterUpdates)
        }
        "unsubscribeParameterUpdates" => {
            each(&members, "parameterNames", name).map(Request::UnsubscribeParameterUpdates)
        }
        "subscribeConnectionGraph" => Ok(Request::SubscribeConnectionGraph),
        "unsubscribeConnectionGraph" => Ok(Request::UnsubscribeConnectionGraph),
        "fetchAsset" => {
            let (uri, request_id) = (string(&members, "uri")?.to_owned(), number(&members, "requestId")?);
            Ok(Request::FetchAsset { uri, request_id })
        }
        other => Err(format!("`op` must be {OPERATIONS}, found `{}`", quoted(other))),
    }
}

fn subscription(value: &Value) -> Result<Subscription, String> {
    let members = object(value)?;
    Ok(Subscription { id: number(members, "id")?, channel: number(members, "channelId")? })
}

fn client_channel(value: &Value) -> Result<ClientChannel, String> {
    let members = object(value)?;
    Ok(ClientChannel {
        id: number(members, "id")?,
        topic: string(members, "topic")?.to_owned(),
        encoding: string(members, "encoding")?.to_owned(),
        schema_name: optional(members, "schemaName")?.unwrap_or_default(),
    })
}

fn parameter_name(value: &Value) -> Result<String, String> {
    string(object(value)?, "name").map(str::to_owned)
}

fn id(value: &Value) -> Result<u32, String> {
    let id = value.as_u64().and_then(|id| u32::try_from(id).ok());
    id.ok_or_else(|| not("an id", "an integer from 0 to 4294967295", Some(value)))
}

fn name(value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| not("a name", "a text", Some(value)))
}

fn object(value: &Value) -> Result<&Map<String, Value>, String> {
    value.as_object().ok_or_else(|| not("an element", "an object", Some(value)))
}

/// Reads a list; each of its elements must be readable.
fn each<T>(
    members: &Map<String, Value>,
    key: &str,
    read: fn(&Value) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let found = members.get(key);
    let elements =
        found.and_then(Value::as_array).ok_or_else(|| not(&format!("`{key}`"), "a list", found))?;
    elements.iter().map(read).collect::<Result<_, _>>().map_err(|reason| format!("in `{key}`, {reason}"))
}

fn string<'a>(members: &'a Map<String, Value>, key: &str) -> Result<&'a str, String> {
    let found = members.get(key);
    found.and_then(Value::as_str).ok_or_else(|| not(&format!("`{key}`"), "a text", found))
}

fn number(members: &Map<String, Value>, key: &str) -> Result<u32, String> {
    let found = members.get(key);
    let number = found.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| not(&format!("`{key}`"), "an integer from 0 to 4294967295", found))
}

/// Returns a text that may be left out.
fn optional(members: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match members.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(_) => string(members, key).map(|text| Some(text.to_owned())),
    }
}

/// Returns the id that the response repeats.
fn request_id(members: &Map<String, Value>) -> Result<Option<String>, String> {
    optional(members, "id")
}

fn not(what: &str, expected: &str, found: Option<&Value>) -> String {
    let found =
        found.map_or_else(|| "nothing".to_owned(), |value| format!("`{}`", quoted(&value.to_string())));
    format!("{what} must be {expected}, found {found}")
}
