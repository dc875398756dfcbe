//! Readers: services that are served from a snapshot.

use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::result::{failed, no_world, ok};
use super::view::View;

pub(super) fn simulator_features(
    view: &View,
    _: si::GetSimulatorFeaturesRequest,
) -> si::GetSimulatorFeaturesResponse {
    si::GetSimulatorFeaturesResponse { features: Some(view.features.message()) }
}

pub(super) fn simulation_state(
    view: &View,
    _: si::GetSimulationStateRequest,
) -> si::GetSimulationStateResponse {
    let state = u32::from(view.simulation_state.number());
    si::GetSimulationStateResponse { state: Some(si::SimulationState { state }), result: ok() }
}

pub(super) fn entity_state(view: &View, request: si::GetEntityStateRequest) -> si::GetEntityStateResponse {
    if !view.has_world {
        return si::GetEntityStateResponse { result: no_world(), state: None };
    }
    match view.find(&request.entity).and_then(|index| view.entity_state(index)) {
        Some(state) => si::GetEntityStateResponse { result: ok(), state: Some(state) },
        None => si::GetEntityStateResponse { result: no_entity(&request.entity), state: None },
    }
}

pub(super) fn entities_states(
    view: &View,
    _request: si::GetEntitiesStatesRequest,
) -> si::GetEntitiesStatesResponse {
    if !view.has_world {
        return si::GetEntitiesStatesResponse { result: no_world(), ..Default::default() };
    }
    si::GetEntitiesStatesResponse {
        result: ok(),
        entities: view.roster.names.clone(),
        states: (0..view.entities.len()).filter_map(|index| view.entity_state(index)).collect(),
    }
}

/// `RESULT_NOT_FOUND`.
pub(super) fn no_entity(name: &str) -> Option<si::Result> {
    failed(si::Result::RESULT_NOT_FOUND, format!("there is no entity `{name}`"))
}
