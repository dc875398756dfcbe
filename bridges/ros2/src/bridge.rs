//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop sends messages. Samples of peers arrive on the thread of
//! the participant and are delivered from there.

use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::{HostHandle, quieten};

use crate::connection::Connection;
use crate::lock::lock;
use crate::service::{InstanceServices, ServiceOptions, ServiceRegistration};
use crate::shared_node::SharedNode;
use crate::topic::clock::{self, ClockPublisher};
use crate::topic::description::Description;
use crate::topic::incoming::{Incoming, TopicRegistration};
use crate::topic::outgoing::Outgoing;
use crate::topic::session::{CLOCK, Session};
use crate::wall_clock;

#[cfg(test)]
mod tests;

/// One instance.
pub(crate) struct Ros2Bridge {
    host: HostHandle,
    topics: Mutex<HostTopics>,
    services: Arc<InstanceServices>,
    description: Description,
    session: Mutex<Option<Arc<Session>>>,
}

/// The topics that the host has opened.
#[derive(Default)]
struct HostTopics {
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Weak<Incoming>>,
}

impl HostTopics {
    /// Returns the topics that the host has not withdrawn.
    fn current(&mut self) -> (Vec<Arc<Outgoing>>, Vec<Arc<Incoming>>) {
        self.outgoing.retain(|topic| topic.strong_count() > 0);
        self.incoming.retain(|topic| topic.strong_count() > 0);
        let outgoing = self.outgoing.iter().filter_map(Weak::upgrade).collect();
        (outgoing, self.incoming.iter().filter_map(Weak::upgrade).collect())
    }
}

/// Held by the host until it withdraws a topic or a service.
pub(crate) enum HostRegistration {
    /// An incoming topic.
    Topic(#[expect(dead_code, reason = "closes the topic when it is dropped")] TopicRegistration),
    /// A service.
    Service(#[expect(dead_code, reason = "withdraws the service when it is dropped")] ServiceRegistration),
}

/// Logs a topic that cannot be opened.
fn report(name: &str, opened: Result) {
    if let Err(error) = opened {
        log::warn!("{error}; {name} is not bridged");
    }
}

impl Ros2Bridge {
    fn session(&self) -> Option<Arc<Session>> {
        lock(&self.session).clone()
    }

    /// Returns the top-level model that this instance is attached to; empty for the world.
    fn vehicle(&self) -> Result<String> {
        Ok(self.host.model()?.attachment()?.vehicle)
    }

    fn describe(&self, session: &Session) {
        if let Ok(vehicle) = self.vehicle() {
            self.description.refresh(self.host, &vehicle, session);
        }
    }

    fn open_all(&self, session: &Session) {
        let (outgoing, incoming) = lock(&self.topics).current();
        outgoing.iter().for_each(|topic| report(topic.name(), topic.open(session)));
        incoming.iter().for_each(|topic| report(topic.name(), topic.open(session)));
    }

    fn close_all(&self) {
        let (outgoing, incoming) = lock(&self.topics).current();
        outgoing.iter().for_each(|topic| topic.close());
        incoming.iter().for_each(|topic| topic.close());
    }

    /// Returns true if a plugin publishes the clock.
    fn has_clock(&self) -> bool {
        let is_clock = |topic: &Weak<Outgoing>| topic.upgrade().is_some_and(|topic| topic.name() == CLOCK);
        lock(&self.topics).outgoing.iter().any(is_clock)
    }

    /// Publishes the clock if no plugin does.
    fn publish_clock(&self, session: &Session, own: &mut Option<ClockPublisher>) {
        if self.has_clock() {
            *own = None;
            return;
        }
        if own.is_none() {
            let opened = self.host.clock().and_then(|clock| ClockPublisher::open(clock, session));
            match opened {
                Ok(clock) => *own = Some(clock),
                Err(error) => log::warn!("{error}; {} is not published", CLOCK),
            }
        }
        if let Some(own) = own {
            // A failure is not final: the next attempt follows within a period.
            drop(own.publish_if_due());
        }
    }
}

impl Bridge for Ros2Bridge {
    type Connection = Connection;
    type Publisher = Arc<Outgoing>;
    type Subscriber = HostRegistration;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        // RustDDS warns about normal conditions several times a second during discovery; its failures are returned as
        // errors. The debug level shows its warnings too.
        if log::max_level() < log::LevelFilter::Debug {
            quieten("rustdds", None);
        }
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(Ros2Bridge {
            host,
            topics: Mutex::default(),
            services: Arc::default(),
            description: Description::default(),
            session: Mutex::default(),
        })
    }

    fn connect(&self, connection: Connection) -> Result {
        self.disconnect()?;
        let node = SharedNode::join(&connection)?;
        let (mapping, generation) = (connection.mapping, connection.generation);
        let services = node.services(ServiceOptions { mapping, generation })?;
        let session = Arc::new(Session { node, services, connection });
        // First, since actions bring their topics along.
        self.services.attach(&session.services, &session.connection.names);
        self.open_all(&session);
        self.describe(&session);
        *lock(&self.session) = Some(session);
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let session = lock(&self.session).take();
        self.close_all();
        self.description.close();
        self.services.detach();
        drop(session);
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.session).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Arc<Outgoing>> {
        let topic = Outgoing::new(channel)?;
        if let Some(session) = self.session() {
            topic.open(&session)?;
            self.describe(&session);
        }
        lock(&self.topics).outgoing.push(Arc::downgrade(&topic));
        Ok(topic)
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<HostRegistration> {
        let topic = Incoming::new(channel, sink)?;
        if let Some(session) = self.session() {
            topic.open(&session)?;
        }
        lock(&self.topics).incoming.push(Arc::downgrade(&topic));
        Ok(HostRegistration::Topic(TopicRegistration(topic)))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<HostRegistration> {
        let action = self.host.action_of_service(channel.topic())?;
        self.services.add(channel, sink, action).map(HostRegistration::Service)
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(session) = self.session() else { return Ok(()) };
        let patience = self.vehicle()?.is_empty().then_some(clock::PERIOD);
        let (mut clock_publisher, mut looked) = (None, None);
        loop {
            if let Some(period) = patience
                && looked.is_none_or(|at: Instant| at.elapsed() >= period)
            {
                self.publish_clock(&session, &mut clock_publisher);
                looked = Some(wall_clock::now());
            }
            match tx.next(patience) {
                Wait::Ready(item) => {
                    if !item.publisher().send(item.bytes()) {
                        item.reject();
                    }
                }
                Wait::TimedOut => {}
                Wait::Interrupted => return Ok(()),
            }
        }
    }

    fn notice(&self, notice: &Notice) -> Result<Ack> {
        if let (Notice::Started, Some(session)) = (notice, self.session()) {
            self.describe(&session);
        }
        Ok(Ack::Done)
    }
}
