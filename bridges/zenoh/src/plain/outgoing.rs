//! A topic that the run publishes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::Channel;
use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::messages::Message as _;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::{Error, Payload, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::topic::statics::Statics;
use zenoh::Wait as _;
use zenoh::bytes;

use crate::codes::{ENDPOINT, MALFORMED};
use crate::outlet::{Kept, Outlet};
use crate::plain::codec::{Codec, Encoding};
use crate::plain::key::Prefix;
use crate::session::not_declared;

/// A topic, which outlasts connections.
pub(crate) struct Outgoing {
    name: String,
    codec: Codec,
    is_latched: bool,
    /// Of a topic of static transforms.
    statics: Option<Mutex<Statics>>,
    /// The latest message, for `get`. Nothing is copied for it.
    latest: Mutex<Option<Payload>>,
    open: Mutex<Option<Arc<Open>>>,
    has_logged: AtomicBool,
}

/// The latest message of a topic.
pub(crate) struct Latest {
    pub(crate) key: String,
    /// In which it is sent.
    pub(crate) encoding: Encoding,
    pub(crate) payload: Payload,
}

impl Latest {
    /// Adds the bytes of another message.
    pub(crate) fn append(&mut self, other: &Latest) {
        self.payload = Payload::from_vec([&*self.payload, &*other.payload].concat());
    }
}

/// While the bridge is connected.
struct Open {
    key: String,
    encoding: Encoding,
    /// How Zenoh names the encoding and the type.
    label: bytes::Encoding,
    outlet: Outlet,
}

impl Outgoing {
    /// # Errors
    /// Returns an error if ROS cannot express its type.
    pub(crate) fn new(channel: &Channel<'_>) -> Result<Self> {
        refuse_converter(channel)?;
        let is_static =
            channel.data_type().name == TfMessage::FULL_NAME && channel.topic().ends_with("tf_static");
        Ok(Outgoing {
            name: channel.topic().to_owned(),
            codec: Codec::of(channel.data_type())?,
            is_latched: is_static || channel.qos().durability == Durability::Latched,
            statics: is_static.then(Mutex::default),
            latest: Mutex::default(),
            open: Mutex::default(),
            has_logged: AtomicBool::new(false),
        })
    }

    /// Declares its publisher.
    ///
    /// # Errors
    /// Returns an error if Zenoh cannot express its name, or does not declare it.
    pub(crate) fn open(&self, session: &zenoh::Session, prefix: &Prefix, encoding: Encoding) -> Result {
        let key = prefix.topic_key(&self.name)?;
        let kept = self.is_latched.then_some(Kept { depth: 1, is_reliable: true });
        let outlet = Outlet::declare(session, key.clone(), kept);
        let outlet = outlet.map_err(|error| not_declared(&self.name, &key, &error))?;
        let label = self.codec.label(encoding);
        *lock(&self.open) = Some(Arc::new(Open { key, encoding, label, outlet }));
        Ok(())
    }

    pub(crate) fn close(&self) {
        drop(lock(&self.open).take());
    }

    /// Returns its key, if the bridge is connected.
    pub(crate) fn key(&self) -> Option<String> {
        lock(&self.open).as_ref().map(|open| open.key.clone())
    }

    pub(crate) fn codec(&self) -> &Codec {
        &self.codec
    }

    /// Returns the latest message; `None` before the first, or if the bridge is not connected.
    pub(crate) fn latest(&self) -> Option<Latest> {
        let payload = lock(&self.latest).clone()?;
        lock(&self.open).as_ref().map(|open| Latest {
            key: open.key.clone(),
            encoding: open.encoding,
            payload,
        })
    }

    /// Sends a message. Returns false if it is lost, which is logged once. Without subscribers it is only kept.
    pub(crate) fn send(&self, payload: Payload) -> bool {
        let sent = self.merge(payload).and_then(|payload| {
            *lock(&self.latest) = Some(payload.clone());
            self.put(&payload)
        });
        if let Err(error) = &sent
            && !self.has_logged.swap(true, Ordering::Relaxed)
        {
            log::warn!("{error} (topic {}, logged once)", self.name);
        }
        sent.is_ok()
    }

    /// Returns the message with all static transforms, if it has any.
    fn merge(&self, payload: Payload) -> Result<Payload> {
        let Some(statics) = &self.statics else { return Ok(payload) };
        let merged = lock(statics).merge(&payload).map_err(|error| malformed(&error))?;
        Ok(Payload::from_vec(merged))
    }

    fn put(&self, payload: &Payload) -> Result {
        let Some(open) = lock(&self.open).clone() else { return Ok(()) };
        if !self.is_latched && !open.outlet.is_matched() {
            return Ok(());
        }
        let message = self.codec.encode(open.encoding, payload).map_err(|error| malformed(&error))?;
        open.outlet.put(message).encoding(open.label.clone()).wait().map_err(|error| {
            Error::invalid(format!("[{ENDPOINT}] a message cannot be sent by Zenoh: {error}"))
        })
    }
}

fn malformed(why: &dyn std::fmt::Display) -> Error {
    Error::invalid(format!("[{MALFORMED}] a message of the run is not sent: {why}"))
}

/// # Errors
/// Returns an error if the messages are in a form that another bridge made.
pub(crate) fn refuse_converter(channel: &Channel<'_>) -> Result {
    match channel.is_converted() {
        true => {
            Err(Error::unsupported("this bridge writes every type by its descriptor, without converters"))
        }
        false => Ok(()),
    }
}
