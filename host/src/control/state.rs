//! Services of `simulation_interfaces` for the lifecycle: its state, and requests to it.

use bridgehead_lifecycle::{Interrupt, Refusal, ResetRequest, ResetScope, SimulationState, StartIn};
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use si::SetSimulationStateResponse as SetStateCodes;

use super::call::{Reply, failed, ok, refused};
use super::late_call::Until;
use super::lifecycle::may_not_quit;
use super::session::Session;
use super::view::View;
use super::worlds;
use crate::sim::Simulation;

pub(super) fn simulation_state(
    view: &View,
    _: &si::GetSimulationStateRequest,
) -> si::GetSimulationStateResponse {
    let state = u32::from(view.simulation_state.number());
    si::GetSimulationStateResponse { state: Some(si::SimulationState { state }), result: ok() }
}

pub(super) fn set_simulation_state(
    session: &mut Session<'_>,
    request: &si::SetSimulationStateRequest,
    reply: Reply<si::SetSimulationStateResponse>,
) {
    let number = request.state.unwrap_or_default().state;
    let target = u8::try_from(number).ok().and_then(SimulationState::from_number);
    if let (Some(SimulationState::Quitting), Some(refused)) = (target, may_not_quit(session)) {
        return reply.send(si::SetSimulationStateResponse { result: Some(refused) });
    }
    let (interrupt, until) = match target {
        Some(SimulationState::Stopped) => (Interrupt::Halt, Until::Settled),
        Some(SimulationState::Playing) => (Interrupt::Play, Until::Settled),
        Some(SimulationState::Paused) => (Interrupt::Pause, Until::Settled),
        Some(SimulationState::Quitting) => (Interrupt::Quit, Until::Accepted),
        Some(SimulationState::NoWorld | SimulationState::LoadingWorld)
            if target == Some(session.simulation.machine().simulation_state()) =>
        {
            let text = format!("the host is already in state {number}");
            let result = failed(SetStateCodes::ALREADY_IN_TARGET_STATE, text);
            return reply.send(si::SetSimulationStateResponse { result });
        }
        Some(SimulationState::NoWorld | SimulationState::LoadingWorld) | None => {
            let text = match target {
                None => format!(
                    "there is no state {number}; give 0 (stopped), 1 (playing), 2 (paused) or 3 (quitting)"
                ),
                Some(_) => {
                    "worlds are loaded and unloaded by services of their own: load_world, unload_world"
                        .to_owned()
                }
            };
            let result = failed(SetStateCodes::INCORRECT_TRANSITION, text);
            return reply.send(si::SetSimulationStateResponse { result });
        }
    };
    let then = move |simulation: &mut Simulation, answer: Result<(), Refusal>| {
        let result = match answer {
            Ok(()) if until == Until::Settled => reached(simulation, target),
            Ok(()) => ok(),
            Err(refusal) => {
                let code = refusal.kind.result_code().map_or(si::Result::RESULT_OPERATION_FAILED, u32::from);
                failed(code, refusal.to_string())
            }
        };
        si::SetSimulationStateResponse { result }
    };
    session.request(interrupt, "", until, reply, then);
}

/// Returns OK if the host reached the requested state.
fn reached(simulation: &Simulation, target: Option<SimulationState>) -> Option<si::Result> {
    let machine = simulation.machine();
    if Some(machine.simulation_state()) == target {
        return ok();
    }
    let why = machine.verdict().map(|verdict| verdict.cause.to_string()).unwrap_or_default();
    let state = machine.state().plain_name();
    failed(SetStateCodes::STATE_TRANSITION_ERROR, format!("the simulation is {state}: {why}"))
}

pub(super) fn step_simulation(
    session: &mut Session<'_>,
    request: &si::StepSimulationRequest,
    reply: Reply<si::StepSimulationResponse>,
) {
    session.progress.kept.before_steps(session.simulation);
    session.simulation.timeline.set_paces_steps(session.progress.goals.has_active());
    let (before, steps) = (session.simulation.now(), request.steps);
    let then = move |simulation: &mut Simulation, answer: Result<(), Refusal>| {
        let now = simulation.now();
        let done = now.step.saturating_sub(before.step);
        let result = match answer {
            Err(refusal) => failed(si::Result::RESULT_OPERATION_FAILED, refusal.to_string()),
            Ok(()) if now.reset_epoch != before.reset_epoch || done < steps => failed(
                si::Result::RESULT_OPERATION_FAILED,
                format!(
                    "the steps were cut short; the simulation is {}",
                    simulation.machine().state().plain_name()
                ),
            ),
            Ok(()) => ok(),
        };
        si::StepSimulationResponse { result }
    };
    session.request(Interrupt::Step(steps), "", Until::Settled, reply, then);
}

pub(super) fn reset_simulation(
    session: &mut Session<'_>,
    request: &si::ResetSimulationRequest,
    reply: Reply<si::ResetSimulationResponse>,
) {
    let Some(scope) = u8::try_from(request.scope).ok().and_then(ResetScope::from_bits) else {
        let text =
            format!("scope {} has none of the bits 1 (time), 2 (state) and 4 (spawned)", request.scope);
        let result = failed(si::Result::RESULT_FEATURE_UNSUPPORTED, text);
        return reply.send(si::ResetSimulationResponse { result });
    };
    if scope.is_all()
        && let Some(prepared) = session.simulation.prepare_return(StartIn::Stopped)
    {
        let answer = |_: &Simulation, result| si::ResetSimulationResponse { result };
        return worlds::return_to_start(session, prepared, "", reply, answer);
    }
    let then = |_: &mut Simulation, answer: Result<(), Refusal>| {
        let result = answer.map_or_else(|refusal| refused(&refusal), |()| ok());
        si::ResetSimulationResponse { result }
    };
    session.request(Interrupt::Reset(ResetRequest::standard(scope)), "", Until::Settled, reply, then);
}

pub(super) fn simulator_features(
    view: &View,
    _: &si::GetSimulatorFeaturesRequest,
) -> si::GetSimulatorFeaturesResponse {
    si::GetSimulatorFeaturesResponse { features: Some(view.features.message()) }
}
