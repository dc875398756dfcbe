//! Why an event is refused: a sentence for people and a kind for programs. Plain values, usable from any
//! thread.

use super::state::State;

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RefusalKind {
    /// Not in this state: the request stays in the queue and is offered again in the next state.
    Later,
    /// The requested state is the current one.
    AlreadyInTarget,
    /// The standard has no transition from this state to the requested one.
    IncorrectTransition,
    /// The state lacks what the request needs, for example a world.
    IncorrectState,
    /// The request is valid, but not now.
    OperationFailed,
    /// A report about work that this state did not start: left over from cancelled work.
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
    /// `None` if nobody is answered: the request waits, or the event is not a request.
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
#[error("[{}] {event} is refused while the simulation is {}: {reason}", kind.code(), state.plain_name())]
pub struct Refusal {
    /// The kind of the refusal.
    pub kind: RefusalKind,
    /// The state in which the event arrived.
    pub state: State,
    /// The name of the event.
    pub event: &'static str,
    /// The reason, as a clause.
    pub reason: &'static str,
}
