//! Readers: services that are served from a snapshot.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::result::ok;
use super::view::View;

pub(super) fn simulator_features(
    view: &View,
    _: &si::GetSimulatorFeaturesRequest,
) -> si::GetSimulatorFeaturesResponse {
    si::GetSimulatorFeaturesResponse { features: Some(view.features.message()) }
}

pub(super) fn simulation_state(
    view: &View,
    _: &si::GetSimulationStateRequest,
) -> si::GetSimulationStateResponse {
    let state = u32::from(view.simulation_state.number());
    si::GetSimulationStateResponse { state: Some(si::SimulationState { state }), result: ok() }
}

/// As it is by now: nothing of it changes within a step.
pub(super) fn world_description(
    view: &View,
    _: &own::GetWorldDescriptionRequest,
) -> own::GetWorldDescriptionResponse {
    own::GetWorldDescriptionResponse { result: ok(), description: Some(view.description.message()) }
}
