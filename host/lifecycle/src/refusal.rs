//! Why an event does not lead anywhere: one sentence for people, one kind for programs. Plain values, usable from
//! any thread.

use super::state::State;

/// What kind of no this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RefusalKind {
    /// Not between these two states: the request stays in the queue and is offered again in the next state.
    Later,
    /// What is asked for is already so.
    AlreadyInTarget,
    /// The standard has no way from here to there.
    IncorrectTransition,
    /// The state lacks what the request needs, for instance a world.
    IncorrectState,
    /// The request makes sense, but not now.
    OperationFailed,
    /// A report of work that this state did not order: left over from work that was given up.
    Stale,
}

impl RefusalKind {
    /// The stable error code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Later => "BH-SIM-100",
            Self::AlreadyInTarget => "BH-SIM-101",
            Self::IncorrectState => "BH-SIM-102",
            Self::IncorrectTransition => "BH-SIM-103",
            Self::OperationFailed => "BH-SIM-104",
            Self::Stale => "BH-SIM-105",
        }
    }

    /// The result code of `simulation_interfaces` (`msg/Result`, above 100 `srv/SetSimulationState`).
    ///
    /// `None` where the asker gets no answer: the request waits, or there is no asker.
    #[must_use]
    pub fn result_code(self) -> Option<u8> {
        match self {
            Self::Later | Self::Stale => None,
            Self::AlreadyInTarget => Some(101),
            Self::IncorrectTransition => Some(103),
            Self::IncorrectState => Some(3),
            Self::OperationFailed => Some(4),
        }
    }
}

/// An event that was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("[{}] {event} refused in {state}: {reason}", kind.code())]
pub struct Refusal {
    /// What kind of no this is.
    pub kind: RefusalKind,
    /// The state the event met.
    pub state: State,
    /// The name of the event.
    pub event: &'static str,
    /// Why, as a clause.
    pub reason: &'static str,
}
