//! The requests that wait to be taken: ordered by priority, in order of arrival within one, none lost. Whether a
//! request may be taken is asked of `transition`; the queue itself knows no states. Belongs to the simulation
//! thread; other threads hand requests over through a channel of the loop.

use super::event::{Event, Interrupt, Request};
use super::machine::Machine;
use super::refusal::{Refusal, RefusalKind};
use super::transition::{Transition, transition};

/// Names one request, so that its asker can be answered. Unique within a process, rising.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

/// Which of several waiting requests is taken first; the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Priority {
    /// Before anything else.
    Abort,
    /// Before the run is decided.
    Reset,
    /// Before success: a run that both succeeded and failed has failed.
    Fail,
    /// Before the end.
    Success,
    /// Stop and halt.
    Stop,
    /// After the run has ended by itself, so that its outcome is known.
    Quit,
    /// Unload and load.
    World,
    /// Before the ways out of a pause.
    Pause,
    /// Resume and play.
    Play,
    /// Needs a pause, so it comes last.
    Step,
}

impl Interrupt {
    /// Its place in the queue.
    #[must_use]
    pub fn priority(&self) -> Priority {
        match self {
            Self::Abort => Priority::Abort,
            Self::Reset(_) => Priority::Reset,
            Self::Fail => Priority::Fail,
            Self::Success => Priority::Success,
            Self::Stop | Self::Halt => Priority::Stop,
            Self::Quit => Priority::Quit,
            Self::UnloadWorld | Self::LoadWorld(_) => Priority::World,
            Self::Pause => Priority::Pause,
            Self::Resume | Self::Play => Priority::Play,
            Self::Step(_) => Priority::Step,
        }
    }
}

/// A request that left the queue, with what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// Whose request it was.
    pub ticket: Ticket,
    /// The request.
    pub request: Request,
    /// What follows from it, or why nothing does.
    pub answer: Result<Transition, Refusal>,
}

/// Requests that wait.
#[derive(Debug, Clone, Default)]
pub struct InterruptQueue {
    pub(super) waiting: Vec<(Ticket, Request)>,
    issued: u64,
}

impl InterruptQueue {
    /// Adds a request behind those of its priority.
    pub fn push(&mut self, request: Request) -> Ticket {
        self.issued += 1;
        let ticket = Ticket(self.issued);
        let priority = request.interrupt.priority();
        let place = self.waiting.partition_point(|(_, other)| other.interrupt.priority() <= priority);
        self.waiting.insert(place, (ticket, request));
        ticket
    }

    /// Takes out the first request that `machine` accepts or refuses for good; what can only be taken later stays.
    pub fn take_due(&mut self, machine: &Machine) -> Option<Taken> {
        let due = self.waiting.iter().enumerate().find_map(|(place, (_, request))| {
            let answer = transition(machine, &Event::Requested(request.clone()));
            let is_due = !matches!(&answer, Err(refusal) if refusal.kind == RefusalKind::Later);
            is_due.then_some((place, answer))
        });
        due.map(|(place, answer)| {
            let (ticket, request) = self.waiting.remove(place);
            Taken { ticket, request, answer }
        })
    }

    /// Withdraws a request that was not taken yet, for instance because its asker is gone.
    pub fn withdraw(&mut self, ticket: Ticket) -> Option<Request> {
        let place = self.waiting.iter().position(|(other, _)| *other == ticket)?;
        Some(self.waiting.remove(place).1)
    }

    /// How many requests wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
