//! What a plugin published since the simulation last looked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules::{self, OUTBOX, Room};

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
pub struct Outbox {
    /// Name of the instance.
    owner: String,
    waiting: Mutex<Waiting>,
    is_filled: AtomicBool,
    /// Whether any outbox of the run was filled, so that a step without messages looks into none.
    is_any_filled: Arc<AtomicBool>,
    has_overflowed: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    messages: Vec<Outgoing>,
    bytes: usize,
}

impl Waiting {
    fn has_room(&self, needed: usize) -> bool {
        rules::has_room(OUTBOX, Room { messages: self.messages.len(), bytes: self.bytes }, needed)
    }
}

impl Outbox {
    /// An empty outbox of the instance `owner`. It sets `is_any_filled` when it is filled.
    #[must_use]
    pub fn new(owner: &str, is_any_filled: Arc<AtomicBool>) -> Self {
        Outbox {
            owner: owner.to_owned(),
            waiting: Mutex::default(),
            is_filled: AtomicBool::new(false),
            is_any_filled,
            has_overflowed: AtomicBool::new(false),
        }
    }

    /// Adds a message; false where there is no room and the message is gone.
    pub fn push(&self, message: Outgoing) -> bool {
        let needed = message.payload.len();
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if !waiting.has_room(needed) {
            return false;
        }
        waiting.bytes += needed;
        waiting.messages.push(message);
        drop(waiting);
        self.is_filled.store(true, Ordering::Release);
        self.is_any_filled.store(true, Ordering::Release);
        true
    }

    /// Moves what waits into `into`, which must be empty: the two vectors change places, so neither
    /// allocates in a steady state.
    pub fn drain_into(&self, into: &mut Vec<Outgoing>) {
        if self.is_filled.load(Ordering::Relaxed) && self.is_filled.swap(false, Ordering::Acquire) {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.bytes = 0;
            std::mem::swap(&mut waiting.messages, into);
        }
    }

    /// Says once that messages of a topic are lost.
    fn report_overflow(&self, topic: &Topic) {
        if !self.has_overflowed.swap(true, Ordering::Relaxed) {
            log::warn!(
                target: &self.owner,
                "[BH-MSG-064] `{}` is published faster than the simulation takes it: of what comes between two steps, \
                 {} messages and {} MiB are kept, the rest is dropped",
                topic.name,
                OUTBOX.messages,
                OUTBOX.bytes >> 20
            );
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

    /// Publishes a payload: it waits in the outbox until the simulation routes it. Without room there it is counted
    /// as published and dropped.
    pub fn publish(&self, stamp_ns: i64, payload: Payload) {
        if !self.outbox.push(Outgoing { topic: self.topic.id, stamp_ns, payload }) {
            self.topic.overflowed.fetch_add(1, Ordering::Relaxed);
            self.outbox.report_overflow(&self.topic);
        }
    }

    /// How many would get a message now.
    #[must_use]
    pub fn listeners(&self) -> u32 {
        self.topic.listeners.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(len: usize) -> Outgoing {
        Outgoing { topic: 0, stamp_ns: 0, payload: Payload::from_vec(vec![0; len]) }
    }

    #[test]
    fn a_full_outbox_refuses_until_it_is_drained() {
        let outbox = Outbox::new("car1/flood", Arc::default());
        assert!((0..OUTBOX.messages).all(|_| outbox.push(message(1))));
        assert!(!outbox.push(message(1)));
        let mut drained = Vec::new();
        outbox.drain_into(&mut drained);
        assert_eq!(drained.len(), OUTBOX.messages);
        assert!(outbox.push(message(1)));
    }

    #[test]
    fn bytes_are_limited_too_but_a_lonely_message_is_not() {
        let outbox = Outbox::new("car1/camera", Arc::default());
        assert!(outbox.push(message(OUTBOX.bytes + 1)));
        assert!(!outbox.push(message(1)));
        let mut drained = Vec::new();
        outbox.drain_into(&mut drained);
        assert!(outbox.push(message(OUTBOX.bytes)) && !outbox.push(message(1)));
    }
}
