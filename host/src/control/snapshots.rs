//! Services for snapshots: the exact state of a run as a file in its output folder.

use std::path::Path;

use bridgehead_lifecycle::{AfterReset, Interrupt, Refusal, ResetRequest, ResetScope, State};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::call::{Reply, failed, ok, refused};
use super::late_call::Until;
use super::session::Session;
use super::worlds::save_failed;
use crate::sim::Simulation;

pub(super) fn save(
    session: &mut Session<'_>,
    request: &own::SaveSnapshotRequest,
    reply: Reply<own::SaveSnapshotResponse>,
) {
    let (result, path) = match session.simulation.save_snapshot(Path::new(&request.path), request.overwrite) {
        Ok(path) => (ok(), path.display().to_string()),
        Err(error) => (save_failed(&error), String::new()),
    };
    reply.send(own::SaveSnapshotResponse { result, path });
}

/// Restores in the cascade of a reset, so that bridges and plugins learn of it as of every other jump in time.
pub(super) fn restore(
    session: &mut Session<'_>,
    request: &own::RestoreSnapshotRequest,
    reply: Reply<own::RestoreSnapshotResponse>,
) {
    if session.simulation.state() != State::Pause {
        let state = session.simulation.machine().state().plain_name();
        let text = format!(
            "[BH-CTL-018] a snapshot is restored only into a paused simulation, and this one is {state}; try: pause it first"
        );
        let result = failed(si::Result::RESULT_INCORRECT_STATE, text);
        return reply.send(own::RestoreSnapshotResponse { result });
    }
    if let Err(error) = session.simulation.restore_at_reset(Path::new(&request.path)) {
        let result = failed(si::Result::RESULT_OPERATION_FAILED, error.to_string());
        return reply.send(own::RestoreSnapshotResponse { result });
    }
    let then = |simulation: &mut Simulation, answer: Result<(), Refusal>| {
        let result = match (answer, simulation.take_restored()) {
            (Err(refusal), _) => refused(&refusal),
            (Ok(()), Ok(())) => ok(),
            (Ok(()), Err(error)) => failed(si::Result::RESULT_OPERATION_FAILED, error.to_string()),
        };
        own::RestoreSnapshotResponse { result }
    };
    let reset = ResetRequest { scope: ResetScope::ALL, then: AfterReset::Keep };
    session.request(Interrupt::Reset(reset), &request.path, Until::Settled, reply, then);
}
