//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop converts messages and queues them for the thread of the node, which
//! also delivers what peers send.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::{Error, Result};

use crate::codes::SOCKET;
use crate::connection::Connection;
use crate::endpoint::{Incoming, Outgoing};
use crate::lock::lock;
use crate::node::Node;
use crate::service::RunServices;
use crate::world;

/// One instance.
pub(crate) struct GzBridge {
    host: HostHandle,
    state: Arc<State>,
}

/// What the host has opened, and the connection.
#[derive(Default)]
struct State {
    topics: Mutex<Topics>,
    services: Arc<RunServices>,
    session: Mutex<Option<Session>>,
}

#[derive(Default)]
struct Topics {
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Weak<Incoming>>,
}

/// A connection.
#[derive(Clone)]
struct Session {
    node: Arc<Node>,
    /// Tells the thread of the world that the connection has ended; of instances of the world.
    _world: Option<Arc<world::Running>>,
}

impl State {
    fn node(&self) -> Option<Arc<Node>> {
        lock(&self.session).as_ref().map(|session| Arc::clone(&session.node))
    }

    fn open_all(&self, node: &Node) {
        let topics = lock(&self.topics);
        topics.outgoing.iter().filter_map(Weak::upgrade).for_each(|topic| topic.open(node));
        topics.incoming.iter().filter_map(Weak::upgrade).for_each(|topic| topic.open(node));
    }

    fn close_all(&self, node: &Node) {
        let topics = lock(&self.topics);
        topics.outgoing.iter().filter_map(Weak::upgrade).for_each(|topic| topic.close(node));
        topics.incoming.iter().filter_map(Weak::upgrade).for_each(|topic| topic.close(node));
    }
}

/// Held by the host until it withdraws a topic that the run publishes.
pub(crate) struct Publisher {
    topic: Arc<Outgoing>,
    state: Arc<State>,
}

impl Drop for Publisher {
    fn drop(&mut self) {
        if let Some(node) = self.state.node() {
            self.topic.close(&node);
        }
    }
}

/// Held by the host until it withdraws a topic that the run receives, or a service.
pub(crate) struct Registration {
    opened: Opened,
    state: Arc<State>,
}

enum Opened {
    Topic(Arc<Incoming>),
    Service(String),
}

impl Drop for Registration {
    fn drop(&mut self) {
        match &self.opened {
            Opened::Service(name) => self.state.services.remove(name),
            Opened::Topic(topic) => {
                topic.end();
                if let Some(node) = self.state.node() {
                    topic.close(&node);
                }
            }
        }
    }
}

impl Bridge for GzBridge {
    type Connection = Connection;
    type Publisher = Publisher;
    type Subscriber = Registration;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(GzBridge { host, state: Arc::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        self.disconnect()?;
        let node = Node::join(&connection).map_err(|error| {
            let text = format!(
                "[{SOCKET}] gz-transport at {} with the ports {:?} cannot be opened: {error}",
                connection.ip, connection.ports
            );
            Error::with_status(status::IO, text)
        })?;
        self.state.open_all(&node);
        let is_of_world = self.host.model()?.attachment()?.vehicle.is_empty();
        let running =
            is_of_world.then(|| world::start(self.host, &node, &self.state.services)).transpose()?;
        if let Ok(report) = self.host.report() {
            report.endpoint(
                &format!("gz-transport partition {}", connection.partition),
                "gz topic, gz service",
            );
        }
        *lock(&self.state.session) = Some(Session { node, _world: running });
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let session = lock(&self.state.session).take();
        if let Some(session) = session {
            self.state.close_all(&session.node);
        }
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.state.session).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Publisher> {
        let topic = Arc::new(Outgoing::new(channel)?);
        if let Some(node) = self.state.node() {
            topic.open(&node);
        }
        let mut topics = lock(&self.state.topics);
        topics.outgoing.retain(|topic| topic.strong_count() > 0);
        topics.outgoing.push(Arc::downgrade(&topic));
        Ok(Publisher { topic, state: Arc::clone(&self.state) })
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Registration> {
        let topic = Arc::new(Incoming::new(channel, sink)?);
        if let Some(node) = self.state.node() {
            topic.open(&node);
        }
        let mut topics = lock(&self.state.topics);
        topics.incoming.retain(|topic| topic.strong_count() > 0);
        topics.incoming.push(Arc::downgrade(&topic));
        Ok(Registration { opened: Opened::Topic(topic), state: Arc::clone(&self.state) })
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<Registration> {
        let name = channel.topic().to_owned();
        self.state.services.add(&name, sink);
        Ok(Registration { opened: Opened::Service(name), state: Arc::clone(&self.state) })
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(node) = self.state.node() else { return Ok(()) };
        while let Wait::Ready(item) = tx.next(None) {
            if !item.publisher().topic.send(&node, item.bytes()) {
                item.reject();
            }
        }
        Ok(())
    }
}
