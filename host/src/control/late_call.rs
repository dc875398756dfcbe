//! Calls that are answered later: when a request to the lifecycle is carried out, or when another thread has done its part.

use bridgehead_lifecycle::{Refusal, Ticket};

use super::listeners::Listeners;
use super::ongoing::Ongoing;
use crate::sim::Simulation;

/// How far a call is.
pub(super) enum Outcome {
    /// It waits.
    Waits,
    /// It is answered.
    Answered,
    /// Its first part is done; it goes on as another.
    Becomes(Box<dyn LateCall>),
}

/// A call that is answered later.
pub(super) trait LateCall {
    /// Goes on. Called between two steps until it is answered.
    fn poll(&mut self, simulation: &mut Simulation) -> Outcome;

    /// Returns true while another thread reads a world for it.
    fn is_reading(&self) -> bool {
        false
    }
}

/// The calls, in the order in which they came.
#[derive(Default)]
pub(super) struct LateCalls(Vec<Box<dyn LateCall>>);

impl LateCalls {
    pub(super) fn add(&mut self, call: impl LateCall + 'static) {
        self.0.push(Box::new(call));
    }

    /// Returns for how many of them another thread reads a world.
    pub(super) fn reading(&self) -> usize {
        self.0.iter().filter(|call| call.is_reading()).count()
    }
}

impl Ongoing for LateCalls {
    fn is_idle(&self) -> bool {
        self.0.is_empty()
    }

    fn go_on(&mut self, simulation: &mut Simulation, _: &mut Listeners) {
        self.0.retain_mut(|call| {
            loop {
                match call.poll(simulation) {
                    Outcome::Waits => return true,
                    Outcome::Answered => return false,
                    Outcome::Becomes(next) => *call = next,
                }
            }
        });
    }

    fn may_change_view(&self) -> bool {
        true
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
pub(super) struct Requested {
    ticket: Ticket,
    until: Until,
    is_accepted: bool,
    finish: Option<Finish>,
}

impl Requested {
    pub(super) fn new(ticket: Ticket, until: Until, finish: Finish) -> Self {
        Requested { ticket, until, is_accepted: false, finish: Some(finish) }
    }

    fn finish(&mut self, simulation: &mut Simulation, result: Result<(), Refusal>) -> Outcome {
        if let Some(finish) = self.finish.take() {
            finish(simulation, result);
        }
        Outcome::Answered
    }
}

impl LateCall for Requested {
    fn poll(&mut self, simulation: &mut Simulation) -> Outcome {
        if !self.is_accepted {
            match simulation.take_answer(self.ticket) {
                None => return Outcome::Waits,
                Some(Err(refusal)) => return self.finish(simulation, Err(refusal)),
                Some(Ok(())) => self.is_accepted = true,
            }
        }
        if self.until == Until::Settled && !simulation.machine().is_settled() {
            return Outcome::Waits;
        }
        self.finish(simulation, Ok(()))
    }
}
