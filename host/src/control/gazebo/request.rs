//! Requests of Gazebo's services as requests of ours. Pure functions.

use bridgehead_plugin_api::messages::geometry_msgs::PoseStamped;
use bridgehead_plugin_api::messages::ros_gz_interfaces as gz;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::{Message, builtin_interfaces};

/// A call of one of our services.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OwnCall {
    pub(super) service: &'static str,
    pub(super) request: Vec<u8>,
    /// Results other than OK that mean that nothing was to be done.
    pub(super) accepts: &'static [u32],
}

fn own(service: &'static str, request: &impl Message) -> OwnCall {
    OwnCall { service, request: request.encode_to_vec(), accepts: &[] }
}

fn decoded<Q: Message>(request: &[u8]) -> Result<Q, String> {
    Q::decode(request).map_err(|error| format!("the request is not a {}: {error}", Q::FULL_NAME))
}

/// Nothing is to be played that plays already.
const RUNS: &[u32] = &[si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE];
/// Nothing is to be paused that is paused, or stopped.
const RESTS: &[u32] = &[
    si::SetSimulationStateResponse::ALREADY_IN_TARGET_STATE,
    si::SetSimulationStateResponse::INCORRECT_TRANSITION,
];

/// As in Gazebo: a request without `pause` plays, and only a paused world steps.
pub(super) fn control(request: &[u8]) -> Result<Vec<OwnCall>, String> {
    let control = decoded::<gz::ControlWorldRequest>(request)?.world_control.unwrap_or_default();
    if control.seed != 0 {
        return Err("`seed` is not supported; give the seed when the run starts".to_owned());
    }
    let run_to = control.run_to_sim_time.unwrap_or_default();
    if run_to != builtin_interfaces::Time::default() {
        return Err("`run_to_sim_time` is not supported; use `multi_step`, or a trigger".to_owned());
    }
    let mut calls: Vec<OwnCall> = control.reset.as_ref().and_then(reset).into_iter().collect();
    let state =
        if control.pause { si::SimulationState::STATE_PAUSED } else { si::SimulationState::STATE_PLAYING };
    let state = Some(si::SimulationState { state });
    calls.push(OwnCall {
        accepts: if control.pause { RESTS } else { RUNS },
        ..own("set_simulation_state", &si::SetSimulationStateRequest { state })
    });
    let steps = if control.multi_step > 0 { control.multi_step } else { u32::from(control.step) };
    if control.pause && steps > 0 {
        calls.push(own("step_simulation", &si::StepSimulationRequest { steps: steps.into() }));
    }
    Ok(calls)
}

fn reset(asked: &gz::WorldReset) -> Option<OwnCall> {
    use si::ResetSimulationRequest as Scope;
    let scope = match (asked.all, asked.time_only, asked.model_only) {
        (true, ..) | (false, true, true) => Scope::SCOPE_ALL,
        (false, true, false) => Scope::SCOPE_TIME,
        (false, false, true) => Scope::SCOPE_STATE,
        (false, false, false) => return None,
    };
    Some(own("reset_simulation", &si::ResetSimulationRequest { scope }))
}

pub(super) fn create(request: &[u8]) -> Result<Vec<OwnCall>, String> {
    let factory = decoded::<gz::SpawnEntityRequest>(request)?.entity_factory.unwrap_or_default();
    if !factory.clone_name.is_empty() {
        return Err("`clone_name` is not supported; give `sdf` or `sdf_filename`".to_owned());
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
        initial_pose: Some(PoseStamped { header, pose: factory.pose }),
    };
    Ok(vec![own("spawn_entity", &request)])
}

/// The frame of the world in `relative_to`.
const WORLD: &str = "world";

pub(super) fn remove(request: &[u8]) -> Result<Vec<OwnCall>, String> {
    let entity = model(decoded::<gz::DeleteEntityRequest>(request)?.entity)?;
    Ok(vec![own("delete_entity", &si::DeleteEntityRequest { entity })])
}

pub(super) fn set_pose(request: &[u8]) -> Result<Vec<OwnCall>, String> {
    let gz::SetEntityPoseRequest { entity, pose } = decoded(request)?;
    let state = Some(si::EntityState { pose, ..si::EntityState::default() });
    let request = si::SetEntityStateRequest {
        entity: model(entity)?,
        state,
        set_pose: true,
        ..si::SetEntityStateRequest::default()
    };
    Ok(vec![own("set_entity_state", &request)])
}

/// Returns the name of a model. Our entities have no numbers, and lights are not entities.
fn model(entity: Option<gz::Entity>) -> Result<String, String> {
    let entity = entity.unwrap_or_default();
    if entity.name.is_empty() {
        return Err("the entity has no name; entities have no ids here".to_owned());
    }
    match entity.r#type {
        gz::Entity::NONE | gz::Entity::MODEL => Ok(entity.name),
        other => Err(format!("`{}` is of type {other}; only models (2) can be given", entity.name)),
    }
}
