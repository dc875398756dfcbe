//! Entities: lists, states, information, bounds.

use bridgehead_lifecycle::SimulationState;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_scene::message::{pose_of, vector_of};
use bridgehead_sdf::element::EntityInfo;
use bridgehead_sdf::pose::{DVec3, Pose};
use si::SetEntityStateResponse as SetCodes;

use super::call::{Encoded, Reply, failed, no_world, ok};
use super::filter::Filter;
use super::message::{bounds_of, category, frame_of};
use super::session::Session;
use super::states;
use super::view::{EntityView, View};
use crate::world::World;
use crate::world::entities::{InfoError, StateChange, StateError, Twist};

/// Field `states` of the response of `get_entities_states`.
const STATES: u32 = 3;

/// Returns true if a list of entities needs their shapes, which only the simulation thread has.
pub(super) fn list_needs_shapes(request: &si::GetEntitiesRequest) -> bool {
    Filter::needs_shapes(request.filters.as_ref())
}

/// Returns true if a list of states needs the shapes of the entities.
pub(super) fn states_need_shapes(request: &si::GetEntitiesStatesRequest) -> bool {
    Filter::needs_shapes(request.filters.as_ref())
}

pub(super) fn list(
    view: &View,
    world: Option<&World>,
    request: &si::GetEntitiesRequest,
) -> Encoded<si::GetEntitiesResponse> {
    Encoded::of(&match selected(view, world, request.filters.as_ref()) {
        Ok(indices) => si::GetEntitiesResponse { result: ok(), entities: names(view, &indices) },
        Err(result) => si::GetEntitiesResponse { result, entities: Vec::new() },
    })
}

pub(super) fn states(
    view: &View,
    world: Option<&World>,
    request: &si::GetEntitiesStatesRequest,
) -> Encoded<si::GetEntitiesStatesResponse> {
    let response = |result, entities| si::GetEntitiesStatesResponse { result, entities, states: Vec::new() };
    match selected(view, world, request.filters.as_ref()) {
        Ok(indices) => {
            let entities: Vec<&EntityView> =
                indices.iter().filter_map(|index| view.entities.get(*index)).collect();
            Encoded::of(&response(ok(), names(view, &indices)))
                .with(|bytes| states::encode(STATES, &view.header(), entities.into_iter(), bytes))
        }
        Err(result) => Encoded::of(&response(result, Vec::new())),
    }
}

fn selected(
    view: &View,
    world: Option<&World>,
    filters: Option<&si::EntityFilters>,
) -> Result<Vec<usize>, Option<si::Result>> {
    if !view.has_world {
        return Err(no_world(view.simulation_state));
    }
    let filter = Filter::read(filters).map_err(|error| error.result())?;
    Ok(filter.select(view, world))
}

fn names(view: &View, indices: &[usize]) -> Vec<String> {
    indices.iter().filter_map(|index| view.entity_facts.names.get(*index).cloned()).collect()
}

pub(super) fn state(view: &View, request: &si::GetEntityStateRequest) -> si::GetEntityStateResponse {
    if !view.has_world {
        return si::GetEntityStateResponse { result: no_world(view.simulation_state), state: None };
    }
    match view.find(&request.entity).and_then(|index| view.entity_state(index)) {
        Some(state) => si::GetEntityStateResponse { result: ok(), state: Some(state) },
        None => si::GetEntityStateResponse { result: no_entity(&request.entity), state: None },
    }
}

pub(super) fn info(view: &View, request: &si::GetEntityInfoRequest) -> si::GetEntityInfoResponse {
    if !view.has_world {
        return si::GetEntityInfoResponse { result: no_world(view.simulation_state), info: None };
    }
    match view.find(&request.entity).and_then(|index| view.entity_facts.infos.get(index)) {
        Some(info) => si::GetEntityInfoResponse { result: ok(), info: Some(info.clone()) },
        None => si::GetEntityInfoResponse { result: no_entity(&request.entity), info: None },
    }
}

/// Returns `RESULT_NOT_FOUND`.
fn no_entity(name: &str) -> Option<si::Result> {
    failed(si::Result::RESULT_NOT_FOUND, InfoError::NotFound(name.to_owned()).to_string())
}

pub(super) fn set_state(
    session: &mut Session<'_>,
    request: &si::SetEntityStateRequest,
    reply: Reply<si::SetEntityStateResponse>,
) {
    let change = change(session, request);
    let set = match session.simulation.world_mut() {
        Some(mut world) => world.set_state(&request.entity, &change),
        None => Err(StateError::NoWorld),
    };
    let result = match set {
        Ok(()) => ok(),
        Err(error) => failed(state_code(&error), error.to_string()),
    };
    reply.send(si::SetEntityStateResponse { result });
}

fn change(session: &Session<'_>, request: &si::SetEntityStateRequest) -> StateChange {
    let state = request.state.clone().unwrap_or_default();
    let twist = state.twist.unwrap_or_default();
    let acceleration = state.acceleration.unwrap_or_default();
    let motion = |linear: Option<_>, angular: Option<_>| Twist {
        linear: linear.as_ref().map_or(DVec3::ZERO, vector_of),
        angular: angular.as_ref().map_or(DVec3::ZERO, vector_of),
    };
    let pose = state.pose.as_ref().map_or(Pose::IDENTITY, pose_of);
    StateChange {
        frame: frame_of(session.simulation, state.header),
        pose: request.set_pose.then_some(pose),
        twist: request.set_twist.then(|| motion(twist.linear, twist.angular)),
        acceleration: request.set_acceleration.then(|| motion(acceleration.linear, acceleration.angular)),
    }
}

fn state_code(error: &StateError) -> u32 {
    match error {
        StateError::NoWorld => si::Result::RESULT_INCORRECT_STATE,
        StateError::NotFound(_) => si::Result::RESULT_NOT_FOUND,
        StateError::PoseInvalid(_) => SetCodes::INVALID_POSE,
        StateError::UnknownFrame(_)
        | StateError::NotFinite
        | StateError::TooLarge { .. }
        | StateError::Static(_)
        | StateError::Actor(_)
        | StateError::Failed(_) => si::Result::RESULT_OPERATION_FAILED,
    }
}

pub(super) fn set_info(
    session: &mut Session<'_>,
    request: &si::SetEntityInfoRequest,
    reply: Reply<si::SetEntityInfoResponse>,
) {
    let info = request.info.clone().unwrap_or_default();
    let number = info.category.unwrap_or_default().category;
    let result = match category(number) {
        None => {
            let text = format!("there is no category {number}; give 0, 1, 2, 4 or 5");
            failed(si::Result::RESULT_OPERATION_FAILED, text)
        }
        Some(category) => {
            let info = EntityInfo { category, description: info.description, tags: info.tags };
            let set = match session.simulation.world_mut() {
                Some(mut world) => world.set_info(&request.entity, info),
                None => Err(InfoError::NoWorld),
            };
            match set {
                Ok(()) => ok(),
                Err(error) => info_failed(&error),
            }
        }
    };
    reply.send(si::SetEntityInfoResponse { result });
}

fn info_failed(error: &InfoError) -> Option<si::Result> {
    let code = match error {
        InfoError::NoWorld => si::Result::RESULT_INCORRECT_STATE,
        InfoError::NotFound(_) => si::Result::RESULT_NOT_FOUND,
        InfoError::TooLong(_) => si::Result::RESULT_OPERATION_FAILED,
    };
    failed(code, error.to_string())
}

pub(super) fn bounds(
    session: &mut Session<'_>,
    request: &si::GetEntityBoundsRequest,
    reply: Reply<si::GetEntityBoundsResponse>,
) {
    if session.is_loading() {
        let result = no_world(SimulationState::LoadingWorld);
        return reply.send(si::GetEntityBoundsResponse { result, bounds: None });
    }
    let measured = match session.simulation.world() {
        None => Err(InfoError::NoWorld),
        Some(world) => world.bounds(&request.entity),
    };
    let answer = match measured {
        Ok(found) => {
            let bounds = found.map(|found| bounds_of(found.low, found.high)).unwrap_or_default();
            si::GetEntityBoundsResponse { result: ok(), bounds: Some(bounds) }
        }
        Err(error) => si::GetEntityBoundsResponse { result: info_failed(&error), bounds: None },
    };
    reply.send(answer);
}

pub(super) fn named_poses(view: &View, request: &si::GetNamedPosesRequest) -> si::GetNamedPosesResponse {
    if !view.has_world {
        return si::GetNamedPosesResponse { result: no_world(view.simulation_state), poses: Vec::new() };
    }
    let filter = match super::filter::tags(request.tags.as_ref()) {
        Ok(filter) => filter,
        Err(error) => return si::GetNamedPosesResponse { result: error.result(), poses: Vec::new() },
    };
    let poses = view.entity_facts.poses.iter().filter(|named| filter.accepts(&named.pose.tags));
    si::GetNamedPosesResponse { result: ok(), poses: poses.map(|named| named.pose.clone()).collect() }
}

pub(super) fn named_pose_bounds(
    view: &View,
    request: &si::GetNamedPoseBoundsRequest,
) -> si::GetNamedPoseBoundsResponse {
    if !view.has_world {
        return si::GetNamedPoseBoundsResponse { result: no_world(view.simulation_state), bounds: None };
    }
    match view.entity_facts.poses.iter().find(|named| named.pose.name == request.name) {
        Some(named) => si::GetNamedPoseBoundsResponse { result: ok(), bounds: Some(named.bounds.clone()) },
        None => {
            let text = format!("the world has no pose named `{}`", request.name);
            let result = failed(si::Result::RESULT_NOT_FOUND, text);
            si::GetNamedPoseBoundsResponse { result, bounds: None }
        }
    }
}
