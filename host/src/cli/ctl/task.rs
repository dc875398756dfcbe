//! Converts commands to requests: the service and its request. Reads the named files.

use serde_json::{Value, json};

use super::args::{
    Category, CtlCommand, EchoArguments, Filters, Reason, ResetArguments, SetInfoArguments,
    SetStateArguments, SpawnArguments, StateArguments, Tags, TriggerCommand, Volume, Wanted,
};
use super::error::CtlError;
use super::input::{self, Expected};
use super::{args, geometry};

pub(super) mod kind;
mod service;
mod topic;

pub(super) use service::service;
pub(super) use topic::topic;

use kind::{Call, Show, Task, call, publication};

/// The task of a command.
///
/// # Errors
/// Returns an error if an argument is invalid, or a file cannot be read.
pub(super) fn task(command: &CtlCommand) -> Result<Task, CtlError> {
    use CtlCommand as C;
    Ok(match command {
        C::Steps { steps } => Task::Steps(*steps),
        C::Watch(args::Rate { rate }) => Task::Watch { rate: *rate },
        C::Services => Task::Services,
        C::Echo(EchoArguments { topic, follow: true, rate, count }) => {
            let (topic, field) = (topic.clone(), String::new());
            Task::Follow { topic, field, rate: rate.rate, count: *count, must_exist: false }
        }
        C::Call(arguments) => {
            let (_, request) = input::json(&arguments.request, Expected::Object)?;
            Task::Call(service::request(&arguments.service, request))
        }
        C::History { replay: true } => {
            Task::Call(Call { show: Show::Member("json"), ..call("get_trigger_history", json!({})) })
        }
        C::Echo(EchoArguments { topic, .. }) => {
            Task::Call(Call { show: Show::Member("json"), ..call("read_topic", json!({"topic": topic})) })
        }
        other => Task::Call(lifecycle(other).map_or_else(|| request(other), Ok)?),
    })
}

/// Returns the task of a command without arguments.
fn lifecycle(command: &CtlCommand) -> Option<Call> {
    use CtlCommand as C;
    let verb = |service, reason: &Reason| Some(call(service, json!({"reason": reason.reason})));
    let plain = |service| Some(call(service, json!({})));
    match command {
        C::Play(reason) => verb("play", reason),
        C::Pause(reason) => verb("pause", reason),
        C::Resume(reason) => verb("resume", reason),
        C::Stop(reason) => verb("stop", reason),
        C::Halt(reason) => verb("halt", reason),
        C::Succeed(reason) => verb("succeed", reason),
        C::Fail(reason) => verb("fail", reason),
        C::Abort(reason) => verb("abort", reason),
        C::Quit(reason) => verb("quit", reason),
        C::Step { steps } => Some(call("step_simulation", json!({"steps": steps}))),
        C::Status => plain("get_status"),
        C::World => plain("get_current_world"),
        C::Unload => plain("unload_world"),
        C::Reload => plain("reload_world"),
        C::Features => plain("get_simulator_features"),
        C::Stats { reset: false } => plain("get_statistics"),
        C::Stats { reset: true } => plain("reset_statistics"),
        C::Plugins => plain("get_plugins"),
        C::Description => plain("get_world_description"),
        C::Scene => plain("get_scene"),
        C::Links => plain("get_link_poses"),
        C::Bridges { ports: false } => plain("get_bridges"),
        C::Bridges { ports: true } => Some(Call { show: Show::Endpoints, ..call("get_bridges", json!({})) }),
        C::Topics => plain("get_topics"),
        C::Triggers => plain("get_triggers"),
        C::History { .. } => plain("get_trigger_history"),
        _ => None,
    }
}

/// Returns the task of the other commands.
fn request(command: &CtlCommand) -> Result<Call, CtlError> {
    use CtlCommand as C;
    let named = |service, name: &args::Name| call(service, json!({"entity": name.name}));
    Ok(match command {
        C::State(arguments) => state(arguments),
        C::Reset(arguments) => reset(arguments)?,
        C::Entities(filters) => call("get_entities", json!({"filters": entity_filters(filters)?})),
        C::States(filters) => call("get_entities_states", json!({"filters": entity_filters(filters)?})),
        C::SetState(arguments) => set_state(arguments)?,
        C::Info(name) => named("get_entity_info", name),
        C::SetInfo(arguments) => set_info(arguments),
        C::Bounds(name) => named("get_entity_bounds", name),
        C::Spawn(arguments) => spawn(arguments)?,
        C::SpawnAll { file } => spawn_all(file)?,
        C::Delete(name) => named("delete_entity", name),
        C::Poses(tags) => call("get_named_poses", json!({"tags": tags_filter(tags)})),
        C::PoseBounds(name) => call("get_named_pose_bounds", json!({"name": name.name})),
        C::Camera { pose } => call("set_gui_camera", json!({"pose": geometry::pose(pose)?})),
        C::Road { road, points } => {
            call("set_road", json!({"road": road, "points": geometry::points(points)?}))
        }
        C::Factor { factor } => call("set_real_time_factor", json!({"factor": geometry::factor(factor)?})),
        other => resources_and_bus(other)?,
    })
}

fn resources_and_bus(command: &CtlCommand) -> Result<Call, CtlError> {
    use CtlCommand as C;
    Ok(match command {
        C::Spawnables(sources) => call("get_spawnables", json!({"sources": sources.sources})),
        C::Worlds(arguments) => {
            let request = json!({
                "additional_sources": arguments.sources.sources,
                "filter": tags_filter(&arguments.tags),
                "continue_on_error": arguments.continue_on_error,
            });
            call("get_available_worlds", request)
        }
        C::Load(arguments) => {
            let request = json!({
                "world_resource": resource(arguments.resource.as_deref(), arguments.string.as_deref())?,
                "fail_on_unsupported_element": arguments.fail_on_unsupported,
                "ignore_missing_or_unsupported_assets": arguments.ignore_missing_assets,
            });
            call("load_world", request)
        }
        C::Save(arguments) => {
            call("save_world", json!({"path": arguments.path, "overwrite": arguments.overwrite}))
        }
        C::Snapshot(arguments) => {
            call("save_snapshot", json!({"path": arguments.path, "overwrite": arguments.overwrite}))
        }
        C::Restore { path } => call("restore_snapshot", json!({"path": path})),
        C::Connect { vehicle, bridge, connection } => {
            let request = json!({"vehicle": vehicle, "bridge": bridge, "connection": connection});
            call("connect_bridge", request)
        }
        C::Disconnect { label } => call("disconnect_bridge", json!({"label": label})),
        C::Pub(arguments) => {
            let (text, _) = input::json(&arguments.message, Expected::Object)?;
            publication(&arguments.topic, &arguments.type_name, &text)
        }
        C::Trigger { command: TriggerCommand::Remove { id } } => call("remove_trigger", json!({"id": id})),
        C::Trigger { command: TriggerCommand::Add { triggers } } => {
            call("add_triggers", json!({"json": input::json(triggers, Expected::ObjectOrList)?.0}))
        }
        // The other commands are handled above.
        _ => call("get_status", json!({})),
    })
}

fn state(arguments: &StateArguments) -> Call {
    match (&arguments.name, arguments.set) {
        (Some(name), _) => call("get_entity_state", json!({"entity": name})),
        (None, None) => call("get_simulation_state", json!({})),
        (None, Some(wanted)) => {
            let number = match wanted {
                Wanted::Stopped => 0,
                Wanted::Playing => 1,
                Wanted::Paused => 2,
                Wanted::Quitting => 3,
            };
            call("set_simulation_state", json!({"state": {"state": number}}))
        }
    }
}

fn reset(arguments: &ResetArguments) -> Result<Call, CtlError> {
    let scope = scope(&arguments.scope)?;
    if arguments.standard {
        return Ok(call("reset_simulation", json!({"scope": scope})));
    }
    let then = arguments.then.as_deref().unwrap_or_default();
    Ok(call("reset", json!({"scope": scope, "then": then, "reason": arguments.reason.reason})))
}

/// Returns the sum of the bits of scopes; `all` is 0, as in the service.
fn scope(text: &str) -> Result<u8, CtlError> {
    let bits = text.split(',').map(str::trim).map(|word| match word {
        "all" => Some(0),
        "time" => Some(1),
        "state" => Some(2),
        "spawned" => Some(4),
        _ => None,
    });
    let bits: Option<Vec<u8>> = bits.collect();
    let is_all_alone = bits.as_ref().is_some_and(|bits| bits.len() == 1 || !bits.contains(&0));
    bits.filter(|_| is_all_alone).map(|bits| bits.into_iter().fold(0, |all, bit| all | bit)).ok_or_else(
        || CtlError::Word {
            text: text.to_owned(),
            expected: "scope: write `all`, or some of `time`, `state` and `spawned`, separated by commas",
        },
    )
}

fn entity_filters(filters: &Filters) -> Result<Value, CtlError> {
    let categories: Vec<Value> =
        filters.category.iter().map(|category| json!({"category": number(*category)})).collect();
    let mut request = json!({
        "filter": filters.filter,
        "categories": categories,
        "tags": tags_filter(&filters.tags),
    });
    let bounds = match &filters.volume {
        Volume { cuboid: Some(text), .. } => Some(geometry::cuboid(text)?),
        Volume { sphere: Some(text), .. } => Some(geometry::sphere(text)?),
        Volume { hull: Some(text), .. } => Some(geometry::hull(text)?),
        Volume { .. } => None,
    };
    if let (Some(bounds), Some(members)) = (bounds, request.as_object_mut()) {
        members.insert("bounds".to_owned(), bounds);
    }
    Ok(request)
}

fn tags_filter(tags: &Tags) -> Value {
    json!({"tags": tags.tags, "filter_mode": u8::from(tags.all_tags)})
}

/// Numbers of `simulation_interfaces/msg/EntityCategory`.
fn number(category: Category) -> u8 {
    match category {
        Category::Object => 0,
        Category::Robot => 1,
        Category::Human => 2,
        Category::DynamicObject => 4,
        Category::StaticObject => 5,
    }
}

fn set_state(arguments: &SetStateArguments) -> Result<Call, CtlError> {
    let mut state = serde_json::Map::new();
    state.insert("header".to_owned(), json!({"frame_id": arguments.frame}));
    if let Some(text) = &arguments.pose {
        state.insert("pose".to_owned(), geometry::pose(text)?);
    }
    for (name, text) in [("twist", &arguments.twist), ("acceleration", &arguments.acceleration)] {
        if let Some(text) = text {
            state.insert(name.to_owned(), geometry::motion(text)?);
        }
    }
    let request = json!({
        "entity": arguments.name,
        "state": state,
        "set_pose": arguments.pose.is_some(),
        "set_twist": arguments.twist.is_some(),
        "set_acceleration": arguments.acceleration.is_some(),
    });
    Ok(call("set_entity_state", request))
}

fn set_info(arguments: &SetInfoArguments) -> Call {
    let info = json!({
        "category": {"category": number(arguments.category)},
        "description": arguments.description,
        "tags": arguments.tags,
    });
    call("set_entity_info", json!({"entity": arguments.name, "info": info}))
}

fn spawn(arguments: &SpawnArguments) -> Result<Call, CtlError> {
    let pose = arguments.pose.as_deref().unwrap_or("0 0 0");
    let request = json!({
        "name": arguments.name,
        "allow_renaming": arguments.rename,
        "entity_resource": resource(arguments.resource.as_deref(), arguments.string.as_deref())?,
        "entity_namespace": arguments.namespace,
        "initial_pose": {"header": {"frame_id": arguments.frame}, "pose": geometry::pose(pose)?},
    });
    Ok(call("spawn_entity", request))
}

fn spawn_all(file: &str) -> Result<Call, CtlError> {
    let (_, value) = input::json(file, Expected::ObjectOrList)?;
    let request = if value.is_array() { json!({"spawn_requests": value}) } else { value };
    Ok(call("spawn_entities", request))
}

/// Returns `simulation_interfaces/msg/Resource`: an address or a text.
fn resource(uri: Option<&str>, file: Option<&str>) -> Result<Value, CtlError> {
    Ok(match (uri, file) {
        (_, Some(file)) => json!({"uri": "", "resource_string": input::text(file)?}),
        (uri, None) => json!({"uri": uri.unwrap_or_default(), "resource_string": ""}),
    })
}

#[cfg(test)]
mod tests;
