//! Loading a world (SDF, physics, plugins, bridges of its vehicles) and unloading it.

use std::cell::RefCell;
use std::time::Duration;

use bridgehead_lifecycle::{Cause, LoadFailure, Report, State};
use bridgehead_sdf::resolved::{NoSuchProfile, World as SourceWorld};
use bridgehead_sdf::{self as sdf, Loaded, Severity};

use super::instances::{Destination, InstanceBuilder, Selection};
use super::loaded::LoadedWorld;
use super::poses::configured_poses;
use super::save::Edits;
use super::scene::Scene;
use super::snapshot::Restored;
use super::start::StartUp;
use super::triggers::TriggerSubscriptions;
use super::worlds::Work;
use super::{LoadError, Simulation, clock, snapshot};
use crate::bridge::BridgeInstance;
use crate::config::RunConfig;
use crate::model_plugin::ModelSet;
use crate::resources::{ResourceError, Strictness, check_assets, check_findings};
use crate::thread::lock;
use crate::world::names::UnsupportedNames;
use crate::world::{SceneMarkers, World, build};

/// A world that was built, before it belongs to the run.
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

    /// Loads the world that was prepared under `key`, or the file with that path.
    pub(super) fn load_world(&mut self, key: &str) -> Report {
        let work = self.worlds.begin(key);
        let mut models = ModelSet::new(self.config.call_limits());
        match self.build_world(&work, &mut models) {
            Ok(built) => {
                self.take_over(key, work, built, models);
                Report::WorldLoaded
            }
            Err(error) => {
                self.record.error(error.to_string());
                self.record.removed(models.destroy());
                let shown = work.load.resource.shown();
                let shown = if work.fetched.is_some() { shown } else { key };
                let cause = Cause::Host(format!("the world `{shown}` was not loaded"));
                self.worlds.end(key, Err(error));
                Report::LoadFailed(LoadFailure { is_configuration: true, is_first: work.is_first, cause })
            }
        }
    }

    /// Reads and builds a world, and creates its plugins and bridges.
    fn build_world(&mut self, work: &Work, models: &mut ModelSet) -> Result<BuiltWorld, LoadError> {
        let shown = work.load.resource.shown();
        let mut source = self.worlds.read(work)?;
        let mut problems = log_diagnostics(&source.diagnostics);
        check_findings(shown, &source.diagnostics, work.strictness)?;
        choose_profile(&self.config, &mut source.world)?;
        self.timeline.set_width(step_width(&self.config, &source.world)?);
        let width = self.timeline.width().as_secs_f64();
        let mut built = build(&source.world, width, self.config.substeps)?;
        for problem in &built.problems {
            log::warn!("{problem}");
        }
        check_assets(shown, &built.problems, work.strictness)?;
        problems.extend(built.problems.iter().cloned());
        self.record.unsupported = UnsupportedNames::default();
        let selection = Selection { is_first: work.is_first, includes: &|_| true };
        let builder = InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds);
        let (bridges, unsupported) = (&mut self.traffic.bridges, &mut self.record.unsupported);
        let mut to = Destination { models, bridges, unsupported };
        problems.extend(builder.fill_slots(&mut to, &mut built, &source.world, selection)?);
        check_names(&self.record.unsupported, shown, work.strictness)?;
        let poses = configured_poses(&self.config.poses, &built.world, work.is_first)?;
        if let (true, Some(problem)) = (self.config.strict, problems.first()) {
            return Err(LoadError::Failed(format!("{problem} (an error because of --strict)")));
        }
        self.record.world.clone_from(&built.world.name);
        self.timeline.begin_world(work.is_first);
        let search = self.worlds.search();
        // A snapshot is restored only into the first world of a process.
        let restored = match work.is_first {
            true => snapshot::restore(&self.config, self.timeline.width(), &source, search)?,
            false => None,
        };
        let (mut world, restored) = match restored {
            Some((world, restored)) => (world, Some(restored)),
            None => {
                built.world.set_search(search.clone());
                (built.world, None)
            }
        };
        world.add_poses(poses);
        Ok(BuiltWorld { world, source, markers: built.markers, restored })
    }

    /// Makes a built world the world of the run.
    fn take_over(&mut self, key: &str, work: Work, built: BuiltWorld, models: ModelSet) {
        let resource = self.worlds.loaded(key, &work, &built.source);
        self.loaded = Some(LoadedWorld {
            world: RefCell::new(built.world),
            source: built.source,
            load: work.load,
            resource,
            models,
            start: StartUp::new(clock::now()),
            subscriptions: TriggerSubscriptions::default(),
            scene: Scene::new(built.markers),
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
        if let Some(mut loaded) = self.loaded.take() {
            self.record.removed(loaded.models.destroy());
        }
        self.triggers.forget_world();
        self.end_bridges(BridgeInstance::is_of_loaded_world);
        self.traffic.forget_world(self.state() == State::Quitting);
        lock(&self.shared.started).clear();
        self.shared.description.unload();
        self.worlds.unloaded();
    }
}

/// Selects the physics profile of the configuration.
pub(super) fn choose_profile(config: &RunConfig, world: &mut SourceWorld) -> Result<(), LoadError> {
    let Some(name) = &config.physics_profile else { return Ok(()) };
    world.use_profile(name).map_err(|NoSuchProfile { world, requested, has }| {
        let has: Vec<String> = has.iter().map(|name| format!("`{name}`")).collect();
        let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
        LoadError::Failed(format!(
            "[BH-SIM-208] the world `{world}` has no physics profile `{requested}`; it has: {has}"
        ))
    })
}

/// Returns the step width: of the configuration, or else of the world.
pub(super) fn step_width(config: &RunConfig, world: &SourceWorld) -> Result<Duration, LoadError> {
    let max_step_size = world.physics.max_step_size;
    let width = config.step_width.unwrap_or_else(|| {
        // SDF writes seconds as decimals, so the width is rounded to the nearest nanosecond.
        Duration::try_from_secs_f64((max_step_size * 1e9).round() * 1e-9).unwrap_or_default()
    });
    if width.is_zero() {
        return Err(LoadError::Failed(format!(
            "[BH-SIM-205] the step width must be positive, found {max_step_size} s; try: a positive <max_step_size> or \
             step_width"
        )));
    }
    Ok(width)
}

/// Refuses unsupported sensors and plugins, if the request refuses elements without effect.
fn check_names(unsupported: &UnsupportedNames, shown: &str, strictness: Strictness) -> Result<(), LoadError> {
    let findings: Vec<String> = unsupported.iter().map(ToString::to_string).collect();
    if !strictness.refuses_elements || findings.is_empty() {
        return Ok(());
    }
    Err(ResourceError::UnsupportedElements { shown: shown.to_owned(), findings }.into())
}

/// Logs diagnostics. Returns those that `--strict` does not accept.
fn log_diagnostics(diagnostics: &[sdf::Diagnostic]) -> Vec<String> {
    let mut serious = Vec::new();
    for diagnostic in diagnostics {
        match diagnostic.severity {
            Severity::Note => log::info!("{diagnostic}"),
            Severity::Warning | Severity::Error => {
                log::warn!("{diagnostic}");
                serious.push(diagnostic.to_string());
            }
        }
    }
    serious
}
