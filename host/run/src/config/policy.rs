//! What happens after failures, and what is recorded. Plain values.

/// What happens when a plugin fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailurePolicy {
    /// The run continues without it.
    #[default]
    Continue,
    /// The simulation pauses.
    Pause,
    /// The run is aborted.
    Abort,
}

/// What a run ends as whose world is incomplete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LossPolicy {
    /// A failure.
    #[default]
    Fail,
    /// The same as with a complete world.
    Ignore,
}

/// What happens after a lost or failed connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reconnect {
    /// The bridge tries again, with growing pauses of up to 10 s.
    #[default]
    Backoff,
    /// The bridge does not try again.
    Never,
}

/// Which images a recording has of a camera that publishes them raw and compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordedImages {
    /// The compressed ones.
    #[default]
    Compressed,
    /// Both.
    All,
}
