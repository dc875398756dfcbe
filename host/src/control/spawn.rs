//! Entities that are spawned and deleted.

use std::path::Path;

use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_sdf::pose::Pose;
use si::SpawnResult as Codes;

use super::call::{Reply, failed, ok};
use super::entities::frame_of;
use super::session::Session;
use super::view::pose_of;
use crate::resources::{Resource, ResourceError, ResourceKind};
use crate::sim::Simulation;
use crate::world::entities::{DeleteError, SpawnError, SpawnRequest, SpawnSource};

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
    let spawned = spawn(session.simulation, &asked);
    reply.send(si::SpawnEntityResponse { result: spawned.result, entity_name: spawned.entity_name });
}

pub(super) fn spawn_entities(
    session: &mut Session<'_>,
    request: &si::SpawnEntitiesRequest,
    reply: Reply<si::SpawnEntitiesResponse>,
) {
    let spawned = request.spawn_requests.iter().map(|asked| spawn(session.simulation, asked));
    let results: Vec<si::SpawnResult> = spawned.collect();
    let is_bad = |one: &&si::SpawnResult| {
        one.result.as_ref().is_none_or(|result| result.result != si::Result::RESULT_OK)
    };
    let result = match results.iter().filter(is_bad).count() {
        0 => ok(),
        bad => failed(
            si::SpawnEntitiesResponse::ENTITIES_SPAWN_FAILED,
            format!("{bad} of {} were not spawned; see the results", results.len()),
        ),
    };
    reply.send(si::SpawnEntitiesResponse { result, results });
}

fn spawn(simulation: &mut Simulation, asked: &si::SpawnEntity) -> si::SpawnResult {
    match try_spawn(simulation, asked) {
        Ok(entity_name) => si::SpawnResult { result: ok(), entity_name },
        Err(result) => si::SpawnResult { result, entity_name: String::new() },
    }
}

fn try_spawn(simulation: &mut Simulation, asked: &si::SpawnEntity) -> Result<String, Option<si::Result>> {
    let resource = resource_of(asked.entity_resource.as_ref());
    let fetched = simulation.worlds.library().fetch(&resource, ResourceKind::Model);
    let initial = asked.initial_pose.clone().unwrap_or_default();
    let mut request = SpawnRequest {
        name: asked.name.clone(),
        allow_renaming: asked.allow_renaming,
        source: SpawnSource::Text { text: String::new(), folder: None },
        namespace: asked.entity_namespace.clone(),
        pose: initial.pose.as_ref().map_or(Pose::IDENTITY, pose_of),
        frame: frame_of(simulation, initial.header),
    };
    match fetched {
        Ok(fetched) => {
            let folder = fetched.path.as_deref().and_then(Path::parent).map(Path::to_owned);
            request.source = SpawnSource::Text { text: fetched.text.to_string(), folder };
            simulation.spawn(&request).map_err(|error| failed(spawn_code(&error), error.to_string()))
        }
        Err(problem) => Err(first_problem(simulation, request, &problem)),
    }
}

/// Returns the error to report if the resource is refused: errors of name, namespace and frame come before those of the
/// resource, and errors of the pose before those of the file.
fn first_problem(
    simulation: &mut Simulation,
    mut request: SpawnRequest,
    problem: &ResourceError,
) -> Option<si::Result> {
    let is_of_file = matches!(problem, ResourceError::NotFound { .. } | ResourceError::Unreadable { .. });
    // `-` is not a model, so nothing is spawned in any case.
    request.source = SpawnSource::Text { text: "-".to_owned(), folder: None };
    match simulation.spawn(&request) {
        Err(error @ (SpawnError::NoWorld | SpawnError::NameInvalid(_) | SpawnError::NamespaceInvalid(_))) => {
            failed(spawn_code(&error), error.to_string())
        }
        Err(error @ (SpawnError::PoseInvalid(_) | SpawnError::UnknownFrame(_))) if is_of_file => {
            failed(spawn_code(&error), error.to_string())
        }
        Ok(_) | Err(_) => failed(resource_code(problem), problem.to_string()),
    }
}

/// Returns the resource of a request.
pub(super) fn resource_of(resource: Option<&si::Resource>) -> Resource {
    let resource = resource.cloned().unwrap_or_default();
    Resource { uri: resource.uri, text: resource.resource_string }
}

fn spawn_code(error: &SpawnError) -> u32 {
    match error {
        SpawnError::NoWorld => si::Result::RESULT_INCORRECT_STATE,
        SpawnError::NameInvalid(_) | SpawnError::NoName => Codes::NAME_INVALID,
        SpawnError::NamespaceInvalid(_) => Codes::NAMESPACE_INVALID,
        SpawnError::NoResource => Codes::NO_RESOURCE,
        SpawnError::PoseInvalid(_) => Codes::INVALID_POSE,
        SpawnError::Unreadable(_) => Codes::RESOURCE_PARSE_ERROR,
        SpawnError::MissingAssets(_) => Codes::MISSING_ASSETS,
        SpawnError::UnsupportedAssets(_) => Codes::UNSUPPORTED_ASSETS,
        SpawnError::NameTaken(_) => Codes::NAME_NOT_UNIQUE,
        SpawnError::UnknownFrame(_) | SpawnError::Refused(_) => si::Result::RESULT_OPERATION_FAILED,
    }
}

fn resource_code(error: &ResourceError) -> u32 {
    match error {
        ResourceError::NoResource => Codes::NO_RESOURCE,
        ResourceError::UnsupportedFormat { .. } => Codes::UNSUPPORTED_FORMAT,
        ResourceError::NotFound { .. } | ResourceError::MissingAssets { .. } => Codes::MISSING_ASSETS,
        ResourceError::Unreadable { .. } | ResourceError::Parse { .. } => Codes::RESOURCE_PARSE_ERROR,
        ResourceError::UnsupportedAssets { .. } | ResourceError::UnsupportedElements { .. } => {
            Codes::UNSUPPORTED_ASSETS
        }
    }
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
