//! Bridges and plugins: lists with their states, and bridges that are attached and removed during the run.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::{bridgehead_simulation_interfaces as own, simulation_interfaces as si};

use super::call::{Reply, failed, no_world, ok};
use super::message::accumulator;
use super::session::Session;
use crate::bridge::{AttachError, WORLD};
use crate::plugin::KnownPlugin;
use crate::report::{BridgeStatus, PluginResult};
use crate::sim::{LoadedWorld, Simulation};

pub(super) fn list(
    session: &mut Session<'_>,
    _: &own::GetBridgesRequest,
    reply: Reply<own::GetBridgesResponse>,
) {
    let info = |bridge: BridgeStatus| own::BridgeInfo {
        label: bridge.result.label,
        vehicle: bridge.vehicle,
        bridge: bridge.bridge,
        connection: bridge.result.connection,
        status: bridge.status,
        delivered: bridge.result.delivered,
        dropped: bridge.result.dropped,
        missed: bridge.result.missed,
        failure: bridge.result.failure,
        lost: bridge.result.lost,
        endpoints: bridge.endpoints.into_iter().map(endpoint).collect(),
    };
    let bridges = session.simulation.traffic.bridge_status().into_iter().map(info).collect();
    reply.send(own::GetBridgesResponse { result: ok(), bridges });
}

fn endpoint((address, purpose): (String, String)) -> own::BridgeEndpoint {
    own::BridgeEndpoint { address, purpose }
}

pub(super) fn connect(
    session: &mut Session<'_>,
    request: &own::ConnectBridgeRequest,
    reply: Reply<own::ConnectBridgeResponse>,
) {
    let simulation = &mut *session.simulation;
    if request.vehicle != WORLD && simulation.world().is_none() {
        return reply.send(own::ConnectBridgeResponse {
            result: no_world(simulation.machine().simulation_state()),
            label: String::new(),
        });
    }
    let answer = match simulation.connect_bridge(&request.vehicle, &request.bridge, &request.connection) {
        Ok(label) => own::ConnectBridgeResponse { result: ok(), label },
        Err(error) => own::ConnectBridgeResponse { result: refused(&error), label: String::new() },
    };
    reply.send(answer);
}

fn refused(error: &AttachError) -> Option<si::Result> {
    let code = match error {
        AttachError::NoSuchBridge { .. } | AttachError::NoVehicle { .. } => si::Result::RESULT_NOT_FOUND,
        AttachError::Connection { .. }
        | AttachError::Pattern { .. }
        | AttachError::Create { .. }
        | AttachError::Thread { .. } => si::Result::RESULT_OPERATION_FAILED,
    };
    failed(code, error.to_string())
}

pub(super) fn disconnect(
    session: &mut Session<'_>,
    request: &own::DisconnectBridgeRequest,
    reply: Reply<own::DisconnectBridgeResponse>,
) {
    let result = if session.simulation.disconnect_bridge(&request.label) {
        ok()
    } else {
        failed(si::Result::RESULT_NOT_FOUND, format!("there is no bridge `{}`", request.label))
    };
    reply.send(own::DisconnectBridgeResponse { result });
}

pub(super) fn plugins(
    session: &mut Session<'_>,
    _: &own::GetPluginsRequest,
    reply: Reply<own::GetPluginsResponse>,
) {
    let simulation = &*session.simulation;
    let mut plugins = in_use(simulation);
    let used: BTreeSet<String> = plugins.iter().map(|plugin| plugin.plugin.clone()).collect();
    let known = simulation.libraries().plugins();
    let others = known.iter().filter(|known| !used.contains(&known.metadata.name));
    plugins.extend(others.map(|known| own::PluginInfo { state: "known".to_owned(), ..description(known) }));
    reply.send(own::GetPluginsResponse { result: ok(), plugins });
}

/// Returns the model plugins in use, in document order.
pub(super) fn in_use(simulation: &Simulation) -> Vec<own::PluginInfo> {
    let starting: BTreeSet<&str> =
        simulation.loaded().into_iter().flat_map(LoadedWorld::starting_plugins).collect();
    let all = simulation.libraries().plugins();
    let info = |result: PluginResult| {
        let known = all.iter().find(|known| known.metadata.name == result.plugin);
        let state = match (result.failure.is_empty(), starting.contains(result.label.as_str())) {
            (false, _) => "failed",
            (true, true) => "starting",
            (true, false) => "running",
        };
        own::PluginInfo {
            state: state.to_owned(),
            calls: Some(accumulator("calls_ms", &result.timing.durations.seconds(), 1e3)),
            label: result.label,
            plugin: result.plugin,
            failure: result.failure,
            ..known.map(description).unwrap_or_default()
        }
    };
    simulation.plugin_results().into_iter().map(info).collect()
}

fn description(known: &KnownPlugin) -> own::PluginInfo {
    own::PluginInfo {
        plugin: known.metadata.name.clone(),
        version: known.metadata.version.clone(),
        kind: known.metadata.kind.to_string(),
        ..Default::default()
    }
}
