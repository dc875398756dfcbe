//! The queue of requests: sorted by priority, and by arrival within one priority. `transition` decides
//! whether a request can be taken; the queue itself knows no states. Belongs to the simulation thread; other
//! threads send requests through a channel of the loop.

use super::event::{Event, Interrupt, Request};
use super::machine::Machine;
use super::refusal::{Refusal, RefusalKind};
use super::transition::{Transition, transition};

/// Identifies one request, so that its sender can be answered. Unique within a process and increasing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

/// The priority of a request; the smallest value is taken first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Priority {
    /// Before everything else.
    Abort,
    /// Before the outcome of the run is decided.
    Reset,
    /// Before success: a run that both succeeded and failed has failed.
    Fail,
    /// Before stopping.
    Success,
    /// Stop and halt.
    Stop,
    /// After a run that ends by itself, so that its outcome is known.
    Quit,
    /// Load and unload.
    World,
    /// Before requests that end a pause.
    Pause,
    /// Resume and play.
    Play,
    /// Last, because it needs a pause.
    Step,
}

impl Interrupt {
    /// The priority in the queue.
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

/// A request that left the queue, with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The ticket of the request.
    pub ticket: Ticket,
    /// The request.
    pub request: Request,
    /// The transition that follows, or the refusal.
    pub answer: Result<Transition, Refusal>,
}

/// Waiting requests.
#[derive(Debug, Clone, Default)]
pub struct InterruptQueue {
    pub(super) waiting: Vec<(Ticket, Request)>,
    issued: u64,
}

impl InterruptQueue {
    /// Adds a request behind those of the same priority.
    pub fn push(&mut self, request: Request) -> Ticket {
        self.issued += 1;
        let ticket = Ticket(self.issued);
        let priority = request.interrupt.priority();
        let place = self.waiting.partition_point(|(_, other)| other.interrupt.priority() <= priority);
        self.waiting.insert(place, (ticket, request));
        ticket
    }

    /// Takes the first request that `machine` accepts or refuses for good. Requests that must wait stay in
    /// the queue.
    pub fn take_due(&mut self, machine: &Machine) -> Option<Taken> {
        let due = self
            .waiting
            .iter()
            .enumerate()
            .find_map(|(place, (_, request))| decided(machine, request).map(|answer| (place, answer)));
        due.map(|(place, answer)| {
            let (ticket, request) = self.waiting.remove(place);
            Taken { ticket, request, answer }
        })
    }

    /// Returns true if [`Self::take_due`] would take a request.
    pub(super) fn has_due(&self, machine: &Machine) -> bool {
        self.waiting.iter().any(|(_, request)| decided(machine, request).is_some())
    }

    /// Withdraws a request that was not taken yet, for example because its client has disconnected.
    pub fn withdraw(&mut self, ticket: Ticket) -> Option<Request> {
        let place = self.waiting.iter().position(|(other, _)| *other == ticket)?;
        Some(self.waiting.remove(place).1)
    }

    /// Takes the requests of plugins and bridges, which waited for another state of a world that is gone.
    pub(super) fn take_of_instances(&mut self) -> Vec<(Ticket, Request)> {
        let is_of_instance = |(_, request): &mut (Ticket, Request)| request.cause.is_instance();
        self.waiting.extract_if(.., is_of_instance).collect()
    }

    /// The number of waiting requests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Returns true if no request waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// Returns the answer to a request; `None` if it must wait for another state.
fn decided(machine: &Machine, request: &Request) -> Option<Result<Transition, Refusal>> {
    let answer = transition(machine, &Event::Requested(request.clone()));
    let is_due = !matches!(&answer, Err(refusal) if refusal.kind == RefusalKind::Later);
    is_due.then_some(answer)
}
