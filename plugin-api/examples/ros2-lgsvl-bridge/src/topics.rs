//! The topics that the host has opened, which each connection announces to its peer.
//!
//! Filled by the main thread while both loops run.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::prelude::*;

use crate::frame::{self, ADD_PUBLISHER, ADD_SUBSCRIBER};
use crate::lock;
use crate::packed::Packed;

/// What messages of a topic are on the way to or from the peer.
pub(crate) enum Form {
    /// Bodies, made from protobuf.
    Packed(Packed),
    /// What the converter of a plugin makes or expects.
    Converted,
}

/// A topic in one direction. The host drops it when the topic is withdrawn.
pub(crate) struct Topic {
    operation: u8,
    pub(crate) name: String,
    /// `package/Name`.
    type_name: String,
    form: Form,
    sink: Option<Sink>,
    faults: AtomicU64,
}

impl Topic {
    pub(crate) fn outgoing(channel: &Channel<'_>) -> Result<Self> {
        Self::new(ADD_PUBLISHER, channel, None)
    }

    pub(crate) fn incoming(channel: &Channel<'_>, sink: Sink) -> Result<Self> {
        Self::new(ADD_SUBSCRIBER, channel, Some(sink))
    }

    fn new(operation: u8, channel: &Channel<'_>, sink: Option<Sink>) -> Result<Self> {
        let name = channel.topic().to_owned();
        if !is_ros_name(&name) {
            return Err(Error::unsupported(format!(
                "`{name}` is no name of a topic in ROS 2; each part has letters, digits and `_`, and begins with no digit"
            )));
        }
        let type_name = two_parts(channel.bridge_type())?;
        let form = if channel.is_converted() { Form::Converted } else { Form::Packed(Packed::of(channel)?) };
        Ok(Topic { operation, name, type_name, form, sink, faults: AtomicU64::new(0) })
    }

    /// Appends the frame of a message of the host.
    pub(crate) fn encode(&self, payload: &[u8], body: &mut Vec<u8>, out: &mut Vec<u8>) -> Result {
        let body = match &self.form {
            Form::Packed(packed) => {
                packed.encode(payload, body)?;
                body.as_slice()
            }
            Form::Converted => payload,
        };
        frame::put(frame::PUBLISH, self.name.as_bytes(), body, out).map_err(Error::new)
    }

    /// Delivers a message of the peer. The log has the first fault, the second, the fourth, and so on.
    pub(crate) fn deliver(&self, message: &[u8]) {
        let Some(sink) = &self.sink else { return };
        let payload = match &self.form {
            Form::Packed(packed) => packed.decode(message),
            Form::Converted => Ok(message.to_vec()),
        };
        if let Err(error) = payload.and_then(|payload| sink.deliver(&Payload::from_vec(payload))) {
            let count = self.faults.fetch_add(1, Ordering::Relaxed) + 1;
            if count.is_power_of_two() {
                log::warn!(
                    "ignored {count} messages of the peer on `{}`, the last because {error}",
                    self.name
                );
            }
        }
    }
}

/// Checks a name: parts that begin with a letter or `_`, each after a `/`.
fn is_ros_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.strip_prefix('/').unwrap_or(name).split('/').all(is_part)
}

/// Returns `sensor_msgs/Imu` for `sensor_msgs/msg/Imu`.
fn two_parts(name: &str) -> Result<String> {
    match *name.split('/').collect::<Vec<_>>() {
        [package, "msg", name] | [package, name] => Ok(format!("{package}/{name}")),
        _ => Err(Error::unsupported(format!(
            "`{name}` is no message type of ROS; `package/msg/Name` is expected"
        ))),
    }
}

/// All topics, in the order of their creation.
#[derive(Default)]
pub(crate) struct Topics {
    topics: Mutex<Vec<Weak<Topic>>>,
    revision: AtomicU64,
}

/// What a connection has announced.
#[derive(Default)]
pub(crate) struct Announced {
    topics: HashSet<(u8, String)>,
    revision: u64,
}

impl Topics {
    pub(crate) fn add(&self, topic: Topic) -> Arc<Topic> {
        let topic = Arc::new(topic);
        let mut topics = lock(&self.topics);
        topics.retain(|topic| topic.strong_count() > 0);
        topics.push(Arc::downgrade(&topic));
        self.revision.fetch_add(1, Ordering::Release);
        topic
    }

    /// Appends the announcements that a connection lacks. The protocol has none for topics that end.
    pub(crate) fn announce(&self, announced: &mut Announced, out: &mut Vec<u8>) -> Result {
        let revision = self.revision.load(Ordering::Acquire);
        if announced.revision == revision {
            return Ok(());
        }
        announced.revision = revision;
        for topic in lock(&self.topics).iter().filter_map(Weak::upgrade) {
            if announced.topics.insert((topic.operation, topic.name.clone())) {
                let (name, type_name) = (topic.name.as_bytes(), topic.type_name.as_bytes());
                frame::put(topic.operation, name, type_name, out).map_err(Error::new)?;
            }
        }
        Ok(())
    }

    /// Returns the receivers of a topic of the peer.
    pub(crate) fn receivers(&self, name: &str) -> Vec<Arc<Topic>> {
        let topics = lock(&self.topics);
        let topics = topics.iter().filter_map(Weak::upgrade);
        topics.filter(|topic| topic.sink.is_some() && topic.name == name).collect()
    }
}
