//! A channel: one topic of the run, whatever the number of its publishers, with the clients that receive it.
//!
//! A message is encoded once, and only if a client receives it. Any thread may publish; nothing here blocks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_websocket::{Bytes, Frame, Link};

use super::statics;
use crate::codec::{Codec, Definition};
use crate::codes;
use crate::lock::lock;
use crate::protocol::frame;

/// One topic.
pub(crate) struct Channel {
    pub(crate) id: u32,
    pub(crate) topic: String,
    pub(crate) definition: Definition,
    codec: Arc<Codec>,
    /// Whether published transforms are collected for new subscribers.
    has_statics: bool,
    /// Read without the lock, for topics that nobody receives.
    is_received: AtomicBool,
    flow: Mutex<Flow>,
    has_logged: AtomicBool,
}

#[derive(Default)]
struct Flow {
    subscribers: Vec<Subscriber>,
    /// The last message of each publisher of a latched topic.
    kept: BTreeMap<u64, Message>,
}

struct Subscriber {
    link: Link,
    id: u32,
}

/// A message with its simulated time.
#[derive(Clone)]
pub(crate) struct Message {
    pub(crate) payload: Payload,
    pub(crate) stamp_ns: i64,
}

impl Channel {
    pub(crate) fn new(id: u32, topic: &str, codec: Arc<Codec>, definition: Definition) -> Self {
        let has_statics = topic.ends_with("tf_static") && codec.full_name() == TfMessage::FULL_NAME;
        Channel {
            id,
            topic: topic.to_owned(),
            definition,
            codec,
            has_statics,
            is_received: AtomicBool::new(false),
            flow: Mutex::default(),
            has_logged: AtomicBool::new(false),
        }
    }

    /// Returns the type of its messages.
    pub(crate) fn codec(&self) -> &Codec {
        &self.codec
    }

    /// Returns true if a client receives it.
    pub(crate) fn is_received(&self) -> bool {
        self.is_received.load(Ordering::Acquire)
    }

    /// Sends a message to the subscribers. Returns how many messages slow clients lost by it.
    pub(crate) fn publish(&self, payload: &[u8], stamp_ns: i64) -> u64 {
        if !self.is_received() {
            return 0;
        }
        let Some(body) = self.encode(payload) else { return 0 };
        lock(&self.flow).send(&body, stamp_ns)
    }

    /// Sends a message of a latched topic, and keeps it for new subscribers.
    pub(crate) fn publish_latched(&self, publisher: u64, message: Message) -> u64 {
        let body = if self.is_received() { self.encode(&message.payload) } else { None };
        let mut flow = lock(&self.flow);
        // A client may have subscribed in between; it then gets the message here.
        let body =
            body.or_else(|| if flow.subscribers.is_empty() { None } else { self.encode(&message.payload) });
        let dropped = body.map_or(0, |body| flow.send(&body, message.stamp_ns));
        let kept = match flow.kept.remove(&publisher) {
            Some(before) if self.has_statics => statics::merge(&before, message),
            _ => message,
        };
        flow.kept.insert(publisher, kept);
        dropped
    }

    /// Forgets the message of a publisher that is gone.
    pub(crate) fn forget(&self, publisher: u64) {
        lock(&self.flow).kept.remove(&publisher);
    }

    /// Adds a subscriber, which gets the kept messages.
    pub(super) fn subscribe(&self, link: &Link, id: u32) {
        let mut flow = lock(&self.flow);
        flow.subscribers.push(Subscriber { link: link.clone(), id });
        self.is_received.store(true, Ordering::Release);
        for message in flow.kept.values() {
            if let Some(body) = self.encode(&message.payload) {
                link.reply(framed(id, message.stamp_ns, &body));
            }
        }
    }

    /// Sends one subscriber a message.
    pub(super) fn send_to(&self, link: &Link, subscription: u32, payload: &[u8], stamp_ns: i64) {
        if let Some(body) = self.encode(payload) {
            link.reply(framed(subscription, stamp_ns, &body));
        }
    }

    /// Returns true if its messages are transforms.
    pub(super) fn has_transforms(&self) -> bool {
        self.codec.full_name() == TfMessage::FULL_NAME
    }

    /// Returns the kept messages.
    pub(super) fn kept(&self) -> Vec<Payload> {
        lock(&self.flow).kept.values().map(|message| message.payload.clone()).collect()
    }

    /// Removes the subscription of a client.
    pub(super) fn unsubscribe(&self, client: u64) {
        let mut flow = lock(&self.flow);
        flow.subscribers.retain(|subscriber| subscriber.link.id() != client);
        self.is_received.store(!flow.subscribers.is_empty(), Ordering::Release);
    }

    /// Sends the kept messages again, for viewers that forget everything if time goes back. Returns how many messages slow
    /// clients lost by it.
    pub(super) fn repeat(&self) -> u64 {
        let flow = lock(&self.flow);
        if flow.subscribers.is_empty() {
            return 0;
        }
        let encoded = flow.kept.values().filter_map(|message| {
            let body = self.encode(&message.payload)?;
            Some(flow.send(&body, message.stamp_ns))
        });
        encoded.sum()
    }

    /// Encodes a message. A failure is logged once for the channel.
    fn encode(&self, payload: &[u8]) -> Option<Bytes> {
        // Alignment adds bytes to numbers, the terminating NUL to texts: usually this is enough.
        let mut body = Vec::with_capacity(payload.len() + payload.len() / 8 + 64);
        match self.codec.encode(self.definition.encoding, payload, &mut body) {
            Ok(()) => Some(body.into()),
            Err(reason) => {
                if !self.has_logged.swap(true, Ordering::Relaxed) {
                    let code = codes::ENCODING_FAILED;
                    log::warn!(
                        "[{code}] a message on {} is not sent, and neither are further ones like it: {reason}",
                        self.topic
                    );
                }
                None
            }
        }
    }
}

impl Flow {
    fn send(&self, body: &Bytes, stamp_ns: i64) -> u64 {
        let each = self.subscribers.iter();
        each.map(|subscriber| subscriber.link.data(framed(subscriber.id, stamp_ns, body))).sum()
    }
}

fn framed(subscription: u32, stamp_ns: i64, body: &Bytes) -> Frame {
    // Times before zero do not exist in the protocol.
    let header = frame::message_header(subscription, u64::try_from(stamp_ns).unwrap_or(0));
    Frame::headed(header.to_vec(), body.clone())
}
