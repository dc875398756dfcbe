//! The services of a world, as programs of Gazebo call them, made of the services of the run.
//!
//! [`SERVICES`] is the table. A request becomes calls of the run's services, one after the other; the answer is true if all
//! of them succeeded. Gazebo answers true as soon as it has queued a request.

mod plan;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};

use bridgehead_plugin_api::bridge::ServiceSink;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::{Payload, Result};

use self::plan::Call;
use crate::connection::Connection;
use crate::lock::lock;
use crate::msgs as gz;
use crate::node::{Answer, Offer};

/// The services that the run offers, by name.
#[derive(Default)]
pub(crate) struct RunServices(Mutex<BTreeMap<String, Arc<ServiceSink>>>);

impl RunServices {
    pub(crate) fn add(&self, name: &str, sink: ServiceSink) {
        lock(&self.0).insert(name.to_owned(), Arc::new(sink));
    }

    pub(crate) fn remove(&self, name: &str) {
        lock(&self.0).remove(name);
    }

    fn find(&self, name: &str) -> Option<Arc<ServiceSink>> {
        lock(&self.0).get(name).cloned()
    }
}

/// A service of a world.
pub(crate) struct Service {
    /// Its name below `/world/W/`.
    name: &'static str,
    /// Type of its request, without the package. The response is a `Boolean`.
    request: &'static str,
    /// Returns the calls for a request, or why there are none.
    plan: fn(&[u8]) -> Result<Vec<Call>, String>,
}

/// The services, by name.
pub(crate) static SERVICES: &[Service] = &[
    Service { name: "control", request: "WorldControl", plan: plan::control },
    Service { name: "create", request: "EntityFactory", plan: plan::create },
    Service { name: "create_multiple", request: "EntityFactory_V", plan: plan::create_multiple },
    Service { name: "remove", request: "Entity", plan: plan::remove },
    Service { name: "set_physics", request: "Physics", plan: plan::set_physics },
    Service { name: "set_pose", request: "Pose", plan: plan::set_pose },
    Service { name: "set_pose_vector", request: "Pose_V", plan: plan::set_pose_vector },
];

/// Returns the services of a world, as [`Offer`]s.
pub(crate) fn offers(connection: &Connection, world: &str, services: &Arc<RunServices>) -> Vec<Arc<Offer>> {
    let offer = |service: &'static Service| {
        let name = connection.partition.qualify(&format!("/world/{world}/{}", service.name))?;
        let (services, label) = (Arc::downgrade(services), service.name);
        let serve = move |request: &[u8], answer: Answer| match (service.plan)(request) {
            Ok(calls) => {
                Chain { services: Weak::clone(&services), label, calls: calls.into(), answer }.go_on();
            }
            Err(why) => refuse(label, &why, answer),
        };
        Some(Arc::new(Offer {
            name,
            request: connection.generation.type_name(service.request),
            response: connection.generation.type_name("Boolean"),
            serve: Box::new(serve),
        }))
    };
    let mut offers: Vec<_> = SERVICES.iter().filter_map(offer).collect();
    offers.extend(worlds(connection, world));
    offers
}

/// Returns `/gazebo/worlds`, which names the worlds: where programs begin.
fn worlds(connection: &Connection, world: &str) -> Option<Arc<Offer>> {
    let response = gz::StringMsgV { header: None, data: vec![world.to_owned()] }.encode_to_vec();
    Some(Arc::new(Offer {
        name: connection.partition.qualify("/gazebo/worlds")?,
        request: connection.generation.type_name("Empty"),
        response: connection.generation.type_name("StringMsg_V"),
        serve: Box::new(move |_, answer| answer.send(response.clone())),
    }))
}

/// Calls of the run's services that are still to be made for one request.
struct Chain {
    services: Weak<RunServices>,
    label: &'static str,
    calls: VecDeque<Call>,
    answer: Answer,
}

impl Chain {
    /// Makes the next call, or answers the request if there is none.
    fn go_on(mut self) {
        let Some(call) = self.calls.pop_front() else { return respond(true, self.answer) };
        let services = self.services.upgrade();
        let Some(sink) = services.and_then(|services| services.find(&format!("/{}", call.service))) else {
            return refuse(self.label, &format!("the run offers no `/{}`", call.service), self.answer);
        };
        let request = Payload::from_vec(call.request.clone());
        let service = call.service;
        // If the call is not accepted, the answer is dropped with the closure, and thereby fails.
        let accepted = sink.call(&request, move |outcome| match judged(outcome, &call) {
            Ok(()) => self.go_on(),
            Err(why) => refuse(self.label, &why, self.answer),
        });
        if let Err(error) = accepted {
            log::warn!("a call of `{service}` was not accepted: {error}");
        }
    }
}

/// Returns why a call failed. The responses of all services that are called begin with a result.
fn judged(outcome: Result<Payload>, call: &Call) -> Result<(), String> {
    let response = outcome.map_err(|error| error.to_string())?;
    let decoded = si::DeleteEntityResponse::decode(&*response).map_err(|error| error.to_string())?;
    let result = decoded.result.unwrap_or_default();
    let is_fine = result.result == si::Result::RESULT_OK || call.accepts.contains(&result.result);
    if is_fine { Ok(()) } else { Err(result.error_message) }
}

/// Answers a request with a failure. Its type has no text, so the log has it.
fn refuse(label: &str, why: &str, answer: Answer) {
    log::warn!("a call of `{label}` failed: {why}");
    respond(false, answer);
}

fn respond(data: bool, answer: Answer) {
    answer.send(gz::Boolean { header: None, data }.encode_to_vec());
}
