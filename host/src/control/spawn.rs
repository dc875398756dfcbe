//! Entities that are spawned and deleted. [`super::spawning`] prepares them on another thread.

use bridgehead_plugin_api::messages::simulation_interfaces as si;

use super::call::{Reply, failed, no_world, ok};
use super::session::Session;
use crate::world::entities::DeleteError;

pub(super) fn spawn_entity(
    session: &mut Session<'_>,
    request: &si::SpawnEntityRequest,
    reply: Reply<si::SpawnEntityResponse>,
) {
    let asked = si::SpawnEntity {
        name: request.name.clone(),
        allow_renaming: request.allow_renaming,
        entity_resource: request.entity_resource.clone(),
        entity_namespace: request.entity_namespace.clone(),
        initial_pose: request.initial_pose.clone(),
    };
    let finish = |mut results: Vec<si::SpawnResult>| {
        let spawned = results.pop().unwrap_or_default();
        reply.send(si::SpawnEntityResponse { result: spawned.result, entity_name: spawned.entity_name });
    };
    session.progress.spawns.add(session.simulation, vec![asked], Box::new(finish));
}

pub(super) fn spawn_entities(
    session: &mut Session<'_>,
    request: &si::SpawnEntitiesRequest,
    reply: Reply<si::SpawnEntitiesResponse>,
) {
    let lacks_world = session.simulation.world().is_none();
    let state = session.simulation.machine().simulation_state();
    let finish = move |results: Vec<si::SpawnResult>| {
        let is_bad = |one: &&si::SpawnResult| {
            one.result.as_ref().is_none_or(|result| result.result != si::Result::RESULT_OK)
        };
        let result = match results.iter().filter(is_bad).count() {
            // The state is wrong for the whole request, also for an empty one.
            _ if lacks_world => no_world(state),
            0 => ok(),
            bad => failed(
                si::SpawnEntitiesResponse::ENTITIES_SPAWN_FAILED,
                format!("{bad} of {} were not spawned; see the results", results.len()),
            ),
        };
        reply.send(si::SpawnEntitiesResponse { result, results });
    };
    session.progress.spawns.add(session.simulation, request.spawn_requests.clone(), Box::new(finish));
}

pub(super) fn delete_entity(
    session: &mut Session<'_>,
    request: &si::DeleteEntityRequest,
    reply: Reply<si::DeleteEntityResponse>,
) {
    let result = match session.simulation.delete(&request.entity) {
        Ok(()) => ok(),
        Err(error) => {
            let code = match &error {
                DeleteError::NoWorld => si::Result::RESULT_INCORRECT_STATE,
                DeleteError::NotFound(_) => si::Result::RESULT_NOT_FOUND,
                DeleteError::Actor(_) | DeleteError::Failed(_) => si::Result::RESULT_OPERATION_FAILED,
            };
            failed(code, error.to_string())
        }
    };
    reply.send(si::DeleteEntityResponse { result });
}
