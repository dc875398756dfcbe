//! Where the connection of a bridge stands, and how it changes. Plain values.

use std::time::Instant;

/// Where a connection stands, as the host sees it.
#[derive(Debug)]
pub enum Phase {
    /// Not connected; tried again at the given time, if at all.
    Idle {
        /// When the next try is due.
        retry_at: Option<Instant>,
    },
    /// `connect` runs, or has returned and the status is watched.
    Connecting {
        /// When the try counts as failed.
        deadline: Instant,
    },
    /// Messages flow.
    Connected,
    /// The connection was given up or ended.
    Ended,
}

/// What a poll found, for the log and the lifecycle.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    /// It connected.
    Connected,
    /// It could not connect, or lost its connection, for this reason.
    Failed(String),
}
