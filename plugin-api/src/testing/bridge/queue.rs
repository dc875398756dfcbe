//! The transmit side of a test: the host's queue with its default limits, which counts what happens to its messages.
//!
//! A full queue drops its oldest message, as in a host whose configuration says nothing else.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bridgehead_abi as abi;
use bridgehead_abi::bridge::{TxContext, TxMessage};
use bridgehead_abi::{Message, Status, Str, status};

use crate::host::empty_message;
use crate::model::Step;
use crate::objects::{EndpointRef, Offered, TxObject};
use crate::payload::Payload;
use crate::rules::{self, Room, TransmitEnd};
use crate::testing::host::{TestHost, lock, of_test};

/// A topic that goes out through the bridge under test.
#[derive(Clone, Debug)]
pub struct TestPublisher {
    topic: String,
    type_id: u32,
    endpoint: usize,
    /// Of the bridge it belongs to.
    queue: QueueId,
    sequence: Arc<AtomicU64>,
}

/// Tells the bridges under test apart. Queues are never given back, so no two have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QueueId(usize);

impl TestPublisher {
    /// `endpoint` is the index among the endpoints of the bridge with that queue.
    pub(super) fn new(topic: String, type_id: u32, endpoint: usize, queue: QueueId) -> Self {
        TestPublisher { topic, type_id, endpoint, queue, sequence: Arc::default() }
    }

    /// The index of its endpoint.
    ///
    /// # Panics
    /// Panics if it belongs to another bridge: its number would name an endpoint of another type.
    #[track_caller]
    pub(super) fn endpoint_in(&self, queue: QueueId) -> usize {
        assert!(self.queue == queue, "the publisher of `{}` belongs to another bridge", self.topic);
        self.endpoint
    }
}

/// How many messages went which way. What is neither waits, or is with the bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TxCounts {
    /// Confirmed by taking the next message, or by the end of the loop.
    pub delivered: u64,
    /// Rejected by the bridge.
    pub rejected: u64,
    /// Not taken yet.
    pub waiting: u64,
    /// Dropped from the full queue.
    pub dropped: u64,
}

/// Behind the context that a transmit loop gets. The context comes first; never given back.
pub(super) struct TransmitQueue {
    host: TestHost,
    queue: Mutex<Queue>,
    arrived: Condvar,
}

of_test!(TransmitQueue);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Item>,
    taken: Option<Item>,
    delivered: u64,
    rejected: u64,
    dropped: u64,
    end: TransmitEnd,
    is_asking: bool,
}

struct Item {
    endpoint: EndpointRef,
    publisher: TestPublisher,
    sequence: u64,
    step: Step,
    payload: Payload,
}

impl TransmitQueue {
    pub(super) fn leak(host: TestHost) -> &'static Offered<TxContext, Self> {
        let queue = TransmitQueue { host, queue: Mutex::default(), arrived: Condvar::new() };
        Box::leak(Box::new(Offered::new(queue)))
    }

    pub(super) fn id(&self) -> QueueId {
        QueueId(std::ptr::from_ref(self).addr())
    }

    pub(super) fn open(&self) {
        lock(&self.queue).end = TransmitEnd::No;
    }

    /// What waits is still handed out; then the loop ends.
    pub(super) fn close(&self) {
        lock(&self.queue).end = TransmitEnd::AfterDraining;
        self.arrived.notify_all();
    }

    pub(super) fn push(
        &self,
        publisher: &TestPublisher,
        endpoint: EndpointRef,
        step: Step,
        payload: Payload,
    ) {
        let sequence = publisher.sequence.fetch_add(1, Ordering::Relaxed);
        let item = Item { endpoint, publisher: publisher.clone(), sequence, step, payload };
        lock(&self.queue).push(item);
        self.arrived.notify_all();
    }

    pub(super) fn counts(&self) -> TxCounts {
        let queue = lock(&self.queue);
        let waiting = queue.waiting.len() as u64;
        TxCounts { delivered: queue.delivered, rejected: queue.rejected, waiting, dropped: queue.dropped }
    }

    /// Whether the bridge waits for a message and there is none.
    pub(super) fn is_idle(&self) -> bool {
        let queue = lock(&self.queue);
        queue.is_asking && queue.waiting.is_empty()
    }

    /// The loop has ended; its last message is delivered unless it failed.
    pub(super) fn finish(&self, has_succeeded: bool) {
        lock(&self.queue).confirm(has_succeeded);
    }
}

impl Queue {
    /// Whether the loop should end.
    fn has_ended(&self) -> bool {
        self.end.has_come(self.waiting.len())
    }

    fn push(&mut self, item: Item) {
        let needed = item.payload.len();
        while !rules::has_room(rules::TX_QUEUE, self.occupied(), needed) {
            self.waiting.pop_front();
            self.dropped += 1;
        }
        self.waiting.push_back(item);
    }

    fn occupied(&self) -> Room {
        let bytes = self.waiting.iter().map(|item| item.payload.len()).sum();
        Room { messages: self.waiting.len(), bytes }
    }

    fn confirm(&mut self, is_delivered: bool) {
        if self.taken.take().is_some() {
            if is_delivered { self.delivered += 1 } else { self.rejected += 1 }
        }
    }
}

impl TxObject for TransmitQueue {
    fn next(&self, timeout_ns: i64) -> Result<TxMessage, Status> {
        let mut queue = lock(&self.queue);
        queue.confirm(true);
        queue.is_asking = true;
        drop(queue);
        self.host.shared.announce();
        let mut queue = self.wait(timeout_ns);
        queue.is_asking = false;
        match queue.waiting.pop_front() {
            // The queue keeps the item until the next `next`.
            Some(item) => Ok(queue.taken.insert(item).to_raw(self.host)),
            None => Err(if queue.has_ended() { status::INTERRUPTED } else { status::TIMEOUT }),
        }
    }

    fn reject(&self) {
        lock(&self.queue).confirm(false);
    }

    fn pending(&self) -> u64 {
        lock(&self.queue).waiting.len() as u64
    }

    fn interrupted(&self) -> u8 {
        u8::from(lock(&self.queue).has_ended())
    }
}

impl TransmitQueue {
    /// Waits for a message, the end, or the time; negative without limit.
    fn wait(&self, timeout_ns: i64) -> std::sync::MutexGuard<'_, Queue> {
        let queue = lock(&self.queue);
        let must_wait = |queue: &mut Queue| queue.waiting.is_empty() && !queue.has_ended();
        match u64::try_from(timeout_ns) {
            Ok(nanos) => {
                let waited = self.arrived.wait_timeout_while(queue, Duration::from_nanos(nanos), must_wait);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            Err(_) => self.arrived.wait_while(queue, must_wait).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

impl Item {
    fn to_raw(&self, host: TestHost) -> TxMessage {
        let message = Message {
            type_id: self.publisher.type_id,
            encoding: abi::message::ENCODING_PROTOBUF,
            reset_epoch: self.step.reset_epoch,
            stamp_ns: self.step.time_ns,
            sequence: self.sequence,
            step: self.step.number,
            vehicle: Str::new(&host.shared.setup.vehicle),
            topic: Str::new(&self.publisher.topic),
            payload: self.payload.as_raw(),
            ..empty_message()
        };
        TxMessage { struct_size: TxMessage::SIZE, reserved: 0, endpoint: self.endpoint.ctx(), message }
    }
}
