//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop encodes messages and queues them. What clients send arrives on
//! the server's thread and is delivered from there.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::{Error, Payload, Result};
use bridgehead_websocket::{Dialer, Server, ServerError, SharedServers};

use crate::codes::{LISTEN, TAKEN};
use crate::connection::{Connection, Role};
use crate::endpoint::{HostService, Incoming, Outgoing};
use crate::hub::Hub;
use crate::lock::lock;
use crate::remote::Remote;

#[cfg(test)]
mod tests;

/// The servers of this process.
static SERVERS: SharedServers<Hub> = SharedServers::new();

/// One instance.
pub(crate) struct RosbridgeBridge {
    host: HostHandle,
    state: Arc<State>,
}

/// What the host has opened, and the connection.
#[derive(Default)]
struct State {
    topics: Mutex<Topics>,
    session: Mutex<Option<Arc<Session>>>,
}

#[derive(Default)]
struct Topics {
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Weak<Incoming>>,
    services: Vec<Weak<HostService>>,
}

/// A connection.
enum Session {
    /// Clients connect to this server.
    Server(Arc<Server<Hub>>),
    /// This bridge connects to a server. The connection ends with it.
    Client { remote: Arc<Remote>, dialer: Dialer },
}

impl Session {
    fn open(connection: Connection) -> Result<Self> {
        let generation = connection.generation;
        match connection.role {
            Role::Server(options) => {
                let limit = options.max_message;
                let server =
                    SERVERS.join(&options, || Hub::new(generation, limit)).map_err(|error| failed(&error))?;
                if server.protocol().generation != generation {
                    return Err(failed(&ServerError::Differs(options.address)));
                }
                Ok(Session::Server(server))
            }
            Role::Client(options) => {
                let remote = Arc::new(Remote::new(generation, options.max_message));
                let dialer = Dialer::start(*options, Arc::clone(&remote)).map_err(|error| failed(&error))?;
                Ok(Session::Client { remote, dialer })
            }
        }
    }

    fn add_topic(&self, topic: &Arc<Outgoing>) {
        match self {
            Session::Server(server) => server.protocol().add_topic(topic),
            Session::Client { remote, .. } => remote.add_topic(topic),
        }
    }

    fn add_incoming(&self, topic: &Arc<Incoming>) {
        match self {
            Session::Server(server) => server.protocol().add_incoming(topic),
            Session::Client { remote, .. } => remote.add_incoming(topic),
        }
    }

    fn add_service(&self, service: &Arc<HostService>) -> Result {
        match self {
            Session::Server(server) if !server.protocol().add_service(service) => {
                let name = &service.name;
                let text = format!(
                    "[{TAKEN}] another instance offers the service {name} on this server; attach one bridge to the world, \
                     or give the service another name"
                );
                Err(Error::with_status(status::EXISTS, text))
            }
            Session::Server(_) => Ok(()),
            Session::Client { remote, .. } => {
                remote.add_service(service);
                Ok(())
            }
        }
    }

    fn remove_topic(&self, topic: &Arc<Outgoing>) {
        match self {
            Session::Server(server) => server.protocol().remove_topic(topic),
            Session::Client { remote, .. } => remote.withdraw("unadvertise", "topic", &topic.name),
        }
    }

    fn remove_incoming(&self, topic: &Arc<Incoming>) {
        match self {
            Session::Server(server) => server.protocol().remove_incoming(topic),
            Session::Client { remote, .. } => remote.withdraw("unsubscribe", "topic", &topic.name),
        }
    }

    fn remove_service(&self, service: &Arc<HostService>) {
        match self {
            Session::Server(server) => server.protocol().remove_service(service),
            Session::Client { remote, .. } => {
                remote.withdraw("unadvertise_service", "service", &service.name)
            }
        }
    }

    /// Returns the number of messages that were dropped for this one.
    fn publish(
        &self,
        topic: &Outgoing,
        bytes: &[u8],
        payload: impl FnOnce() -> Payload,
        stamp_ns: i64,
    ) -> u64 {
        match self {
            Session::Server(server) => server.protocol().publish(topic, bytes, payload, stamp_ns),
            Session::Client { remote, .. } => remote.publish(topic, bytes, payload, stamp_ns),
        }
    }
}

fn failed(error: &ServerError) -> Error {
    Error::with_status(status::IO, format!("[{LISTEN}] {error}"))
}

impl State {
    fn session(&self) -> Option<Arc<Session>> {
        lock(&self.session).clone()
    }

    /// Opens everything that the host has opened.
    fn open_all(&self, session: &Session) {
        let topics = lock(&self.topics);
        topics.outgoing.iter().filter_map(Weak::upgrade).for_each(|topic| session.add_topic(&topic));
        topics.incoming.iter().filter_map(Weak::upgrade).for_each(|topic| session.add_incoming(&topic));
        for service in topics.services.iter().filter_map(Weak::upgrade) {
            if let Err(error) = session.add_service(&service) {
                log::warn!("{error}; the service is not bridged");
            }
        }
    }

    fn close_all(&self, session: &Session) {
        let topics = lock(&self.topics);
        topics.outgoing.iter().filter_map(Weak::upgrade).for_each(|topic| session.remove_topic(&topic));
        topics.incoming.iter().filter_map(Weak::upgrade).for_each(|topic| session.remove_incoming(&topic));
        topics.services.iter().filter_map(Weak::upgrade).for_each(|service| session.remove_service(&service));
    }
}

/// Held by the host until it withdraws a topic that the run publishes.
pub(crate) struct Publisher {
    topic: Arc<Outgoing>,
    state: Arc<State>,
}

impl Drop for Publisher {
    fn drop(&mut self) {
        if let Some(session) = self.state.session() {
            session.remove_topic(&self.topic);
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
    Service(Arc<HostService>),
}

impl Drop for Registration {
    fn drop(&mut self) {
        match &self.opened {
            Opened::Topic(topic) => topic.close(),
            Opened::Service(service) => service.close(),
        }
        let Some(session) = self.state.session() else { return };
        match &self.opened {
            Opened::Topic(topic) => session.remove_incoming(topic),
            Opened::Service(service) => session.remove_service(service),
        }
    }
}

impl RosbridgeBridge {
    /// Distinguishes the clocks of instances.
    fn number(&self) -> usize {
        Arc::as_ptr(&self.state).addr()
    }

    /// Tells the host where clients connect.
    fn report(&self, session: &Session) {
        if let (Session::Server(server), Ok(report)) = (session, self.host.report()) {
            report.endpoint(&format!("ws://{}", server.address()), "rosbridge v2");
        }
    }
}

impl Bridge for RosbridgeBridge {
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
        Ok(RosbridgeBridge { host, state: Arc::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        self.disconnect()?;
        let session = Arc::new(Session::open(connection)?);
        if let (Session::Server(server), Ok(clock)) = (&*session, self.host.clock()) {
            server.protocol().add_clock(self.number(), clock);
        }
        self.state.open_all(&session);
        self.report(&session);
        *lock(&self.state.session) = Some(session);
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let session = lock(&self.state.session).take();
        if let Some(session) = session {
            self.state.close_all(&session);
            if let Session::Server(server) = &*session {
                server.protocol().remove_clock(self.number());
            }
        }
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        match lock(&self.state.session).as_deref() {
            None => BridgeStatus::Disconnected,
            Some(Session::Client { dialer, .. }) if !dialer.is_connected() => BridgeStatus::Connecting,
            Some(Session::Server(_) | Session::Client { .. }) => BridgeStatus::Connected,
        }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Publisher> {
        let topic = Arc::new(Outgoing::new(channel)?);
        if let Some(session) = self.state.session() {
            session.add_topic(&topic);
        }
        let mut all = lock(&self.state.topics);
        let topics = &mut all.outgoing;
        topics.retain(|topic| topic.strong_count() > 0);
        topics.push(Arc::downgrade(&topic));
        drop(all);
        Ok(Publisher { topic, state: Arc::clone(&self.state) })
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Registration> {
        let topic = Arc::new(Incoming::new(channel, sink)?);
        if let Some(session) = self.state.session() {
            session.add_incoming(&topic);
        }
        let mut all = lock(&self.state.topics);
        let topics = &mut all.incoming;
        topics.retain(|topic| topic.strong_count() > 0);
        topics.push(Arc::downgrade(&topic));
        drop(all);
        Ok(Registration { opened: Opened::Topic(topic), state: Arc::clone(&self.state) })
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<Registration> {
        let action = self.host.action_of_service(channel.topic())?;
        let service = Arc::new(HostService::new(channel, sink, action)?);
        if let Some(session) = self.state.session() {
            session.add_service(&service)?;
        }
        let mut all = lock(&self.state.topics);
        let services = &mut all.services;
        services.retain(|service| service.strong_count() > 0);
        services.push(Arc::downgrade(&service));
        drop(all);
        Ok(Registration { opened: Opened::Service(service), state: Arc::clone(&self.state) })
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(session) = self.state.session() else { return Ok(()) };
        let report = self.host.report().ok();
        while let Wait::Ready(item) = tx.next(None) {
            let stamp_ns = item.stamp_ns();
            let dropped = session.publish(&item.publisher().topic, item.bytes(), || item.payload(), stamp_ns);
            if let Some(report) = report.filter(|_| dropped > 0) {
                report.lost(dropped);
            }
        }
        Ok(())
    }
}
