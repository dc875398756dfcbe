//! The services that the host has given to one instance, offered while the instance is connected.
//!
//! Services can be added before a connection and outlast several connections.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, ServiceSink};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_plugin_api::{Payload, Result};

use super::callee::{Answer, Callee, withdrawn};
use super::definition::Definition;
use crate::action::ActionWriters;
use crate::lock::lock;
use crate::parameter::run::Run;
use crate::transport::Transport;

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

/// A service that is offered until this is dropped.
struct Offered<T: Transport> {
    /// First, so that no request arrives while the rest is dropped.
    #[expect(dead_code, reason = "withdraws the service when it is dropped")]
    server: T::Server,
    /// Topics of an action exist as long as the service that accepts its goals.
    action: Option<ActionWriters<T>>,
}

struct HostService<T: Transport> {
    definition: Definition,
    sink: RevocableSink,
    offered: Option<Offered<T>>,
}

impl<T: Transport> HostService<T> {
    fn offer(&self, transport: &T) -> Result<Offered<T>> {
        let settings = transport.settings();
        let codec = self.definition.codec(settings.generation)?;
        let name = self.definition.ros_name(&settings.names)?;
        let action = self.definition.action.as_ref();
        let action = action.map(|action| ActionWriters::of(action, transport)).transpose()?.flatten();
        let server = transport.serve(&name, codec, Box::new(self.sink.clone()))?;
        Ok(Offered { server, action })
    }
}

/// The services of one instance.
pub struct InstanceServices<T: Transport> {
    state: Mutex<State<T>>,
}

struct State<T: Transport> {
    transport: Option<Arc<T>>,
    host_services: BTreeMap<String, HostService<T>>,
}

/// Held by the host until it withdraws the service.
pub struct ServiceRegistration<T: Transport> {
    name: String,
    sink: RevocableSink,
    services: Arc<InstanceServices<T>>,
}

impl<T: Transport> Drop for ServiceRegistration<T> {
    fn drop(&mut self) {
        // Waits for a call in progress; later calls fail.
        *lock(&self.sink.0) = None;
        let service = lock(&self.services.state).host_services.remove(&self.name);
        drop(service);
    }
}

impl<T: Transport> Default for InstanceServices<T> {
    fn default() -> Self {
        InstanceServices { state: Mutex::new(State { transport: None, host_services: BTreeMap::new() }) }
    }
}

impl<T: Transport> InstanceServices<T> {
    /// Offers all services under their ROS names, including those that are added later.
    pub fn attach(&self, transport: &Arc<T>) {
        let mut state = lock(&self.state);
        for service in state.host_services.values_mut() {
            match service.offer(transport) {
                Ok(offered) => service.offered = Some(offered),
                Err(error) => log::warn!("{error}; the service is not bridged"),
            }
        }
        state.transport = Some(Arc::clone(transport));
    }

    /// Stops offering services.
    pub fn detach(&self) {
        let mut state = lock(&self.state);
        state.host_services.values_mut().for_each(|service| drop(service.offered.take()));
        state.transport = None;
    }

    /// Adds a service of the host, with the action whose goals it accepts, and offers it if the instance is connected.
    ///
    /// # Errors
    /// Returns an error if its name or types are not valid in ROS 2, or the name is in use in the domain.
    pub fn add(
        self: &Arc<Self>,
        channel: &Channel<'_>,
        sink: ServiceSink,
        action: Option<ActionDescription>,
    ) -> Result<ServiceRegistration<T>> {
        let sink = RevocableSink(Arc::new(Mutex::new(Some(sink))));
        let definition = Definition::new(channel, action)?;
        let mut service = HostService::<T> { definition, sink: sink.clone(), offered: None };
        let mut state = lock(&self.state);
        service.offered = state.transport.as_ref().map(|transport| service.offer(transport)).transpose()?;
        let name = channel.topic().to_owned();
        state.host_services.insert(name.clone(), service);
        drop(state);
        Ok(ServiceRegistration { name, sink, services: Arc::clone(self) })
    }

    /// Calls the service with this name of the host.
    ///
    /// # Errors
    /// Returns an error if there is none, or it does not accept the call; `answer` is then never called.
    fn call(&self, name: &str, request: &Payload, answer: Answer) -> Result {
        let sink = lock(&self.state).host_services.get(name).map(|service| service.sink.clone());
        sink.ok_or_else(withdrawn)?.call(request, answer)
    }

    /// Returns the writer of a topic of an offered action, by its name in the host. It exists before the first
    /// message and after the last, since clients see an action as available only if all its parts exist.
    pub fn action_writer(&self, topic: &str) -> Option<Arc<T::Writer>> {
        let state = lock(&self.state);
        let offered = state.host_services.values().filter_map(|service| service.offered.as_ref());
        offered.filter_map(|offered| offered.action.as_ref()).find_map(|action| action.writer(topic))
    }
}

impl<T: Transport> Run for InstanceServices<T> {
    fn call(&self, service: &str, request: Vec<u8>, answer: Answer) {
        // Held by whoever answers: the service, or this function if it does not accept the call.
        let answer = Arc::new(Mutex::new(Some(answer)));
        let held = Arc::clone(&answer);
        let respond = move |outcome| {
            if let Some(answer) = lock(&held).take() {
                answer(outcome);
            }
        };
        if let Err(error) = self.call(service, &Payload::from_vec(request), Box::new(respond))
            && let Some(answer) = lock(&answer).take()
        {
            answer(Err(error));
        }
    }
}
