//! Poses for readers: made between two steps, once for all who asked, and only if somebody asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::block::{PoseBlock, Waiter};
use crate::thread::lock;

/// The readers that wait for poses. A reader asks for each block, so that its own rate decides how many are made, and a
/// slow one gets fewer.
#[derive(Default)]
pub struct PoseFeed {
    pub(super) waiting: Mutex<Vec<Waiter>>,
    pub(super) has_waiting: AtomicBool,
    /// The links of the nodes of a revision.
    pub(super) nodes: Mutex<Nodes>,
}

#[derive(Default)]
pub(super) struct Nodes {
    pub(super) revision: u64,
    pub(super) links: Vec<u32>,
}

impl PoseFeed {
    /// Passes the next block to `take`, on the simulation thread, which must not be kept waiting. The caller wakes the
    /// simulation.
    pub fn ask(&self, take: impl FnOnce(&Arc<PoseBlock>) + Send + 'static) {
        lock(&self.waiting).push(Box::new(take));
        self.has_waiting.store(true, Ordering::Release);
    }

    /// Waits for the next block; `None` after that time. `wake` wakes the simulation.
    pub fn wait(&self, time: Duration, wake: impl FnOnce()) -> Option<Arc<PoseBlock>> {
        let (sender, receiver) = sync_channel(1);
        self.ask(move |block| {
            // An error is a reader that waits no longer.
            drop(sender.try_send(Arc::clone(block)));
        });
        wake();
        receiver.recv_timeout(time).ok()
    }

    /// Returns true if somebody waits. Cheap.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.has_waiting.load(Ordering::Acquire)
    }
}
