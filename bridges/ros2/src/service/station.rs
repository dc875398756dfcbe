//! The services that the host has given to one instance of the bridge, offered while that is connected.
//!
//! Services may come before the connection, and outlast several.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, ServiceSink};
use bridgehead_plugin_api::{Payload, Result};

use super::lock;
use super::server::{Answer, Callee};
use super::{Offered, Offering, Services};

/// A host's service, as long as the host leaves it to us.
#[derive(Clone)]
struct Gate(Arc<Mutex<Option<ServiceSink>>>);

impl Callee for Gate {
    fn call(&self, request: &Payload, answer: Answer) -> Result {
        match lock(&self.0).as_ref() {
            Some(sink) => sink.call(request, answer),
            None => Err(super::withdrawn()),
        }
    }
}

struct Given {
    offering: Arc<Offering>,
    gate: Gate,
    offered: Option<Offered>,
}

/// The services of one instance.
#[derive(Default)]
pub(crate) struct Station {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    services: Option<Arc<Services>>,
    given: BTreeMap<String, Given>,
}

/// A service that the host has given, until this is dropped.
pub(crate) struct ServiceEnd {
    name: String,
    gate: Gate,
    station: Arc<Station>,
}

impl Drop for ServiceEnd {
    fn drop(&mut self) {
        // A call that is being handed over is waited for; whatever comes later finds nobody.
        drop(lock(&self.gate.0).take());
        let given = lock(&self.station.state).given.remove(&self.name);
        drop(given);
    }
}

impl Station {
    /// Offers all services, those that come later too.
    pub(crate) fn attach(&self, services: &Arc<Services>) {
        let mut state = lock(&self.state);
        for given in state.given.values_mut() {
            match services.offer(&given.offering, Box::new(given.gate.clone())) {
                Ok(offered) => given.offered = Some(offered),
                Err(error) => log::warn!("{error}; it stays without this bridge"),
            }
        }
        state.services = Some(Arc::clone(services));
    }

    /// Offers none any more.
    pub(crate) fn detach(&self) {
        let mut state = lock(&self.state);
        state.given.values_mut().for_each(|given| drop(given.offered.take()));
        state.services = None;
    }

    /// Takes a service of the host, and offers it while there is a connection.
    ///
    /// # Errors
    /// Where its name or its types are none for ROS 2, or the name is taken in the domain.
    pub(crate) fn add(self: &Arc<Self>, channel: &Channel<'_>, sink: ServiceSink) -> Result<ServiceEnd> {
        let offering = Arc::new(Offering::new(channel)?);
        let gate = Gate(Arc::new(Mutex::new(Some(sink))));
        let mut state = lock(&self.state);
        let offer = |services: &Arc<Services>| services.offer(&offering, Box::new(gate.clone()));
        let offered = state.services.as_ref().map(offer).transpose()?;
        let name = channel.topic().to_owned();
        let given = Given { offering: Arc::clone(&offering), gate: gate.clone(), offered };
        state.given.insert(name.clone(), given);
        drop(state);
        Ok(ServiceEnd { name, gate, station: Arc::clone(self) })
    }

    /// The services of the participant, where there is a connection.
    pub(crate) fn services(&self) -> Option<Arc<Services>> {
        lock(&self.state).services.clone()
    }
}
