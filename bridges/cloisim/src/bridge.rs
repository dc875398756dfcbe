//! The plugin: what the host calls, translated into calls of the layers below.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop takes message after message. What clients command comes on
//! threads of the service and is handed over there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{ResetRequest, ResetResponse};
use bridgehead_plugin_api::messages::geometry_msgs::Twist;
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::messages::simulation_interfaces::{
    GetEntitiesRequest, GetEntitiesResponse, GetEntityStateRequest, GetEntityStateResponse,
    SetEntityStateRequest, SetEntityStateResponse,
};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::UNFIT;
use crate::connection::Connection;
use crate::describe;
use crate::device::table;
use crate::hub::{Hub, registry};
use crate::member::{Member, Services, Sinks, lock};

#[cfg(test)]
mod tests;

/// One instance.
pub(crate) struct CloisimBridge {
    host: HostHandle,
    sinks: Arc<Sinks>,
    services: Arc<Services>,
    session: Mutex<Option<Session>>,
}

/// From connect to disconnect.
#[derive(Clone)]
struct Session {
    hub: Arc<Hub>,
    member: Arc<Member>,
}

/// What the host keeps until it withdraws a topic or a service.
pub(crate) enum Incoming {
    Topic(String, Arc<Sinks>),
    Service(String, Arc<Services>),
}

impl Drop for Incoming {
    fn drop(&mut self) {
        match self {
            Incoming::Topic(topic, sinks) => drop(lock(sinks).remove(topic)),
            Incoming::Service(name, services) => drop(lock(services).remove(name)),
        }
    }
}

impl CloisimBridge {
    fn session(&self) -> Option<Session> {
        lock(&self.session).clone()
    }

    /// The top-level model this instance is for; empty for the world.
    fn vehicle(&self) -> Result<String> {
        Ok(self.host.model()?.attachment()?.vehicle)
    }
}

impl Bridge for CloisimBridge {
    type Publisher = ();
    type Subscriber = Incoming;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(Twist::FULL_NAME)?;
        registrar.add_subscriber(JointState::FULL_NAME)?;
        registrar.add_service(ResetRequest::FULL_NAME, ResetResponse::FULL_NAME)?;
        registrar.add_service(SetEntityStateRequest::FULL_NAME, SetEntityStateResponse::FULL_NAME)?;
        registrar.add_service(GetEntityStateRequest::FULL_NAME, GetEntityStateResponse::FULL_NAME)?;
        registrar.add_service(GetEntitiesRequest::FULL_NAME, GetEntitiesResponse::FULL_NAME)
    }

    fn validate(connection: &str) -> Result {
        Connection::parse(connection).map(|_| ())
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(CloisimBridge { host, sinks: Arc::default(), services: Arc::default(), session: Mutex::default() })
    }

    fn connect(&self, connection: &str) -> Result {
        let connection = Connection::parse(connection)?;
        self.disconnect()?;
        let member = Arc::new(Member {
            vehicle: self.vehicle()?,
            clock: Some(self.host.clock()?),
            describe: Some(describe::of_host(self.host)?),
            sinks: Arc::clone(&self.sinks),
            services: Arc::clone(&self.services),
            report: Some(self.host.report()?),
        });
        let hub = registry::join(&connection, Arc::clone(&member))?;
        *lock(&self.session) = Some(Session { hub, member });
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let session = lock(&self.session).take();
        if let Some(session) = session {
            registry::leave(&session.hub, &session.member);
        }
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.session).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<()> {
        let leave_out = |why: &str| Err(Error::unsupported(format!("`{}`: {why}", channel.topic())));
        if channel.is_converted() || !table::carries(channel.bridge_type()) {
            return leave_out("clients of CLOiSim know no such messages");
        }
        if let Some(session) = self.session() {
            session.hub.refresh();
            // Said here, nobody need compute what would not be sent.
            if !session.hub.carries(channel.topic()) {
                return leave_out("no device of CLOiSim takes it");
            }
        }
        Ok(())
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<Incoming> {
        let topic = channel.topic().to_owned();
        lock(&self.sinks).insert(topic.clone(), sink);
        Ok(Incoming::Topic(topic, Arc::clone(&self.sinks)))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<Incoming> {
        let name = channel.data_type().name.to_owned();
        lock(&self.services).insert(name.clone(), sink);
        Ok(Incoming::Service(name, Arc::clone(&self.services)))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(Session { hub, .. }) = self.session() else { return Ok(()) };
        let mut complained: HashSet<String> = HashSet::new();
        while let Wait::Ready(item) = tx.next(None) {
            let Err(unfit) = hub.take(item.topic(), item.bytes()) else { continue };
            if complained.insert(item.topic().to_owned()) {
                let topic = item.topic();
                log::warn!(
                    "a message on {topic} is left out, and so is every further one like it: {} [{UNFIT}]",
                    unfit.0
                );
            }
            item.reject();
        }
        Ok(())
    }

    fn notice(&self, notice: &Notice) -> Result<Ack> {
        if let Some(session) = self.session() {
            match notice {
                Notice::Reset { epoch, .. } => session.hub.reset(*epoch),
                Notice::Started => session.hub.refresh(),
                Notice::Paused | Notice::Resumed | Notice::Stopped => {}
            }
        }
        Ok(Ack::Done)
    }
}
