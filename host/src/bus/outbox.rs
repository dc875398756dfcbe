//! What a plugin published since the simulation last looked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bridgehead_plugin_api::Payload;

use super::{BufferPool, Topic};

/// A message that was published and not yet routed.
pub struct Outgoing {
    /// Number of its topic.
    pub topic: u32,
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// The bytes.
    pub payload: Payload,
}

/// The outbox of one plugin instance: filled from any thread, emptied by the simulation.
#[derive(Default)]
pub struct Outbox {
    waiting: Mutex<Vec<Outgoing>>,
    is_filled: AtomicBool,
}

impl Outbox {
    /// Adds a message.
    pub fn push(&self, message: Outgoing) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(message);
        self.is_filled.store(true, Ordering::Release);
    }

    /// Moves what waits into `into`, which must be empty: the two vectors change places, so neither
    /// allocates in a steady state.
    pub fn drain_into(&self, into: &mut Vec<Outgoing>) {
        if self.is_filled.swap(false, Ordering::Acquire) {
            std::mem::swap(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner), into);
        }
    }
}

/// One advertised topic of one plugin instance.
pub struct Publisher {
    /// The topic.
    pub topic: Arc<Topic>,
    /// Memory for its messages.
    pub pool: Arc<BufferPool>,
    outbox: Arc<Outbox>,
}

impl Publisher {
    /// A publisher that fills `outbox`.
    #[must_use]
    pub fn new(topic: Arc<Topic>, outbox: Arc<Outbox>) -> Self {
        Publisher { topic, outbox, pool: Arc::new(BufferPool::default()) }
    }

    /// Publishes a payload: it waits in the outbox until the simulation routes it.
    pub fn publish(&self, stamp_ns: i64, payload: Payload) {
        self.outbox.push(Outgoing { topic: self.topic.id, stamp_ns, payload });
    }

    /// How many would get a message now.
    #[must_use]
    pub fn listeners(&self) -> u32 {
        self.topic.listeners.load(Ordering::Relaxed)
    }
}
