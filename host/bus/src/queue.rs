//! The bounded queue in front of a bridge's transmit thread.
//!
//! The simulation thread pushes, the transmit thread of the bridge takes. Either side may wait for the other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules::{self, Room, TX_QUEUE, TransmitEnd};

use super::{Delivery, Endpoint};
use bridgehead_runtime::thread::lock;

/// What happens to a message if the queue is full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// The oldest message is dropped.
    #[default]
    DropOldest,
    /// The simulation waits for room; no message is dropped.
    Block,
    /// The new message is dropped, and the bridge is reported as failed.
    Error,
}

/// Capacity of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of messages.
    pub messages: usize,
    /// Bytes of payload.
    pub bytes: usize,
    /// What happens to further messages.
    pub overflow: Overflow,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { messages: TX_QUEUE.messages, bytes: TX_QUEUE.bytes, overflow: Overflow::DropOldest }
    }
}

/// A message in flight: handed over to a bridge, and neither delivered nor lost yet. It counts as dropped unless
/// [`Queued::delivered`] is called.
pub struct Queued {
    /// The outgoing endpoint that sends it.
    pub endpoint: Arc<Endpoint>,
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// Sequence number on its topic.
    pub sequence: u64,
    /// Step in which it was published.
    pub step: u64,
    /// Number of resets before it.
    pub reset_epoch: u32,
    /// The bytes.
    pub payload: Payload,
    outcome: Outcome,
}

/// The counter that a message ends in.
#[derive(Clone, Copy)]
enum Outcome {
    Delivered,
    Dropped,
    Missed,
}

impl Queued {
    /// Hands a message over to an endpoint. Call it on the simulation thread only.
    pub(super) fn new(endpoint: &Arc<Endpoint>, delivery: &Delivery) -> Self {
        endpoint.counters.hand_over();
        Queued {
            endpoint: Arc::clone(endpoint),
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            reset_epoch: delivery.reset_epoch,
            payload: delivery.payload.clone(),
            outcome: Outcome::Dropped,
        }
    }

    /// Counts the message as delivered.
    pub fn delivered(mut self) {
        self.outcome = Outcome::Delivered;
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let counters = &self.endpoint.counters;
        let counter = match self.outcome {
            Outcome::Delivered => {
                counters.bytes.fetch_add(self.payload.len() as u64, Ordering::Relaxed);
                &counters.delivered
            }
            Outcome::Dropped => &counters.dropped,
            Outcome::Missed => &counters.missed,
        };
        // Ordered before the read in `in_flight`, after which the plugin's endpoint may be destroyed.
        counter.fetch_add(1, Ordering::Release);
    }
}

/// Result of waiting for the next message.
pub enum Next {
    /// A message.
    Message(Queued),
    /// No message arrived in time.
    TimedOut,
    /// The loop should end.
    Interrupted,
}

/// The queue of one bridge instance.
pub struct TxQueue {
    limits: Limits,
    state: Mutex<State>,
    filled: Condvar,
    emptied: Condvar,
    is_open: AtomicBool,
    /// Largest number of messages queued at once.
    peak: AtomicU64,
    /// Messages dropped because it was full.
    full: AtomicU64,
    /// Messages that waited when the transmit loop ended.
    unsent: AtomicU64,
    /// True from the first drop of a connection until it is taken.
    has_new_drop: AtomicBool,
}

/// Why messages of a queue were dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drops {
    /// The queue was full.
    pub full: u64,
    /// They waited when the connection ended.
    pub unsent: u64,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Queued>,
    bytes: usize,
    end: TransmitEnd,
    /// Messages that the transmit loop has taken since the queue was opened.
    taken: u64,
    has_dropped: bool,
}

/// Interval at which a blocking push checks its `give_up`.
const BLOCK_SLICE: Duration = Duration::from_millis(20);

impl TxQueue {
    /// Creates an empty queue, which accepts no messages until it is opened.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        TxQueue {
            limits,
            state: Mutex::default(),
            filled: Condvar::new(),
            emptied: Condvar::new(),
            is_open: AtomicBool::new(false),
            peak: AtomicU64::new(0),
            full: AtomicU64::new(0),
            unsent: AtomicU64::new(0),
            has_new_drop: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Returns true if messages are accepted.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// Accepts messages from now on.
    pub fn open(&self) {
        let mut state = self.state();
        state.end = TransmitEnd::No;
        state.taken = 0;
        state.has_dropped = false;
        drop(state);
        self.is_open.store(true, Ordering::Release);
    }

    /// Accepts no more messages. Queued messages stay.
    pub fn close(&self) {
        self.is_open.store(false, Ordering::Release);
        self.emptied.notify_all();
    }

    /// Adds a message. With [`Overflow::Block`] it waits for room until the queue is closed or `give_up` returns true.
    /// Returns false if the queue had no room and the bridge must be reported as failed.
    pub fn push(&self, mut message: Queued, give_up: &dyn Fn() -> bool) -> bool {
        if !self.is_open() {
            message.outcome = Outcome::Missed;
            return true;
        }
        let mut state = self.state();
        let needed = message.payload.len();
        let mut refused = false;
        while !self.has_room(&state, needed) {
            match self.limits.overflow {
                Overflow::DropOldest => {
                    state.drop_oldest();
                    self.note_full(&mut state);
                }
                Overflow::Error => {
                    refused = true;
                    self.note_full(&mut state);
                }
                Overflow::Block => {
                    refused = !self.is_open() || give_up();
                    if !refused {
                        let wait = self.emptied.wait_timeout(state, BLOCK_SLICE);
                        state = wait.unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            }
            if refused {
                return self.limits.overflow != Overflow::Error;
            }
        }
        state.bytes += needed;
        state.waiting.push_back(message);
        self.peak.fetch_max(state.waiting.len() as u64, Ordering::Relaxed);
        let was_empty = state.waiting.len() == 1;
        drop(state);
        if was_empty {
            self.filled.notify_one();
        }
        true
    }

    /// Counts a message that was dropped because the queue is full.
    fn note_full(&self, state: &mut State) {
        self.full.fetch_add(1, Ordering::Relaxed);
        if !std::mem::replace(&mut state.has_dropped, true) {
            self.has_new_drop.store(true, Ordering::Release);
        }
    }

    /// Returns how many messages the transmit loop had taken, once after the first drop of each connection.
    pub fn take_first_drop(&self) -> Option<u64> {
        let is_new =
            self.has_new_drop.load(Ordering::Relaxed) && self.has_new_drop.swap(false, Ordering::AcqRel);
        is_new.then(|| self.state().taken)
    }

    /// Returns why messages were dropped.
    #[must_use]
    pub fn drops(&self) -> Drops {
        Drops { full: self.full.load(Ordering::Relaxed), unsent: self.unsent.load(Ordering::Relaxed) }
    }

    /// Returns true if a message fits. An empty queue accepts a message larger than the byte limit.
    fn has_room(&self, state: &State, needed: usize) -> bool {
        let limit = Room { messages: self.limits.messages, bytes: self.limits.bytes };
        rules::has_room(limit, Room { messages: state.waiting.len(), bytes: state.bytes }, needed)
    }

    /// Takes the next message; waits at most `timeout` (`None`: without limit).
    pub fn next(&self, timeout: Option<Duration>) -> Next {
        let mut state = self.state();
        let deadline = timeout.map(|timeout| bridgehead_runtime::clock::now() + timeout);
        loop {
            if state.end.has_come(state.waiting.len()) {
                return Next::Interrupted;
            }
            if let Some(message) = state.waiting.pop_front() {
                state.bytes -= message.payload.len();
                state.taken += 1;
                drop(state);
                if self.limits.overflow == Overflow::Block {
                    self.emptied.notify_one();
                }
                return Next::Message(message);
            }
            let left =
                deadline.map(|deadline| deadline.saturating_duration_since(bridgehead_runtime::clock::now()));
            state = match left {
                Some(Duration::ZERO) => return Next::TimedOut,
                Some(left) => self.filled.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.filled.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Ends the transmit loop: after the queued messages if `drain` is set, else at once.
    pub fn interrupt(&self, drain: bool) {
        self.state().end = if drain { TransmitEnd::AfterDraining } else { TransmitEnd::Now };
        self.filled.notify_all();
    }

    /// Returns true if the transmit loop should end: it was interrupted, and no message is left for it to send.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let state = self.state();
        state.end.has_come(state.waiting.len())
    }

    /// Returns true if the transmit loop was told to end.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.state().end != TransmitEnd::No
    }

    /// Number of queued messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state().waiting.len()
    }

    /// Returns true if no message is queued.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops and counts all queued messages, after the transmit loop has ended.
    pub fn discard(&self) {
        let mut state = self.state();
        self.unsent.fetch_add(state.waiting.len() as u64, Ordering::Relaxed);
        while !state.waiting.is_empty() {
            state.drop_oldest();
        }
        drop(state);
        self.emptied.notify_all();
    }

    /// Largest number of messages queued at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

impl State {
    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.waiting.pop_front() {
            self.bytes -= oldest.payload.len();
        }
    }
}

#[cfg(test)]
mod tests;
