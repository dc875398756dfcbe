//! Times of steps and plugins.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;

use super::bridges::in_use;
use super::call::{Reply, ok};
use super::message::accumulator;
use super::session::Session;

pub(super) fn get(
    session: &mut Session<'_>,
    _: &own::GetStatisticsRequest,
    reply: Reply<own::GetStatisticsResponse>,
) {
    let statistics = session.simulation.statistics();
    let times = [
        ("engine_time_ms", statistics.engine_time, 1e3),
        ("simulator_time_ms", statistics.simulator_time, 1e3),
        ("controller_time_ms", statistics.controller_time, 1e3),
        ("cycle_time_ms", statistics.cycle_time, 1e3),
        ("padding_time_ms", statistics.padding_time, 1e3),
        ("controller_retries", statistics.controller_retries, 1.0),
    ];
    reply.send(own::GetStatisticsResponse {
        result: ok(),
        accumulators: times.iter().map(|(name, figures, unit)| accumulator(name, figures, *unit)).collect(),
        plugins: in_use(session.simulation),
        overruns: statistics.overruns,
    });
}

pub(super) fn reset(
    session: &mut Session<'_>,
    _: &own::ResetStatisticsRequest,
    reply: Reply<own::ResetStatisticsResponse>,
) {
    session.simulation.reset_statistics();
    reply.send(own::ResetStatisticsResponse { result: ok() });
}
