//! The connections to a socket.

use std::collections::BTreeMap;
use std::os::fd::RawFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use zmq::{POLLOUT, PollItem};

/// File descriptors of the connections to a port and when they were made, kept up to date by its monitor.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Mutex<BTreeMap<RawFd, Instant>>>);

impl Connections {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<RawFd, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection that was made now.
    pub fn insert(&self, connection: RawFd, now: Instant) {
        self.lock().insert(connection, now);
    }

    /// Removes a connection.
    pub fn remove(&self, connection: RawFd) {
        self.lock().remove(&connection);
    }

    /// Returns the number of connections.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// Returns the connections, each with the time when it was made.
    #[must_use]
    pub fn all(&self) -> Vec<(RawFd, Instant)> {
        self.lock().iter().map(|(connection, since)| (*connection, *since)).collect()
    }

    /// Returns true if one of the connections cannot take data now.
    #[must_use]
    pub fn is_any_full(&self) -> bool {
        let mut items: Vec<_> =
            self.lock().keys().map(|connection| PollItem::from_fd(*connection, POLLOUT)).collect();
        match zmq::poll(&mut items, 0) {
            // A connection that has just ended is reported with an error, and is not full.
            Ok(_) => items.iter().any(|item| item.get_revents().is_empty()),
            Err(_) => false,
        }
    }
}
