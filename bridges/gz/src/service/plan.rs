//! Requests of Gazebo's services as calls of the run's services. Pure functions.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    SaveWorldRequest, SetRealTimeFactorRequest, TransitionRequest,
};
use bridgehead_plugin_api::messages::geometry_msgs::PoseStamped;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::messages::std_msgs::Header;

use super::run_services::Call;
use crate::ids::Ids;
use crate::msgs as gz;

/// The world that a request is about.
pub(super) struct World<'a> {
    /// Its name as a part of topics.
    pub(super) name: &'a str,
    pub(super) ids: &'a Ids,
}

type Plan = Result<Vec<Call>, String>;

/// Nothing is to be played that plays already.
const RUNS: &[u32] = &[si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE];
/// Nothing is to be paused that is paused, or stopped.
const RESTS: &[u32] = &[
    si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE,
    si::SetSimulationStateResponse::INCORRECT_TRANSITION,
];

/// Types of entities in Gazebo.
const ANY: i32 = 0;
const MODEL: i32 = 2;

/// The frame of the world in `relative_to`.
const WORLD: &str = "world";

fn decoded<Q: prost::Message + Default>(request: &[u8]) -> Result<Q, String> {
    Q::decode(request).map_err(|error| format!("the request is not of its type: {error}"))
}

/// As in Gazebo: a request without `pause` plays, and only a paused world steps.
pub(super) fn control(request: &[u8], _: &World<'_>) -> Plan {
    let control: gz::WorldControl = decoded(request)?;
    if control.seed != 0 {
        return Err("`seed` is not supported; give the seed when the run starts".to_owned());
    }
    if control.run_to_sim_time.is_some_and(|time| time.to_ns() != 0) {
        return Err("`run_to_sim_time` is not supported; use `multi_step`, or a trigger".to_owned());
    }
    let mut calls: Vec<Call> = control.reset.as_ref().and_then(reset).into_iter().collect();
    let state =
        if control.pause { si::SimulationState::STATE_PAUSED } else { si::SimulationState::STATE_PLAYING };
    let state = Some(si::SimulationState { state });
    calls.push(Call {
        accepts: if control.pause { RESTS } else { RUNS },
        ..Call::new("set_simulation_state", &si::SetSimulationStateRequest { state })
    });
    let steps = if control.multi_step > 0 { control.multi_step } else { u32::from(control.step) };
    if control.pause && steps > 0 {
        calls.push(Call::new("step_simulation", &si::StepSimulationRequest { steps: steps.into() }));
    }
    Ok(calls)
}

fn reset(asked: &gz::WorldReset) -> Option<Call> {
    use si::ResetSimulationRequest as Scope;
    let scope = match (asked.all, asked.time_only, asked.model_only) {
        (true, ..) | (false, true, true) => Scope::SCOPE_ALL,
        (false, true, false) => Scope::SCOPE_TIME,
        (false, false, true) => Scope::SCOPE_STATE,
        (false, false, false) => return None,
    };
    Some(Call::new("reset_simulation", &si::ResetSimulationRequest { scope }))
}

pub(super) fn create(request: &[u8], _: &World<'_>) -> Plan {
    Ok(vec![spawn(decoded(request)?)?])
}

pub(super) fn create_multiple(request: &[u8], _: &World<'_>) -> Plan {
    decoded::<gz::EntityFactoryV>(request)?.data.into_iter().map(spawn).collect()
}

fn spawn(factory: gz::EntityFactory) -> Result<Call, String> {
    if !factory.clone_name.is_empty() {
        return Err("`clone_name` is not supported; give `sdf` or `sdf_filename`".to_owned());
    }
    if factory.sdf.is_empty() && factory.sdf_filename.is_empty() {
        return Err("neither `sdf` nor `sdf_filename` is given".to_owned());
    }
    // As in Gazebo, a text takes precedence; here an address does.
    let uri = if factory.sdf.is_empty() { factory.sdf_filename } else { String::new() };
    let frame_id = if factory.relative_to == WORLD { String::new() } else { factory.relative_to };
    let header = Some(Header { stamp: None, frame_id });
    let request = si::SpawnEntityRequest {
        name: factory.name,
        allow_renaming: factory.allow_renaming,
        entity_resource: Some(si::Resource { uri, resource_string: factory.sdf }),
        entity_namespace: String::new(),
        initial_pose: Some(PoseStamped { header, pose: factory.pose.map(Into::into) }),
    };
    Ok(Call::new("spawn_entity", &request))
}

pub(super) fn remove(request: &[u8], world: &World<'_>) -> Plan {
    let entity: gz::Entity = decoded(request)?;
    if entity.id == 0 && ![ANY, MODEL].contains(&entity.r#type) {
        return Err(format!(
            "`{}` is of type {}; only models (2) can be removed",
            entity.name, entity.r#type
        ));
    }
    let entity = model(entity.id, entity.name, world)?;
    Ok(vec![Call::new("delete_entity", &si::DeleteEntityRequest { entity })])
}

pub(super) fn set_pose(request: &[u8], world: &World<'_>) -> Plan {
    Ok(vec![place(decoded(request)?, world)?])
}

pub(super) fn set_pose_vector(request: &[u8], world: &World<'_>) -> Plan {
    decoded::<gz::PoseV>(request)?.pose.into_iter().map(|pose| place(pose, world)).collect()
}

fn place(pose: gz::Pose, world: &World<'_>) -> Result<Call, String> {
    let entity = model(pose.id.into(), pose.name.clone(), world)?;
    let state = Some(si::EntityState { pose: Some(pose.into()), ..si::EntityState::default() });
    let request =
        si::SetEntityStateRequest { entity, state, set_pose: true, ..si::SetEntityStateRequest::default() };
    Ok(Call::new("set_entity_state", &request))
}

/// Returns the name of a model. As in Gazebo, an id takes precedence.
fn model(id: u64, name: String, world: &World<'_>) -> Result<String, String> {
    match (id, name.is_empty()) {
        (0, true) => Err("neither an id nor a name is given".to_owned()),
        (0, false) => Ok(name),
        _ => world.ids.model(id),
    }
}

/// Gazebo uses two of the values. The width of a step cannot change during a run here.
pub(super) fn set_physics(request: &[u8], _: &World<'_>) -> Plan {
    let physics: gz::Physics = decoded(request)?;
    if physics.max_step_size != 0.0 {
        return Err(
            "`max_step_size` is not supported; give it in the world or when the run starts".to_owned()
        );
    }
    let request = SetRealTimeFactorRequest { factor: physics.real_time_factor };
    Ok(vec![Call::new("set_real_time_factor", &request)])
}

/// Saves, then loads, then ends, as far as it is asked to. Gazebo only ends.
pub(super) fn server_control(request: &[u8], world: &World<'_>) -> Plan {
    let control: gz::ServerControl = decoded(request)?;
    if control.new_world || control.clone || control.new_port != 0 {
        return Err("`new_world`, `clone` and `new_port` are not supported; a run has one world".to_owned());
    }
    if ![world.name, ""].contains(&control.save_world_name.as_str()) {
        return Err(format!("the world is `{}`, not `{}`", world.name, control.save_world_name));
    }
    let mut calls = Vec::new();
    if !control.save_filename.is_empty() {
        calls.push(save(control.save_filename));
    } else if !control.save_world_name.is_empty() {
        return Err("`save_world_name` needs a `save_filename`".to_owned());
    }
    if !control.open_filename.is_empty() {
        let resource = si::Resource { uri: control.open_filename, resource_string: String::new() };
        let request =
            si::LoadWorldRequest { world_resource: Some(resource), ..si::LoadWorldRequest::default() };
        calls.push(Call::new("load_world", &request));
    }
    if control.stop {
        let reason = "a program of Gazebo asked for it".to_owned();
        calls.push(Call::new("quit", &TransitionRequest { reason }));
    }
    Ok(calls)
}

/// Returns the call that writes the world to a new file.
pub(super) fn save(path: String) -> Call {
    Call::new("save_world", &SaveWorldRequest { path, overwrite: false })
}

/// Checks a request for the text of the world: it is written as its file has it.
pub(super) fn sdf_options(request: &[u8]) -> Result<(), String> {
    let config: gz::SdfGeneratorConfig = decoded(request)?;
    let of_models = config.override_entity_gen_configs.into_values();
    let is_set = |option: &Option<gz::Boolean>| option.as_ref().is_some_and(|option| option.data);
    let asks = config.global_entity_gen_config.into_iter().chain(of_models).any(|config| {
        [
            &config.expand_include_tags,
            &config.save_fuel_version,
            &config.resources_use_absolute_paths,
            &config.copy_model_resources,
        ]
        .into_iter()
        .any(is_set)
    });
    if asks {
        return Err("options are not supported; the world is written as its file has it".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
