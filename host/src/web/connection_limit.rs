//! The limit of connections, and the queue of waiting clients.
//!
//! While a client waits, connections give up their slots: busy ones after their next response, which announces it, and
//! those whose clients keep the server waiting at once, the longest wait first ([`ConnectionSlot`] decides).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout};

use super::connection_slot::ConnectionSlot;
use crate::thread::lock;

/// Longest wait for a slot.
const TURN: Duration = Duration::from_secs(10);
/// Interval at which a waiting client looks for connections to close.
const REMINDER: Duration = Duration::from_millis(100);

/// The slots of a server.
pub(super) struct ConnectionLimit {
    permits: Arc<Semaphore>,
    total: usize,
    waiting: Arc<AtomicUsize>,
    slots: Mutex<Vec<Weak<ConnectionSlot>>>,
}

impl ConnectionLimit {
    pub(super) fn new(total: usize) -> Self {
        let permits = Arc::new(Semaphore::new(total));
        ConnectionLimit { permits, total, waiting: Arc::default(), slots: Mutex::default() }
    }

    /// Returns a slot, and the receiver that is told if its connection must end; `None` if none becomes free in time.
    pub(super) async fn enter(&self) -> Option<(Arc<ConnectionSlot>, oneshot::Receiver<()>)> {
        let permit = match Arc::clone(&self.permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                let permit = timeout(TURN, self.wait()).await;
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                permit.ok()??
            }
        };
        let (slot, dismissed) = ConnectionSlot::new(permit, Arc::clone(&self.waiting));
        let mut slots = lock(&self.slots);
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(Arc::downgrade(&slot));
        Some((slot, dismissed))
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
        let slots: Vec<Arc<ConnectionSlot>> = lock(&self.slots).iter().filter_map(Weak::upgrade).collect();
        let ending = slots.iter().filter(|slot| slot.is_dismissed()).count();
        let mut overdue: Vec<_> = slots
            .iter()
            .filter(|slot| !slot.is_dismissed())
            .filter_map(|slot| Some((slot.overdue_since(now)?, slot)))
            .collect();
        overdue.sort_by_key(|(since, _)| *since);
        for (_, slot) in overdue.iter().take(wanted.saturating_sub(ending)) {
            slot.dismiss();
        }
    }

    /// Waits until all connections have ended.
    pub(super) async fn empty(&self) {
        let all = u32::try_from(self.total).unwrap_or(u32::MAX);
        // An error would say that the semaphore is closed, which it never is.
        drop(self.permits.acquire_many(all).await);
    }
}
