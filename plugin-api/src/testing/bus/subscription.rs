//! Subscriptions of the recording bus: what arrives waits for the step that latches it in.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_abi as abi;
use bridgehead_abi::{Message, Status, Str, status};

use super::{TestMessage, handle};
use crate::host::{Qos, empty_message};
use crate::hosting::{Breach, Checked, Handle, SubscriptionHandle};
use crate::rules::{self, Resolved};
use crate::testing::calls::Class;
use crate::testing::host::{Shared, lock};

/// What a subscription's pointer points at; never given back.
pub(in crate::testing) struct SubscriptionEntry {
    shared: &'static Shared,
    pub(super) topic: String,
    pub(super) type_name: String,
    depth: usize,
    sequence: AtomicU64,
    queues: Mutex<Queues>,
}

#[derive(Default)]
struct Queues {
    /// Came since the last step.
    arrived: VecDeque<TestMessage>,
    /// Can be taken.
    latched: VecDeque<TestMessage>,
    /// Was taken last; valid until the next take.
    taken: Option<TestMessage>,
}

impl SubscriptionEntry {
    pub(super) fn push(&self, message: TestMessage) {
        let mut queues = lock(&self.queues);
        queues.arrived.push_back(message);
        if queues.arrived.len() > self.depth {
            queues.arrived.pop_front();
        }
    }

    pub(super) fn next_sequence(&self) -> u64 {
        self.sequence.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn latch(&self) {
        let mut queues = lock(&self.queues);
        let arrived = std::mem::take(&mut queues.arrived);
        queues.latched.extend(arrived);
        let surplus = queues.latched.len().saturating_sub(self.depth);
        queues.latched.drain(..surplus);
    }

    pub(super) fn clear(&self) {
        let mut queues = lock(&self.queues);
        queues.arrived.clear();
        queues.latched.clear();
        self.sequence.store(0, Ordering::Relaxed);
    }
}

/// Checks a topic and its type. Gives the full name and the type.
pub(super) fn request(
    shared: &Shared,
    topic: &str,
    type_name: &str,
    is_publisher: bool,
) -> Result<String, Status> {
    if lock(&shared.types).find(type_name).is_none() {
        shared.refuse(rules::type_unregistered(type_name, topic));
        return Err(status::NOT_FOUND);
    }
    let name = rules::full_name(&shared.setup.vehicle, topic).map_err(|fault| {
        shared.refuse(fault.to_string());
        status::INVALID_ARG
    })?;
    let bus = lock(&shared.bus);
    let resolved = rules::resolve_topic(&name, &type_name.to_owned(), is_publisher, |name| bus.carried(name));
    match resolved {
        Resolved::Known(name) | Resolved::New(name) => Ok(name),
        Resolved::OtherType(name) => {
            let has = bus.carried(&name).unwrap_or_default();
            drop(bus);
            shared.refuse(rules::wrong_type_of_subscriber(&name, &has, &shared.setup.path, type_name));
            Err(status::INVALID_ARG)
        }
    }
}

handle!(SubscriptionEntry);

impl SubscriptionEntry {
    pub(super) fn open(
        shared: &'static Shared,
        topic: &str,
        type_name: &str,
        qos: Qos,
    ) -> Result<&'static Self, Status> {
        let (topic, type_name) = (request(shared, topic, type_name, false)?, type_name.to_owned());
        let depth = rules::subscription_depth(qos.depth);
        let (sequence, queues) = (AtomicU64::new(0), Mutex::default());
        let entry: &'static SubscriptionEntry =
            Box::leak(Box::new(SubscriptionEntry { shared, topic, type_name, depth, sequence, queues }));
        lock(&shared.bus).subscriptions.push(entry);
        Ok(entry)
    }
}

impl SubscriptionHandle for SubscriptionEntry {
    fn take(&self) -> Result<Message, Status> {
        self.shared.calls.require("take of a subscription", Class::Sim)?;
        let mut queues = lock(&self.queues);
        queues.taken = queues.latched.pop_front();
        let message = queues.taken.as_ref().ok_or(status::NOT_FOUND)?;
        Ok(Message {
            type_id: lock(&self.shared.types).find(&message.type_name).unwrap_or(0),
            encoding: abi::message::ENCODING_PROTOBUF,
            reset_epoch: message.reset_epoch,
            stamp_ns: message.stamp_ns,
            sequence: message.sequence,
            step: message.step,
            vehicle: Str::new(&self.shared.setup.vehicle),
            topic: Str::new(&self.topic),
            payload: message.payload.as_raw(),
            ..empty_message()
        })
    }
}
