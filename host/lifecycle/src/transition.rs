//! The one function of the lifecycle: a machine and an event give the next machine and the effects, or a refusal.
//! It does no I/O and reads no clock, so every pair can be tried. Called by the simulation thread, between states.

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
    /// The machine from now on. Its state may be the old one: some requests only change what comes later.
    pub machine: Machine,
    /// What the loop has to do now, in this order.
    pub effects: Vec<Effect>,
}

/// What follows from `event`.
///
/// # Errors
///
/// The event does not apply here; [`Refusal::kind`] says whether it may apply later.
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
