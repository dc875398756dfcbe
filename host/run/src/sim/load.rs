//! Loading a world and unloading it.
//!
//! `prepare` reads and builds the world on a thread of its own, while the simulation thread answers clients, keeps
//! bridges alive and takes requests. The rest is done here, on the simulation thread: plugins, bridges of its vehicles,
//! and the exchange of the worlds. The pending load is a value of [`Worlds`](super::Worlds).

use std::cell::RefCell;
use std::sync::Arc;

use bridgehead_lifecycle::{
    Cause, Interrupt, LoadFailure, RefusalKind, Report, Request, SimulationState, State,
};
use bridgehead_sdf::Loaded;

use super::background::Background;
use super::error::SimError;
use super::instances::{Destination, InstanceBuilder, Selection};
use super::loaded::LoadedWorld;
use super::prepare::{Preparation, PreparedWorld};
use super::problems::is_loss;
use super::save::edits::Edits;
use super::scene::{Scene, SceneTopics};
use super::simulation::Simulation;
use super::snapshot::Restored;
use super::start::progress::StartUp;
use super::triggers::TriggerSubscriptions;
use super::worlds::PendingLoad;
use super::worlds::error::LoadError;
use super::worlds::work::Work;
use crate::bridge::BridgeInstance;
use crate::model_plugin::ModelSet;
use crate::resources::{ResourceError, Strictness};
use crate::thread::lock;
use crate::world::names::UnsupportedNames;
use crate::world::{SceneMarkers, World};
use crate::{clock, thread};

/// Maximum time of one wait for a world that is being prepared. Its end, a request and a call of a client end the wait.
const POLL: std::time::Duration = crate::sim::turn::IDLE;

/// A world with its plugins, before it belongs to the run.
struct BuiltWorld {
    world: World,
    source: Loaded,
    markers: SceneMarkers,
    /// The state from which a run continues that was restored from a snapshot.
    restored: Option<Restored>,
}

impl Simulation {
    /// Returns the builder of instances for the world that is loaded or loading.
    pub(super) fn instances(&self) -> InstanceBuilder<'_> {
        InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds)
    }

    /// Begins to load the world that was prepared under `key`, or the file with that path. Returns the report if that
    /// fails at once.
    pub(super) fn begin_load(&mut self, key: &str) -> Option<Report> {
        let work = Arc::new(self.worlds.begin(key));
        let preparation = Preparation {
            config: Arc::clone(&self.config),
            library: Arc::clone(self.worlds.library()),
            work: Arc::clone(&work),
        };
        let started = Background::start("load", &self.shared, |cancel| preparation.run(cancel));
        match started {
            Ok(task) => {
                self.worlds.pending = Some(PendingLoad { key: key.to_owned(), work, task });
                None
            }
            Err(error) => Some(self.fail_load(key, &work, LoadError::NoThread(error.to_string()))),
        }
    }

    /// Completes the load once its world is prepared. Until then, keeps bridges alive and waits a short time.
    pub(super) fn poll_load(&mut self) -> Option<Report> {
        let Some(result) = self.worlds.pending.as_ref().and_then(|pending| pending.task.take()) else {
            return self.await_load();
        };
        let PendingLoad { key, work, .. } = self.worlds.pending.take()?;
        if !work.is_first {
            self.libraries.refresh();
        }
        let prepared = result.unwrap_or_else(|panic| Err(LoadError::Panicked(panic)));
        let mut models = ModelSet::new(self.config.call_limits());
        match prepared.and_then(|prepared| self.complete(&work, prepared, &mut models)) {
            Ok(built) => {
                self.take_over(&key, &work, built, models);
                Some(Report::WorldLoaded)
            }
            Err(error) => {
                self.record.removed(models.destroy());
                Some(self.fail_load(&key, &work, error))
            }
        }
    }

    /// Waits for a world that is being prepared. Bridges of the host connect meanwhile, so that their clients are
    /// answered; a required one that fails ends the load.
    fn await_load(&mut self) -> Option<Report> {
        if let Some(cause) = self.follow_bridges() {
            self.record.keep_error(cause.to_string());
            let PendingLoad { key, work, .. } = self.worlds.pending.take()?;
            self.worlds.end(&key, Err(LoadError::Failed(cause.to_string())));
            let is_first = work.is_first;
            return Some(Report::LoadFailed(LoadFailure { is_configuration: false, is_first, cause }));
        }
        let waits = self
            .worlds
            .pending
            .iter()
            .map(|pending| format!("the world `{}`", pending.work.shown(&pending.key)));
        self.shared.watchdog.waits_for(waits.collect());
        if !self.lifecycle.has_due_requests() {
            self.shared.requests.wait(POLL);
        }
        None
    }

    /// Refuses a request of a bridge of the host while a world loads. Bridges and plugins of the world request
    /// something of it; a bridge of the host is no part of it, so its request is refused like that of a client.
    pub(super) fn refuses_while_loading(&self, request: &Request) -> bool {
        let machine = self.machine();
        if machine.simulation_state() != SimulationState::LoadingWorld
            || request.interrupt == Interrupt::Abort
        {
            return false;
        }
        let Cause::Bridge { name, .. } = &request.cause else { return false };
        let mut bridges = self.traffic.bridges.instances().iter();
        let is_of_host = bridges.any(|bridge| bridge.label == *name && !bridge.is_of_loaded_world());
        if is_of_host {
            let (code, name) = (RefusalKind::IncorrectTransition.code(), request.interrupt.name());
            log::warn!(
                "[{code}] {name} is refused while the simulation is {}: the world is still loading; {}",
                machine.state().plain_name(),
                request.cause
            );
        }
        is_of_host
    }

    /// Ends a load with an error. Returns the report about it.
    fn fail_load(&mut self, key: &str, work: &Work, error: LoadError) -> Report {
        self.record.error(error.to_string());
        let cause = Cause::Host(format!("the world `{}` was not loaded", work.shown(key)));
        let is_configuration = !error.is_of_host();
        self.worlds.end(key, Err(error));
        Report::LoadFailed(LoadFailure { is_configuration, is_first: work.is_first, cause })
    }

    /// Creates the plugins and bridges of a prepared world.
    fn complete(
        &mut self,
        work: &Work,
        prepared: PreparedWorld,
        models: &mut ModelSet,
    ) -> Result<BuiltWorld, LoadError> {
        let PreparedWorld { source, mut built, width, lost, mut problems, poses, restored } = prepared;
        let is_accepted = work.accepts_losses();
        lost.into_iter().for_each(|finding| self.record.lost(finding, is_accepted));
        let shown = work.load.resource.shown();
        self.timeline.set_width(width);
        self.record.unsupported = UnsupportedNames::default();
        let selection = Selection { is_first: work.is_first, includes: &|_| true };
        let builder = InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds);
        let (bridges, unsupported) = (&mut self.traffic.bridges, &mut self.record.unsupported);
        let mut to = Destination { models, bridges, unsupported };
        let filled = builder.fill_slots(&mut to, &mut built, &source.world, selection);
        // First, because it may be the cause of the other error.
        let of_libraries = self.libraries.take_problems().map_err(LoadError::Failed)?;
        of_libraries.into_iter().for_each(|problem| self.record.keep_error(problem));
        let filled = filled?;
        filled
            .iter()
            .filter(|problem| is_loss(problem))
            .for_each(|problem| self.record.lost(problem.clone(), is_accepted));
        problems.extend(filled);
        check_names(&self.record.unsupported, shown, work.strictness)?;
        let poses = poses?;
        if self.config.strict && !problems.is_empty() {
            return Err(self.refuse_strictly(problems));
        }
        self.record.world.clone_from(&built.world.name);
        self.timeline.begin_world(work.is_first);
        let (mut world, restored) = match restored? {
            Some((world, restored)) => (world, Some(restored)),
            None => (built.world, None),
        };
        world.set_names(self.config.names.style);
        world.add_poses(poses);
        Ok(BuiltWorld { world, source, markers: built.markers, restored })
    }

    /// Refuses a world with problems, which are in the log already.
    fn refuse_strictly(&mut self, problems: Vec<String>) -> LoadError {
        let (count, plural) = (problems.len(), if problems.len() == 1 { "" } else { "s" });
        // Missing models are among the errors already.
        let known = self.record.errors().to_vec();
        let new = problems.into_iter().filter(|problem| !known.contains(problem));
        new.for_each(|problem| self.record.keep_error(problem));
        let text =
            format!("the world has {count} problem{plural}, listed above, and `--strict` accepts none");
        LoadError::Failed(SimError::Plugins(text).to_string())
    }

    /// Makes a built world the world of the run.
    fn take_over(&mut self, key: &str, work: &Work, built: BuiltWorld, models: ModelSet) {
        let resource = self.worlds.loaded(key, work, &built.source);
        self.loaded = Some(LoadedWorld {
            world: RefCell::new(built.world),
            source: built.source,
            load: work.load.clone(),
            resource,
            models,
            start: StartUp::new(clock::now()),
            subscriptions: TriggerSubscriptions::default(),
            scene: Scene::new(built.markers),
            scene_topics: SceneTopics::new(self.config.scene_rate),
            edits: Edits::default(),
            reset_failure: None,
        });
        if let Some(restored) = built.restored {
            self.continue_from(restored);
        }
        self.shared.clock.set(self.timeline.now(), self.timeline.width_ns());
    }

    /// Removes the world with its plugins, bridges and topics, also after a load that failed half-way.
    pub(super) fn unload_world(&mut self) {
        if let Some(LoadedWorld { mut models, world, source, .. }) = self.loaded.take() {
            self.record.removed(models.destroy());
            // A large world takes long to free. Without a thread it is freed here.
            drop(thread::spawn("unload", move || drop((world, source))));
        }
        self.triggers.forget_world();
        self.end_bridges(BridgeInstance::is_of_loaded_world);
        self.traffic.forget_world(self.state() == State::Quitting);
        lock(&self.shared.started).clear();
        self.shared.description.unload();
        self.shared.scene.unload();
        self.worlds.unloaded();
    }
}

/// Refuses unsupported sensors and plugins, if the request refuses elements without effect.
fn check_names(unsupported: &UnsupportedNames, shown: &str, strictness: Strictness) -> Result<(), LoadError> {
    let findings: Vec<String> = unsupported.iter().map(ToString::to_string).collect();
    if !strictness.refuses_elements || findings.is_empty() {
        return Ok(());
    }
    Err(ResourceError::UnsupportedElements { shown: shown.to_owned(), findings }.into())
}
