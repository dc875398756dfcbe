//! The services of a world, as programs of Gazebo call them, made of the services of the run.
//!
//! [`SERVICES`] is the table of those that carry out a request. It becomes calls of the run's services, one after the other;
//! the answer is true if all of them succeeded. Gazebo answers true as soon as it has queued a request. Those that describe
//! the world are [`Question`]s.

mod plan;
pub(crate) mod questions;
mod run_services;
pub(crate) mod sdf;

use std::collections::VecDeque;
use std::sync::{Arc, Weak};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;

use self::plan::World;
use self::questions::{Question, Questions};
pub(crate) use self::run_services::RunServices;
use self::run_services::{Call, judged};
use crate::connection::Connection;
use crate::ids::Ids;
use crate::msgs as gz;
use crate::node::{Answer, Offer, Serve};

/// A service that carries out a request.
pub(crate) struct Service {
    /// Its name; without a leading slash below `/world/W/`.
    name: &'static str,
    /// Type of its request, without the package. The response is a `Boolean`.
    request: &'static str,
    /// Returns the calls for a request, or why there are none.
    plan: fn(&[u8], &World<'_>) -> Result<Vec<Call>, String>,
}

/// The services that carry out requests, by name.
pub(crate) static SERVICES: &[Service] = &[
    Service { name: "/server_control", request: "ServerControl", plan: plan::server_control },
    Service { name: "control", request: "WorldControl", plan: plan::control },
    Service { name: "create", request: "EntityFactory", plan: plan::create },
    Service { name: "create_multiple", request: "EntityFactory_V", plan: plan::create_multiple },
    Service { name: "remove", request: "Entity", plan: plan::remove },
    Service { name: "set_physics", request: "Physics", plan: plan::set_physics },
    Service { name: "set_pose", request: "Pose", plan: plan::set_pose },
    Service { name: "set_pose_vector", request: "Pose_V", plan: plan::set_pose_vector },
];

/// Where requests go.
#[derive(Clone, Default)]
pub(crate) struct Desk {
    pub(crate) services: Arc<RunServices>,
    pub(crate) ids: Arc<Ids>,
    pub(crate) questions: Arc<Questions>,
}

/// Returns the services of a world, as [`Offer`]s.
pub(crate) fn offers(connection: &Connection, world: &str, desk: &Desk) -> Vec<Arc<Offer>> {
    let offer = |name: &str, [request, response]: [&str; 2], serve: Serve| {
        let name = if name.starts_with('/') { name.to_owned() } else { format!("/world/{world}/{name}") };
        Some(Arc::new(Offer {
            name: connection.partition.qualify(&name)?,
            request: connection.generation.type_name(request),
            response: connection.generation.type_name(response),
            serve,
        }))
    };
    let worlds = gz::StringMsgV { header: None, data: vec![world.to_owned()] }.encode_to_vec();
    let ask = |question: fn() -> Question| -> Serve {
        let questions = Arc::clone(&desk.questions);
        Box::new(move |_, answer| questions.ask(question(), answer))
    };
    let generate = {
        let (services, questions) = (Arc::downgrade(&desk.services), Arc::clone(&desk.questions));
        move |request: &[u8], answer: Answer| sdf::generate(&services, &questions, request, answer)
    };
    let own = [
        // Where programs begin.
        offer(
            "/gazebo/worlds",
            ["Empty", "StringMsg_V"],
            Box::new(move |_, answer| answer.send(worlds.clone())),
        ),
        offer("generate_world_sdf", ["SdfGeneratorConfig", "StringMsg"], Box::new(generate)),
        offer("scene/graph", ["Empty", "StringMsg"], ask(|| Question::Graph)),
        offer("scene/info", ["Empty", "Scene"], ask(|| Question::Scene)),
    ];
    let carried_out = SERVICES
        .iter()
        .map(|service| offer(service.name, [service.request, "Boolean"], serve(service, world, desk)));
    own.into_iter().chain(carried_out).flatten().collect()
}

fn serve(service: &'static Service, world: &str, desk: &Desk) -> Serve {
    let (services, label) = (Arc::downgrade(&desk.services), service.name);
    let (ids, name) = (Arc::clone(&desk.ids), world.to_owned());
    Box::new(move |request, answer| match (service.plan)(request, &World { name: &name, ids: &ids }) {
        Ok(calls) => Chain { services: Weak::clone(&services), label, calls: calls.into(), answer }.go_on(),
        Err(why) => refuse(label, &why, answer),
    })
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

/// Answers a request with a failure. Its type has no text, so the log has it.
fn refuse(label: &str, why: &str, answer: Answer) {
    log::warn!("a call of `{label}` failed: {why}");
    respond(false, answer);
}

fn respond(data: bool, answer: Answer) {
    answer.send(gz::Boolean { header: None, data }.encode_to_vec());
}
