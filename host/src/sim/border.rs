//! The border between two steps, where those who control a run from outside read and change it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_lifecycle::{Answer, Interrupt, Machine, Refusal, Request, State, Ticket};

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

/// Requests whose askers wait for an answer.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// `None` until the lifecycle has taken the request.
    answers: BTreeMap<Ticket, Option<Result<(), Refusal>>>,
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

    /// Remembers who first asked for the end of the run.
    pub(super) fn explain_stop(&mut self, request: &Request) {
        if matches!(request.interrupt, Interrupt::Stop | Interrupt::Quit) && self.stop_cause.is_empty() {
            self.stop_cause = request.cause.to_string();
        }
    }

    /// Asks something of the lifecycle; [`Self::answer_to`] says what became of it.
    pub fn ask(&mut self, request: Request) -> Ticket {
        log::info!("{} asked for: {}", request.interrupt.name(), request.cause);
        self.shared.asks.expect(&request);
        self.explain_stop(&request);
        let ticket = self.lifecycle.ask(request);
        self.asked.answers.insert(ticket, None);
        ticket
    }

    /// Withdraws a request that was not taken yet; whether it was there.
    pub fn withdraw(&mut self, ticket: Ticket) -> bool {
        let is_withdrawn = self.lifecycle.withdraw(ticket).is_some();
        if is_withdrawn {
            self.asked.answers.remove(&ticket);
        }
        is_withdrawn
    }

    /// Asks something of the lifecycle; a refusal is only worth a line in the log.
    pub fn ask_without_answer(&mut self, request: Request) {
        log::info!("{} asked for: {}", request.interrupt.name(), request.cause);
        self.lifecycle.ask(request);
    }

    /// Whether a request was accepted, once; `None` while it waits.
    pub fn answer_to(&mut self, ticket: Ticket) -> Option<Result<(), Refusal>> {
        let answer = (*self.asked.answers.get(&ticket)?)?;
        self.asked.answers.remove(&ticket);
        Some(answer)
    }

    /// Keeps an answer for whoever waits for it; otherwise a refusal is only worth a line in the log.
    pub(super) fn note_answer(&mut self, answer: &Answer) {
        if let Err(refusal) = &answer.result {
            self.forget_refused(&answer.request, refusal);
        }
        match self.asked.answers.get_mut(&answer.ticket) {
            Some(slot) => *slot = Some(answer.result),
            None => {
                if let Err(refusal) = &answer.result {
                    log::warn!("{refusal}");
                }
            }
        }
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
