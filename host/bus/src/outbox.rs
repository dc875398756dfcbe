//! Messages that a plugin has published and the simulation has not routed yet.
//!
//! Filled from any thread of the plugin, emptied by the simulation thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules::{self, OUTBOX, Room};

use super::{BufferPool, Topic};
use bridgehead_runtime::thread::lock;

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

/// Why a message was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// The outbox is full.
    NoRoom,
    /// The payload is larger than [`rules::MAX_PAYLOAD`]: its bytes.
    TooLarge(usize),
}

#[derive(Default)]
struct Waiting {
    messages: Vec<Outgoing>,
    bytes: usize,
}

impl Waiting {
    fn room(&self) -> Room {
        Room { messages: self.messages.len(), bytes: self.bytes }
    }

    /// Whether a message fits beside those that wait.
    fn fits(&self, needed: usize) -> bool {
        rules::fits(OUTBOX, self.room(), needed)
    }

    /// Whether a message that exceeds the limit is accepted, because it is alone and not too large.
    #[cold]
    fn takes_alone(&self, needed: usize) -> bool {
        rules::has_room(OUTBOX, self.room(), needed) && needed <= rules::MAX_PAYLOAD
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

    /// Adds a message.
    ///
    /// # Errors
    /// Returns an error if the message was dropped, because there is no room or it is too large. A payload that is too
    /// large never fits, so that its size is compared with the limit only after that.
    pub fn push(&self, message: Outgoing) -> Result<(), Dropped> {
        let needed = message.payload.stated_len();
        let mut waiting = lock(&self.waiting);
        if !waiting.fits(needed) && !waiting.takes_alone(needed) {
            return Err(if needed > rules::MAX_PAYLOAD {
                Dropped::TooLarge(needed)
            } else {
                Dropped::NoRoom
            });
        }
        waiting.bytes += needed;
        waiting.messages.push(message);
        drop(waiting);
        self.is_filled.store(true, Ordering::Release);
        self.is_any_filled.store(true, Ordering::Release);
        Ok(())
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
        let pool = Arc::new(BufferPool::new(&outbox.owner, &topic.name));
        Publisher { topic, outbox, pool }
    }

    /// Publishes a payload: it stays in the outbox until the simulation routes it. If the outbox is full, the message
    /// is counted as published and dropped.
    ///
    /// # Errors
    /// Returns the bytes of a payload that is larger than [`rules::MAX_PAYLOAD`].
    #[inline]
    pub fn publish(&self, stamp_ns: i64, payload: Payload) -> Result<(), usize> {
        let pushed = self.outbox.push(Outgoing { topic: self.topic.id, stamp_ns, payload });
        pushed.or_else(|dropped| self.note_dropped(dropped))
    }

    #[cold]
    fn note_dropped(&self, dropped: Dropped) -> Result<(), usize> {
        match dropped {
            Dropped::TooLarge(bytes) => Err(bytes),
            Dropped::NoRoom => {
                self.topic.overflowed.fetch_add(1, Ordering::Relaxed);
                self.outbox.report_overflow(&self.topic);
                Ok(())
            }
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
        assert!((0..OUTBOX.messages).all(|_| outbox.push(message(1)).is_ok()));
        assert_eq!(outbox.push(message(1)), Err(Dropped::NoRoom));
        let mut drained = Vec::new();
        outbox.drain_into(&mut drained);
        assert_eq!(drained.len(), OUTBOX.messages);
        assert_eq!(outbox.push(message(1)), Ok(()));
    }

    #[test]
    fn bytes_are_limited_too_but_a_lonely_message_is_not() {
        let outbox = Outbox::new("car1/camera", Arc::default());
        assert_eq!(outbox.push(message(OUTBOX.bytes + 1)), Ok(()));
        assert_eq!(outbox.push(message(1)), Err(Dropped::NoRoom));
        let mut drained = Vec::new();
        outbox.drain_into(&mut drained);
        assert_eq!(outbox.push(message(OUTBOX.bytes)), Ok(()));
        assert_eq!(outbox.push(message(1)), Err(Dropped::NoRoom));
    }

    #[test]
    fn a_payload_that_is_too_large_is_refused_alone_and_beside_others() {
        let outbox = Outbox::new("car1/huge", Arc::default());
        let huge = || message(rules::MAX_PAYLOAD + 1);
        assert_eq!(outbox.push(huge()), Err(Dropped::TooLarge(rules::MAX_PAYLOAD + 1)));
        assert_eq!(outbox.push(message(1)), Ok(()));
        assert_eq!(outbox.push(huge()), Err(Dropped::TooLarge(rules::MAX_PAYLOAD + 1)));
    }
}
