//! How many connections there may be, and whose turn it is where more want in.
//!
//! While somebody waits, connections give up their places: busy ones after their next answer, which says so, and those
//! at once that have been idle for a while. One that has not asked for anything yet keeps its place.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, timeout};

/// How long a client waits for its turn.
const TURN: Duration = Duration::from_secs(10);
/// How often those inside are told meanwhile.
const REMINDER: Duration = Duration::from_millis(100);
/// A connection that had no request for so long is idle. Shorter, and a request could be on its way.
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
    /// Since when there is no request; `None` during one, and before the first.
    idle_since: Mutex<Option<Instant>>,
}

impl Room {
    pub(super) fn new(total: usize) -> Self {
        let (places, waiting) = (Arc::new(Semaphore::new(total)), Arc::default());
        Room { places, total, waiting, crowd: watch::Sender::new(()) }
    }

    /// A place; `None` where none becomes free in time.
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

    /// Changes whenever somebody waits.
    pub(super) fn crowd(&self) -> watch::Receiver<()> {
        self.crowd.subscribe()
    }

    /// Waits until everybody has left.
    pub(super) async fn empty(&self) {
        let all = u32::try_from(self.total).unwrap_or(u32::MAX);
        // An error would say that the room is closed, which it never is.
        drop(self.places.acquire_many(all).await);
    }
}

impl Place {
    /// A request has come.
    pub(super) fn begin(&self) {
        *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Its answer goes out. Whether it is to be the last, because others want in.
    pub(super) fn end(&self) -> bool {
        *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Whether it has been idle for a while.
    pub(super) fn is_idle(&self) -> bool {
        let since = *self.idle_since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() >= IDLE)
    }
}
