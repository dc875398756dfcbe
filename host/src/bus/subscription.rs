//! Messages that wait for a plugin to take them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_plugin_api::rules;

use super::{Delivery, Topic};

/// One subscription of one plugin instance, or of the host. Filled and emptied on the simulation thread.
pub struct Subscription {
    /// The topic.
    pub topic: Arc<Topic>,
    depth: usize,
    /// Whether what is not taken in time counts as lost.
    counts_lost: bool,
    /// Whether a take would find nothing and leave nothing behind: what most of them come to.
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
    /// A subscription that holds at most `depth` messages (0: a default).
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

    /// One for somebody who looks at the newest message now and then; the others are not missed.
    #[must_use]
    pub fn of_latest(topic: Arc<Topic>) -> Self {
        Subscription { counts_lost: false, ..Subscription::new(topic, 1) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message; the oldest goes when the subscription is full.
    pub fn push(&self, delivery: Delivery) {
        let mut state = self.state();
        if state.waiting.len() >= self.depth {
            state.waiting.pop_front();
            state.dropped += u64::from(self.counts_lost);
        }
        state.waiting.push_back(delivery);
        self.is_idle.store(false, Ordering::Relaxed);
    }

    /// Takes the next message and shows it to `read`. It is kept alive until the next take.
    pub fn take<T>(&self, read: impl FnOnce(&Delivery) -> T) -> Option<T> {
        if self.is_idle.load(Ordering::Relaxed) {
            return None;
        }
        let mut state = self.state();
        state.current = state.waiting.pop_front();
        self.is_idle.store(state.current.is_none(), Ordering::Relaxed);
        state.current.as_ref().map(read)
    }

    /// What waits, in order, as `read` has it.
    pub fn waiting<T>(&self, read: impl FnMut(&Delivery) -> T) -> Vec<T> {
        self.state().waiting.iter().map(read).collect()
    }

    /// Forgets what waits, at a reset.
    pub fn clear(&self) {
        self.state().waiting.clear();
    }

    /// Messages that nobody took in time.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.state().dropped
    }
}
