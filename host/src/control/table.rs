//! The table of services: each declaration with what serves it.

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::{Message, Schema, ServiceDeclaration, ServiceKind, declared_services};

use super::call::{Reply, decoded};
use super::session::Session;
use super::view::View;
use super::{bridges, lifecycle, read, state, steps, topics};
use crate::bus::Answer;

/// How a service is served.
pub(super) enum Server {
    /// From the snapshot of the last complete step, on any thread.
    Read(Box<dyn Fn(&View, &Payload, Answer) + Send + Sync>),
    /// On the simulation thread between two steps.
    Run(Box<dyn Fn(&mut Session<'_>, &Payload, Answer) + Send + Sync>),
}

/// A service that is served.
pub struct Entry {
    /// Its declaration.
    pub declared: &'static ServiceDeclaration,
    /// What follows its name: nothing, or which of the services of an action it is.
    pub(super) part: &'static str,
    /// Types of request and response.
    pub(super) types: [Schema; 2],
    pub(super) server: Server,
}

/// A reader.
fn read<Q: Message + 'static, R: Message + 'static>(name: &str, serve: fn(&View, Q) -> R) -> Option<Entry> {
    let server = move |view: &View, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            Reply::new(answer).send(serve(view, request));
        }
    };
    entry::<Q, R>(name, Server::Read(Box::new(server)))
}

/// Everything else.
fn run<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    serve: fn(&mut Session<'_>, Q, Reply<R>),
) -> Option<Entry> {
    entry::<Q, R>(name, server(serve))
}

fn entry<Q: Message, R: Message>(name: &str, server: Server) -> Option<Entry> {
    let declared = declared_services().iter().find(|declared| declared.name == name)?;
    let fits =
        (declared.request)().full_name() == Q::FULL_NAME && (declared.response)().full_name() == R::FULL_NAME;
    fits.then_some(Entry { declared, part: "", types: [Q::schema(), R::schema()], server })
}

/// One of the three services of an action.
fn action<Q: Message + 'static, R: Message + 'static>(
    name: &str,
    part: &'static str,
    serve: fn(&mut Session<'_>, Q, Reply<R>),
) -> Option<Entry> {
    let declared = declared_services().iter().find(|declared| declared.name == name)?;
    let types = [Q::schema(), R::schema()];
    (declared.kind == ServiceKind::Action).then_some(Entry { declared, part, types, server: server(serve) })
}

fn server<Q: Message + 'static, R: Message + 'static>(serve: fn(&mut Session<'_>, Q, Reply<R>)) -> Server {
    Server::Run(Box::new(move |session: &mut Session<'_>, request: &Payload, answer: Answer| {
        if let Some((request, answer)) = decoded::<Q>(request, answer) {
            serve(session, request, Reply::new(answer));
        }
    }))
}

/// Every service that is served.
#[must_use]
pub fn entries() -> Vec<Entry> {
    let all = [
        read("get_simulator_features", read::simulator_features),
        read("get_simulation_state", read::simulation_state),
        read("get_entities_states", read::entities_states),
        read("get_entity_state", read::entity_state),
        run("set_simulation_state", state::set_simulation_state),
        run("step_simulation", state::step_simulation),
        run("reset_simulation", state::reset_simulation),
        run("play", lifecycle::play),
        run("pause", lifecycle::pause),
        run("resume", lifecycle::resume),
        run("stop", lifecycle::stop),
        run("halt", lifecycle::halt),
        run("succeed", lifecycle::succeed),
        run("fail", lifecycle::fail),
        run("abort", lifecycle::abort),
        run("quit", lifecycle::quit),
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
    all.into_iter().flatten().collect()
}
