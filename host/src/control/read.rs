//! Readers: services that are served from a snapshot.

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
