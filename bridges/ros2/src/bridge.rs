//! The plugin: what the host calls, translated into calls of the layers below.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop takes message after message. What peers send comes on the
//! thread of the participant and is handed over there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::{HostHandle, quieten};

use crate::connection::Connection;
use crate::hub::Hub;
use crate::service::{ServiceEnd, ServiceOptions, Station};
use crate::topic::clock::{self, OwnClock};
use crate::topic::description::Description;
use crate::topic::incoming::{Incoming, IncomingEnd};
use crate::topic::outgoing::Outgoing;
use crate::topic::session::Session;
use crate::wall;

#[cfg(test)]
mod tests;

/// Locks, also after a panic: what is in there is whole at every moment.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One instance.
pub(crate) struct Ros2Bridge {
    host: HostHandle,
    ends: Mutex<Ends>,
    station: Arc<Station>,
    description: Description,
    session: Mutex<Option<Arc<Session>>>,
}

/// The topics that the host has given.
#[derive(Default)]
struct Ends {
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Weak<Incoming>>,
}

impl Ends {
    /// Those that the host has not withdrawn.
    fn living(&mut self) -> (Vec<Arc<Outgoing>>, Vec<Arc<Incoming>>) {
        self.outgoing.retain(|end| end.strong_count() > 0);
        self.incoming.retain(|end| end.strong_count() > 0);
        let outgoing = self.outgoing.iter().filter_map(Weak::upgrade).collect();
        (outgoing, self.incoming.iter().filter_map(Weak::upgrade).collect())
    }
}

/// What the host keeps until it withdraws a topic or a service.
pub(crate) enum End {
    /// A topic that comes in.
    Topic(#[expect(dead_code, reason = "closes the topic when it is dropped")] IncomingEnd),
    /// A service.
    Service(#[expect(dead_code, reason = "takes the service back when it is dropped")] ServiceEnd),
}

/// Says what became of a topic that a connection should have.
fn report(name: &str, opened: Result) {
    if let Err(error) = opened {
        log::warn!("{name} stays without this bridge: {error}");
    }
}

impl Ros2Bridge {
    fn session(&self) -> Option<Arc<Session>> {
        lock(&self.session).clone()
    }

    /// The top-level model this instance is for; empty for the world.
    fn vehicle(&self) -> Result<String> {
        Ok(self.host.model()?.attachment()?.vehicle)
    }

    fn describe(&self, session: &Session) {
        if let Ok(vehicle) = self.vehicle() {
            self.description.refresh(self.host, &vehicle, session);
        }
    }

    fn open_all(&self, session: &Session) {
        let (outgoing, incoming) = lock(&self.ends).living();
        outgoing.iter().for_each(|end| report(end.name(), end.open(session)));
        incoming.iter().for_each(|end| report(end.name(), end.open(session)));
    }

    fn close_all(&self) {
        let (outgoing, incoming) = lock(&self.ends).living();
        outgoing.iter().for_each(|end| end.close());
        incoming.iter().for_each(|end| end.close());
    }

    /// Whether a plugin publishes the time.
    fn has_clock(&self) -> bool {
        let is_clock = |end: &Weak<Outgoing>| end.upgrade().is_some_and(|end| end.name() == clock::TOPIC);
        lock(&self.ends).outgoing.iter().any(is_clock)
    }

    /// Tells the time where no plugin does.
    fn keep_time(&self, session: &Session, own: &mut Option<OwnClock>) {
        if self.has_clock() {
            *own = None;
            return;
        }
        if own.is_none() {
            let opened = self.host.clock().and_then(|clock| OwnClock::open(clock, session));
            match opened {
                Ok(clock) => *own = Some(clock),
                Err(error) => log::warn!("{} stays without this bridge: {error}", clock::TOPIC),
            }
        }
        if let Some(own) = own {
            // Said by the writer's topic where it matters; the next look is as good.
            drop(own.tell());
        }
    }
}

impl Bridge for Ros2Bridge {
    type Publisher = Arc<Outgoing>;
    type Subscriber = End;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        // It warns of what is usual, several times a second while it looks for others; what fails comes back as an
        // error. Whoever wants details has them.
        if log::max_level() < log::LevelFilter::Debug {
            quieten("rustdds", None);
        }
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }

    fn validate(connection: &str) -> Result {
        Connection::parse(connection).map(|_| ())
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(Ros2Bridge {
            host,
            ends: Mutex::default(),
            station: Arc::default(),
            description: Description::default(),
            session: Mutex::default(),
        })
    }

    fn connect(&self, connection: &str) -> Result {
        let connection = Connection::parse(connection)?;
        self.disconnect()?;
        let hub = Hub::join(&connection)?;
        let (mapping, generation) = (connection.mapping, connection.generation);
        let services = hub.services(ServiceOptions { mapping, generation })?;
        let session = Arc::new(Session { hub, services, connection });
        // First, since actions bring their topics along.
        self.station.attach(&session.services, &session.connection.names);
        self.open_all(&session);
        self.describe(&session);
        *lock(&self.session) = Some(session);
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let session = lock(&self.session).take();
        self.close_all();
        self.description.close();
        self.station.detach();
        drop(session);
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.session).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Arc<Outgoing>> {
        let end = Outgoing::new(channel)?;
        if let Some(session) = self.session() {
            end.open(&session)?;
            self.describe(&session);
        }
        lock(&self.ends).outgoing.push(Arc::downgrade(&end));
        Ok(end)
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<End> {
        let end = Incoming::new(channel, sink)?;
        if let Some(session) = self.session() {
            end.open(&session)?;
        }
        lock(&self.ends).incoming.push(Arc::downgrade(&end));
        Ok(End::Topic(IncomingEnd(end)))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<End> {
        self.station.add(channel, sink).map(End::Service)
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(session) = self.session() else { return Ok(()) };
        let patience = self.vehicle()?.is_empty().then_some(clock::PERIOD);
        let (mut own_clock, mut looked) = (None, None);
        loop {
            if let Some(period) = patience
                && looked.is_none_or(|at: Instant| at.elapsed() >= period)
            {
                self.keep_time(&session, &mut own_clock);
                looked = Some(wall::now());
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
