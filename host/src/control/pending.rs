//! Calls whose answer comes later.

use bridgehead_lifecycle::{Refusal, Ticket};

use crate::sim::Simulation;

/// When a request counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// When it is accepted: what it leads to may be the end of the process.
    Accepted,
    /// When everything that follows from it is done.
    Settled,
}

type Finish = Box<dyn FnOnce(&mut Simulation, Result<(), Refusal>)>;

/// A call that waits for the lifecycle.
pub(super) struct Pending {
    ticket: Ticket,
    until: Until,
    is_accepted: bool,
    finish: Option<Finish>,
}

impl Pending {
    pub(super) fn new(ticket: Ticket, until: Until, finish: Finish) -> Self {
        Pending { ticket, until, is_accepted: false, finish: Some(finish) }
    }

    /// Answers if it is time; whether the call goes on waiting.
    pub(super) fn waits_on(&mut self, simulation: &mut Simulation) -> bool {
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
