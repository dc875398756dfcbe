//! What a call of a plugin resulted in, and how far its instance has come. Plain values.

use bridgehead_lifecycle::Interrupt;

/// State of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Created; no function was called yet.
    Created,
    /// `awake` or `start` is running.
    Starting,
    /// `start` returned PENDING.
    Pending,
    /// The end of the run interrupted its start.
    Interrupted,
    /// It takes part in the simulation.
    Started,
    /// Stopped; may start again.
    Stopped,
    /// Disabled, for this reason.
    Failed(String),
}

/// Result of a call that did not simply succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The instance failed and is disabled from now on.
    Failed(String),
    /// The instance failed in `load` in such a way that it cannot be reset, and is disabled. The others are in order.
    FailedToLoad(String),
    /// It requests an interrupt of the run, with a reason.
    Requested(Interrupt, String),
}

/// A fault with the label of its plugin.
pub(super) type LabelledFault = (String, Fault);
