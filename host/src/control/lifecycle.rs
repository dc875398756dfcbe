//! Bridgehead's own services for the lifecycle, and the status of the host.

use bridgehead_lifecycle::{
    AfterReset, Event, Interrupt, Refusal, Request, ResetRequest, ResetScope, SimulationState, StartIn,
    transition,
};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::call::{Reply, failed, ok, refused};
use super::late_call::Until;
use super::session::Session;
use super::worlds;
use crate::clock::Speed;
use crate::sim::Simulation;

/// The services that are one request to the lifecycle each: name, request, and when the call is answered.
pub(super) const VERBS: [(&str, Interrupt, Until); 9] = [
    ("play", Interrupt::Play, Until::Settled),
    ("pause", Interrupt::Pause, Until::Settled),
    ("resume", Interrupt::Resume, Until::Settled),
    ("halt", Interrupt::Halt, Until::Settled),
    // These may end the process, so they are answered as soon as they are accepted.
    ("stop", Interrupt::Stop, Until::Accepted),
    ("succeed", Interrupt::Success, Until::Accepted),
    ("fail", Interrupt::Fail, Until::Accepted),
    ("abort", Interrupt::Abort, Until::Accepted),
    ("quit", Interrupt::Quit, Until::Accepted),
];

/// Serves one of [`VERBS`].
pub(super) fn change(
    (interrupt, until): (&Interrupt, Until),
    session: &mut Session<'_>,
    request: &own::TransitionRequest,
    reply: Reply<own::TransitionResponse>,
) {
    let answer = |simulation: &Simulation, result| own::TransitionResponse {
        result,
        state: simulation.machine().state().name().to_owned(),
        allowed: allowed(simulation),
    };
    if *interrupt == Interrupt::Quit
        && let Some(refused) = may_not_quit(session)
    {
        return reply.send(answer(session.simulation, Some(refused)));
    }
    let then = move |simulation: &mut Simulation, asked: Result<(), Refusal>| {
        let result = asked.map_or_else(|refusal| refused(&refusal), |()| ok());
        answer(simulation, result)
    };
    session.request(interrupt.clone(), &request.reason, until, reply, then);
}

/// Returns the result for a client that must not end the program.
pub(super) fn may_not_quit(session: &Session<'_>) -> Option<si::Result> {
    let may = session.simulation.config().control.allow_quit;
    let text = "the configuration does not let clients end the program (`control.allow_quit`)";
    if may { None } else { failed(si::Result::RESULT_OPERATION_FAILED, text) }
}

pub(super) fn reset(
    session: &mut Session<'_>,
    request: &own::ResetRequest,
    reply: Reply<own::ResetResponse>,
) {
    let answer = |simulation: &Simulation, result| own::ResetResponse {
        result,
        state: simulation.machine().state().name().to_owned(),
        allowed: allowed(simulation),
    };
    let scope = u8::try_from(request.scope).ok().and_then(ResetScope::from_bits);
    let wanted = scope.map(ResetRequest::standard).and_then(|wanted| {
        Some(match request.then.as_str() {
            "" if session.simulation.machine().simulation_state() == SimulationState::Paused => {
                ResetRequest { then: AfterReset::Keep, ..wanted }
            }
            "" => wanted,
            "keep" => ResetRequest { then: AfterReset::Keep, ..wanted },
            "stopped" => ResetRequest { then: AfterReset::Stopped, ..wanted },
            "paused" => ResetRequest { then: AfterReset::Paused, ..wanted },
            "play" => ResetRequest { then: AfterReset::Play, ..wanted },
            _ => return None,
        })
    });
    let Some(wanted) = wanted else {
        let text = format!(
            "scope {} and then `{}`: the scope is the sum of 1 (time), 2 (state) and 4 (spawned), or 0; then is `keep`, `stopped`, `paused` or `play`",
            request.scope, request.then
        );
        let result = failed(si::Result::RESULT_FEATURE_UNSUPPORTED, text);
        return reply.send(answer(session.simulation, result));
    };
    if wanted.scope.is_all()
        && let Some(prepared) =
            session.simulation.prepare_return(start_after(wanted.then, session.simulation))
    {
        return worlds::return_to_start(session, prepared, &request.reason, reply, answer);
    }
    let then = move |simulation: &mut Simulation, asked: Result<(), Refusal>| {
        let result = asked.map_or_else(|refusal| refused(&refusal), |()| ok());
        answer(simulation, result)
    };
    session.request(Interrupt::Reset(wanted), &request.reason, Until::Settled, reply, then);
}

/// Returns how a world begins that is loaded for a reset.
fn start_after(then: AfterReset, simulation: &Simulation) -> StartIn {
    match (then, simulation.machine().simulation_state()) {
        (AfterReset::Play, _) | (AfterReset::Keep, SimulationState::Playing) => StartIn::Playing,
        (AfterReset::Paused, _) | (AfterReset::Keep, SimulationState::Paused) => StartIn::Paused,
        (AfterReset::Stopped | AfterReset::Keep, _) => StartIn::Stopped,
    }
}

/// Returns the requests of clients that the host would accept now.
fn allowed(simulation: &Simulation) -> Vec<String> {
    let (machine, may_quit) = (simulation.machine(), simulation.config().control.allow_quit);
    let every = [
        ("play", Interrupt::Play),
        ("pause", Interrupt::Pause),
        ("resume", Interrupt::Resume),
        ("step_simulation", Interrupt::Step(1)),
        ("reset", Interrupt::Reset(ResetRequest::standard(ResetScope::ALL))),
        ("stop", Interrupt::Stop),
        ("halt", Interrupt::Halt),
        ("succeed", Interrupt::Success),
        ("fail", Interrupt::Fail),
        ("abort", Interrupt::Abort),
        ("unload_world", Interrupt::UnloadWorld),
        ("quit", Interrupt::Quit),
    ];
    let may = |interrupt: &Interrupt| {
        if *interrupt == Interrupt::Quit && !may_quit {
            return false;
        }
        let request = Request::new(interrupt.clone(), bridgehead_lifecycle::Cause::Control(String::new()));
        match transition(machine, &Event::Requested(request)) {
            Ok(_) => true,
            // The current step completes first; then the request is accepted.
            Err(refusal) => refusal.kind == bridgehead_lifecycle::RefusalKind::Later,
        }
    };
    every.iter().filter(|(_, interrupt)| may(interrupt)).map(|(name, _)| (*name).to_owned()).collect()
}

pub(super) fn status(
    session: &mut Session<'_>,
    _: &own::GetStatusRequest,
    reply: Reply<own::GetStatusResponse>,
) {
    let simulation = &*session.simulation;
    let (machine, now) = (simulation.machine(), simulation.now());
    let status = own::HostStatus {
        state: machine.state().name().to_owned(),
        simulation_state: Some(si::SimulationState { state: u32::from(machine.simulation_state().number()) }),
        step: now.step,
        time_ns: now.time_ns,
        step_width_ns: simulation.timeline.width_ns(),
        reset_epoch: now.reset_epoch,
        target_real_time_factor: match simulation.timeline.speed() {
            Speed::Factor(factor) => factor,
            Speed::Unlimited => 0.0,
        },
        real_time_factor: simulation.shared().clock.factor(),
        achievable_real_time_factor: simulation.statistics().achievable_factor,
        world: simulation.loaded().map(|loaded| loaded.resource().name.clone()).unwrap_or_default(),
        outcome: machine.outcome().name().to_owned(),
        errors: simulation.errors().to_vec(),
        allowed: allowed(simulation),
    };
    reply.send(own::GetStatusResponse { result: ok(), status: Some(status) });
}

pub(super) fn set_real_time_factor(
    session: &mut Session<'_>,
    request: &own::SetRealTimeFactorRequest,
    reply: Reply<own::SetRealTimeFactorResponse>,
) {
    let speed = match Speed::of_signed(request.factor) {
        Ok(speed) => speed,
        Err(fault) => {
            let (slowest, fastest) = Speed::RANGE.into_inner();
            let text = format!(
                "[BH-CTL-014] the real-time factor cannot be set: {fault}; expected {slowest:e} to {fastest:e}, or -1 \
                 for unlimited; to stop time, pause"
            );
            let result = failed(si::Result::RESULT_OPERATION_FAILED, text);
            return reply.send(own::SetRealTimeFactorResponse { result });
        }
    };
    session.simulation.timeline.set_speed(speed, crate::clock::now());
    reply.send(own::SetRealTimeFactorResponse { result: ok() });
}
