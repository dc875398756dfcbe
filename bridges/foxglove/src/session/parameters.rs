//! The parameters: the state of the run, for reading.
//!
//! The host tells the state of the run through its service `get_status`. Without that service, because the bridge is not
//! attached to the world, the clock and the description tell a part of it.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    GetStatusRequest, GetStatusResponse, HostStatus, WorldDescription,
};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::simulation_interfaces::SimulationState;
use bridgehead_plugin_api::{Payload, Result};
use bridgehead_websocket::{Frame, Link};
use serde_json::{Map, Value, json};

use super::Session;
use super::callbacks::Failure;
use super::service::Service;
use crate::codes;
use crate::lock::lock;
use crate::protocol::{event, quoted};

/// Prefix of all names.
const PREFIX: &str = "bridgehead";

impl Session {
    pub(super) fn get_parameters(&self, link: &Link, names: &[String], id: Option<String>) -> Vec<Failure> {
        let (client, wanted) = (link.clone(), names.to_vec());
        self.with_values(move |values| {
            let chosen = chosen(values, &wanted);
            client.reply(Frame::text(event::parameter_values(&chosen, id.as_deref())));
        });
        Vec::new()
    }

    /// Refuses new values, and returns the present ones if the client waits for a response.
    pub(super) fn set_parameters(&self, link: &Link, names: &[String], id: Option<String>) -> Vec<Failure> {
        if id.is_some() {
            self.get_parameters(link, names, id);
        }
        let names = quoted(&names.join(", "));
        let reason =
            format!("parameters are read only, found new values of `{names}`; call services instead");
        vec![Failure::new(codes::PARAMETER, reason)]
    }

    pub(super) fn subscribe_parameters(&self, link: &Link, names: Vec<String>) -> Vec<Failure> {
        let world = self.world();
        let known = values(&HostStatus::default(), &world);
        let (known, unknown): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| known.contains_key(name));
        if let Some(client) = lock(&self.state).clients.get_mut(&link.id()) {
            let all = known.is_empty() && unknown.is_empty();
            client.parameters.has_all |= all;
            client.parameters.names.extend(known);
        }
        self.send_parameters();
        let unknown = unknown.into_iter();
        unknown
            .map(|name| Failure::new(codes::PARAMETER, format!("there is no parameter `{}`", quoted(&name))))
            .collect()
    }

    pub(super) fn unsubscribe_parameters(&self, link: &Link, names: &[String]) -> Vec<Failure> {
        if let Some(client) = lock(&self.state).clients.get_mut(&link.id()) {
            let parameters = &mut client.parameters;
            if names.is_empty() {
                *parameters = super::client::ParameterSubscriptions::default();
            }
            for name in names {
                parameters.names.remove(name);
                parameters.sent.remove(name);
            }
        }
        Vec::new()
    }

    /// Sends clients the parameters that have changed since they got them.
    pub(super) fn send_parameters(&self) {
        let is_wanted = lock(&self.state).clients.values().any(|client| !client.parameters.is_empty());
        if !is_wanted {
            return;
        }
        let Some(session) = self.weak.upgrade() else { return };
        self.with_values(move |values| {
            for client in lock(&session.state).clients.values_mut() {
                let changes = client.parameters.changes(values);
                if !changes.is_empty() {
                    client.link.reply(Frame::text(event::parameter_values(&changes, None)));
                }
            }
        });
    }

    /// Passes the values of all parameters on, when the host has told them. Must not be called with a lock.
    fn with_values(&self, then: impl FnOnce(&Map<String, Value>) + Send + 'static) {
        let (world, seen) = (self.world(), self.seen_status());
        let Some(service) = self.service_with(GetStatusRequest::FULL_NAME) else {
            return then(&values(&seen, &world));
        };
        // The reply takes it, or what follows if there is no reply.
        let waiting = Arc::new(Mutex::new(Some(then)));
        let reply = {
            let (waiting, world, seen) = (Arc::clone(&waiting), Arc::clone(&world), seen.clone());
            move |outcome: Result<Payload>| {
                let told = outcome.ok().and_then(|payload| GetStatusResponse::decode(&*payload).ok());
                let status = told.and_then(|response| response.status).unwrap_or(seen);
                if let Some(then) = lock(&waiting).take() {
                    then(&values(&status, &world));
                }
            }
        };
        if service.ask(GetStatusRequest::default().encode_to_vec(), reply).is_err()
            && let Some(then) = lock(&waiting).take()
        {
            then(&values(&seen, &world));
        }
    }

    /// Returns the service whose request has this type.
    pub(super) fn service_with(&self, request: &str) -> Option<Arc<Service>> {
        let state = lock(&self.state);
        state.services.values().find(|service| service.request_name() == request).cloned()
    }

    /// Returns the status as far as the clock tells it.
    fn seen_status(&self) -> HostStatus {
        let Some(reading) = self.host().and_then(|host| host.clock().ok()).map(|clock| clock.read()) else {
            return HostStatus::default();
        };
        HostStatus {
            simulation_state: Some(SimulationState {
                state: if reading.is_paused {
                    SimulationState::STATE_PAUSED
                } else {
                    SimulationState::STATE_PLAYING
                },
            }),
            step: reading.step,
            time_ns: reading.time_ns,
            step_width_ns: reading.step_width_ns,
            reset_epoch: reading.reset_epoch,
            real_time_factor: reading.real_time_factor,
            world: self.world().world.clone(),
            ..HostStatus::default()
        }
    }
}

/// Returns those of the values that have these names; no names stand for all.
fn chosen(values: &Map<String, Value>, names: &[String]) -> Map<String, Value> {
    let is_chosen = |name: &String| names.is_empty() || names.contains(name);
    let values = values.iter().filter(|(name, _)| is_chosen(name));
    values.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns all parameters.
fn values(status: &HostStatus, world: &WorldDescription) -> Map<String, Value> {
    let vehicles = world.models.iter().filter(|model| model.name == model.vehicle && !model.is_static);
    let vehicles: Vec<&str> = vehicles.map(|model| model.name.as_str()).collect();
    let table = [
        ("world", json!(status.world)),
        ("state", json!(state_name(status))),
        ("step", json!(status.step)),
        ("time", json!(seconds(status.time_ns))),
        ("step_width", json!(seconds(status.step_width_ns))),
        ("resets", json!(status.reset_epoch)),
        ("target_real_time_factor", json!(status.target_real_time_factor)),
        ("real_time_factor", json!(status.real_time_factor)),
        ("vehicles", json!(vehicles)),
    ];
    table.into_iter().map(|(name, value)| (format!("{PREFIX}.{name}"), value)).collect()
}

/// Returns the state in the terms of `simulation_interfaces`.
fn state_name(status: &HostStatus) -> &'static str {
    match status.simulation_state.as_ref().map(|state| state.state) {
        Some(SimulationState::STATE_STOPPED) => "stopped",
        Some(SimulationState::STATE_PLAYING) => "playing",
        Some(SimulationState::STATE_PAUSED) => "paused",
        Some(SimulationState::STATE_QUITTING) => "quitting",
        Some(SimulationState::STATE_NO_WORLD) => "no world",
        Some(SimulationState::STATE_LOADING_WORLD) => "loading a world",
        Some(_) | None => "unknown",
    }
}

#[expect(clippy::cast_precision_loss, reason = "a nanosecond is lost after 104 days")]
fn seconds(nanos: i64) -> f64 {
    nanos as f64 / 1e9
}
