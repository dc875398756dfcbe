//! The limit of connections, and the queue of waiting clients.
//!
//! While a client waits, connections give up their places: busy ones after their next response, which announces it, and
//! idle ones at once. A connection without any request so far keeps its place.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, timeout};

/// Longest wait for a place.
const TURN: Duration = Duration::from_secs(10);
/// Interval of the notices to the connections.
const REMINDER: Duration = Duration::from_millis(100);
/// Time without a request after which a connection is idle. If it were shorter, a request could be on its way.
const IDLE: Duration = Duration::from_millis(250);

/// The places of a server.
pub(super) struct Room {
    places: Arc<Semaphore>,
    total: usize,
    waiting: Arc<AtomicUsize>,
    crowd: watch::Sender<()>,
}

/// The place of one connection, and of the WebSocket that it becomes.
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    waiting: Arc<AtomicUsize>,
    /// End of the last request; `None` during a request, and before the first.
    idle_since: Mutex<Option<Instant>>,
}

impl Room {
    pub(super) fn new(total: usize) -> Self {
        let (places, waiting) = (Arc::new(Semaphore::new(total)), Arc::default());
        Room { places, total, waiting, crowd: watch::Sender::new(()) }
    }

    /// Returns a place; `None` if none becomes free in time.
    pub(super) async fn enter(&self) -> Option<Arc<Place>> {
        let permit = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                let permit = timeout(TURN, self.wait()).await;
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                permit.ok()??
            }
        };
        let (waiting, idle_since) = (Arc::clone(&self.waiting), Mutex::default());
        Some(Arc::new(Place { _permit: permit, waiting, idle_since }))
    }

    async fn wait(&self) -> Option<OwnedSemaphorePermit> {
        let mut permit = std::pin::pin!(Arc::clone(&self.places).acquire_owned());
        loop {
            self.crowd.send_replace(());
            if let Ok(permit) = timeout(REMINDER, permit.as_mut()).await {
                return permit.ok();
            }
        }
    }

    /// Changes whenever a client waits.
    pub(super) fn crowd(&self) -> watch::Receiver<()> {
        self.crowd.subscribe()
    }

    /// Waits until all connections have ended.
    pub(super) async fn empty(&self) {
        let all = u32::try_from(self.total).unwrap_or(u32::MAX);
        // An error would say that the room is closed, which it never is.
        drop(self.places.acquire_many(all).await);
    }
}

impl Place {
    /// Notes the start of a request.
    pub(super) fn begin(&self) {
        *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Notes the end of a request. Returns true if the connection must end because other clients wait.
    pub(super) fn end(&self) -> bool {
        *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Returns true if it is idle.
    pub(super) fn is_idle(&self) -> bool {
        let since = *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() >= IDLE)
    }
}
