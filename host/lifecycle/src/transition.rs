//! The central function of the lifecycle: a machine and an event give the next machine and the effects, or a
//! refusal. It does no I/O and reads no clock, so that tests can try every pair. Called by the simulation
//! thread, between states.

use super::draft::Draft;
use super::effect::Effect;
use super::event::Event;
use super::machine::Machine;
use super::refusal::Refusal;
use super::request::Denied;
use super::{report, request};

/// An accepted event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The next machine. Its state may be unchanged: some requests only affect later states.
    pub machine: Machine,
    /// What the loop has to do now, in this order.
    pub effects: Vec<Effect>,
}

/// Returns what follows from `event`.
///
/// # Errors
///
/// Returns a [`Refusal`] if the event does not apply in this state; [`Refusal::kind`] says whether it may
/// apply later.
pub fn transition(machine: &Machine, event: &Event) -> Result<Transition, Refusal> {
    let mut draft = Draft::new(machine);
    let answer = match event {
        Event::Reported(report) => report::follow(&mut draft, report),
        Event::Requested(request) => request::follow(&mut draft, request),
    };
    match answer {
        Ok(()) => Ok(Transition { machine: draft.machine, effects: draft.effects }),
        Err(Denied(kind, reason)) => Err(Refusal { kind, state: machine.state, event: event.name(), reason }),
    }
}
