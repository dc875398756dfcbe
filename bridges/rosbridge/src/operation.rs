//! Carries out the requests of clients. Runs on the server's thread.

use std::sync::Arc;
use std::time::Duration;

use crate::client::Client;
use crate::codes::{LIMIT, REQUEST, UNSUPPORTED};
use crate::encode::encoder::{Compression, Shape};
use crate::encode::image::from_image;
use crate::fault::{Fault, Level};
use crate::hub::Hub;
use crate::lock::lock;
use crate::request::Request;
use crate::{action, service, wall_clock};

#[cfg(test)]
mod tests;
mod topics;

/// Fragments and images may contain each other up to this depth.
const DEEPEST: usize = 4;
/// How long requests of one client are carried out before other clients have their turn.
const TURN: Duration = Duration::from_millis(2);

/// Takes a text of a client: several requests, or parts of one. [`proceed`] carries them out.
pub(crate) fn take(client: &Client, text: &str) {
    lock(&client.input).splitter.add(text);
}

/// Carries out the requests of the last text for a short time. Returns true if there are more.
pub(crate) fn proceed(hub: &Hub, client: &Arc<Client>) -> bool {
    let begin = wall_clock::now();
    while client.link.is_open() {
        let object = lock(&client.input).splitter.next(hub.limit);
        let Some(object) = object else {
            report_skipped(hub, client);
            return false;
        };
        run(hub, client, object, 0);
        if begin.elapsed() > TURN {
            return true;
        }
    }
    false
}

fn report_skipped(hub: &Hub, client: &Client) {
    let skipped = lock(&client.input).splitter.take_skipped();
    if skipped > 0 {
        let text = format!("{skipped} bytes belong to no complete JSON object and are dropped");
        hub.fail(client, None, &Fault::new(REQUEST, text));
    }
}

fn run(hub: &Hub, client: &Arc<Client>, object: String, depth: usize) {
    match Request::parse(object) {
        Ok(request) => {
            if let Err(fault) = carry_out(hub, client, &request, depth) {
                hub.fail(client, request.id().as_deref(), &fault);
            }
        }
        Err(fault) => hub.fail(client, None, &fault),
    }
}

fn carry_out(hub: &Hub, client: &Arc<Client>, request: &Request, depth: usize) -> Result<(), Fault> {
    match request.required("op")?.as_str() {
        "publish" => topics::publish(hub, client, request),
        "subscribe" => topics::subscribe(hub, client, request),
        "unsubscribe" => topics::unsubscribe(hub, client, request),
        "advertise" => topics::advertise(hub, client, request),
        "unadvertise" => topics::unadvertise(client, request),
        "call_service" => service::call_service(hub, client, request),
        "service_response" => hub.relay.service_response(client, request),
        "advertise_service" => hub.relay.advertise_service(hub, client, request),
        "unadvertise_service" => hub.relay.unadvertise_service(client, request),
        "send_action_goal" => action::send_goal(hub, client, request),
        "cancel_action_goal" => action::cancel_goal(hub, client, request),
        "advertise_action" => hub.relay.advertise_action(hub, client, request),
        "unadvertise_action" => hub.relay.unadvertise_action(client, request),
        "action_feedback" => hub.relay.action_feedback(client, request),
        "action_result" => hub.relay.action_result(client, request),
        "fragment" => fragment(hub, client, request, depth),
        "png" => png(hub, client, request, depth),
        "set_level" => set_level(client, request),
        // The token of the connection string is checked before; this operation is from ROS 1.
        "auth" => Ok(()),
        // Statuses of clients are only of interest to people.
        "status" => Ok(()),
        op => {
            let shown: String = op.chars().take(40).collect();
            Err(Fault::new(UNSUPPORTED, format!("`{shown}` is not an operation of rosbridge")))
        }
    }
}

fn fragment(hub: &Hub, client: &Arc<Client>, request: &Request, depth: usize) -> Result<(), Fault> {
    let missing = |name: &str| Fault::new(REQUEST, format!("`{name}` is missing"));
    let id = request.id().ok_or_else(|| missing("id"))?;
    let number = request.number("num")?.ok_or_else(|| missing("num"))?;
    let total = request.number("total")?.ok_or_else(|| missing("total"))?;
    let data = request.text("data")?.ok_or_else(|| missing("data"))?;
    // The whole may be a fragment itself: the lock ends before it is carried out.
    let added = lock(&client.input).fragments.add(&id, number, total, data, hub.limit, wall_clock::now());
    let joined = added.map_err(|text| Fault::new(LIMIT, text))?;
    joined.map_or(Ok(()), |text| nested(hub, client, text, depth))
}

fn png(hub: &Hub, client: &Arc<Client>, request: &Request, depth: usize) -> Result<(), Fault> {
    let data = request.required("data")?;
    let text = from_image(&data, hub.limit).map_err(|text| Fault::new(REQUEST, text))?;
    nested(hub, client, text, depth)
}

fn nested(hub: &Hub, client: &Arc<Client>, text: String, depth: usize) -> Result<(), Fault> {
    if depth >= DEEPEST {
        return Err(Fault::new(LIMIT, format!("messages are packed into each other {DEEPEST} times")));
    }
    run(hub, client, text, depth + 1);
    Ok(())
}

fn set_level(client: &Client, request: &Request) -> Result<(), Fault> {
    let level = request.required("level")?;
    let parsed = Level::parse(&level).ok_or_else(|| {
        Fault::new(REQUEST, format!("`level` must be none, error, warning or info, found `{level}`"))
    })?;
    client.set_level(parsed);
    Ok(())
}

/// Returns the form of the frames that a request asks for.
///
/// # Errors
/// Returns an error if the compression is unknown.
pub(crate) fn shape_of(request: &Request) -> Result<Shape, Fault> {
    let compression = match request.text("compression")? {
        None => Compression::None,
        Some(text) => Compression::parse(&text).ok_or_else(|| {
            let text = format!("`compression` must be none, png, cbor or cbor-raw, found `{text}`");
            Fault::new(REQUEST, text)
        })?,
    };
    // A size of zero splits nothing.
    let fragment = request.number("fragment_size")?.filter(|size| *size > 0);
    Ok(Shape { compression, fragment })
}
