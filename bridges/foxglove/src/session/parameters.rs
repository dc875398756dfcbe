//! The parameters: the state of the run, for reading.
//!
//! The host tells the state of the run through its service `get_status`. Without that service, because the bridge is not
//! attached to the world, the clock and the description tell a part of it.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{HostStatus, WorldDescription};
use bridgehead_plugin_api::messages::simulation_interfaces::SimulationState;
use bridgehead_websocket::{Frame, Link};
use serde_json::{Map, Value, json};

use super::Session;
use super::callbacks::Failure;
use super::client::ParameterSubscriptions;
use super::status::Told;
use crate::codes;
use crate::lock::lock;
use crate::protocol::{event, quoted};

/// Prefix of all names.
const PREFIX: &str = "bridgehead";

impl Session {
    pub(super) fn get_parameters(&self, link: &Link, names: Vec<String>, id: Option<String>) -> Vec<Failure> {
        let (later, place) = match self.place(link) {
            Ok(both) => both,
            Err(failure) => return vec![failure],
        };
        let client = link.clone();
        let reply = move |session: &Session, told: Told| {
            let chosen = chosen(&session.values(told), &names);
            client.reply(Frame::text(event::parameter_values(&chosen, id.as_deref())));
            drop(place);
        };
        self.read_status(move |told| later.add(move |session| reply(session, told)));
        Vec::new()
    }

    /// Refuses new values, and returns the present ones if the client waits for a response.
    pub(super) fn set_parameters(&self, link: &Link, names: Vec<String>, id: Option<String>) -> Vec<Failure> {
        let shown = quoted(&names.join(", "));
        let reason =
            format!("parameters are read only, found new values of `{shown}`; call services instead");
        let mut failures = if id.is_some() { self.get_parameters(link, names, id) } else { Vec::new() };
        failures.push(Failure::new(codes::PARAMETER, reason));
        failures
    }

    pub(super) fn subscribe_parameters(&self, link: &Link, names: Vec<String>) -> Vec<Failure> {
        let known = values(&HostStatus::default(), &self.world());
        let (known, unknown): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| known.contains_key(name));
        if let Some(client) = lock(&self.state).clients.get_mut(&link.id()) {
            let all = known.is_empty() && unknown.is_empty();
            client.parameters.has_all |= all;
            client.parameters.names.extend(known);
        }
        // Otherwise the values are sent with the next changes.
        if let Ok((later, place)) = self.place(link) {
            let id = link.id();
            let reply = move |session: &Session, told: Told| {
                session.send_changes(&session.values(told), Some(id));
                drop(place);
            };
            self.read_status(move |told| later.add(move |session| reply(session, told)));
        }
        let unknown = unknown.into_iter();
        unknown
            .map(|name| Failure::new(codes::PARAMETER, format!("there is no parameter `{}`", quoted(&name))))
            .collect()
    }

    pub(super) fn unsubscribe_parameters(&self, link: &Link, names: &[String]) -> Vec<Failure> {
        if let Some(client) = lock(&self.state).clients.get_mut(&link.id()) {
            let parameters = &mut client.parameters;
            if names.is_empty() {
                *parameters = ParameterSubscriptions::default();
            }
            for name in names {
                parameters.names.remove(name);
                parameters.sent.remove(name);
            }
        }
        Vec::new()
    }

    /// Has the parameters read, if a client gets their changes.
    pub(super) fn read_parameters(&self) {
        let is_wanted = lock(&self.state).clients.values().any(|client| !client.parameters.is_empty());
        if let Some(session) = self.weak.upgrade().filter(|_| is_wanted) {
            self.read_status(move |told| *lock(&session.told) = Some(told));
        }
    }

    /// Sends clients the parameters that have changed since they got them, once they were read.
    pub(super) fn send_parameters(&self) {
        let told = lock(&self.told).take();
        if let Some(told) = told {
            self.send_changes(&self.values(told), None);
        }
    }

    /// Sends changes to one client, or to all.
    fn send_changes(&self, values: &Map<String, Value>, only: Option<u64>) {
        let mut state = lock(&self.state);
        let clients = state.clients.iter_mut().filter(|(id, _)| only.is_none_or(|only| only == **id));
        for (_, client) in clients {
            let changes = client.parameters.changes(values);
            if !changes.is_empty() {
                client.link.reply(Frame::text(event::parameter_values(&changes, None)));
            }
        }
    }

    /// Returns the values of all parameters. Must not be called with a lock.
    fn values(&self, told: Told) -> Map<String, Value> {
        values(&self.status_of(told), &self.world())
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
