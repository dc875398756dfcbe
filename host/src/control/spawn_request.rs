//! A request to spawn an entity: its model, which another thread prepares, and its result.

use std::path::Path;

use bridgehead_plugin_api::messages::simulation_interfaces as si;
use bridgehead_scene::message::pose_of;
use bridgehead_sdf::Budget;
use bridgehead_sdf::pose::Pose;
use si::SpawnResult as Codes;

use super::call::{failed, ok};
use super::message::frame_of;
use crate::resources::{Library, Resource, ResourceError, ResourceKind};
use crate::sim::Simulation;
use crate::world::entities::{Placement, PreparedModel, SpawnError, SpawnKit, SpawnSource};

/// Returns under which name, and where, a client wants an entity.
pub(super) fn placement_of(simulation: &Simulation, asked: &si::SpawnEntity) -> Placement {
    let initial = asked.initial_pose.clone().unwrap_or_default();
    Placement {
        name: asked.name.clone(),
        allow_renaming: asked.allow_renaming,
        namespace: asked.entity_namespace.clone(),
        pose: initial.pose.as_ref().map_or(Pose::IDENTITY, pose_of),
        frame: frame_of(simulation, initial.header),
    }
}

/// The model of a request.
pub(super) struct Prepared {
    model: Result<Result<PreparedModel, SpawnError>, ResourceError>,
    /// Which field of the request was used and how it was read.
    reading: String,
}

/// Reads the model of a request, parses it and builds its shapes. Usable from any thread.
pub(super) fn prepare(
    library: &Library,
    kit: &mut SpawnKit,
    resource: &Resource,
    budget: &Budget,
) -> Prepared {
    let fetched = library.fetch(resource, ResourceKind::Model);
    let reading = resource.reading(fetched.as_ref().ok().map(|fetched| fetched.format));
    let model = fetched.map(|fetched| {
        let folder = fetched.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        kit.prepare(&SpawnSource::Text { text: fetched.text.to_string(), folder }, budget)
    });
    Prepared { model, reading }
}

/// Inserts a prepared model. Returns the result for the client.
pub(super) fn insert(
    simulation: &mut Simulation,
    asked: &si::SpawnEntity,
    Prepared { model, reading }: Prepared,
) -> si::SpawnResult {
    let placement = placement_of(simulation, asked);
    let inserted = match model {
        Ok(model) => simulation.insert(&placement, model).map_err(|error| refusal_of_model(&error, &reading)),
        Err(problem) => Err(first_problem(simulation, &placement, &problem, &reading)),
    };
    match inserted {
        Ok(entity_name) => si::SpawnResult { result: ok(), entity_name },
        Err(result) => refused(result),
    }
}

/// Returns the result of an entity that is not spawned.
pub(super) fn refused(result: Option<si::Result>) -> si::SpawnResult {
    si::SpawnResult { result, entity_name: String::new() }
}

/// Returns the error to report if the resource is refused: errors of name, namespace and frame come before those of the
/// resource, and errors of the pose before those of the file.
pub(super) fn first_problem(
    simulation: &Simulation,
    placement: &Placement,
    problem: &ResourceError,
    reading: &str,
) -> Option<si::Result> {
    let is_of_file = matches!(problem, ResourceError::NotFound { .. } | ResourceError::Unreadable { .. });
    let checked =
        simulation.world().map_or(Err(SpawnError::NoWorld), |world| world.check_placement(placement));
    match checked {
        Err(error @ (SpawnError::NoWorld | SpawnError::NameInvalid(_) | SpawnError::NamespaceInvalid(_))) => {
            refusal(&error)
        }
        Err(error @ (SpawnError::PoseInvalid(_) | SpawnError::UnknownFrame(_))) if is_of_file => {
            refusal(&error)
        }
        Ok(()) | Err(_) => failed(resource_code(problem), format!("{problem}; {reading}")),
    }
}

/// Returns the result of a spawn that is refused although its model was read. If the model is the cause, the message
/// says how it was read.
pub(super) fn refusal_of_model(error: &SpawnError, reading: &str) -> Option<si::Result> {
    match error {
        SpawnError::Unreadable(_)
        | SpawnError::MissingAssets(_)
        | SpawnError::UnsupportedAssets(_)
        | SpawnError::NoName
        | SpawnError::NoResource
        | SpawnError::Refused(_) => failed(spawn_code(error), format!("{error}; {reading}")),
        SpawnError::NoWorld
        | SpawnError::WorldGone
        | SpawnError::NameInvalid(_)
        | SpawnError::NamespaceInvalid(_)
        | SpawnError::PoseInvalid(_)
        | SpawnError::NameTaken(_)
        | SpawnError::UnknownFrame(_)
        | SpawnError::Exhausted(_)
        | SpawnError::NotPrepared(_) => refusal(error),
    }
}

/// Returns the result of a refused spawn.
pub(super) fn refusal(error: &SpawnError) -> Option<si::Result> {
    failed(spawn_code(error), error.to_string())
}

/// Returns the resource of a request.
pub(super) fn resource_of(resource: Option<&si::Resource>) -> Resource {
    let resource = resource.cloned().unwrap_or_default();
    Resource { uri: resource.uri, text: resource.resource_string }
}

pub(super) fn spawn_code(error: &SpawnError) -> u32 {
    match error {
        SpawnError::NoWorld | SpawnError::WorldGone => si::Result::RESULT_INCORRECT_STATE,
        SpawnError::NameInvalid(_) | SpawnError::NoName => Codes::NAME_INVALID,
        SpawnError::NamespaceInvalid(_) => Codes::NAMESPACE_INVALID,
        SpawnError::NoResource => Codes::NO_RESOURCE,
        SpawnError::PoseInvalid(_) => Codes::INVALID_POSE,
        SpawnError::Unreadable(_) => Codes::RESOURCE_PARSE_ERROR,
        SpawnError::MissingAssets(_) => Codes::MISSING_ASSETS,
        SpawnError::UnsupportedAssets(_) => Codes::UNSUPPORTED_ASSETS,
        SpawnError::NameTaken(_) => Codes::NAME_NOT_UNIQUE,
        SpawnError::UnknownFrame(_)
        | SpawnError::Refused(_)
        | SpawnError::Exhausted(_)
        | SpawnError::NotPrepared(_) => si::Result::RESULT_OPERATION_FAILED,
    }
}

pub(super) fn resource_code(error: &ResourceError) -> u32 {
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
