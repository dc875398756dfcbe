//! Services of a world under the names of Gazebo, for runs that ask for them: `/world/W/set_pose`.
//!
//! [`GAZEBO_SERVICES`] is the only source, also for `docs/porting-from-gazebo.md`. A request of such a service becomes
//! requests of our own services, one after the other; the types are those of `ros_gz_interfaces`, as `ros_gz_bridge`
//! offers them. [`WorldServices`] offers them while a world is loaded. Offering happens on the simulation thread, calls on
//! any.

mod request;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::collections::vec_deque::VecDeque;
use std::sync::{Arc, PoisonError, Weak};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::{Status, status};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::messages::{Message, Schema, ServiceDeclaration, ServiceKind, ros_gz_interfaces};

use super::handle::{ControlHandle, Offered};
use crate::bus::{Answer, ServicePoint};
use crate::sim::Simulation;
use crate::world::names::NameStyle;
use request::OwnCall;

/// A service of a world that Gazebo has.
pub struct GazeboService {
    /// Its declaration; its name is below `/world/W/`.
    pub declared: ServiceDeclaration,
    /// The services of ours that it calls.
    pub calls: &'static [&'static str],
    /// Returns the calls for a request, or why there are none.
    translate: fn(&[u8]) -> Result<Vec<OwnCall>, String>,
}

const fn row<Q: Message, R: Message>(
    [name, method, ros_type, comment]: [&'static str; 4],
    calls: &'static [&'static str],
    translate: fn(&[u8]) -> Result<Vec<OwnCall>, String>,
) -> GazeboService {
    let declared = ServiceDeclaration {
        package: "bridgehead.ros_gz_interfaces.v1",
        block: "Gazebo",
        method,
        name,
        kind: ServiceKind::Service,
        ros_type,
        is_reader: false,
        is_transition: false,
        features: &[],
        request: Schema::of::<Q>,
        response: Schema::of::<R>,
        comment,
    };
    GazeboService { declared, calls, translate }
}

/// Gazebo's services of a world, by name.
pub static GAZEBO_SERVICES: [GazeboService; 4] = [
    row::<ros_gz_interfaces::ControlWorldRequest, ros_gz_interfaces::ControlWorldResponse>(
        [
            "control",
            "ControlWorld",
            "ros_gz_interfaces/srv/ControlWorld",
            "Pauses, plays, steps or resets the world.",
        ],
        &["reset_simulation", "set_simulation_state", "step_simulation"],
        request::control,
    ),
    row::<ros_gz_interfaces::SpawnEntityRequest, ros_gz_interfaces::SpawnEntityResponse>(
        ["create", "SpawnEntity", "ros_gz_interfaces/srv/SpawnEntity", "Creates an entity."],
        &["spawn_entity"],
        request::create,
    ),
    row::<ros_gz_interfaces::DeleteEntityRequest, ros_gz_interfaces::DeleteEntityResponse>(
        ["remove", "DeleteEntity", "ros_gz_interfaces/srv/DeleteEntity", "Removes an entity."],
        &["delete_entity"],
        request::remove,
    ),
    row::<ros_gz_interfaces::SetEntityPoseRequest, ros_gz_interfaces::SetEntityPoseResponse>(
        ["set_pose", "SetEntityPose", "ros_gz_interfaces/srv/SetEntityPose", "Moves an entity."],
        &["set_entity_state"],
        request::set_pose,
    ),
];

/// Offers the services while a world is loaded whose names are those of Gazebo.
#[derive(Default)]
pub(super) struct WorldServices {
    offered: Option<Current>,
}

/// The services of one world.
struct Current {
    world: String,
    points: Vec<Arc<ServicePoint>>,
}

impl WorldServices {
    /// Returns true if other services are offered than the loaded world has. Called in every turn of the loop.
    pub(super) fn are_outdated(&self, simulation: &Simulation) -> bool {
        match (&self.offered, world_of(simulation)) {
            (None, None) => false,
            (Some(current), Some(world)) => {
                current.world != world || current.points.iter().any(|point| point.is_closed())
            }
            (Some(_), None) | (None, Some(_)) => true,
        }
    }

    /// Withdraws services of another world, and offers those of the loaded one.
    pub(super) fn follow(&mut self, handle: &Arc<ControlHandle>, simulation: &mut Simulation) {
        if !self.are_outdated(simulation) {
            return;
        }
        if let Some(old) = self.offered.take() {
            handle.shared.services.retire(&old.points);
        }
        let mut offered = BTreeMap::new();
        if let Some(world) = world_of(simulation) {
            offered = offer(handle, world);
            let points = offered.values().map(|offered| Arc::clone(&offered.point)).collect();
            self.offered = Some(Current { world: world.to_owned(), points });
        }
        *handle.of_world.write().unwrap_or_else(PoisonError::into_inner) = offered;
        simulation.announce_services();
    }
}

/// Returns the name of the loaded world, if its services have the names of Gazebo.
fn world_of(simulation: &Simulation) -> Option<&str> {
    match simulation.config().names.style {
        NameStyle::Bridgehead => None,
        NameStyle::Gazebo => simulation.loaded().map(|loaded| loaded.resource().name.as_str()),
    }
}

/// Offers the services of a world. A name that is taken, or that a type prevents, is logged and left out.
fn offer(handle: &Arc<ControlHandle>, world: &str) -> BTreeMap<String, Offered> {
    let mut offered = BTreeMap::new();
    for service in &GAZEBO_SERVICES {
        let name = format!("world/{}/{}", in_a_name(world), service.declared.name);
        match offer_one(handle, service, &name) {
            Ok(point) => {
                let declared = &service.declared;
                offered.insert(name, Offered { declared, point, reads_files: false });
            }
            Err(why) => log::warn!("[BH-CTL-016] the service `/{name}` is not offered: {why}"),
        }
    }
    offered
}

fn offer_one(
    handle: &Arc<ControlHandle>,
    service: &'static GazeboService,
    name: &str,
) -> Result<Arc<ServicePoint>, String> {
    let register = |schema: Schema| {
        let types = &handle.shared.types;
        types
            .register(schema.full_name(), schema.descriptor_set(), "bridgehead")
            .map_err(|error| error.to_string())
    };
    let types = [register((service.declared.request)())?, register((service.declared.response)())?];
    let (weak, label) = (Arc::downgrade(handle), format!("/{name}"));
    let handler = move |request: Payload, answer: Answer| match (service.translate)(&request) {
        Ok(calls) => {
            Chain { handle: weak.clone(), label: label.clone(), calls: calls.into(), answer }.go_on()
        }
        Err(why) => refuse(&label, &why, answer),
    };
    let point = handle
        .shared
        .services
        .offer_for_world(name, types, Box::new(handler))
        .map_err(|error| error.to_string())?;
    point.ok_or_else(|| "the name is taken".to_owned())
}

/// Returns the name of a world with `_` for what names of services do not have.
fn in_a_name(world: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    world.chars().map(letter).collect()
}

/// Calls of our services that are still to be made for one request.
struct Chain {
    handle: Weak<ControlHandle>,
    /// Name of the service for the log.
    label: String,
    calls: VecDeque<OwnCall>,
    answer: Answer,
}

impl Chain {
    /// Makes the next call, or answers the request if there is none.
    fn go_on(mut self) {
        let Some(mut call) = self.calls.pop_front() else {
            return (self.answer)(status::OK, Some(success(true)));
        };
        let handle = self.handle.upgrade();
        let entry = handle.as_ref().and_then(|handle| handle.entry_of(call.service));
        let (Some(handle), Some(entry)) = (handle, entry) else {
            return (self.answer)(status::INTERRUPTED, None);
        };
        let request = Payload::from_vec(std::mem::take(&mut call.request));
        let after = move |outcome: Status, response: Option<Payload>| match judged(outcome, response, &call) {
            Ok(()) => self.go_on(),
            Err(why) => refuse(&self.label, &why, self.answer),
        };
        handle.take(entry, request, Box::new(after));
    }
}

/// Returns why a call failed. The responses of all services that are called begin with a result.
fn judged(outcome: Status, response: Option<Payload>, call: &OwnCall) -> Result<(), String> {
    let (status::OK, Some(response)) = (outcome, response) else {
        return Err(format!("`{}` was interrupted", call.service));
    };
    let decoded = si::DeleteEntityResponse::decode(&*response).map_err(|error| error.to_string())?;
    let result = decoded.result.unwrap_or_default();
    let is_fine = result.result == si::Result::RESULT_OK || call.accepts.contains(&result.result);
    if is_fine { Ok(()) } else { Err(result.error_message) }
}

/// Answers a request with a failure. Its type has no text, so the log has it.
fn refuse(label: &str, why: &str, answer: Answer) {
    log::warn!("a call of `{label}` failed: {why}");
    answer(status::OK, Some(success(false)));
}

/// Returns a response: all four have one field.
fn success(success: bool) -> Payload {
    Payload::from_vec(ros_gz_interfaces::DeleteEntityResponse { success }.encode_to_vec())
}
