//! The lifecycle of a Bridgehead run as a pure state machine.
//!
//! [`transition`] takes a [`Machine`] and an [`Event`] and returns the next machine with the [`Effect`]s that its
//! state requires, or a [`Refusal`]. [`Lifecycle`] adds the queue of requests, so that their order is decided here too.
//!
//! The caller, the loop of the host, carries out the effects, measures time and supervises deadlines.
//! This crate does no I/O, reads no clock and starts no thread; times are parameters.
//!
//! | type | meaning |
//! |---|---|
//! | [`Lifecycle`] | the machine and its queue; [`Lifecycle::advance`] is called in each turn of the loop |
//! | [`Request`], [`Interrupt`], [`Cause`] | what is requested from outside, and why |
//! | [`Report`] | the result of the work that an effect started |
//! | [`Effect`] | an action that the loop must execute |
//! | [`State`], [`SimulationState`] | the state, and its number in the ROS 2 package `simulation_interfaces`, which is sent to clients |
//! | [`Outcome`], [`Verdict`] | how a run ended, and why |
//! | [`StartTracker`] | which plugin instances have started |
//!
//! Threads: every type is a plain value. The host keeps the machine on the simulation thread; requests may be made on
//! any thread.
//!
//! Errors: a [`Refusal`] has a [`RefusalKind`] with a code `BH-SIM-nnn` and, if a client gets an answer, the result
//! code of `simulation_interfaces`; a [`TrackError`] means that a plugin instance has a duplicate or unknown name.
//! Nothing panics.
//!
//! # Example
//!
//! ```
//! use bridgehead_lifecycle::{
//!     Cause, Effect, Interrupt, Lifecycle, Report, Request, Settings, StartIn, State, WorldRequest,
//! };
//!
//! let mut life = Lifecycle::new(Settings::default());
//! let world = WorldRequest { world: "yard.sdf".to_owned(), start_in: StartIn::Playing };
//! life.submit(Request::new(Interrupt::LoadWorld(world), Cause::CommandLine));
//!
//! let turn = life.advance(None);
//! assert_eq!(turn.effects, [Effect::LoadWorld("yard.sdf".to_owned())]);
//! assert_eq!(life.machine().state(), State::Loading);
//!
//! // The loop has loaded the world.
//! let turn = life.advance(Some(Report::WorldLoaded));
//! assert_eq!(turn.effects, [Effect::ConnectBridges]);
//! ```
//!
//! # The loop
//!
//! ```text
//! while life.machine().state() != State::Quitting {
//!     for request in inbox.drain() { life.submit(request); }
//!     let turn = life.advance(report.take());
//!     reply(turn.answers);
//!     for effect in turn.effects { report = carry_out(effect).or(report); }
//!     report = report.or_else(|| match life.machine().state() {
//!         state if state.is_waiting() => { inbox.wait(); None }
//!         state if state.is_long() => poll(state),
//!         _ => Some(Report::PhaseDone),
//!     });
//! }
//! ```
//!
//! `docs/lifecycle.md`, with the diagram and the table of all transitions, is generated from this code by
//! [`document`].

#![deny(clippy::wildcard_enum_match_arm)]

mod draft;
mod effect;
mod event;
mod interrupt;
mod machine;
mod outcome;
mod refusal;
mod report;
mod request;
mod start_tracker;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod transition;

pub use effect::{Effect, Manner, Notice};
pub use event::{
    AfterReset, Cause, Event, Interrupt, LoadFailure, Report, Request, ResetRequest, ResetScope, StartIn,
    WorldRequest,
};
pub use interrupt::{InterruptQueue, Priority, Taken, Ticket};
pub use machine::{Machine, Settings};
pub use outcome::{Outcome, Verdict};
pub use refusal::{Refusal, RefusalKind};
pub use start_tracker::{Need, Progress, StartTracker, TrackError};
pub use state::{SimulationState, State};
pub use table::{diagram, document, table};
pub use transition::{Transition, transition};

/// The machine and the queue of requests.
#[derive(Debug, Clone)]
pub struct Lifecycle {
    machine: Machine,
    queue: InterruptQueue,
}

/// The result of one call of [`Lifecycle::advance`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn {
    /// What the loop has to do now, in this order.
    pub effects: Vec<Effect>,
    /// The requests that were accepted or refused, in the order they were taken.
    pub answers: Vec<Answer>,
    /// A report without effect, because a request changed the state before it or because it was stale.
    pub dropped: Option<Report>,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The ticket of the request.
    pub ticket: Ticket,
    /// The request, for the log.
    pub request: Request,
    /// Accepted, or the refusal. An accepted request is complete when [`Machine::is_settled`] returns true.
    pub result: Result<(), Refusal>,
}

impl Lifecycle {
    /// A host that has just been started.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { machine: Machine::new(settings), queue: InterruptQueue::default() }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Keeps the host alive when a run ends, from now on.
    pub fn keep_alive(&mut self) {
        self.machine.settings.keep_alive = true;
    }

    /// Adds a request to the queue; a later [`Self::advance`] answers it.
    pub fn submit(&mut self, request: Request) -> Ticket {
        self.queue.push(request)
    }

    /// Returns true if requests are waiting.
    #[must_use]
    pub fn has_requests(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Returns true if the next [`Self::advance`] would take a request: not if all of them must wait for another state.
    #[must_use]
    pub fn has_due_requests(&self) -> bool {
        self.queue.has_due(&self.machine)
    }

    /// Withdraws a request that was not taken yet.
    pub fn withdraw(&mut self, ticket: Ticket) -> Option<Request> {
        self.queue.withdraw(ticket)
    }

    /// Takes what is due between two states: requests first, by priority, then the report about finished work.
    ///
    /// The state changes at most once per call, so that its effects are carried out before the next change. If a
    /// request changes it, the report is dropped.
    pub fn advance(&mut self, report: Option<Report>) -> Turn {
        let mut turn = Turn::default();
        if self.take_requests(&mut turn) {
            turn.dropped = report;
            return turn;
        }
        if let Some(report) = report {
            match transition(&self.machine, &Event::Reported(report.clone())) {
                Ok(next) => self.follow(next, &mut turn),
                Err(_) => turn.dropped = Some(report),
            }
        }
        turn
    }

    /// Takes requests until one has effects; returns true if one had.
    fn take_requests(&mut self, turn: &mut Turn) -> bool {
        while let Some(Taken { ticket, request, answer }) = self.queue.take_due(&self.machine) {
            let result = answer.map(|next| self.follow(next, turn));
            turn.answers.push(Answer { ticket, request, result });
            if !turn.effects.is_empty() {
                return true;
            }
        }
        false
    }

    fn follow(&mut self, next: Transition, turn: &mut Turn) {
        let begins_load = next.effects.iter().any(|effect| matches!(effect, Effect::LoadWorld(_)));
        self.machine = next.machine;
        turn.effects.extend(next.effects);
        if begins_load {
            self.refuse_of_last_world(turn);
        }
    }

    /// Refuses what plugins and bridges requested before this load: it was about another world.
    fn refuse_of_last_world(&mut self, turn: &mut Turn) {
        for (ticket, request) in self.queue.take_of_instances() {
            let refusal = Refusal {
                kind: RefusalKind::IncorrectTransition,
                state: self.machine.state(),
                event: request.interrupt.name(),
                reason: "it was requested before this world was loaded",
            };
            turn.answers.push(Answer { ticket, request, result: Err(refusal) });
        }
    }
}
