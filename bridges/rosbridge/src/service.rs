//! Calls of services: of the run, of this bridge (`/rosapi`), and of other clients.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::codes::{LIMIT, MALFORMED, UNANSWERED, UNKNOWN};
use crate::connection::Generation;
use crate::encode::cbor::CborWriter;
use crate::encode::encoder::{Compression, Encoder, Shape, object, pack};
use crate::encode::json::quoted;
use crate::encode::walk::{Form, Number, Writer as _};
use crate::endpoint::HostService;
use crate::fault::Fault;
use crate::hub::Hub;
use crate::lock::lock;
use crate::names::absolute;
use crate::operation::shape_of;
use crate::request::{Request, elements};
use crate::rosapi;
use crate::wall_clock;
use bridgehead_plugin_api::messages::MessageType;
use bridgehead_plugin_api::{Payload, Result};
use bridgehead_websocket::Frame;

/// Most calls of one client without a response.
const MAX_CALLS: usize = 256;

/// Numbers calls of the process.
static NEXT_CALL: AtomicU64 = AtomicU64::new(1);

/// A call of a client.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    /// The name as the client wrote it.
    pub(crate) service: String,
    pub(crate) shape: Shape,
    deadline: Option<Instant>,
}

/// What a call is answered with.
pub(crate) enum Values<'a> {
    /// A message of the run.
    Message(&'a Encoder, &'a [u8], Generation),
    /// A JSON object.
    Json(&'a str),
    /// The reason of a failure.
    Failure(&'a str),
}

/// Carries out `call_service`.
///
/// # Errors
/// Returns an error if the request does not name a service; other failures are responses.
pub(crate) fn call_service(hub: &Hub, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
    let seconds = request.seconds("timeout")?;
    let deadline = seconds.and_then(|seconds| {
        let time = Duration::try_from_secs_f64(seconds).ok()?;
        wall_clock::now().checked_add(time)
    });
    let (id, service, shape) = (request.id(), request.required("service")?, shape_of(request)?);
    let call = Call { id, service, shape, deadline };
    if let Err(fault) = start(hub, client, request.json("args"), &call) {
        respond(client, &call, &Values::Failure(&fault.to_string()));
    }
    Ok(())
}

fn start(hub: &Hub, client: &Arc<Client>, arguments: Option<&str>, call: &Call) -> Result<(), Fault> {
    let name = absolute(&call.service);
    if let Some(answer) = rosapi::answer(hub, &name, arguments) {
        respond(client, call, &Values::Json(&answer?));
        return Ok(());
    }
    if let Some(service) = hub.service(&name) {
        return call_host(hub.generation, client, &service, arguments, call);
    }
    hub.relay.call(client, &name, arguments, call).unwrap_or_else(|| Err(unknown(hub, &name)))
}

fn call_host(
    generation: Generation,
    client: &Arc<Client>,
    service: &Arc<HostService>,
    arguments: Option<&str>,
    call: &Call,
) -> Result<(), Fault> {
    let request = service.request.decode(&named_arguments(service.request.message(), arguments)?)?;
    let number = admit(client, call)?;
    let (caller, response) = (Arc::clone(client), Arc::clone(&service.response));
    let reply = move |outcome: Result<Payload>| {
        caller.later(Box::new(move |_, client| finish(client, number, &response, generation, outcome)));
    };
    service.call(request, reply).inspect_err(|_| drop(lock(&client.calls).remove(&number)))
}

/// Notes a call and returns its number.
///
/// # Errors
/// Returns an error if too many calls of the client wait.
pub(crate) fn admit(client: &Client, call: &Call) -> Result<u64, Fault> {
    let mut calls = lock(&client.calls);
    if calls.len() >= MAX_CALLS {
        let text = format!("{MAX_CALLS} calls of this client wait for a response; wait for one of them");
        return Err(Fault::new(LIMIT, text));
    }
    let number = NEXT_CALL.fetch_add(1, Ordering::Relaxed);
    calls.insert(number, call.clone());
    Ok(number)
}

fn finish(
    client: &Client,
    number: u64,
    response: &Encoder,
    generation: Generation,
    outcome: Result<Payload>,
) {
    // Without it, the call has expired.
    let Some(call) = lock(&client.calls).remove(&number) else { return };
    match outcome {
        Ok(payload) => respond(client, &call, &Values::Message(response, &payload, generation)),
        Err(error) => {
            let fault = Fault::new(UNANSWERED, error.to_string());
            respond(client, &call, &Values::Failure(&fault.to_string()));
        }
    }
}

/// Fails the calls whose time is over, and returns the time until the next is.
pub(crate) fn expire(client: &Client, now: Instant) -> Option<Duration> {
    let mut calls = lock(&client.calls);
    let is_over = |call: &Call| call.deadline.is_some_and(|deadline| deadline <= now);
    let over: Vec<Call> = calls.extract_if(.., |_, call| is_over(call)).map(|(_, call)| call).collect();
    let next = calls.values().filter_map(|call| call.deadline).min();
    drop(calls);
    for call in over {
        let fault = Fault::new(UNANSWERED, "the time-out of the call has passed without a response");
        respond(client, &call, &Values::Failure(&fault.to_string()));
    }
    next.map(|next| next.saturating_duration_since(now))
}

/// Sends a response.
pub(crate) fn respond(client: &Client, call: &Call, values: &Values<'_>) {
    let encoded = match (values, call.shape.compression) {
        (Values::Message(encoder, payload, generation), Compression::Cbor | Compression::CborRaw) => {
            cbor(call, encoder, payload, *generation).map(|cbor| vec![Frame::binary(cbor)])
        }
        _ => json(call, values).and_then(|json| pack(json.into_bytes(), call.shape)),
    };
    match encoded {
        Ok(frames) => frames.into_iter().for_each(|frame| client.link.reply(frame)),
        Err(fault) => {
            if !matches!(values, Values::Failure(_)) {
                respond(client, call, &Values::Failure(&fault.to_string()));
            }
        }
    }
}

fn json(call: &Call, values: &Values<'_>) -> Result<String, Fault> {
    let (values, result) = match values {
        Values::Message(encoder, payload, generation) => {
            let mut json = Vec::new();
            encoder.json(payload, Form { generation: *generation, sequence: 0 }, &mut json)?;
            (String::from_utf8(json).unwrap_or_default(), "true")
        }
        Values::Json(json) => ((*json).to_owned(), "true"),
        Values::Failure(text) => (quoted(text), "false"),
    };
    let (id, service) = (call.id.as_deref().map(quoted), quoted(&call.service));
    let mut members = vec![("op", "\"service_response\"")];
    members.extend(id.as_deref().map(|id| ("id", id)));
    members.extend([("service", service.as_str()), ("values", values.as_str()), ("result", result)]);
    Ok(object(&members))
}

fn cbor(call: &Call, encoder: &Encoder, payload: &[u8], generation: Generation) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::new();
    let mut writer = CborWriter(&mut out);
    writer.object(4 + usize::from(call.id.is_some()));
    writer.key("op");
    writer.text(b"service_response");
    if let Some(id) = &call.id {
        writer.key("id");
        writer.text(id.as_bytes());
    }
    writer.key("service");
    writer.text(call.service.as_bytes());
    writer.key("result");
    writer.number(Number::Bool(true));
    writer.key("values");
    encoder.cbor(payload, Form { generation, sequence: 0 }, &mut out)?;
    Ok(out)
}

/// Returns the arguments as an object: they may be absent, or a list in the order of the fields.
///
/// # Errors
/// Returns an error if a list has more elements than the request has fields.
fn named_arguments<'a>(
    request: &MessageType,
    arguments: Option<&'a str>,
) -> Result<std::borrow::Cow<'a, str>, Fault> {
    let Some(arguments) = arguments else { return Ok("{}".into()) };
    if !arguments.starts_with('[') {
        return Ok(arguments.into());
    }
    let fields = request.fields();
    let list = elements(arguments, fields.len()).ok_or_else(|| {
        let count = fields.len();
        let text =
            format!("`args` must be an object, or a list with at most {count} elements, one for each field");
        Fault::new(MALFORMED, text)
    })?;
    let members: Vec<(&str, &str)> =
        fields.iter().zip(list).map(|(field, value)| (field.name(), value)).collect();
    Ok(object(&members).into())
}

fn unknown(hub: &Hub, name: &str) -> Fault {
    let known = hub.services();
    let text = match known.is_empty() {
        true => format!("there is no service `{name}`; attach the bridge to the world to offer its services"),
        false => format!("there is no service `{name}`; call /rosapi/services for a list"),
    };
    Fault::new(UNKNOWN, text)
}
