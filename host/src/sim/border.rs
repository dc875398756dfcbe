//! The border between two steps, where those who control a run from outside read and change it.

use std::sync::Arc;

use bridgehead_lifecycle::{Machine, Refusal, Request, State, Ticket};

use super::{Simulation, Timeline};
use crate::api::Shared;
use crate::bus::Moment;
use crate::config::ControlConfig;

/// Somebody who controls a run from outside. Called on the simulation thread.
pub trait Controller {
    /// Whether there is something to do; asked before every step, so it must cost next to nothing.
    fn is_wanted(&self, simulation: &Simulation) -> bool;
    /// Reads and changes the run between two steps.
    fn attend(&mut self, simulation: &mut Simulation);
}

/// Nobody controls the run from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoController;

impl Controller for NoController {
    fn is_wanted(&self, _: &Simulation) -> bool {
        false
    }

    fn attend(&mut self, _: &mut Simulation) {}
}

impl Simulation {
    /// Lets the controller act where no step is half done.
    pub(super) fn let_control(&mut self, controller: &mut dyn Controller) {
        if self.is_between_steps() && controller.is_wanted(self) {
            controller.attend(self);
        }
    }

    /// Whether the world stands as the last complete step left it.
    fn is_between_steps(&self) -> bool {
        match self.lifecycle.machine().state() {
            State::StepSimulator | State::StepController => false,
            // A step that is over, and behind it a bridge that holds the next one, perhaps for long.
            State::StepEnd => self.report.is_none(),
            State::StepBegin
            | State::NoWorld
            | State::Loading
            | State::Connect
            | State::Start
            | State::Pause
            | State::Resume
            | State::Success
            | State::Fail
            | State::Stop
            | State::Stopped
            | State::Reset
            | State::Abort
            | State::Disconnect
            | State::Quitting
            | State::Probe => true,
        }
    }

    /// Requests something of the lifecycle. [`Self::take_answer`] returns whether it was accepted.
    pub fn request(&mut self, request: Request) -> Ticket {
        self.shared.requests.note(&request);
        self.requests.submit_answered(&mut self.lifecycle, request)
    }

    /// Withdraws a request that the lifecycle has not taken. Returns true if it was still queued.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        self.requests.withdraw(&mut self.lifecycle, ticket)
    }

    /// Takes the answer to a request, once; `None` while it waits.
    pub fn take_answer(&mut self, ticket: Ticket) -> Option<Result<(), Refusal>> {
        self.requests.take_answer(ticket)
    }

    /// Where the lifecycle is.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        self.lifecycle.machine()
    }

    /// Step, simulated time and reset epoch.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.timeline.now()
    }

    /// Simulated time and its pace.
    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Name of the world; empty where none was loaded yet.
    #[must_use]
    pub fn world_name(&self) -> &str {
        if self.world.is_some() { &self.world_name } else { "" }
    }

    /// What everything of the run shares.
    #[must_use]
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// What clients may do.
    #[must_use]
    pub fn control_config(&self) -> &ControlConfig {
        &self.config.control
    }

    /// What went wrong so far.
    #[must_use]
    pub fn errors(&self) -> &[String] {
        &self.errors
    }
}
