//! The bounded queue in front of a bridge's transmit thread.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules::{self, Room, TX_QUEUE, TransmitEnd};

use super::Endpoint;

/// What happens to a message that finds the queue full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// The oldest message goes.
    #[default]
    DropOldest,
    /// The simulation waits: nothing is lost.
    Block,
    /// The new message goes, and the bridge is reported as failed.
    Error,
}

/// How much a queue holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Messages.
    pub messages: usize,
    /// Bytes of payload.
    pub bytes: usize,
    /// What happens beyond that.
    pub overflow: Overflow,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { messages: TX_QUEUE.messages, bytes: TX_QUEUE.bytes, overflow: Overflow::DropOldest }
    }
}

/// A message on its way to a peer.
pub struct Queued {
    /// The outgoing end it goes through.
    pub endpoint: Arc<Endpoint>,
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// Number on its topic.
    pub sequence: u64,
    /// Step in which it was published.
    pub step: u64,
    /// Resets before it.
    pub reset_epoch: u32,
    /// The bytes.
    pub payload: Payload,
}

/// What a wait for the next message ended with.
pub enum Next {
    /// A message.
    Message(Queued),
    /// Nothing came in time.
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
    /// Highest number of messages that waited at once.
    peak: AtomicU64,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Queued>,
    bytes: usize,
    end: TransmitEnd,
}

/// How long a blocking push waits between looks at its `give_up`.
const BLOCK_SLICE: Duration = Duration::from_millis(20);

impl TxQueue {
    /// An empty queue that takes nothing until it is opened.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        TxQueue {
            limits,
            state: Mutex::default(),
            filled: Condvar::new(),
            emptied: Condvar::new(),
            is_open: AtomicBool::new(false),
            peak: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether messages are taken.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Acquire)
    }

    /// Takes messages from now on.
    pub fn open(&self) {
        self.state().end = TransmitEnd::No;
        self.is_open.store(true, Ordering::Release);
    }

    /// Takes no more messages; what waits stays.
    pub fn close(&self) {
        self.is_open.store(false, Ordering::Release);
        self.emptied.notify_all();
    }

    /// Adds a message. With [`Overflow::Block`] waits for room until the queue is closed or `give_up` says
    /// so. False where the queue had no room and the bridge is to be reported as failed.
    pub fn push(&self, message: Queued, give_up: &dyn Fn() -> bool) -> bool {
        if !self.is_open() {
            message.endpoint.counters.missed.fetch_add(1, Ordering::Relaxed);
            return true;
        }
        let mut state = self.state();
        let needed = message.payload.len();
        let mut refused = false;
        while !self.has_room(&state, needed) {
            match self.limits.overflow {
                Overflow::DropOldest => state.drop_oldest(),
                Overflow::Error => refused = true,
                Overflow::Block => {
                    refused = !self.is_open() || give_up();
                    if !refused {
                        let wait = self.emptied.wait_timeout(state, BLOCK_SLICE);
                        state = wait.unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            }
            if refused {
                message.endpoint.counters.dropped.fetch_add(1, Ordering::Relaxed);
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

    /// A single message larger than the byte limit is taken when it is alone.
    fn has_room(&self, state: &State, needed: usize) -> bool {
        let limit = Room { messages: self.limits.messages, bytes: self.limits.bytes };
        rules::has_room(limit, Room { messages: state.waiting.len(), bytes: state.bytes }, needed)
    }

    /// Takes the next message, waiting at most `timeout` (`None`: without limit).
    pub fn next(&self, timeout: Option<Duration>) -> Next {
        let mut state = self.state();
        let deadline = timeout.map(|timeout| crate::clock::now() + timeout);
        loop {
            if state.end.has_come(state.waiting.len()) {
                return Next::Interrupted;
            }
            if let Some(message) = state.waiting.pop_front() {
                state.bytes -= message.payload.len();
                drop(state);
                if self.limits.overflow == Overflow::Block {
                    self.emptied.notify_one();
                }
                return Next::Message(message);
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(crate::clock::now()));
            state = match left {
                Some(Duration::ZERO) => return Next::TimedOut,
                Some(left) => self.filled.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0,
                None => self.filled.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Ends the transmit loop: after what waits was taken, or at once.
    pub fn interrupt(&self, drain: bool) {
        self.state().end = if drain { TransmitEnd::AfterDraining } else { TransmitEnd::Now };
        self.filled.notify_all();
    }

    /// Whether the transmit loop should end: it was told to, and nothing is left that it should still send.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let state = self.state();
        state.end.has_come(state.waiting.len())
    }

    /// Messages waiting.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state().waiting.len()
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops what waits and counts it, when nobody will take it any more.
    pub fn discard(&self) {
        let mut state = self.state();
        while !state.waiting.is_empty() {
            state.drop_oldest();
        }
        drop(state);
        self.emptied.notify_all();
    }

    /// Highest number of messages that waited at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

impl State {
    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.waiting.pop_front() {
            self.bytes -= oldest.payload.len();
            oldest.endpoint.counters.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
