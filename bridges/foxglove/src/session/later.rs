//! Work for the thread of the server, one queue for each client: what the host answers is encoded there and not on the
//! thread that brings the answer, which may be that of the simulation.

use std::collections::VecDeque;
use std::sync::Mutex;

use bridgehead_websocket::Link;

use super::Session;
use crate::lock::lock;

/// Something to do for a client.
type Work = Box<dyn FnOnce(&Session) + Send>;

/// The queue of a client. It is bounded, because each entry belongs to a call in progress.
pub(super) struct Later {
    link: Link,
    work: Mutex<VecDeque<Work>>,
}

impl Later {
    pub(super) fn new(link: &Link) -> Self {
        Later { link: link.clone(), work: Mutex::default() }
    }

    /// Has something done soon. Any thread.
    pub(super) fn add(&self, work: impl FnOnce(&Session) + Send + 'static) {
        // Nobody takes the work of a client that is gone.
        if self.link.is_open() {
            lock(&self.work).push_back(Box::new(work));
            self.link.wake();
        }
    }

    /// Does the next work; returns false if there is none.
    pub(super) fn proceed(&self, session: &Session) -> bool {
        let next = lock(&self.work).pop_front();
        next.map(|work| work(session)).is_some()
    }

    /// Drops the work of a client that is gone.
    pub(super) fn clear(&self) {
        lock(&self.work).clear();
    }
}
