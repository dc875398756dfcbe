//! The table of services: each declaration with the function that serves it, and what happens to a call while a world
//! loads.

use bridgehead_lifecycle::Interrupt;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    TransitionRequest, TransitionResponse,
};
use bridgehead_plugin_api::messages::{
    Message, Schema, ServiceDeclaration, ServiceKind, declared_services, simulation_interfaces as si,
};

use super::call::{Encoded, Reply, WithResult, decoded, failed};
use super::late_call::Until;
use super::session::Session;
use super::view::View;
use super::{
    bridges, entities, lifecycle, links, scene, snapshots, spawn, state, statistics, steps, topics, triggers,
    worlds,
};
use crate::bus::Answer;
use crate::bus::actions::{CANCEL_GOAL, GET_RESULT, SEND_GOAL};
use crate::world::World;

type Read = Box<dyn Fn(&View, &Payload, Answer) + Send + Sync>;
type NeedsWorld = Box<dyn Fn(&Payload) -> bool + Send + Sync>;
type Select = Box<dyn Fn(&View, Option<&World>, &Payload, Answer) + Send + Sync>;
type Run = Box<dyn Fn(&mut Session<'_>, &Payload, Answer) + Send + Sync>;
type Refuse = Box<dyn Fn(Answer) + Send + Sync>;

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

/// What happens to a call while a world loads, from the beginning of the load until its bridges are connected.
pub(super) enum WhileLoading {
    /// It only reads, so it is answered.
    Answered,
    /// It is a request to the lifecycle, which lets `quit` and `abort` end the load and refuses all others.
    Lifecycle,
    /// It would change a run that is not there yet, so it is refused at once with `RESULT_INCORRECT_STATE`.
    Refused(Refuse),
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
    /// True if a request can name files to read: a page of another origin must not call it, not even to read.
    pub(super) reads_files: bool,
    pub(super) while_loading: WhileLoading,
}

impl Entry {
    fn reading_files(self) -> Self {
        Entry { reads_files: true, ..self }
    }

    /// Returns the suffix of its name: empty, or the part of an action.
    #[must_use]
    pub fn part(&self) -> &'static str {
        self.part
    }

    /// Returns true if a call is answered while a world loads, because it only reads.
    #[must_use]
    pub fn is_answered_while_loading(&self) -> bool {
        match self.while_loading {
            WhileLoading::Answered => true,
            WhileLoading::Lifecycle | WhileLoading::Refused(_) => false,
        }
    }
}

/// A row of the table, or why it does not fit its declaration. A test fails for such a row.
type Row = Result<Entry, String>;

/// Creates the entry of a reader.
fn read<Q: Message + 'static, R: Message + 'static>(name: &str, serve: fn(&View, &Q) -> R) -> Row {
    let server = move |view: &View, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            Reply::new(answer).send(serve(view, &request));
        }
    };
    entry::<Q, R>(name, Server::Read(Box::new(server)), WhileLoading::Answered)
}

/// Creates the entry of a reader that needs the world itself for some requests.
fn select<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    needs_world: fn(&Q) -> bool,
    serve: fn(&View, Option<&World>, &Q) -> Encoded<R>,
) -> Row {
    let needs_world =
        move |request: &Payload| Q::decode(&**request).is_ok_and(|request| needs_world(&request));
    let server = move |view: &View, world: Option<&World>, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            Reply::new(answer).send_encoded(serve(view, world, &request));
        }
    };
    entry::<Q, R>(name, Server::Select(Box::new(needs_world), Box::new(server)), WhileLoading::Answered)
}

/// Creates the entry of a reader that needs the run itself.
fn look<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    serve: fn(&mut Session<'_>, &Q, Reply<R>),
) -> Row {
    entry::<Q, R>(name, server(serve), WhileLoading::Answered)
}

/// Creates the entry of a service that changes the run.
fn change<Q: Message + 'static, R: WithResult + 'static>(
    name: &'static str,
    serve: fn(&mut Session<'_>, &Q, Reply<R>),
) -> Row {
    let refuse = move |answer: Answer| {
        let text = format!(
            "[BH-CTL-015] `{name}` is refused while a world is loading; try: again when the state is no longer 5 \
             (loading), or `abort` to interrupt the load"
        );
        Reply::<R>::new(answer).send(R::with_result(failed(si::Result::RESULT_INCORRECT_STATE, text)));
    };
    entry::<Q, R>(name, server(serve), WhileLoading::Refused(Box::new(refuse)))
}

/// Creates the entry of a service that sends a request to the lifecycle.
fn ask<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    serve: fn(&mut Session<'_>, &Q, Reply<R>),
) -> Row {
    entry::<Q, R>(name, server(serve), WhileLoading::Lifecycle)
}

fn entry<Q: Message, R: Message>(name: &str, server: Server, while_loading: WhileLoading) -> Row {
    let declared = declaration(name)?;
    let types = [(declared.request)(), (declared.response)()];
    let [has, serves] = [types.each_ref().map(Schema::full_name), [Q::FULL_NAME, R::FULL_NAME]];
    if has != serves {
        return Err(format!("`{name}` is declared with {has:?} and served with {serves:?}"));
    }
    let types = [Q::schema(), R::schema()];
    Ok(Entry { declared, part: "", types, server, reads_files: false, while_loading })
}

/// Returns the declaration of a service.
fn declaration(name: &str) -> Result<&'static ServiceDeclaration, String> {
    let mut all = declared_services().iter();
    all.find(|declared| declared.name == name).ok_or_else(|| format!("`{name}` is not declared"))
}

/// Creates the entry of a request to the lifecycle.
fn verb(name: &str, interrupt: Interrupt, until: Until) -> Row {
    let server = move |session: &mut Session<'_>, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded(request, answer) {
            lifecycle::change((&interrupt, until), session, &request, Reply::new(answer));
        }
    };
    let server = Server::Run(Box::new(server));
    entry::<TransitionRequest, TransitionResponse>(name, server, WhileLoading::Lifecycle)
}

/// Creates the entry of one of the three services of an action.
fn action<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    part: &'static str,
    while_loading: WhileLoading,
    serve: fn(&mut Session<'_>, &Q, Reply<R>),
) -> Row {
    let declared = declaration(name)?;
    if declared.kind != ServiceKind::Action {
        return Err(format!("`{name}` is served as an action and not declared as one"));
    }
    let types = [Q::schema(), R::schema()];
    Ok(Entry { declared, part, types, server: server(serve), reads_files: false, while_loading })
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
    rows().into_iter().filter_map(Result::ok).collect()
}

fn rows() -> Vec<Row> {
    let all = [
        read("get_simulator_features", state::simulator_features),
        read("get_simulation_state", state::simulation_state),
        select("get_entities", entities::list_needs_shapes, entities::list),
        select("get_entities_states", entities::states_need_shapes, entities::states),
        read("get_entity_state", entities::state),
        read("get_entity_info", entities::info),
        read("get_world_description", worlds::world_description),
        look("get_scene", scene::scene),
        select("get_link_poses", links::needs_world, links::poses),
        read("get_named_poses", entities::named_poses),
        read("get_named_pose_bounds", entities::named_pose_bounds),
        look("get_entity_bounds", entities::bounds),
        change("set_entity_state", entities::set_state),
        change("set_entity_info", entities::set_info),
        change("spawn_entity", spawn::spawn_entity),
        change("spawn_entities", spawn::spawn_entities),
        change("delete_entity", spawn::delete_entity),
        change("load_world", worlds::load),
        change("unload_world", worlds::unload),
        look("get_current_world", worlds::current),
        look("get_available_worlds", worlds::available).map(Entry::reading_files),
        look("get_spawnables", worlds::spawnables).map(Entry::reading_files),
        change("reload_world", worlds::reload),
        change("save_world", worlds::save),
        change("save_snapshot", snapshots::save),
        change("restore_snapshot", snapshots::restore),
        change("set_gui_camera", worlds::set_camera),
        change("set_road", worlds::set_road),
        look("get_statistics", statistics::get),
        change("reset_statistics", statistics::reset),
        change("add_triggers", triggers::add),
        look("get_triggers", triggers::list),
        change("remove_trigger", triggers::remove),
        look("get_trigger_history", triggers::history),
        ask("set_simulation_state", state::set_simulation_state),
        ask("step_simulation", state::step_simulation),
        ask("reset_simulation", state::reset_simulation),
        ask("reset", lifecycle::reset),
        look("get_status", lifecycle::status),
        change("set_real_time_factor", lifecycle::set_real_time_factor),
        look("get_plugins", bridges::plugins),
        look("get_bridges", bridges::list),
        change("connect_bridge", bridges::connect),
        change("disconnect_bridge", bridges::disconnect),
        look("get_topics", topics::list),
        look("read_topic", topics::read),
        change("publish_message", topics::publish),
        action("simulate_steps", SEND_GOAL, WhileLoading::Lifecycle, steps::send_goal),
        action("simulate_steps", GET_RESULT, WhileLoading::Answered, steps::get_result),
        action("simulate_steps", CANCEL_GOAL, WhileLoading::Lifecycle, steps::cancel_goal),
    ];
    let verbs = lifecycle::VERBS.into_iter().map(|(name, interrupt, until)| verb(name, interrupt, until));
    all.into_iter().chain(verbs).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_fits_its_declaration() {
        let misfits: Vec<String> = rows().into_iter().filter_map(Result::err).collect();
        assert_eq!(misfits, Vec::<String>::new());
        assert_eq!(rows().len(), entries().len());
    }

    #[test]
    fn a_row_that_does_not_fit_is_found() {
        let served = [
            look("get_topicz", topics::list),
            look("get_topics", bridges::list),
            action("get_topics", SEND_GOAL, WhileLoading::Lifecycle, steps::send_goal),
        ];
        let found = served.map(|row| row.err().unwrap_or_default());
        for (found, part) in found.iter().zip(["is not declared", "is declared with", "as an action"]) {
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn what_only_reads_is_answered_while_a_world_loads_and_nothing_else() {
        for entry in entries() {
            let reads = entry.declared.is_reader || entry.part == GET_RESULT;
            assert_eq!(entry.is_answered_while_loading(), reads, "{}{}", entry.declared.name, entry.part);
        }
    }

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
