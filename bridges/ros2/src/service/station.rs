//! The services that the host has given to one instance of the bridge, offered while that is connected.
//!
//! Services may come before the connection, and outlast several.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::bridge::{Channel, ServiceSink};
use bridgehead_plugin_api::{Payload, Result};

use crate::names::Names;

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
    offering: Offering,
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
    link: Option<(Arc<Services>, Names)>,
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
        *lock(&self.gate.0) = None;
        let given = lock(&self.station.state).given.remove(&self.name);
        drop(given);
    }
}

impl Station {
    /// Offers all services, those that come later too, under the names that ROS knows them by.
    pub(crate) fn attach(&self, services: &Arc<Services>, names: &Names) {
        let mut state = lock(&self.state);
        for given in state.given.values_mut() {
            match services.offer(&given.offering, names, Box::new(given.gate.clone())) {
                Ok(offered) => given.offered = Some(offered),
                Err(error) => log::warn!("{error}; it stays without this bridge"),
            }
        }
        state.link = Some((Arc::clone(services), names.clone()));
    }

    /// Offers none any more.
    pub(crate) fn detach(&self) {
        let mut state = lock(&self.state);
        state.given.values_mut().for_each(|given| drop(given.offered.take()));
        state.link = None;
    }

    /// Takes a service of the host, and offers it while there is a connection.
    ///
    /// # Errors
    /// Where its name or its types are none for ROS 2, or the name is taken in the domain.
    pub(crate) fn add(self: &Arc<Self>, channel: &Channel<'_>, sink: ServiceSink) -> Result<ServiceEnd> {
        let offering = Offering::new(channel)?;
        let gate = Gate(Arc::new(Mutex::new(Some(sink))));
        let mut state = lock(&self.state);
        let offered = match &state.link {
            Some((services, names)) => Some(services.offer(&offering, names, Box::new(gate.clone()))?),
            None => None,
        };
        let name = channel.topic().to_owned();
        state.given.insert(name.clone(), Given { offering, gate: gate.clone(), offered });
        drop(state);
        Ok(ServiceEnd { name, gate, station: Arc::clone(self) })
    }
}
