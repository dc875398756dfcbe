//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop encodes and sends messages. What peers send arrives on a thread of
//! Zenoh and is delivered from there.

use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_ros2_node::lock::lock;

use crate::plain::codec::Encoding;
use crate::plain::connection::Connection;
use crate::plain::incoming::Incoming;
use crate::plain::outgoing::Outgoing;
use crate::plain::service::Service;
use crate::plain::space::Space;
use crate::session;

/// One instance.
pub(crate) struct PlainBridge {
    host: HostHandle,
    opened: Mutex<Opened>,
    link: Mutex<Option<Link>>,
}

/// What the host has opened.
#[derive(Default)]
struct Opened {
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Weak<Incoming>>,
    services: Vec<Weak<Service>>,
}

/// A connection.
#[derive(Clone)]
struct Link {
    space: Arc<Space>,
    encoding: Encoding,
}

impl Link {
    fn open_outgoing(&self, topic: &Arc<Outgoing>) -> Result {
        topic.open(&self.space.session, &self.space.prefix, self.encoding)?;
        self.space.registry.add_outgoing(topic);
        Ok(())
    }

    fn open_incoming(&self, topic: &Arc<Incoming>) -> Result {
        topic.open(&self.space.session, &self.space.prefix, self.encoding)?;
        self.space.registry.add_incoming(topic);
        Ok(())
    }

    fn open_service(&self, service: &Arc<Service>) -> Result {
        let Space { session, prefix, replies, registry, .. } = &*self.space;
        service.open(session, prefix, self.encoding, replies)?;
        registry.add_service(service);
        Ok(())
    }
}

/// Held by the host until it withdraws what the run receives or offers.
pub(crate) enum Registration {
    Topic(Arc<Incoming>),
    Service(Arc<Service>),
}

impl Drop for Registration {
    fn drop(&mut self) {
        match self {
            Registration::Topic(topic) => topic.end(),
            Registration::Service(service) => service.end(),
        }
    }
}

/// Logs what cannot be opened.
fn report(opened: Result) {
    if let Err(error) = opened {
        log::warn!("{error}; it is not bridged");
    }
}

/// Returns those that the host has not withdrawn.
fn current<T>(all: &mut Vec<Weak<T>>) -> Vec<Arc<T>> {
    all.retain(|one| one.strong_count() > 0);
    all.iter().filter_map(Weak::upgrade).collect()
}

impl PlainBridge {
    fn link(&self) -> Option<Link> {
        lock(&self.link).clone()
    }
}

impl Bridge for PlainBridge {
    type Connection = Connection;
    type Publisher = Arc<Outgoing>;
    type Subscriber = Registration;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        session::prepare();
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(PlainBridge { host, opened: Mutex::default(), link: Mutex::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        self.disconnect()?;
        let link = Link { space: Space::join(&connection)?, encoding: connection.encoding };
        let mut opened = lock(&self.opened);
        current(&mut opened.outgoing).iter().for_each(|topic| report(link.open_outgoing(topic)));
        current(&mut opened.incoming).iter().for_each(|topic| report(link.open_incoming(topic)));
        current(&mut opened.services).iter().for_each(|service| report(link.open_service(service)));
        drop(opened);
        if let Ok(report) = self.host.report() {
            let prefix = link.space.prefix.as_str();
            report.endpoint(&format!("Zenoh keys {prefix}/**"), &format!("zenoh get {prefix}/@topics"));
        }
        *lock(&self.link) = Some(link);
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let link = lock(&self.link).take();
        let mut opened = lock(&self.opened);
        current(&mut opened.outgoing).iter().for_each(|topic| topic.close());
        current(&mut opened.incoming).iter().for_each(|topic| topic.close());
        current(&mut opened.services).iter().for_each(|service| service.close());
        drop(opened);
        drop(link);
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.link).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Arc<Outgoing>> {
        let topic = Arc::new(Outgoing::new(channel)?);
        if let Some(link) = self.link() {
            link.open_outgoing(&topic)?;
        }
        lock(&self.opened).outgoing.push(Arc::downgrade(&topic));
        Ok(topic)
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Registration> {
        let topic = Arc::new(Incoming::new(channel, sink)?);
        if let Some(link) = self.link() {
            link.open_incoming(&topic)?;
        }
        lock(&self.opened).incoming.push(Arc::downgrade(&topic));
        Ok(Registration::Topic(topic))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<Registration> {
        let service = Arc::new(Service::new(channel, sink)?);
        if let Some(link) = self.link() {
            link.open_service(&service)?;
        }
        lock(&self.opened).services.push(Arc::downgrade(&service));
        Ok(Registration::Service(service))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        while let Wait::Ready(item) = tx.next(None) {
            if !item.publisher().send(item.payload()) {
                item.reject();
            }
        }
        Ok(())
    }
}
