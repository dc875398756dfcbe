//! The state of a bridge's connection and its changes, as plain values.

use std::time::Instant;

/// State of a connection, as seen by the host.
#[derive(Debug)]
pub enum Phase {
    /// Not connected.
    Idle {
        /// Time of the next attempt; `None` if there is none.
        retry_at: Option<Instant>,
    },
    /// `connect` is running, or has returned and the reported status is polled.
    Connecting {
        /// Time at which the attempt counts as failed.
        deadline: Instant,
    },
    /// Messages are exchanged.
    Connected,
    /// The connection was abandoned or closed.
    Ended,
}

/// Result of a poll, for the log and the lifecycle.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// The connection was established.
    Connected,
    /// The attempt failed, for this reason.
    Failed(String),
    /// The connection was lost, for this reason.
    Lost(String),
}
