//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop sends messages. Samples of peers arrive on a thread of the
//! transport and are delivered from there.

use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::HostHandle;

use crate::lock::lock;
use crate::parameter::Parameters;
use crate::parameter::run::Run;
use crate::service::instance_services::{InstanceServices, ServiceRegistration};
use crate::topic::clock::{self, CLOCK, ClockPublisher};
use crate::topic::description::Description;
use crate::topic::incoming::{Incoming, TopicRegistration};
use crate::topic::outgoing::Outgoing;
use crate::transport::Transport;
use crate::wall_clock;

/// One instance of a bridge over this transport.
pub struct NodeBridge<T: Transport> {
    host: HostHandle,
    topics: Mutex<HostTopics<T>>,
    services: Arc<InstanceServices<T>>,
    description: Description<T>,
    /// Of the instance of the world, while it is connected.
    parameters: Mutex<Option<Parameters<T>>>,
    transport: Mutex<Option<Arc<T>>>,
}

/// The topics that the host has opened.
struct HostTopics<T: Transport> {
    outgoing: Vec<Weak<Outgoing<T>>>,
    incoming: Vec<Weak<Incoming<T>>>,
}

impl<T: Transport> HostTopics<T> {
    /// Returns the topics that the host has not withdrawn.
    fn current(&mut self) -> CurrentTopics<T> {
        self.outgoing.retain(|topic| topic.strong_count() > 0);
        self.incoming.retain(|topic| topic.strong_count() > 0);
        CurrentTopics {
            outgoing: self.outgoing.iter().filter_map(Weak::upgrade).collect(),
            incoming: self.incoming.iter().filter_map(Weak::upgrade).collect(),
        }
    }
}

struct CurrentTopics<T: Transport> {
    outgoing: Vec<Arc<Outgoing<T>>>,
    incoming: Vec<Arc<Incoming<T>>>,
}

/// Held by the host until it withdraws a topic or a service.
pub struct HostRegistration<T: Transport>(
    #[expect(dead_code, reason = "closes or withdraws it when it is dropped")] Registered<T>,
);

#[expect(dead_code, reason = "closes or withdraws it when it is dropped")]
enum Registered<T: Transport> {
    Topic(TopicRegistration<T>),
    Service(ServiceRegistration<T>),
}

/// An outgoing topic.
pub struct Publisher<T: Transport>(Arc<Outgoing<T>>);

/// Logs a topic that cannot be opened.
fn report(name: &str, opened: Result) {
    if let Err(error) = opened {
        log::warn!("{error}; {name} is not bridged");
    }
}

impl<T: Transport> NodeBridge<T> {
    fn transport(&self) -> Option<Arc<T>> {
        lock(&self.transport).clone()
    }

    /// Returns the top-level model that this instance is attached to; empty for the world.
    fn vehicle(&self) -> Result<String> {
        Ok(self.host.model()?.attachment()?.vehicle)
    }

    fn describe(&self, transport: &T) {
        if let Ok(vehicle) = self.vehicle() {
            self.description.refresh(self.host, &vehicle, transport);
        }
    }

    /// Offers the parameters of the node, if this is the instance of the world.
    fn offer_parameters(&self, transport: &T) {
        if self.vehicle().is_ok_and(|vehicle| vehicle.is_empty()) {
            let run: Arc<dyn Run> = Arc::clone(&self.services) as Arc<dyn Run>;
            match Parameters::offer(transport, &run) {
                Ok(parameters) => *lock(&self.parameters) = Some(parameters),
                Err(error) => log::warn!("{error}; the node has no parameters"),
            }
        }
    }

    fn open_all(&self, transport: &T) {
        let CurrentTopics { outgoing, incoming } = lock(&self.topics).current();
        outgoing.iter().for_each(|topic| report(topic.name(), topic.open(transport, &self.services)));
        incoming.iter().for_each(|topic| report(topic.name(), topic.open(transport)));
    }

    fn close_all(&self) {
        let CurrentTopics { outgoing, incoming } = lock(&self.topics).current();
        outgoing.iter().for_each(|topic| topic.close());
        incoming.iter().for_each(|topic| topic.close());
    }

    /// Returns true if a plugin publishes the clock.
    fn has_clock(&self) -> bool {
        let is_clock = |topic: &Weak<Outgoing<T>>| topic.upgrade().is_some_and(|topic| topic.name() == CLOCK);
        lock(&self.topics).outgoing.iter().any(is_clock)
    }

    /// Publishes the clock if no plugin does.
    fn publish_clock(&self, transport: &T, own: &mut Option<ClockPublisher<T>>) {
        if self.has_clock() {
            *own = None;
            return;
        }
        if own.is_none() {
            let opened = self.host.clock().and_then(|clock| ClockPublisher::open(clock, transport));
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

impl<T: Transport> Bridge for NodeBridge<T> {
    type Connection = T::Connection;
    type Publisher = Publisher<T>;
    type Subscriber = HostRegistration<T>;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        T::prepare();
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(NodeBridge {
            host,
            topics: Mutex::new(HostTopics { outgoing: Vec::new(), incoming: Vec::new() }),
            services: Arc::default(),
            description: Description::default(),
            parameters: Mutex::default(),
            transport: Mutex::default(),
        })
    }

    fn connect(&self, connection: T::Connection) -> Result {
        self.disconnect()?;
        let transport = Arc::new(T::join(connection)?);
        // First, since actions bring their topics along.
        self.services.attach(&transport);
        self.open_all(&transport);
        self.describe(&transport);
        self.offer_parameters(&transport);
        *lock(&self.transport) = Some(transport);
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let transport = lock(&self.transport).take();
        self.close_all();
        self.description.close();
        drop(lock(&self.parameters).take());
        self.services.detach();
        drop(transport);
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.transport).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Publisher<T>> {
        let topic = Outgoing::<T>::new(channel)?;
        if let Some(transport) = self.transport() {
            topic.open(transport.as_ref(), &self.services)?;
            self.describe(&transport);
        }
        lock(&self.topics).outgoing.push(Arc::downgrade(&topic));
        Ok(Publisher(topic))
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<HostRegistration<T>> {
        let topic = Incoming::<T>::new(channel, sink)?;
        if let Some(transport) = self.transport() {
            topic.open(transport.as_ref())?;
        }
        lock(&self.topics).incoming.push(Arc::downgrade(&topic));
        Ok(HostRegistration(Registered::Topic(TopicRegistration(topic))))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<HostRegistration<T>> {
        let action = self.host.action_of_service(channel.topic())?;
        let registration = self.services.add(channel, sink, action)?;
        Ok(HostRegistration(Registered::Service(registration)))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(transport) = self.transport() else { return Ok(()) };
        let patience = self.vehicle()?.is_empty().then_some(clock::PERIOD);
        let (mut clock_publisher, mut looked) = (None, None);
        loop {
            if let Some(period) = patience
                && looked.is_none_or(|at: Instant| at.elapsed() >= period)
            {
                self.publish_clock(&transport, &mut clock_publisher);
                looked = Some(wall_clock::now());
            }
            match tx.next(patience) {
                Wait::Ready(item) => {
                    if !item.publisher().0.send(item.bytes()) {
                        item.reject();
                    }
                }
                Wait::TimedOut => {}
                Wait::Interrupted => return Ok(()),
            }
        }
    }

    fn notice(&self, notice: &Notice) -> Result<Ack> {
        if let (Notice::Started, Some(transport)) = (notice, self.transport()) {
            self.describe(&transport);
        }
        Ok(Ack::Done)
    }
}
