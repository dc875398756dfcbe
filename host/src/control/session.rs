//! The context of a call on the simulation thread.

use bridgehead_lifecycle::{Cause, Interrupt, Refusal, Request, SimulationState};
use bridgehead_plugin_api::messages::Message;

use super::call::Reply;
use super::late_call::{Requested, Until};
use super::progress::Progress;
use crate::sim::Simulation;

/// One call on the simulation thread, between two steps.
pub(super) struct Session<'a> {
    /// The run.
    pub simulation: &'a mut Simulation,
    /// Where calls that are answered later go on.
    pub(super) progress: &'a mut Progress,
    /// Name of the service, for the log and the result file.
    pub(super) caller: &'static str,
}

impl Session<'_> {
    /// Returns true while a world loads.
    pub(super) fn is_loading(&self) -> bool {
        self.simulation.machine().simulation_state() == SimulationState::LoadingWorld
    }

    /// Sends a request to the lifecycle in the name of the caller; `then` makes the answer once the request is accepted
    /// or complete.
    pub(super) fn request<R: Message + 'static>(
        &mut self,
        interrupt: Interrupt,
        reason: &str,
        until: Until,
        reply: Reply<R>,
        then: impl FnOnce(&mut Simulation, Result<(), Refusal>) -> R + 'static,
    ) {
        let finish = move |simulation: &mut Simulation, result| reply.send(then(simulation, result));
        let cause =
            if reason.is_empty() { self.caller.to_owned() } else { format!("{}: {reason}", self.caller) };
        let call = requested(self.simulation, interrupt, cause, until, finish);
        self.progress.calls.add(call);
    }
}

/// Sends a request to the lifecycle; `finish` answers the call once the request is accepted or complete.
pub(super) fn requested(
    simulation: &mut Simulation,
    interrupt: Interrupt,
    cause: String,
    until: Until,
    finish: impl FnOnce(&mut Simulation, Result<(), Refusal>) + 'static,
) -> Requested {
    let ticket = simulation.request(Request::new(interrupt, Cause::Control(cause)));
    Requested::new(ticket, until, Box::new(finish))
}
