//! The services that the host has given to one instance, offered while the instance is connected.
//!
//! Services can be added before a connection and outlast several connections.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, ServiceSink};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_plugin_api::{Payload, Result};

use crate::names::Names;

use super::server::{Answer, Callee, withdrawn};
use super::services::{Offered, ServiceDefinition, Services};
use crate::lock::lock;

/// A service sink of the host that can be withdrawn.
#[derive(Clone)]
struct RevocableSink(Arc<Mutex<Option<ServiceSink>>>);

impl Callee for RevocableSink {
    fn call(&self, request: &Payload, answer: Answer) -> Result {
        match lock(&self.0).as_ref() {
            Some(sink) => sink.call(request, answer),
            None => Err(withdrawn()),
        }
    }
}

struct HostService {
    definition: ServiceDefinition,
    sink: RevocableSink,
    offered: Option<Offered>,
}

/// The services of one instance.
#[derive(Default)]
pub(crate) struct InstanceServices {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    link: Option<(Arc<Services>, Names)>,
    host_services: BTreeMap<String, HostService>,
}

/// Held by the host until it withdraws the service.
pub(crate) struct ServiceRegistration {
    name: String,
    sink: RevocableSink,
    services: Arc<InstanceServices>,
}

impl Drop for ServiceRegistration {
    fn drop(&mut self) {
        // Waits for a call in progress; later calls fail.
        *lock(&self.sink.0) = None;
        let service = lock(&self.services.state).host_services.remove(&self.name);
        drop(service);
    }
}

impl InstanceServices {
    /// Offers all services under their ROS names, including those that are added later.
    pub(crate) fn attach(&self, services: &Arc<Services>, names: &Names) {
        let mut state = lock(&self.state);
        for service in state.host_services.values_mut() {
            match services.offer(&service.definition, names, Box::new(service.sink.clone())) {
                Ok(offered) => service.offered = Some(offered),
                Err(error) => log::warn!("{error}; the service is not bridged"),
            }
        }
        state.link = Some((Arc::clone(services), names.clone()));
    }

    /// Stops offering services.
    pub(crate) fn detach(&self) {
        let mut state = lock(&self.state);
        state.host_services.values_mut().for_each(|service| drop(service.offered.take()));
        state.link = None;
    }

    /// Adds a service of the host, with the action whose goals it accepts, and offers it if the instance is connected.
    ///
    /// # Errors
    /// Returns an error if its name or types are not valid in ROS 2, or the name is in use in the domain.
    pub(crate) fn add(
        self: &Arc<Self>,
        channel: &Channel<'_>,
        sink: ServiceSink,
        action: Option<ActionDescription>,
    ) -> Result<ServiceRegistration> {
        let definition = ServiceDefinition::new(channel, action)?;
        let sink = RevocableSink(Arc::new(Mutex::new(Some(sink))));
        let mut state = lock(&self.state);
        let offered = match &state.link {
            Some((services, names)) => Some(services.offer(&definition, names, Box::new(sink.clone()))?),
            None => None,
        };
        let name = channel.topic().to_owned();
        state.host_services.insert(name.clone(), HostService { definition, sink: sink.clone(), offered });
        drop(state);
        Ok(ServiceRegistration { name, sink, services: Arc::clone(self) })
    }
}
