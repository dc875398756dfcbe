//! The lifecycle of the host as a value: [`transition`] takes a [`Machine`] and an [`Event`] and gives the next
//! machine and the [`Effect`]s, or a [`Refusal`] that says why. It leaves all doing to the loop: no I/O, no clock, no
//! thread is touched here, and time is a parameter. Everything belongs to the simulation thread.
//!
//! [`Lifecycle`] joins the machine with the queue of requests, so that the order in which things are taken is
//! decided here too:
//!
//! ```text
//! let mut life = Lifecycle::new(settings);
//! life.submit(Request::new(Interrupt::LoadWorld(world), Cause::CommandLine));
//! let mut report = None;
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
//! The diagram and the whole table are generated from this code into `docs/lifecycle.md`. Diagram and table leave
//! out the time a state takes and who supervises it; deadlines belong to the loop, which reports what is overdue.

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

/// The machine together with the requests that wait for it.
#[derive(Debug, Clone)]
pub struct Lifecycle {
    machine: Machine,
    queue: InterruptQueue,
}

/// What one call of [`Lifecycle::advance`] brought about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn {
    /// What the loop has to do now, in this order.
    pub effects: Vec<Effect>,
    /// The requests that were accepted or refused, in the order they were taken.
    pub answers: Vec<Answer>,
    /// A report that came to nothing, because a request had led elsewhere before or because it was stale.
    pub dropped: Option<Report>,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Whose request it was.
    pub ticket: Ticket,
    /// The request, for the log.
    pub request: Request,
    /// Accepted, or why not. What was accepted is complete when [`Machine::is_settled`].
    pub result: Result<(), Refusal>,
}

impl Lifecycle {
    /// A host that has just been started.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { machine: Machine::new(settings), queue: InterruptQueue::default() }
    }

    /// Where the host is.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// From now on the host stays when a run ends.
    pub fn keep_alive(&mut self) {
        self.machine.settings.keep_alive = true;
    }

    /// Puts a request into the queue; its answer comes from a later [`Self::advance`].
    pub fn submit(&mut self, request: Request) -> Ticket {
        self.queue.push(request)
    }

    /// Whether requests wait to be taken.
    #[must_use]
    pub fn has_requests(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Withdraws a request that was not taken yet.
    pub fn withdraw(&mut self, ticket: Ticket) -> Option<Request> {
        self.queue.withdraw(ticket)
    }

    /// Takes what is due between two states: requests first, by priority, then the report of the work just done.
    ///
    /// At most one change of state happens per call, so that its effects are carried out before the next. A request
    /// that leads elsewhere takes the place of the nominal course; the report is then dropped.
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

    /// Takes requests until one changes the course; says whether one did.
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
        self.machine = next.machine;
        turn.effects.extend(next.effects);
    }
}
