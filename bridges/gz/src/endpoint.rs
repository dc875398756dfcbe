//! The topics that the host has opened. They outlast connections.

use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, Sink};
use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::{Error, Payload, Result};

use crate::codes::{MALFORMED, NAME};
use crate::connection::Connection;
use crate::convert::Counterpart;
use crate::lock::lock;
use crate::node::{Node, Subscription, Topic};
use crate::wall_clock::Limiter;

/// A topic as the host describes it.
#[derive(Clone, Debug)]
struct Description {
    topic: String,
    type_name: String,
    is_latched: bool,
}

impl Description {
    /// # Errors
    /// Returns an error if its messages are in a form that another bridge made.
    fn of(channel: &Channel<'_>) -> Result<Self> {
        if channel.is_converted() {
            return Err(Error::unsupported(
                "this bridge takes messages as protobuf only, without a converter",
            ));
        }
        Ok(Description {
            topic: channel.topic().to_owned(),
            type_name: channel.data_type().name.to_owned(),
            is_latched: channel.qos().durability == Durability::Latched,
        })
    }

    /// Returns its name and the name of its type on the wire, with the row of the type.
    fn on_wire(&self, connection: &Connection) -> Option<(String, String, Option<&'static Counterpart>)> {
        let Some(name) = connection.partition.qualify(&self.topic) else {
            log::warn!(
                "[{NAME}] gz-transport cannot express the name `{}`; the topic is not bridged",
                self.topic
            );
            return None;
        };
        let row = Counterpart::find(&self.type_name, &self.topic, connection.generation);
        let type_name =
            row.map_or_else(|| self.type_name.clone(), |row| connection.generation.type_name(row.gz));
        Some((name, type_name, row))
    }
}

/// A topic that the run publishes.
#[derive(Debug)]
pub(crate) struct Outgoing {
    description: Description,
    open: Mutex<Option<(Arc<Topic>, Option<&'static Counterpart>)>>,
    malformed: Limiter,
}

impl Outgoing {
    pub(crate) fn new(channel: &Channel<'_>) -> Result<Self> {
        Ok(Outgoing {
            description: Description::of(channel)?,
            open: Mutex::default(),
            malformed: Limiter::default(),
        })
    }

    pub(crate) fn open(&self, node: &Node) {
        if let Some((name, type_name, row)) = self.description.on_wire(node.connection()) {
            let topic = Topic::new(name, type_name, self.description.is_latched);
            node.advertise(&topic);
            *lock(&self.open) = Some((topic, row));
        }
    }

    pub(crate) fn close(&self, node: &Node) {
        if let Some((topic, _)) = lock(&self.open).take() {
            node.withdraw(&topic);
        }
    }

    /// Sends a message to those who receive it. Returns false if too many wait already.
    pub(crate) fn send(&self, node: &Node, bytes: &[u8]) -> bool {
        let Some((topic, row)) = lock(&self.open).clone() else { return true };
        if !topic.is_wanted() {
            return true;
        }
        let converted = match row {
            Some(row) => (row.outgoing)(bytes),
            None => Ok(bytes.to_vec()),
        };
        match converted {
            Ok(message) => node.publish(&topic, message),
            Err(error) => {
                self.malformed.warn(&format!(
                    "[{MALFORMED}] a message on {} is not sent: it is no {}: {error}",
                    self.description.topic, self.description.type_name
                ));
                true
            }
        }
    }
}

/// A topic that the run receives.
pub(crate) struct Incoming {
    description: Description,
    sink: Arc<Mutex<Option<Sink>>>,
    open: Mutex<Option<Arc<Subscription>>>,
}

impl Incoming {
    pub(crate) fn new(channel: &Channel<'_>, sink: Sink) -> Result<Self> {
        let sink = Arc::new(Mutex::new(Some(sink)));
        Ok(Incoming { description: Description::of(channel)?, sink, open: Mutex::default() })
    }

    pub(crate) fn open(&self, node: &Node) {
        let Some((name, type_name, row)) = self.description.on_wire(node.connection()) else { return };
        let (sink, topic, malformed) =
            (Arc::clone(&self.sink), self.description.topic.clone(), Limiter::default());
        let expected = type_name.clone();
        let deliver = move |bytes: &[u8]| {
            let converted = match row {
                Some(row) => (row.incoming)(bytes).map_err(|error| error.to_string()),
                None => Ok(bytes.to_vec()),
            };
            let delivered = converted.and_then(|message| match lock(&sink).as_ref() {
                Some(sink) => sink.deliver(&Payload::from_vec(message)).map_err(|error| error.to_string()),
                None => Ok(()),
            });
            if let Err(why) = delivered {
                malformed.warn(&format!(
                    "[{MALFORMED}] a message on {topic} is ignored: it is no {expected}: {why}"
                ));
            }
        };
        let subscription = Arc::new(Subscription { name, type_name, deliver: Box::new(deliver) });
        node.subscribe(&subscription);
        *lock(&self.open) = Some(subscription);
    }

    pub(crate) fn close(&self, node: &Node) {
        if let Some(subscription) = lock(&self.open).take() {
            node.unsubscribe(&subscription);
        }
    }

    /// Takes no further messages. Waits for one that is being delivered.
    pub(crate) fn end(&self) {
        *lock(&self.sink) = None;
    }
}
