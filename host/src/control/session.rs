//! What a service that runs on the simulation thread works with.

use bridgehead_lifecycle::{Cause, Interrupt, Refusal, Request};
use bridgehead_plugin_api::messages::Message;

use super::call::Reply;
use super::pending::{Pending, Until};
use super::steps::Steps;
use super::topics::Watches;
use crate::sim::Simulation;

/// One call on the simulation thread, between two steps.
pub(super) struct Session<'a> {
    /// The run.
    pub simulation: &'a mut Simulation,
    pub(super) pending: &'a mut Vec<Pending>,
    pub(super) steps: &'a mut Steps,
    pub(super) watches: &'a mut Watches,
    /// Whose call it is, for the log and the result file.
    pub(super) caller: &'a str,
}

impl Session<'_> {
    /// Sends a request to the lifecycle in the name of the caller; `then` makes the answer once it is accepted or complete.
    pub(super) fn request<R: Message + 'static>(
        &mut self,
        interrupt: Interrupt,
        reason: &str,
        until: Until,
        reply: Reply<R>,
        then: impl FnOnce(&mut Simulation, Result<(), Refusal>) -> R + 'static,
    ) {
        let who =
            if reason.is_empty() { self.caller.to_owned() } else { format!("{}: {reason}", self.caller) };
        let ticket = self.simulation.request(Request::new(interrupt, Cause::Control(who)));
        let finish = move |simulation: &mut Simulation, result| reply.send(then(simulation, result));
        self.pending.push(Pending::new(ticket, until, Box::new(finish)));
    }
}
