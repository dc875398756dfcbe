//! Messages that a plugin has published and the simulation has not routed yet.
//!
//! Filled from any thread of the plugin, emptied by the simulation thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules::{self, OUTBOX, Room};

use super::{BufferPool, Topic};
use crate::thread::lock;

/// A published message that is not routed yet.
pub struct Outgoing {
    /// Id of its topic.
    pub topic: u32,
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// The bytes.
    pub payload: Payload,
}

/// The outbox of one plugin instance.
pub struct Outbox {
    /// Name of the instance.
    owner: String,
    waiting: Mutex<Waiting>,
    is_filled: AtomicBool,
    /// True if any outbox of the run was filled, so that a step without messages checks none.
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
    /// Creates an empty outbox of the instance `owner`, which sets `is_any_filled` when a message is added.
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

    /// Adds a message. Returns false if there is no room and the message was dropped.
    pub fn push(&self, message: Outgoing) -> bool {
        let needed = message.payload.len();
        let mut waiting = lock(&self.waiting);
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

    /// Moves all messages into `into`, which must be empty. The two vectors are swapped, so neither allocates in a
    /// steady state.
    pub fn drain_into(&self, into: &mut Vec<Outgoing>) {
        if self.is_filled.load(Ordering::Relaxed) && self.is_filled.swap(false, Ordering::Acquire) {
            let mut waiting = lock(&self.waiting);
            waiting.bytes = 0;
            std::mem::swap(&mut waiting.messages, into);
        }
    }

    /// Warns once for each topic that messages are dropped.
    fn report_overflow(&self, topic: &Topic) {
        if !self.has_overflowed.swap(true, Ordering::Relaxed) {
            log::warn!(
                target: &self.owner,
                "[BH-MSG-064] `{}` is published faster than the simulation takes it: of the messages between two steps, \
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
    /// Creates a publisher that fills `outbox`.
    #[must_use]
    pub fn new(topic: Arc<Topic>, outbox: Arc<Outbox>) -> Self {
        Publisher { topic, outbox, pool: Arc::new(BufferPool::default()) }
    }

    /// Publishes a payload: it stays in the outbox until the simulation routes it. If the outbox is full, the message
    /// is counted as published and dropped.
    pub fn publish(&self, stamp_ns: i64, payload: Payload) {
        if !self.outbox.push(Outgoing { topic: self.topic.id, stamp_ns, payload }) {
            self.topic.overflowed.fetch_add(1, Ordering::Relaxed);
            self.outbox.report_overflow(&self.topic);
        }
    }

    /// Number of current listeners.
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
