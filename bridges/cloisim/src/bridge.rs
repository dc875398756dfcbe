//! The plugin: translates calls of the host into calls of the other modules.
//!
//! `[main]` calls connect and disconnect; the `[tx]` loop converts and sends messages. Commands of clients arrive on
//! threads of the service and are delivered from there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{
    ANY_TYPE, Ack, Bridge, BridgeStatus, Channel, Loops, Notice, Registrar, ServiceSink, Sink, Tx, Wait,
};
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElevatorCommand, ResetRequest, ResetResponse,
};
use bridgehead_plugin_api::messages::geometry_msgs::{PoseStamped, Twist};
use bridgehead_plugin_api::messages::sensor_msgs::JointState;
use bridgehead_plugin_api::messages::simulation_interfaces::{
    GetEntitiesRequest, GetEntitiesResponse, GetEntityStateRequest, GetEntityStateResponse,
    SetEntityStateRequest, SetEntityStateResponse,
};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONVERSION_FAILED;
use crate::connection::Connection;
use crate::describe;
use crate::device::table;
use crate::lock::lock;
use crate::member::{Member, ServiceSinks, Sinks};
use crate::service::{CloisimService, registry};

#[cfg(test)]
mod tests;

/// One instance.
pub(crate) struct CloisimBridge {
    host: HostHandle,
    sinks: Arc<Sinks>,
    services: Arc<ServiceSinks>,
    session: Mutex<Option<Session>>,
}

/// Exists from connect to disconnect.
#[derive(Clone)]
struct Session {
    service: Arc<CloisimService>,
    member: Arc<Member>,
}

/// Held by the host until it withdraws a topic or a service.
pub(crate) enum HostRegistration {
    Topic(String, Arc<Sinks>),
    Service(String, Arc<ServiceSinks>),
}

impl Drop for HostRegistration {
    fn drop(&mut self) {
        match self {
            HostRegistration::Topic(topic, sinks) => drop(lock(sinks).remove(topic)),
            HostRegistration::Service(name, services) => drop(lock(services).remove(name)),
        }
    }
}

impl CloisimBridge {
    fn session(&self) -> Option<Session> {
        lock(&self.session).clone()
    }

    /// Returns the top-level model that this instance is attached to; empty for the world.
    fn vehicle(&self) -> Result<String> {
        Ok(self.host.model()?.attachment()?.vehicle)
    }
}

impl Bridge for CloisimBridge {
    type Connection = Connection;
    type Publisher = ();
    type Subscriber = HostRegistration;

    const LOOPS: Loops = Loops::TRANSMIT;

    fn register(registrar: &mut Registrar<'_, Self>) -> Result {
        registrar.add_publisher(ANY_TYPE)?;
        registrar.add_subscriber(Twist::FULL_NAME)?;
        registrar.add_subscriber(JointState::FULL_NAME)?;
        registrar.add_subscriber(ElevatorCommand::FULL_NAME)?;
        registrar.add_subscriber(PoseStamped::FULL_NAME)?;
        registrar.add_service(ResetRequest::FULL_NAME, ResetResponse::FULL_NAME)?;
        registrar.add_service(SetEntityStateRequest::FULL_NAME, SetEntityStateResponse::FULL_NAME)?;
        registrar.add_service(GetEntityStateRequest::FULL_NAME, GetEntityStateResponse::FULL_NAME)?;
        registrar.add_service(GetEntitiesRequest::FULL_NAME, GetEntitiesResponse::FULL_NAME)
    }

    fn create(host: HostHandle) -> Result<Self> {
        Ok(CloisimBridge { host, sinks: Arc::default(), services: Arc::default(), session: Mutex::default() })
    }

    fn connect(&self, connection: Connection) -> Result {
        self.disconnect()?;
        let member = Arc::new(Member {
            vehicle: self.vehicle()?,
            clock: Some(self.host.clock()?),
            describe: Some(describe::of_host(self.host)?),
            sinks: Arc::clone(&self.sinks),
            services: Arc::clone(&self.services),
            report: Some(self.host.report()?),
        });
        let service = registry::join(&connection, Arc::clone(&member))?;
        *lock(&self.session) = Some(Session { service, member });
        Ok(())
    }

    fn disconnect(&self) -> Result {
        let session = lock(&self.session).take();
        if let Some(session) = session {
            registry::leave(&session.service, &session.member);
        }
        Ok(())
    }

    fn status(&self) -> BridgeStatus {
        if lock(&self.session).is_some() { BridgeStatus::Connected } else { BridgeStatus::Disconnected }
    }

    fn publisher(&self, channel: &Channel<'_>) -> Result<()> {
        let decline = |why: &str| Err(Error::unsupported(format!("`{}`: {why}", channel.topic())));
        if channel.is_converted() || !table::carries(channel.bridge_type()) {
            return decline("clients of CLOiSim have no such message type");
        }
        if let Some(session) = self.session() {
            session.service.refresh();
            // Declining here saves the computation of messages that would not be sent.
            if !session.service.has_route(channel.topic()) {
                return decline("no device of CLOiSim uses it");
            }
        }
        Ok(())
    }

    fn subscriber(&self, channel: &Channel<'_>, sink: Sink) -> Result<HostRegistration> {
        let topic = channel.topic().to_owned();
        lock(&self.sinks).insert(topic.clone(), sink);
        Ok(HostRegistration::Topic(topic, Arc::clone(&self.sinks)))
    }

    fn service(&self, channel: &Channel<'_>, sink: ServiceSink) -> Result<HostRegistration> {
        let name = channel.data_type().name.to_owned();
        lock(&self.services).insert(name.clone(), sink);
        Ok(HostRegistration::Service(name, Arc::clone(&self.services)))
    }

    fn transmit(&self, tx: &mut Tx<'_, Self>) -> Result {
        let Some(Session { service, .. }) = self.session() else { return Ok(()) };
        let mut logged_topics: HashSet<String> = HashSet::new();
        while let Wait::Ready(item) = tx.next(None) {
            let Err(error) = service.send(item.topic(), item.bytes()) else { continue };
            if logged_topics.insert(item.topic().to_owned()) {
                let topic = item.topic();
                log::warn!(
                    "[{CONVERSION_FAILED}] a message on {topic} is dropped, and so are further ones like it: {}",
                    error.0
                );
            }
            item.reject();
        }
        Ok(())
    }

    fn notice(&self, notice: &Notice) -> Result<Ack> {
        if let Some(session) = self.session() {
            match notice {
                Notice::Reset { epoch, .. } => session.service.reset(*epoch),
                Notice::Started => session.service.refresh(),
                Notice::Paused | Notice::Resumed | Notice::Stopped => {}
            }
        }
        Ok(Ack::Done)
    }
}
