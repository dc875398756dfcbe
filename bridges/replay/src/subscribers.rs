//! The subscribers of each topic, and the encoding of recorded messages as their types.
//!
//! Endpoints come and go on `[main]` while the `[rx]` loop delivers. A sink is invalid once its endpoint is gone, so
//! both happen under one lock; delivering never blocks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_plugin_api::bridge::Sink;
use bridgehead_plugin_api::messages::{JsonPlan, Schema};
use bridgehead_plugin_api::{Error, Payload, Result, abi};

use crate::recording::{Content, Entry};

/// Destination of messages: a sink of the host, or a list in tests.
pub(crate) trait Deliver: Send + Sync {
    fn deliver(&self, step: u64, stamp_ns: i64, payload: &Payload) -> Result;
}

impl Deliver for Sink {
    fn deliver(&self, step: u64, stamp_ns: i64, payload: &Payload) -> Result {
        self.deliver_at(step, stamp_ns, payload)
    }
}

/// All endpoints of an instance.
#[derive(Clone, Default)]
pub(crate) struct Subscribers {
    list: Arc<Mutex<List>>,
}

#[derive(Default)]
struct List {
    next_id: u64,
    entries: BTreeMap<u64, Subscriber>,
}

struct Subscriber {
    topic: String,
    plan: JsonPlan,
    sink: Box<dyn Deliver>,
}

/// One endpoint; its sink is used until this is dropped.
pub(crate) struct Subscription {
    subscribers: Subscribers,
    id: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.subscribers.list().entries.remove(&self.id);
    }
}

impl Subscribers {
    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a subscriber.
    ///
    /// # Errors
    /// Returns an error if the descriptor of its type is invalid.
    pub(crate) fn add(&self, topic: &str, schema: &Schema, sink: Box<dyn Deliver>) -> Result<Subscription> {
        let message = schema.resolve().map_err(|error| Error::unsupported(error.to_string()))?;
        let subscriber = Subscriber { topic: topic.to_owned(), plan: JsonPlan::compile(&message), sink };
        let mut list = self.list();
        let id = list.next_id;
        list.next_id += 1;
        list.entries.insert(id, subscriber);
        Ok(Subscription { subscribers: self.clone(), id })
    }

    /// Delivers a message to the subscribers of its topic and returns the number of bytes; `None` if there are none.
    ///
    /// # Errors
    /// Returns an error with the position if the message is not of their type.
    pub(crate) fn deliver(&self, entry: &Entry<'_>) -> Result<Option<usize>> {
        let list = self.list();
        let mut bytes = None;
        for subscriber in list.entries.values().filter(|subscriber| subscriber.topic == entry.topic) {
            let payload = Payload::from_vec(subscriber.payload(entry)?);
            let stamp_ns = entry.stamp_ns.unwrap_or(abi::bridge::STAMP_NOW);
            let delivered = subscriber.sink.deliver(entry.mark.step, stamp_ns, &payload);
            delivered.map_err(|error| entry.position.error(format_args!("`{}`: {error}", entry.topic)))?;
            bytes = Some(bytes.unwrap_or(0) + payload.len());
        }
        Ok(bytes)
    }
}

impl Subscriber {
    fn payload(&self, entry: &Entry<'_>) -> Result<Vec<u8>> {
        let wanted = self.plan.message_type();
        let mismatch = |found: &str, wanted: &str| {
            entry.position.error(format_args!(
                "`{}` is recorded as `{found}`, but its subscriber expects `{wanted}`",
                entry.topic
            ))
        };
        match &entry.content {
            Content::Json { ros_type, text } => {
                let wanted = wanted.ros_type().to_string();
                if let Some(found) = ros_type.filter(|found| *found != wanted) {
                    return Err(mismatch(found, &wanted));
                }
                let mut payload = Vec::new();
                let decoded = self.plan.decode(text, &mut payload);
                decoded.map_err(|error| {
                    entry.position.error(format_args!("`{}`: message: {}", entry.topic, error.detail()))
                })?;
                Ok(payload)
            }
            Content::Protobuf { schema, .. } if schema.name != wanted.full_name() => {
                Err(mismatch(&schema.name, wanted.full_name()))
            }
            Content::Protobuf { schema, .. } if schema.fingerprint != Some(wanted.fingerprint()) => {
                Err(entry.position.error(format_args!(
                    "`{}` is recorded as `{}` with other fields than that type has now; record it again",
                    entry.topic, schema.name
                )))
            }
            Content::Protobuf { payload, .. } => Ok(payload.to_vec()),
        }
    }
}
