//! Actions of the run: the host offers each as three services and two topics of ROS 2 and keeps its goals itself.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_plugin_api::{Payload, Result};

use crate::client::Client;
use crate::codes::{CONFLICT, UNANSWERED, UNKNOWN};
use crate::encode::encoder::Encoder;
use crate::endpoint::HostService;
use crate::fault::Fault;
use crate::hub::Hub;
use crate::names::{absolute, parts};
use crate::request::Request;

mod goals;

pub(crate) use goals::Goals;
use goals::{Goal, Uuid, read};

/// Carries out `send_action_goal`.
///
/// # Errors
/// Returns an error if the request does not name an action; other failures are results.
pub(crate) fn send_goal(hub: &Hub, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
    let has_feedback = request.flag("feedback")?.unwrap_or(false);
    let goal = Goal::new(client, request.id(), request.required("action")?, has_feedback);
    let name = absolute(&goal.action);
    let started = match hub.action(&name) {
        Some((action, service)) => start(hub, &service, &action, &goal, request),
        None => hub.relay.send_goal(client, &name, request).unwrap_or_else(|| {
            let text = format!("there is no action `{name}`; call /rosapi/action_servers for a list");
            Err(Fault::new(UNKNOWN, text))
        }),
    };
    if let Err(fault) = started {
        goal.fail(&fault);
    }
    Ok(())
}

fn start(
    hub: &Hub,
    service: &Arc<HostService>,
    action: &ActionDescription,
    goal: &Goal,
    request: &Request,
) -> Result<(), Fault> {
    if let Some(kind) = request.text("action_type")?.filter(|kind| !kind.is_empty()) {
        check_type(action, &kind)?;
    }
    let uuid = hub.goals.add(goal.of(action))?;
    let (id, arguments) = (STANDARD.encode(uuid), request.json("args").unwrap_or("{}"));
    let json = format!("{{\"goal_id\":{{\"uuid\":\"{id}\"}},\"goal\":{arguments}}}");
    let decoded = service.request.decode(&json);
    let called = decoded.and_then(|payload| {
        let (response, client, get_result) =
            (Arc::clone(&service.response), Arc::clone(&goal.client), action.get_result.clone());
        service.call(payload, move |outcome| {
            client.later(Box::new(move |hub, _| accepted(hub, uuid, &get_result, &response, outcome)));
        })
    });
    called.inspect_err(|_| drop(hub.goals.take(&uuid)))
}

fn check_type(action: &ActionDescription, kind: &str) -> Result<(), Fault> {
    if parts(&action.r#type) == parts(kind) {
        return Ok(());
    }
    let text = format!("`{}` has the type `{}`, not `{kind}`", action.name, action.r#type);
    Err(Fault::new(CONFLICT, text))
}

/// Handles the response to a goal: requests the result from a service if it was accepted.
fn accepted(hub: &Hub, uuid: Uuid, get_result: &str, response: &Encoder, outcome: Result<Payload>) {
    let is_accepted = match outcome {
        Ok(payload) => read(response, &payload, hub.generation)
            .and_then(|response| response["accepted"].as_bool())
            .filter(|accepted| *accepted)
            .ok_or_else(|| Fault::new(UNANSWERED, "the goal was rejected")),
        Err(error) => Err(Fault::new(UNANSWERED, error.to_string())),
    };
    let requested = is_accepted.and_then(|_| request_result(hub, uuid, get_result));
    if let Err(fault) = requested
        && let Some(goal) = hub.goals.take(&uuid)
    {
        goal.fail(&fault);
    }
}

fn request_result(hub: &Hub, uuid: Uuid, get_result: &str) -> Result<(), Fault> {
    let service = part(hub, get_result)?;
    let json = format!("{{\"goal_id\":{{\"uuid\":\"{}\"}}}}", STANDARD.encode(uuid));
    let payload = service.request.decode(&json)?;
    let client = hub.goals.client(&uuid);
    // Without it, the client has disconnected.
    let Some(client) = client else { return Ok(()) };
    let response = Arc::clone(&service.response);
    service.call(payload, move |outcome| {
        client.later(Box::new(move |hub, _| finished(hub, uuid, &response, outcome)));
    })
}

fn finished(hub: &Hub, uuid: Uuid, response: &Encoder, outcome: Result<Payload>) {
    let result = match outcome {
        Ok(payload) => read(response, &payload, hub.generation)
            .ok_or_else(|| Fault::new(UNANSWERED, "the result cannot be read")),
        Err(error) => Err(Fault::new(UNANSWERED, error.to_string())),
    };
    match result {
        Ok(result) => hub.goals.finish(&uuid, &result),
        Err(fault) => {
            if let Some(goal) = hub.goals.take(&uuid) {
                goal.fail(&fault);
            }
        }
    }
}

/// Carries out `cancel_action_goal`.
///
/// # Errors
/// Returns an error if the client has no such goal.
pub(crate) fn cancel_goal(hub: &Hub, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
    let (action, id) = (request.required("action")?, request.id());
    let name = absolute(&action);
    let Some(uuid) = hub.goals.find(client, &name, id.as_deref()) else {
        if hub.relay.cancel_goal(client, &name, id.as_deref()) {
            return Ok(());
        }
        return Err(Fault::new(
            UNKNOWN,
            format!("this client has no unfinished goal of `{name}` with this id"),
        ));
    };
    let cancel_goal = hub.action(&name).map(|(action, _)| action.cancel_goal);
    let service = part(hub, &cancel_goal.unwrap_or_default())?;
    let json = format!("{{\"goal_info\":{{\"goal_id\":{{\"uuid\":\"{}\"}}}}}}", STANDARD.encode(uuid));
    let payload = service.request.decode(&json)?;
    let (response, caller) = (Arc::clone(&service.response), Arc::clone(client));
    service.call(payload, move |outcome| {
        caller.later(Box::new(move |hub, client| {
            let refused = match outcome {
                Ok(payload) => read(&response, &payload, hub.generation)
                    .and_then(|response| response["return_code"].as_i64())
                    .filter(|code| *code != 0)
                    .map(|code| format!("the run does not cancel the goal (code {code})")),
                Err(error) => Some(error.to_string()),
            };
            if let Some(text) = refused {
                hub.fail(client, id.as_deref(), &Fault::new(UNANSWERED, text));
            }
        }));
    })
}

fn part(hub: &Hub, name: &str) -> Result<Arc<HostService>, Fault> {
    hub.service(name).ok_or_else(|| Fault::new(UNKNOWN, format!("there is no service `{name}`")))
}
