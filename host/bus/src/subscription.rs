//! The queue of one subscription: messages that a plugin or the host has not taken yet.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use bridgehead_plugin_api::rules;

use super::{Delivery, Topic};
use bridgehead_runtime::thread::lock;

/// One subscription of one plugin instance, or of the host. Filled and emptied on the simulation thread.
pub struct Subscription {
    /// The topic.
    pub topic: Arc<Topic>,
    depth: usize,
    /// True if messages that are not taken in time count as dropped.
    counts_lost: bool,
    /// True if taking would find and release nothing: the usual case, answered without the lock.
    is_idle: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Delivery>,
    current: Option<Delivery>,
    dropped: u64,
}

impl Subscription {
    /// Creates a subscription that holds at most `depth` messages (0: default).
    #[must_use]
    pub fn new(topic: Arc<Topic>, depth: u32) -> Self {
        Subscription {
            topic,
            depth: rules::subscription_depth(depth),
            counts_lost: true,
            is_idle: AtomicBool::new(true),
            state: Mutex::default(),
        }
    }

    /// Creates a subscription for a reader that polls the newest message; older ones do not count as dropped.
    #[must_use]
    pub fn of_latest(topic: Arc<Topic>) -> Self {
        Subscription { counts_lost: false, ..Subscription::new(topic, 1) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Adds a message. If the subscription is full, the oldest message is dropped.
    pub fn push(&self, delivery: Delivery) {
        let mut state = self.state();
        if state.waiting.len() >= self.depth {
            state.waiting.pop_front();
            state.dropped += u64::from(self.counts_lost);
        }
        state.waiting.push_back(delivery);
        self.is_idle.store(false, Ordering::Relaxed);
    }

    /// Takes the next message and passes it to `read`. It is kept alive until the next one is taken.
    #[inline]
    pub fn take<T>(&self, read: impl FnOnce(&Delivery) -> T) -> Option<T> {
        if self.is_idle.load(Ordering::Relaxed) {
            return None;
        }
        let mut state = self.state();
        state.current = state.waiting.pop_front();
        self.is_idle.store(state.current.is_none(), Ordering::Relaxed);
        state.current.as_ref().map(read)
    }

    /// Maps all queued messages with `read`, in order.
    pub fn waiting<T>(&self, read: impl FnMut(&Delivery) -> T) -> Vec<T> {
        self.state().waiting.iter().map(read).collect()
    }

    /// Drops all queued messages, at a reset.
    pub fn clear(&self) {
        self.state().waiting.clear();
    }

    /// Number of messages that were not taken in time.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.state().dropped
    }
}
