//! The table of services: each declaration with the function that serves it.

use bridgehead_lifecycle::Interrupt;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    TransitionRequest, TransitionResponse,
};
use bridgehead_plugin_api::messages::{Message, Schema, ServiceDeclaration, ServiceKind, declared_services};

use super::call::{Encoded, Reply, decoded};
use super::session::{Session, Until};
use super::view::View;
use super::{
    bridges, entities, features, lifecycle, spawn, state, statistics, steps, topics, triggers, worlds,
};
use crate::bus::Answer;
use crate::world::World;

type Read = Box<dyn Fn(&View, &Payload, Answer) + Send + Sync>;
type NeedsWorld = Box<dyn Fn(&Payload) -> bool + Send + Sync>;
type Select = Box<dyn Fn(&View, Option<&World>, &Payload, Answer) + Send + Sync>;
type Run = Box<dyn Fn(&mut Session<'_>, &Payload, Answer) + Send + Sync>;

/// How a service is served.
pub(super) enum Server {
    /// From the snapshot of the last complete step, on any thread.
    Read(Read),
    /// With the world itself on the simulation thread, if the first function returns true for a request; otherwise from
    /// the snapshot.
    Select(NeedsWorld, Select),
    /// On the simulation thread between two steps.
    Run(Run),
}

/// A service with the function that serves it.
pub struct Entry {
    /// Its declaration.
    pub declared: &'static ServiceDeclaration,
    /// Suffix of its name: empty, or the part of an action.
    pub(super) part: &'static str,
    /// Types of request and response.
    pub(super) types: [Schema; 2],
    pub(super) server: Server,
}

/// Creates the entry of a reader.
fn read<Q: Message + 'static, R: Message + 'static>(name: &str, serve: fn(&View, &Q) -> R) -> Option<Entry> {
    let server = move |view: &View, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            Reply::new(answer).send(serve(view, &request));
        }
    };
    entry::<Q, R>(name, Server::Read(Box::new(server)))
}

/// Creates the entry of a reader that needs the world itself for some requests.
fn select<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    needs_world: fn(&Q) -> bool,
    serve: fn(&View, Option<&World>, &Q) -> Encoded<R>,
) -> Option<Entry> {
    let needs_world =
        move |request: &Payload| Q::decode(&**request).is_ok_and(|request| needs_world(&request));
    let server = move |view: &View, world: Option<&World>, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            Reply::new(answer).send_encoded(serve(view, world, &request));
        }
    };
    entry::<Q, R>(name, Server::Select(Box::new(needs_world), Box::new(server)))
}

/// Creates the entry of a service that runs on the simulation thread.
fn run<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    serve: fn(&mut Session<'_>, &Q, Reply<R>),
) -> Option<Entry> {
    entry::<Q, R>(name, server(serve))
}

fn entry<Q: Message, R: Message>(name: &str, server: Server) -> Option<Entry> {
    let declared = declared_services().iter().find(|declared| declared.name == name)?;
    let fits =
        (declared.request)().full_name() == Q::FULL_NAME && (declared.response)().full_name() == R::FULL_NAME;
    fits.then_some(Entry { declared, part: "", types: [Q::schema(), R::schema()], server })
}

/// Creates the entry of a request to the lifecycle.
fn verb(name: &str, interrupt: Interrupt, until: Until) -> Option<Entry> {
    let server = move |session: &mut Session<'_>, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded(request, answer) {
            lifecycle::change((&interrupt, until), session, &request, Reply::new(answer));
        }
    };
    entry::<TransitionRequest, TransitionResponse>(name, Server::Run(Box::new(server)))
}

/// Creates the entry of one of the three services of an action.
fn action<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    part: &'static str,
    serve: fn(&mut Session<'_>, &Q, Reply<R>),
) -> Option<Entry> {
    let declared = declared_services().iter().find(|declared| declared.name == name)?;
    let types = [Q::schema(), R::schema()];
    (declared.kind == ServiceKind::Action).then_some(Entry { declared, part, types, server: server(serve) })
}

fn server<Q: Message + 'static, R: Message + 'static>(serve: fn(&mut Session<'_>, &Q, Reply<R>)) -> Server {
    Server::Run(Box::new(move |session: &mut Session<'_>, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            serve(session, &request, Reply::new(answer));
        }
    }))
}

/// Returns the table of services.
#[must_use]
pub fn entries() -> Vec<Entry> {
    let all = [
        read("get_simulator_features", features::simulator_features),
        read("get_simulation_state", state::simulation_state),
        select("get_entities", entities::list_needs_shapes, entities::list),
        select("get_entities_states", entities::states_need_shapes, entities::states),
        read("get_entity_state", entities::state),
        read("get_entity_info", entities::info),
        read("get_world_description", worlds::world_description),
        read("get_named_poses", entities::named_poses),
        read("get_named_pose_bounds", entities::named_pose_bounds),
        run("get_entity_bounds", entities::bounds),
        run("set_entity_state", entities::set_state),
        run("set_entity_info", entities::set_info),
        run("spawn_entity", spawn::spawn_entity),
        run("spawn_entities", spawn::spawn_entities),
        run("delete_entity", spawn::delete_entity),
        run("load_world", worlds::load),
        run("unload_world", worlds::unload),
        run("get_current_world", worlds::current),
        run("get_available_worlds", worlds::available),
        run("get_spawnables", worlds::spawnables),
        run("reload_world", worlds::reload),
        run("save_world", worlds::save),
        run("set_gui_camera", worlds::set_camera),
        run("set_road", worlds::set_road),
        run("get_statistics", statistics::get),
        run("reset_statistics", statistics::reset),
        run("add_triggers", triggers::add),
        run("get_triggers", triggers::list),
        run("remove_trigger", triggers::remove),
        run("get_trigger_history", triggers::history),
        run("set_simulation_state", state::set_simulation_state),
        run("step_simulation", state::step_simulation),
        run("reset_simulation", state::reset_simulation),
        run("reset", lifecycle::reset),
        run("get_status", lifecycle::status),
        run("set_real_time_factor", lifecycle::set_real_time_factor),
        run("get_plugins", bridges::plugins),
        run("get_bridges", bridges::list),
        run("connect_bridge", bridges::connect),
        run("disconnect_bridge", bridges::disconnect),
        run("get_topics", topics::list),
        run("read_topic", topics::read),
        run("publish_message", topics::publish),
        action("simulate_steps", "/_action/send_goal", steps::send_goal),
        action("simulate_steps", "/_action/get_result", steps::get_result),
        action("simulate_steps", "/_action/cancel_goal", steps::cancel_goal),
    ];
    let verbs = lifecycle::VERBS.into_iter().map(|(name, interrupt, until)| verb(name, interrupt, until));
    all.into_iter().chain(verbs).flatten().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_declared_service_is_served_once_and_no_other() {
        let served: Vec<(&str, &str)> =
            entries().iter().map(|entry| (entry.declared.name, entry.part)).collect();
        let names: BTreeSet<&str> = served.iter().map(|(name, _)| *name).collect();
        let declared: BTreeSet<&str> = declared_services().iter().map(|declared| declared.name).collect();
        assert_eq!(names, declared);
        let unique: BTreeSet<(&str, &str)> = served.iter().copied().collect();
        assert_eq!(unique.len(), served.len());
        let parts = served.iter().filter(|(_, part)| !part.is_empty()).count();
        let actions = declared_services().iter().filter(|one| one.kind == ServiceKind::Action).count();
        assert_eq!(parts, 3 * actions, "an action is three services");
    }
}
