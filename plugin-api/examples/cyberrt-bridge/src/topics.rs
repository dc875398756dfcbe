//! The topics that the host has opened, which each connection announces to its peer as channels of the same names.
//!
//! Filled by the main thread while both loops run.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::messages::lgsvl_msgs::VehicleControlData;
use bridgehead_plugin_api::messages::{MessageType, Schema};
use bridgehead_plugin_api::prelude::*;

use crate::frame::{self, ADD_READER, ADD_WRITER};
use crate::outgoing::{self, Conversion};
use crate::{descriptors, incoming, lock, schemas};

/// A topic that the host publishes. The host drops it when the topic is withdrawn.
pub(crate) struct Outgoing {
    pub(crate) name: String,
    type_name: String,
    /// Absent if messages are sent as they are.
    conversion: Option<Conversion>,
    /// None for what a converter of a plugin makes.
    descriptors: Vec<Vec<u8>>,
}

impl Outgoing {
    pub(crate) fn of(channel: &Channel<'_>) -> Result<Self> {
        let name = channel.topic().to_owned();
        if channel.is_converted() {
            let (type_name, descriptors) = (channel.bridge_type().to_owned(), Vec::new());
            return Ok(Outgoing { name, type_name, conversion: None, descriptors });
        }
        let data_type = channel.data_type();
        let conversion = outgoing::conversion(data_type.name);
        let (set, type_name) = match &conversion {
            Some(conversion) => (schemas::DESCRIPTORS, conversion.apollo_type),
            None => (data_type.descriptor_set, data_type.name),
        };
        let descriptors = descriptors::closure(set, type_name)?;
        Ok(Outgoing { name, type_name: type_name.to_owned(), conversion, descriptors })
    }

    /// Appends the frame of a message of the host, of which `number` came before.
    pub(crate) fn encode(&self, payload: &[u8], number: u64, out: &mut Vec<u8>) -> Result {
        let name = self.name.as_bytes();
        let done = match &self.conversion {
            Some(conversion) => {
                frame::put(frame::PUBLISH, name, &(conversion.convert)(payload, number)?, out)
            }
            None => frame::put(frame::PUBLISH, name, payload, out),
        };
        done.map_err(Error::new)
    }
}

/// What a message of the peer is.
enum Form {
    /// A command for a car.
    Control,
    /// A message of the topic's own type. The sink takes no other, so it is checked before.
    Same(MessageType),
    /// What the converter of a plugin expects.
    Converted,
}

/// A topic that the host subscribes to. The host drops it when the topic is withdrawn.
pub(crate) struct Incoming {
    name: String,
    type_name: String,
    form: Form,
    sink: Sink,
    faults: AtomicU64,
}

impl Incoming {
    pub(crate) fn of(channel: &Channel<'_>, sink: Sink) -> Result<Self> {
        let data_type = channel.data_type();
        let (type_name, form) = if channel.is_converted() {
            (channel.bridge_type(), Form::Converted)
        } else if data_type.name == VehicleControlData::FULL_NAME {
            (incoming::CONTROL, Form::Control)
        } else {
            let schema = Schema::new(data_type.descriptor_set.to_vec(), data_type.name.to_owned());
            let message = schema.resolve().map_err(|error| Error::new(error.to_string()))?;
            (data_type.name, Form::Same(message))
        };
        let (name, type_name) = (channel.topic().to_owned(), type_name.to_owned());
        Ok(Incoming { name, type_name, form, sink, faults: AtomicU64::new(0) })
    }

    /// Delivers a message of the peer. The log has the first fault, the second, the fourth, and so on.
    pub(crate) fn deliver(&self, message: &[u8], steering_limit: f64) {
        let payload = match &self.form {
            Form::Control => incoming::control(message, steering_limit),
            Form::Same(of) => match of.check(message) {
                Ok(()) => Ok(message.to_vec()),
                Err(error) => Err(Error::new(error.to_string())),
            },
            Form::Converted => Ok(message.to_vec()),
        };
        if let Err(error) = payload.and_then(|payload| self.sink.deliver(&Payload::from_vec(payload))) {
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

/// All topics, in the order of their creation.
#[derive(Default)]
pub(crate) struct Topics {
    outgoing: Mutex<Vec<Weak<Outgoing>>>,
    incoming: Mutex<Vec<Weak<Incoming>>>,
    revision: AtomicU64,
}

/// What a connection has announced.
#[derive(Default)]
pub(crate) struct Announced {
    writers: HashSet<String>,
    readers: HashSet<String>,
    revision: u64,
}

impl Topics {
    pub(crate) fn add_outgoing(&self, topic: Outgoing) -> Arc<Outgoing> {
        self.add(&self.outgoing, topic)
    }

    pub(crate) fn add_incoming(&self, topic: Incoming) -> Arc<Incoming> {
        self.add(&self.incoming, topic)
    }

    fn add<T>(&self, topics: &Mutex<Vec<Weak<T>>>, topic: T) -> Arc<T> {
        let topic = Arc::new(topic);
        let mut topics = lock(topics);
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
        for topic in live(&self.incoming) {
            if announced.readers.insert(topic.name.clone()) {
                frame::put(ADD_READER, topic.name.as_bytes(), topic.type_name.as_bytes(), out)
                    .map_err(Error::new)?;
            }
        }
        for topic in live(&self.outgoing) {
            if announced.writers.insert(topic.name.clone()) {
                if !topic.descriptors.is_empty() {
                    frame::put_descriptors(&topic.descriptors, out).map_err(Error::new)?;
                }
                frame::put(ADD_WRITER, topic.name.as_bytes(), topic.type_name.as_bytes(), out)
                    .map_err(Error::new)?;
            }
        }
        Ok(())
    }

    /// Returns the receivers of a channel of the peer.
    pub(crate) fn receivers(&self, name: &str) -> Vec<Arc<Incoming>> {
        live(&self.incoming).into_iter().filter(|topic| topic.name == name).collect()
    }
}

fn live<T>(topics: &Mutex<Vec<Weak<T>>>) -> Vec<Arc<T>> {
    lock(topics).iter().filter_map(Weak::upgrade).collect()
}
