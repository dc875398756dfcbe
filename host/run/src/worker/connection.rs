//! The status of the connection of a bridge in a worker: in the worker, and as the host knows it.

use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_abi::bridge as raw;

use super::wire::Connection;

impl Default for Connection {
    fn default() -> Self {
        Connection { change: 0, status: raw::STATUS_DISCONNECTED }
    }
}

impl Connection {
    /// Returns the reading after this one.
    pub(super) fn next(self, status: u32) -> Self {
        Connection { change: self.change.wrapping_add(u32::from(status != self.status)), status }
    }
}

/// The latest status that has arrived. They arrive on two threads, in any order.
#[derive(Debug)]
pub(super) struct LastConnection(AtomicU64);

impl Default for LastConnection {
    fn default() -> Self {
        LastConnection(AtomicU64::new(word(Connection::default())))
    }
}

impl LastConnection {
    /// Takes note of a status, unless a later one has arrived already.
    pub(super) fn update(&self, connection: Connection) {
        self.0.fetch_max(word(connection), Ordering::AcqRel);
    }

    /// One of the `STATUS_` constants.
    #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
    pub(super) fn status(&self) -> u32 {
        self.0.load(Ordering::Acquire) as u32
    }
}

/// A later status is a larger number.
fn word(Connection { change, status }: Connection) -> u64 {
    u64::from(change) << 32 | u64::from(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_that_arrives_late_does_not_replace_a_later_one() {
        let known = LastConnection::default();
        let connecting = Connection::default().next(raw::STATUS_CONNECTING);
        let connected = connecting.next(raw::STATUS_CONNECTED);
        let lost = connected.next(raw::STATUS_DISCONNECTED);
        assert_eq!(known.status(), raw::STATUS_DISCONNECTED);
        for (arrives, expected) in
            [(connected, connected), (connecting, connected), (lost, lost), (connected, lost)]
        {
            known.update(arrives);
            assert_eq!(known.status(), expected.status, "after {arrives:?}");
        }
    }

    #[test]
    fn only_changes_are_counted() {
        let connected = Connection::default().next(raw::STATUS_CONNECTED);
        assert_eq!(connected.next(raw::STATUS_CONNECTED), connected);
        assert_ne!(connected.next(raw::STATUS_DISCONNECTED), Connection::default(), "another disconnection");
    }
}
