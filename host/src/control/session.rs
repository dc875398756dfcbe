//! Calls on the simulation thread: the context of a service, and calls that are answered later.

use bridgehead_lifecycle::{Cause, Interrupt, Refusal, Request, SimulationState, Ticket};
use bridgehead_plugin_api::messages::Message;

use super::call::Reply;
use super::spawning::Spawns;
use super::steps::Steps;
use super::topics::Watches;
use crate::sim::Simulation;

/// A call whose first part runs on another thread.
pub(super) struct BackgroundCall {
    /// Name of the service.
    pub(super) caller: &'static str,
    /// Called between two steps, until it returns false: then the call is answered, or waits for the lifecycle.
    pub(super) poll: Box<dyn FnMut(&mut Session<'_>) -> bool>,
}

/// One call on the simulation thread, between two steps.
pub(super) struct Session<'a> {
    /// The run.
    pub simulation: &'a mut Simulation,
    pub(super) pending: &'a mut Vec<PendingCall>,
    pub(super) steps: &'a mut Steps,
    pub(super) watches: &'a mut Watches,
    pub(super) spawns: &'a mut Spawns,
    pub(super) background_calls: &'a mut Vec<BackgroundCall>,
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
        self.follow(interrupt, reason, until, finish);
    }

    /// Sends a request to the lifecycle in the name of the caller; `finish` answers the call once the request is
    /// accepted or complete.
    pub(super) fn follow(
        &mut self,
        interrupt: Interrupt,
        reason: &str,
        until: Until,
        finish: impl FnOnce(&mut Simulation, Result<(), Refusal>) + 'static,
    ) {
        let cause =
            if reason.is_empty() { self.caller.to_owned() } else { format!("{}: {reason}", self.caller) };
        let ticket = self.simulation.request(Request::new(interrupt, Cause::Control(cause)));
        self.pending.push(PendingCall::new(ticket, until, Box::new(finish)));
    }
}

/// When a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// When it is accepted, because it may end the process.
    Accepted,
    /// When everything that follows from it is complete.
    Settled,
}

type Finish = Box<dyn FnOnce(&mut Simulation, Result<(), Refusal>)>;

/// A call whose request waits for the lifecycle.
pub(super) struct PendingCall {
    ticket: Ticket,
    until: Until,
    is_accepted: bool,
    finish: Option<Finish>,
}

impl PendingCall {
    pub(super) fn new(ticket: Ticket, until: Until, finish: Finish) -> Self {
        PendingCall { ticket, until, is_accepted: false, finish: Some(finish) }
    }

    /// Answers the call if its request is refused, accepted or complete, as `until` requires. Returns true if the call
    /// still waits.
    pub(super) fn poll(&mut self, simulation: &mut Simulation) -> bool {
        if !self.is_accepted {
            match simulation.take_answer(self.ticket) {
                None => return true,
                Some(Err(refusal)) => return self.finish(simulation, Err(refusal)),
                Some(Ok(())) => self.is_accepted = true,
            }
        }
        if self.until == Until::Settled && !simulation.machine().is_settled() {
            return true;
        }
        self.finish(simulation, Ok(()))
    }

    fn finish(&mut self, simulation: &mut Simulation, result: Result<(), Refusal>) -> bool {
        if let Some(finish) = self.finish.take() {
            finish(simulation, result);
        }
        false
    }
}
