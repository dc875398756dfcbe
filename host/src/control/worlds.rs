//! Services for worlds: list, load, reload, unload and save them; and the list of models to spawn.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{Interrupt, Refusal, RefusalKind, WorldRequest};
use bridgehead_plugin_api::messages::{
    Message, bridgehead_simulation_interfaces as own, simulation_interfaces as si,
};
use bridgehead_scene::message::{point_of, pose_of};
use bridgehead_sdf::Cancel;
use bridgehead_sdf::pose::Pose;
use si::LoadWorldResponse as Codes;

use super::call::{Reply, failed, noted, ok, refused};
use super::filter;
use super::late_call::{LateCall, Outcome, Until};
use super::message::bounds_of;
use super::session::{Session, requested};
use super::spawn_request::resource_of;
use super::view::View;
use crate::resources::{Fetched, Library, Resource, ResourceError, ResourceKind, WorldQuery, WorldResource};
use crate::sim::{Background, LoadError, LoadedWorld, Overwrite, SaveError, Simulation, WorldLoad};
use crate::thread;

pub(super) fn load(
    session: &mut Session<'_>,
    request: &si::LoadWorldRequest,
    reply: Reply<si::LoadWorldResponse>,
) {
    let load = WorldLoad {
        resource: resource_of(request.world_resource.as_ref()),
        fail_on_unsupported_element: request.fail_on_unsupported_element,
        ignore_missing_or_unsupported_assets: request.ignore_missing_or_unsupported_assets,
    };
    begin(session, load, |ended| {
        reply.send(match ended {
            Ok(world) => si::LoadWorldResponse { result: ok(), world: Some(world_message(&world)) },
            Err(result) => si::LoadWorldResponse { result, world: None },
        });
    });
}

pub(super) fn reload(
    session: &mut Session<'_>,
    _: &own::ReloadWorldRequest,
    reply: Reply<own::ReloadWorldResponse>,
) {
    let Some(load) = session.simulation.loaded().map(|loaded| loaded.load().clone()) else {
        let result = not_loaded(&LoadError::NoWorld);
        return reply.send(own::ReloadWorldResponse { result });
    };
    begin(session, load, |ended| {
        let result = ended.map_or_else(|result| result, |_| ok());
        reply.send(own::ReloadWorldResponse { result });
    });
}

/// Maximum number of worlds that are read for a load at the same time.
const MAX_READS: usize = 16;

/// The world of a load, or why there is none.
type Ended = Result<WorldResource, Option<si::Result>>;

/// Reads the text of a world on another thread, while the current one stays. Then requests the load.
fn begin(session: &mut Session<'_>, load: WorldLoad, finish: impl FnOnce(Ended) + 'static) {
    if session.progress.calls.reading() >= MAX_READS {
        return finish(Err(not_loaded(&LoadError::TooMany)));
    }
    let (library, resource) = (Arc::clone(session.simulation.worlds.library()), load.resource.clone());
    let fetch = move |_: &Cancel| library.fetch(&resource, ResourceKind::World);
    let task = match Background::start("load:fetch", session.simulation.shared(), fetch) {
        Ok(task) => task,
        Err(error) => return finish(Err(not_loaded(&LoadError::NoThread(error.to_string())))),
    };
    session.progress.calls.add(Reading { caller: session.caller, task, rest: Some((load, finish)) });
}

/// A load whose world is being read.
struct Reading<F> {
    /// Name of the service.
    caller: &'static str,
    task: Background<Result<Fetched, ResourceError>>,
    /// What is to be loaded, and who answers the call.
    rest: Option<(WorldLoad, F)>,
}

impl<F: FnOnce(Ended) + 'static> LateCall for Reading<F> {
    fn poll(&mut self, simulation: &mut Simulation) -> Outcome {
        let Some(fetched) = self.task.take() else { return Outcome::Waits };
        let Some((load, finish)) = self.rest.take() else { return Outcome::Answered };
        let fetched = fetched.map_err(LoadError::Panicked).and_then(|fetched| Ok(fetched?));
        let start_in = simulation.config().control.load_ends_in;
        let worlds = &mut simulation.worlds;
        match fetched.and_then(|fetched| worlds.prepare_fetched(load, fetched, start_in)) {
            Ok(prepared) => {
                let wanted = prepared.clone();
                let then =
                    move |simulation: &mut Simulation, answer| finish(ended(simulation, &wanted, answer));
                let (interrupt, cause) = (Interrupt::LoadWorld(prepared), self.caller.to_owned());
                Outcome::Becomes(Box::new(requested(simulation, interrupt, cause, Until::Settled, then)))
            }
            Err(error) => {
                finish(Err(not_loaded(&error)));
                Outcome::Answered
            }
        }
    }

    fn is_reading(&self) -> bool {
        true
    }
}

/// Returns the result of a world that was not loaded.
fn not_loaded(error: &LoadError) -> Option<si::Result> {
    failed(load_code(error), error.to_string())
}

/// Returns to the world of the start for a reset of everything. `answer` makes the response from the result, whose code
/// is one that every service may have.
pub(super) fn return_to_start<R: Message + 'static>(
    session: &mut Session<'_>,
    prepared: Result<WorldRequest, LoadError>,
    reason: &str,
    reply: Reply<R>,
    answer: impl FnOnce(&Simulation, Option<si::Result>) -> R + 'static,
) {
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            let result = failed(si::Result::RESULT_OPERATION_FAILED, error.to_string());
            return reply.send(answer(session.simulation, result));
        }
    };
    let wanted = prepared.clone();
    let then = move |simulation: &mut Simulation, taken| {
        let result = match ended(simulation, &wanted, taken) {
            Ok(_) => ok(),
            Err(Some(result)) => failed(si::Result::RESULT_OPERATION_FAILED, result.error_message),
            Err(None) => failed(si::Result::RESULT_OPERATION_FAILED, "the world of the start is not loaded"),
        };
        answer(simulation, result)
    };
    session.request(Interrupt::LoadWorld(prepared), reason, Until::Settled, reply, then);
}

/// Returns the result of a load.
fn ended(simulation: &mut Simulation, request: &WorldRequest, answer: Result<(), Refusal>) -> Ended {
    answer.map_err(|refusal| refused(&refusal))?;
    match simulation.worlds.take_end(request).map(|end| end.result) {
        Some(Ok(world)) => Ok(world),
        Some(Err(error)) => Err(not_loaded(&error)),
        None => {
            let state = simulation.machine().state().plain_name();
            let text = format!("the load was cut short; the simulation is {state}");
            Err(failed(si::Result::RESULT_OPERATION_FAILED, text))
        }
    }
}

fn load_code(error: &LoadError) -> u32 {
    match error {
        LoadError::Resource(error) => match error {
            ResourceError::NoResource => Codes::NO_RESOURCE,
            ResourceError::UnsupportedFormat { .. } => Codes::UNSUPPORTED_FORMAT,
            ResourceError::NotFound { .. } | ResourceError::MissingAssets { .. } => Codes::MISSING_ASSETS,
            ResourceError::Unreadable { .. } | ResourceError::Parse { .. } => Codes::RESOURCE_PARSE_ERROR,
            ResourceError::UnsupportedAssets { .. } => Codes::UNSUPPORTED_ASSETS,
            ResourceError::UnsupportedElements { .. } => Codes::UNSUPPORTED_ELEMENTS,
        },
        LoadError::NoWorld => si::Result::RESULT_INCORRECT_STATE,
        LoadError::TooMany
        | LoadError::Interrupted
        | LoadError::Panicked(_)
        | LoadError::NoThread(_)
        | LoadError::Failed(_) => si::Result::RESULT_OPERATION_FAILED,
    }
}

pub(super) fn unload(
    session: &mut Session<'_>,
    _: &si::UnloadWorldRequest,
    reply: Reply<si::UnloadWorldResponse>,
) {
    let then = |_: &mut Simulation, answer: Result<(), Refusal>| {
        let result = match answer {
            Ok(()) => ok(),
            Err(refusal) if refusal.kind == RefusalKind::AlreadyInTarget => {
                failed(si::UnloadWorldResponse::NO_WORLD_LOADED, refusal.to_string())
            }
            Err(refusal) => refused(&refusal),
        };
        si::UnloadWorldResponse { result }
    };
    session.request(Interrupt::UnloadWorld, "", Until::Settled, reply, then);
}

pub(super) fn current(
    session: &mut Session<'_>,
    _: &si::GetCurrentWorldRequest,
    reply: Reply<si::GetCurrentWorldResponse>,
) {
    let is_loading = session.is_loading();
    let answer = match session.simulation.loaded().filter(|_| !is_loading).map(LoadedWorld::resource) {
        Some(world) => si::GetCurrentWorldResponse { result: ok(), world: Some(world_message(world)) },
        None => {
            let text = if is_loading { "the world is still loading" } else { "no world is loaded" };
            let result = failed(si::GetCurrentWorldResponse::NO_WORLD_LOADED, text);
            si::GetCurrentWorldResponse { result, world: None }
        }
    };
    reply.send(answer);
}

/// Returns the newest description, which does not change within a step.
pub(super) fn world_description(
    view: &View,
    _: &own::GetWorldDescriptionRequest,
) -> own::GetWorldDescriptionResponse {
    own::GetWorldDescriptionResponse { result: ok(), description: Some(view.description.message()) }
}

/// Maximum time for measuring the models of one list.
const MEASURING: Duration = Duration::from_secs(2);

/// Answers a call with a list that is made on a separate thread, because it may read many files.
fn browse<Q: Send + 'static, R: Message + 'static>(
    session: &Session<'_>,
    request: Q,
    reply: Reply<R>,
    list: fn(&Library, &Q) -> R,
) {
    let library = Arc::clone(session.simulation.worlds.library());
    let started = thread::spawn("control:browse", move || reply.send(list(&library, &request)));
    if let Err(error) = started {
        log::warn!("no thread for a list of files: {error}");
    }
}

pub(super) fn available(
    session: &mut Session<'_>,
    request: &si::GetAvailableWorldsRequest,
    reply: Reply<si::GetAvailableWorldsResponse>,
) {
    browse(session, request.clone(), reply, |library, request| {
        let filter = match filter::tags(request.filter.as_ref()) {
            Ok(filter) => filter,
            Err(error) => {
                return si::GetAvailableWorldsResponse { result: error.result(), worlds: Vec::new() };
            }
        };
        let found = library.worlds(&WorldQuery { additional: request.additional_sources.clone(), filter });
        let notes = notes(&found.unrecognised, &found.unreadable, found.is_cut);
        let missing = [found.failed.as_slice(), &found.unrecognised].concat();
        let is_complete = missing.is_empty() && found.unreadable.is_empty();
        let result = if is_complete || (request.continue_on_error && !found.worlds.is_empty()) {
            noted(notes)
        } else {
            let text = unusable(&missing, &found.unreadable).join("; ");
            failed(si::GetAvailableWorldsResponse::DEFAULT_SOURCES_FAILED, text)
        };
        let worlds = found.worlds.iter().map(world_message).collect();
        si::GetAvailableWorldsResponse { result, worlds }
    });
}

pub(super) fn spawnables(
    session: &mut Session<'_>,
    request: &si::GetSpawnablesRequest,
    reply: Reply<si::GetSpawnablesResponse>,
) {
    browse(session, request.clone(), reply, |library, request| {
        let mut found = library.spawnables(&request.sources);
        library.measure(&mut found, MEASURING);
        let spawnable = |found: &crate::resources::Spawnable| si::Spawnable {
            entity_resource: Some(resource_message(&found.resource)),
            description: found.description.clone(),
            spawn_bounds: Some(found.room.map(|[low, high]| bounds_of(low, high)).unwrap_or_default()),
        };
        let mut notes = notes(&found.unrecognised, &found.unreadable, found.is_cut);
        if found.unmeasured > 0 {
            let comma = if notes.is_empty() { "" } else { "; " };
            notes += &format!("{comma}{} are not measured yet; request the list again", found.unmeasured);
        }
        si::GetSpawnablesResponse {
            result: noted(notes),
            spawnables: found.spawnables.iter().map(spawnable).collect(),
        }
    });
}

/// Returns the texts about sources that were not searched.
fn unusable(missing: &[String], unreadable: &[String]) -> Vec<String> {
    let missing = (!missing.is_empty()).then(|| format!("not found: {}", missing.join(", ")));
    let unreadable = (!unreadable.is_empty()).then(|| format!("not read: {}", unreadable.join(", ")));
    missing.into_iter().chain(unreadable).collect()
}

fn notes(unrecognised: &[String], unreadable: &[String], is_cut: bool) -> String {
    let mut notes = unusable(unrecognised, unreadable);
    if is_cut {
        notes.push("the list is incomplete, because the search reached its limit".to_owned());
    }
    notes.join("; ")
}

fn world_message(world: &WorldResource) -> si::WorldResource {
    si::WorldResource {
        name: world.name.clone(),
        world_resource: Some(resource_message(&world.resource)),
        description: world.description.clone(),
        tags: world.tags.clone(),
    }
}

fn resource_message(resource: &Resource) -> si::Resource {
    si::Resource { uri: resource.uri.clone(), resource_string: resource.text.clone() }
}

pub(super) fn save(
    session: &mut Session<'_>,
    request: &own::SaveWorldRequest,
    reply: Reply<own::SaveWorldResponse>,
) {
    let overwrite = if request.overwrite { Overwrite::Others } else { Overwrite::Nothing };
    let answer = match session.simulation.save_to(Path::new(&request.path), overwrite) {
        Ok(saved) => own::SaveWorldResponse {
            result: noted(saved.notes.join("; ")),
            path: saved.path.display().to_string(),
        },
        Err(error) => own::SaveWorldResponse { result: save_failed(&error), path: String::new() },
    };
    reply.send(answer);
}

pub(super) fn save_failed(error: &SaveError) -> Option<si::Result> {
    let code = match error {
        SaveError::NoWorld => si::Result::RESULT_INCORRECT_STATE,
        SaveError::NoSuchRoad { .. } => si::Result::RESULT_NOT_FOUND,
        SaveError::Exists(_)
        | SaveError::Outside { .. }
        | SaveError::NotAWorld(_)
        | SaveError::NotASnapshot(_)
        | SaveError::NotWritten { .. }
        | SaveError::Source(_)
        | SaveError::Position(_)
        | SaveError::NotSaved(_) => si::Result::RESULT_OPERATION_FAILED,
    };
    failed(code, error.to_string())
}

pub(super) fn set_camera(
    session: &mut Session<'_>,
    request: &own::SetGuiCameraRequest,
    reply: Reply<own::SetGuiCameraResponse>,
) {
    let pose = request.pose.as_ref().map_or(Pose::IDENTITY, pose_of);
    let loaded = session.simulation.loaded_mut().ok_or(SaveError::NoWorld);
    let set = loaded.and_then(|loaded| loaded.set_camera(pose));
    let result = set.map_or_else(|error| save_failed(&error), |()| ok());
    reply.send(own::SetGuiCameraResponse { result });
}

pub(super) fn set_road(
    session: &mut Session<'_>,
    request: &own::SetRoadRequest,
    reply: Reply<own::SetRoadResponse>,
) {
    let points = request.points.iter().map(point_of).collect();
    let loaded = session.simulation.loaded_mut().ok_or(SaveError::NoWorld);
    let set = loaded.and_then(|loaded| loaded.set_road(&request.road, points));
    reply.send(own::SetRoadResponse { result: set.map_or_else(|error| save_failed(&error), |()| ok()) });
}
