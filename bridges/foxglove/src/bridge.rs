//! The plugin: translates calls of the host into calls of the session.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop sends messages, and what is due repeatedly. Messages of clients
//! arrive on the thread of the server and are delivered from there.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Bridge, BridgeStatus, Channel, Loops, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::{HostHandle, Report};

use crate::connection::Connection;
use crate::lock::lock;
use crate::outgoing::{Outgoing, refuse_converter};
use crate::session::input::Input;
use crate::session::service::Service;
use crate::session::{FoxgloveServer, Session, join};
use crate::wall_clock;

#[cfg(test)]
mod tests;

/// Numbers instances; 0 stands for none.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// One instance.
pub(crate) struct FoxgloveBridge {
    id: u64,
    host: HostHandle,
    endpoints: Arc<Mutex<Endpoints>>,
    server: Mutex<Option<Arc<FoxgloveServer>>>,
}

/// What the host has opened, and the session while the bridge is connected.
#[derive(Default)]
struct Endpoints {
    session: Option<Arc<Session>>,
    outgoing: Vec<Weak<Outgoing>>,
    incoming: Vec<Incoming>,
}

/// A topic or service for clients.
#[derive(Clone)]
enum Incoming {
    Topic(Arc<Input>),
    Service(Arc<Service>),
}

/// Held by the host until it withdraws a topic or a service.
pub(crate) struct Registration {
    incoming: Incoming,
    endpoints: Arc<Mutex<Endpoints>>,
}

impl Incoming {
    /// Offers it to clients.
    fn open(&self, session: &Session) -> Result {
        match self {
            Incoming::Topic(input) => session.add_input(input),
            Incoming::Service(service) => session.add_service(service)?,
        }
        Ok(())
    }

    fn close(&self, session: &Session) {
        match self {
            Incoming::Topic(input) => session.remove_input(input),
            Incoming::Service(service) => session.remove_service(service),
        }
    }

    fn is(&self, other: &Incoming) -> bool {
        match (self, other) {
            (Incoming::Topic(own), Incoming::Topic(other)) => Arc::ptr_eq(own, other),
            (Incoming::Service(own), Incoming::Service(other)) => Arc::ptr_eq(own, other),
            (Incoming::Topic(_), Incoming::Service(_)) | (Incoming::Service(_), Incoming::Topic(_)) => false,
        }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut endpoints = lock(&self.endpoints);
        endpoints.incoming.retain(|known| !known.is(&self.incoming));
        if let Some(session) = &endpoints.session {
            self.incoming.close(session);
        }
    }
}

impl Endpoints {
    /// Returns the outgoing topics that the host has not withdrawn.
    fn outgoing(&mut self) -> Vec<Arc<Outgoing>> {
        self.outgoing.retain(|topic| topic.strong_count() > 0);
        self.outgoing.iter().filter_map(Weak::upgrade).collect()
    }

    /// Offers everything in a session.
    fn open(&mut self, session: &Arc<Session>) {
        for topic in self.outgoing() {
            if let Err(error) = topic.open(session) {
                log::warn!("{error}; {} is not bridged", topic.name());
            }
        }
        for incoming in &self.incoming {
            if let Err(error) = incoming.open(session) {
                log::warn!("{error}");
            }
        }
        self.session = Some(Arc::clone(session));
    }

    /// Withdraws everything.
    fn close(&mut self) {
        let Some(session) = self.session.take() else { return };
        self.outgoing().iter().for_each(|topic| topic.close());
        self.incoming.iter().for_each(|incoming| incoming.close(&session));
    }
}

impl FoxgloveBridge {
    fn register(&self, incoming: Incoming) -> Result<Registration> {
        let mut endpoints = lock(&self.endpoints);
        if let Some(session) = &endpoints.session {
            incoming.open(session)?;
        }
        endpoints.incoming.push(incoming.clone());
        Ok(Registration { incoming, endpoints: Arc::clone(&self.endpoints) })
    }

    /// Tells those who ask the host where clients connect.
    fn report_address(&self, address: &str, purpose: &str) {
        if let Ok(report) = self.host.report() {
            report.endpoint(address, purpose);
        }
    }
}

/// Tells the host how many messages slow clients have lost.
fn report_lost(report: Option<Report>, lost: u64) {
    if let Some(report) = report.filter(|_| lost > 0) {
        report.lost(lost);
    }
}

impl Bridge for FoxgloveBridge {
    type Connection = Connection;
    type Publisher = Arc<Outgoing>;
    type Subscriber = Registration;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(ANY_TYPE)?;
        registrar.add_service(ANY_TYPE, ANY_TYPE)
    }

    fn create(host: HostHandle) -> Result<Self> {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(FoxgloveBridge { id, host, endpoints: Arc::default(), server: Mutex::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        self.disconnect()?;
        let server = join(&connection)?;
        let session = server.protocol().session();
        session.enter(self.id, self.host);
        lock(&self.endpoints).open(session);
        self.report_address(&format!("ws://{}", server.address()), "Foxglove and Lichtblick");
        *lock(&self.server) = Some(server);
        Ok(())
    }

    fn disconnect(&self) -> Result {
        lock(&self.endpoints).close();
        // Ends the server if no other instance uses it.
        if let Some(server) = lock(&self.server).take() {
            server.protocol().session().leave(self.id);
            self.report_address(&format!("ws://{}", server.address()), "");
        }
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.server).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<Arc<Outgoing>> {
        let topic = Outgoing::new(channel)?;
        let mut endpoints = lock(&self.endpoints);
        if let Some(session) = &endpoints.session {
            topic.open(session)?;
        }
        endpoints.outgoing.push(Arc::downgrade(&topic));
        Ok(topic)
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Registration> {
        refuse_converter(channel)?;
        self.register(Incoming::Topic(Arc::new(Input::new(channel, sink))))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<Registration> {
        self.register(Incoming::Service(Arc::new(Service::new(channel, sink))))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(session) = lock(&self.endpoints).session.clone() else { return Ok(()) };
        let (clock, report) = (self.host.clock()?, self.host.report().ok());
        let (mut period, mut ticked) = (Duration::ZERO, None);
        loop {
            if ticked.is_none_or(|at: Instant| at.elapsed() >= period) {
                period = session.tick(self.id, self.host, clock);
                ticked = Some(wall_clock::now());
                report_lost(report, session.take_lost());
            }
            match tx.next(Some(period)) {
                Wait::Ready(item) => match item.publisher().send(&item) {
                    None => item.reject(),
                    Some(lost) => report_lost(report, lost),
                },
                Wait::TimedOut => {}
                Wait::Interrupted => break,
            }
        }
        session.release(self.id);
        Ok(())
    }
}
