//! The limit of connections, and the queue of waiting clients.
//!
//! While a client waits, connections give up their places: busy ones after their next response, which announces it, and
//! those whose clients keep the server waiting at once, the longest wait first ([`Place`] decides).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout};

use super::place::Place;
use crate::thread::lock;

/// Longest wait for a place.
const TURN: Duration = Duration::from_secs(10);
/// Interval at which a waiting client looks for connections to close.
const REMINDER: Duration = Duration::from_millis(100);

/// The places of a server.
pub(super) struct Room {
    permits: Arc<Semaphore>,
    total: usize,
    waiting: Arc<AtomicUsize>,
    places: Mutex<Vec<Weak<Place>>>,
}

impl Room {
    pub(super) fn new(total: usize) -> Self {
        let permits = Arc::new(Semaphore::new(total));
        Room { permits, total, waiting: Arc::default(), places: Mutex::default() }
    }

    /// Returns a place, and the receiver that is told if its connection must end; `None` if none becomes free in time.
    pub(super) async fn enter(&self) -> Option<(Arc<Place>, oneshot::Receiver<()>)> {
        let permit = match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                let permit = timeout(TURN, self.wait()).await;
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                permit.ok()??
            }
        };
        let (place, dismissed) = Place::new(permit, Arc::clone(&self.waiting));
        let mut places = lock(&self.places);
        places.retain(|place| place.strong_count() > 0);
        places.push(Arc::downgrade(&place));
        Some((place, dismissed))
    }

    async fn wait(&self) -> Option<OwnedSemaphorePermit> {
        let mut permit = std::pin::pin!(Arc::clone(&self.permits).acquire_owned());
        loop {
            self.dismiss(self.waiting.load(Ordering::Relaxed));
            if let Ok(permit) = timeout(REMINDER, permit.as_mut()).await {
                return permit.ok();
            }
        }
    }

    /// Ends connections until `wanted` of them are ending, or all others are in use. Those whose clients have kept the
    /// server waiting for longest end first.
    pub(super) fn dismiss(&self, wanted: usize) {
        let now = Instant::now();
        let places: Vec<Arc<Place>> = lock(&self.places).iter().filter_map(Weak::upgrade).collect();
        let ending = places.iter().filter(|place| place.is_dismissed()).count();
        let mut overdue: Vec<_> = places
            .iter()
            .filter(|place| !place.is_dismissed())
            .filter_map(|place| Some((place.overdue_since(now)?, place)))
            .collect();
        overdue.sort_by_key(|(since, _)| *since);
        for (_, place) in overdue.iter().take(wanted.saturating_sub(ending)) {
            place.dismiss();
        }
    }

    /// Waits until all connections have ended.
    pub(super) async fn empty(&self) {
        let all = u32::try_from(self.total).unwrap_or(u32::MAX);
        // An error would say that the room is closed, which it never is.
        drop(self.permits.acquire_many(all).await);
    }
}
