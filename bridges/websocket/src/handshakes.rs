//! The connections that are in their handshake. Their number is limited; beyond it, those that have taken longest make room
//! for new ones, so that silent connections do not keep clients out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use crate::lock::lock;

/// Connections that may be in their handshake at one time.
const MAX: usize = 128;
/// How long a handshake may take if others need its place.
const TURN: Duration = Duration::from_millis(250);

/// The connections that are in their handshake.
pub(crate) struct Handshakes {
    permits: Arc<Semaphore>,
    /// The oldest is first, each with its beginning. The receivers of those that are done are gone.
    running: Mutex<VecDeque<(Instant, oneshot::Sender<()>)>>,
}

/// A place for a connection until its handshake is done.
pub(crate) struct Handshake {
    #[expect(dead_code, reason = "frees the place when it is dropped")]
    permit: Option<OwnedSemaphorePermit>,
    dismissed: oneshot::Receiver<()>,
}

impl Handshakes {
    pub(crate) fn new() -> Self {
        Handshakes { permits: Arc::new(Semaphore::new(MAX)), running: Mutex::default() }
    }

    /// Waits for a place.
    pub(crate) async fn enter(&self) -> Handshake {
        let mut free = std::pin::pin!(Arc::clone(&self.permits).acquire_owned());
        // The semaphore is never closed, so there is always a permit at the end.
        let permit = loop {
            if let Ok(permit) = timeout_at(self.oldest() + TURN, free.as_mut()).await {
                break permit.ok();
            }
            self.dismiss_oldest();
            if let Ok(permit) = timeout(TURN, free.as_mut()).await {
                break permit.ok();
            }
        };
        let (dismiss, dismissed) = oneshot::channel();
        lock(&self.running).push_back((Instant::now(), dismiss));
        Handshake { permit, dismissed }
    }

    /// Returns when the oldest handshake has begun.
    fn oldest(&self) -> Instant {
        let mut running = lock(&self.running);
        running.retain(|(_, other)| !other.is_closed());
        running.front().map_or_else(Instant::now, |(since, _)| *since)
    }

    fn dismiss_oldest(&self) {
        let mut running = lock(&self.running);
        while let Some((_, oldest)) = running.pop_front() {
            if oldest.send(()).is_ok() {
                return;
            }
        }
    }
}

impl Handshake {
    /// Waits until its connection must make room for others.
    pub(crate) async fn dismissed(&mut self) {
        // An error says that the server ends.
        drop((&mut self.dismissed).await);
    }
}
