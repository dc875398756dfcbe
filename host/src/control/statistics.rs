//! Times of steps and plugins.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;

use super::bridges::in_use;
use super::call::{Reply, ok};
use super::session::Session;
use crate::statistics::Figures;

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

/// Figures as a message, in another unit.
pub(super) fn accumulator(name: &str, figures: &Figures, unit: f64) -> own::Accumulator {
    own::Accumulator {
        name: name.to_owned(),
        count: figures.count,
        min: figures.min * unit,
        max: figures.max * unit,
        mean: figures.mean * unit,
        std_deviation: figures.std_deviation * unit,
        p50: figures.p50 * unit,
        p99: figures.p99 * unit,
    }
}

pub(super) fn reset(
    session: &mut Session<'_>,
    _: &own::ResetStatisticsRequest,
    reply: Reply<own::ResetStatisticsResponse>,
) {
    session.simulation.reset_statistics();
    reply.send(own::ResetStatisticsResponse { result: ok() });
}
