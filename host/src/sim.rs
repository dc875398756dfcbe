//! The loop: carries out what the lifecycle orders, and reports back. It holds no policy.
//!
//! Everything here runs on the simulation thread. A run owns its world, plugins and bridges; other threads
//! reach it through [`Shared`] only: requests, received messages, the clock.

mod announce;
mod border;
mod bridges;
mod check;
mod cycle;
mod description;
mod drive;
pub mod entities;
mod faults;
mod files;
mod load;
mod pace;
mod plugins;
mod poses;
mod reset;
mod save;
mod sensors;
mod snapshot;
mod start;
mod status;
mod step;
mod stop;
#[cfg(test)]
mod tests;
mod topics;
mod triggers;
mod worlds;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_lifecycle::{Cause, Effect, Lifecycle, Report, Settings, StartTracker, State};
use thiserror::Error;

use crate::api::Shared;
use crate::bridge::{AttachError, BridgeBuilder, BridgeRegistry, BridgeSet};
use crate::bus::{Moment, Router};
use crate::clock::{Pacer, RealTimeFactor};
use crate::config::{BridgeRequest, RunConfig};
use crate::model_plugin::ModelSet;
use crate::plugin::{LoadOptions, PluginSet};
use crate::report::Watcher;
use crate::world::World;
use crate::world::names::UnsupportedNames;
pub use border::{Controller, NoController};
pub use check::Finding;
use files::RunFiles;
pub use save::{Overwrite, SaveError, SavedWorld};
pub use topics::{PublishError, TopicRates};
use worlds::Worlds;
pub use worlds::{LoadEnd, LoadError, WorldLoad};

/// Why a run could not begin. Each is a configuration error.
#[derive(Debug, Error)]
pub enum SimError {
    /// Plugins or folders that `--strict` does not accept.
    #[error("[BH-SIM-200] {0}")]
    Plugins(String),
    /// A bridge that cannot be attached.
    #[error(transparent)]
    Bridge(#[from] AttachError),
    /// An output file that cannot be written.
    #[error("[BH-SIM-201] `{path}` cannot be written: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
}

/// How long the loop waits for a request at once while nothing runs.
const IDLE: Duration = Duration::from_millis(20);
/// How often the watcher hears of a running simulation.
const STATUS_PERIOD: Duration = Duration::from_secs(1);

/// A run. [`Simulation::new`] checks and prepares; [`Simulation::run`] carries it out.
pub struct Simulation {
    config: RunConfig,
    shared: Arc<Shared>,
    plugins: PluginSet,
    registry: BridgeRegistry,
    lifecycle: Lifecycle,
    bridges: BridgeSet,
    models: ModelSet,
    tracker: StartTracker,
    router: Router,
    world: Option<RefCell<World>>,
    world_name: String,
    /// The file of the world, for saving.
    loaded: Option<bridgehead_sdf::Loaded>,
    /// What is known of worlds, besides the one that is loaded.
    worlds: Worlds,
    files: RunFiles,
    now: Moment,
    width: Duration,
    pacer: Pacer,
    triggers: triggers::Triggers,
    factor: RealTimeFactor,
    cycle: cycle::Cycle,
    totals: Totals,
    errors: Vec<String>,
    /// Names of the world that nobody serves.
    unsupported: UnsupportedNames,
    /// Whether the first reset of the plugins is due once they have started.
    initial_reset: bool,
    /// A plugin whose first reset failed: the run is aborted as soon as it has begun.
    reset_failure: Option<Cause>,
    /// Whether everything that follows the last start has been done.
    is_start_finished: bool,
    /// Whether plugins were started and not stopped.
    plugins_run: bool,
    /// Whether they have been told that all have started.
    all_started_told: bool,
    /// What the last turn led to and the next one is to follow.
    report: Option<Report>,
    /// Whether sensors are kept from publishing, during a reset.
    sensors_paused: bool,
    status_due: Instant,
    published_at_status: u64,
    started_at: Instant,
    arrivals: Vec<crate::bus::Arrival>,
    /// Whether a lockstep or pacing wait of this step is over.
    may_step: bool,
    /// When the step that is waited for is due.
    step_due: Option<Instant>,
    /// Requests of those who control the run, and what became of them.
    asked: border::Asked,
    /// How many messages per second topics carry.
    rates: TopicRates,
    state_hash: u64,
    next_ticket: u64,
    /// Who first asked for the end of the run; decides nothing, but explains an undecided outcome.
    stop_cause: String,
    /// Markers that are not published yet, by vehicle.
    scene: crate::world::SceneMarkers,
    /// Topics of the scene, with their vehicles.
    scene_topics: Vec<(u32, String)>,
}

/// Sums over all resets.
#[derive(Debug, Default)]
struct Totals {
    steps: u64,
    simulated: Duration,
    wall: Duration,
    resets: u32,
    running_since: Option<Instant>,
}

impl Simulation {
    /// Loads plugins and opens output files.
    fn assemble(config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        plugins::register_standard_types(&shared);
        let mut libraries = plugins::Libraries(Arc::clone(&shared));
        let options = LoadOptions { strict: config.strict, ..LoadOptions::default() };
        let loaded = PluginSet::load(&config.search, options, &mut libraries);
        let mut problems = plugins::report_files(&loaded);
        let (registry, refused) = BridgeRegistry::collect(&loaded);
        problems.extend(refused);
        problems.extend(plugins::register_models(&loaded));
        for problem in &problems {
            log::warn!("{problem}");
        }
        if let (true, Some(problem)) = (config.strict, problems.first()) {
            return Err(SimError::Plugins(format!("{problem} (an error because of --strict)")));
        }
        let files = RunFiles::open(&config)?;
        let width = config.step_width.unwrap_or(Duration::from_millis(1));
        let now = crate::clock::now();
        // A host that begins without a world waits for one.
        let keep_alive = config.keep_alive || config.world.is_none();
        let pause_from_stopped = config.control.pause_from_stopped;
        let settings = Settings { keep_alive, pause_from_stopped, ..Settings::default() };
        Ok(Simulation {
            pacer: Pacer::new(config.speed, now),
            lifecycle: Lifecycle::new(settings),
            shared,
            plugins: loaded,
            registry,
            bridges: BridgeSet::default(),
            models: ModelSet::new(config.call_limits),
            tracker: StartTracker::default(),
            router: Router::default(),
            world: None,
            world_name: String::new(),
            loaded: None,
            worlds: Worlds::new(&config),
            files,
            now: Moment::default(),
            width,
            factor: RealTimeFactor::new(now),
            triggers: triggers::Triggers::default(),
            cycle: cycle::Cycle::new(now),
            totals: Totals::default(),
            errors: problems,
            unsupported: UnsupportedNames::default(),
            initial_reset: false,
            reset_failure: None,
            is_start_finished: false,
            plugins_run: false,
            all_started_told: false,
            report: None,
            sensors_paused: false,
            status_due: now,
            published_at_status: 0,
            started_at: now,
            arrivals: Vec::new(),
            may_step: false,
            step_due: None,
            asked: border::Asked::default(),
            rates: TopicRates::default(),
            state_hash: 0,
            next_ticket: 1,
            stop_cause: String::new(),
            scene: Default::default(),
            scene_topics: Vec::new(),
            config,
        })
    }

    fn bridge_builder(&self) -> BridgeBuilder<'_> {
        BridgeBuilder {
            plugins: &self.plugins,
            registry: &self.registry,
            shared: &self.shared,
            config: &self.config,
            world_file: self.worlds.file.as_deref(),
        }
    }

    /// Attaches bridges; in a lenient run one that cannot be made is an error in the log.
    fn attach(&mut self, request: &BridgeRequest, vehicle: &str) -> Result<(), AttachError> {
        let bridge_builder = BridgeBuilder {
            plugins: &self.plugins,
            registry: &self.registry,
            shared: &self.shared,
            config: &self.config,
            world_file: self.worlds.file.as_deref(),
        };
        self.bridges.attach(&bridge_builder, request, vehicle)
    }

    /// One turn of the lifecycle: takes requests, moves on, carries out the effects.
    fn turn(&mut self, report: Option<Report>, watcher: &mut dyn Watcher) -> Option<Report> {
        for request in self.shared.asks.take() {
            log::info!("{} asked for: {}", request.interrupt.name(), request.cause);
            self.explain_stop(&request);
            self.lifecycle.ask(request);
        }
        let before = self.lifecycle.machine().state();
        let turn = self.lifecycle.advance(report);
        for answer in &turn.answers {
            self.note_answer(answer);
        }
        let after = self.lifecycle.machine().state();
        if before != after && !(before.is_step() && after.is_step()) {
            log::debug!("{} -> {}", before.name(), after.name());
        }
        if before != after {
            self.shared.watchdog.enter(after);
        }
        let mut report = None;
        for effect in turn.effects {
            report = self.carry_out(effect, watcher).or(report);
        }
        report
    }

    /// What the present state has to do besides its effects: long work is polled, waiting states wait.
    fn work(&mut self, watcher: &mut dyn Watcher) -> Option<Report> {
        match self.lifecycle.machine().state() {
            State::Connect => self.poll_connect(),
            State::Start => self.poll_start(watcher),
            State::StepBegin => self.poll_step_begin(),
            State::StepEnd => self.poll_step_end(),
            state if state.is_waiting() => {
                self.idle(watcher);
                None
            }
            _ => Some(Report::PhaseDone),
        }
    }

    /// Nothing runs: keeps bridges alive and waits for a request.
    fn idle(&mut self, watcher: &mut dyn Watcher) {
        self.tend_bridges();
        self.adopt_late_starters();
        self.show_status(watcher);
        self.wake_triggers();
        if self.lifecycle.machine().state() != State::Pause {
            self.shared.asks.calm();
        }
        if !self.lifecycle.has_requests() {
            self.shared.asks.wait(IDLE);
        }
    }

    /// Looks after connections, and makes ends for new topics.
    fn tend_bridges(&mut self) {
        if let Some(cause) = self.bridges.poll(&mut self.router) {
            let is_running = self.lifecycle.machine().state().is_step();
            if is_running {
                log::error!("a required bridge is gone: {cause}");
            }
        }
        self.bridges.sync_endpoints(&self.shared, &mut self.router);
        if !matches!(self.lifecycle.machine().state(), State::Connect | State::Start | State::Loading) {
            self.bridges.start_loops();
        }
    }

    fn carry_out(&mut self, effect: Effect, watcher: &mut dyn Watcher) -> Option<Report> {
        match effect {
            Effect::HoldClock => self.hold_clock(),
            Effect::ReleaseClock => self.release_clock(),
            Effect::LoadWorld(world) => return Some(self.load_world(&world)),
            Effect::ConnectBridges => self.bridges.connect(|bridge| !bridge.vehicle.is_empty()),
            Effect::StartPlugins => self.start_plugins(),
            Effect::RunInitialReset => self.initial_reset = true,
            Effect::AwaitAllStarted => {
                self.is_start_finished = false;
                return self.poll_start(watcher);
            }
            Effect::Announce(notice) => self.announce(notice),
            Effect::BeginStep => self.begin_step(),
            Effect::StepSimulator => return Some(self.step_simulator()),
            Effect::StepControllers => return Some(self.step_controllers()),
            Effect::EndStep => {
                self.end_step(watcher);
                return self.poll_step_end();
            }
            Effect::PauseSensors => self.sensors_paused = true,
            Effect::ResumeSensors => self.sensors_paused = false,
            Effect::RunResetCascade(scope) => return Some(self.reset(scope)),
            Effect::StopPlugins(manner) => return Some(self.stop_plugins(manner)),
            Effect::CancelWork => self.shared.asks.hurry(),
            Effect::DisconnectBridges => return Some(self.disconnect_bridges()),
            Effect::UnloadWorld => self.unload_world(),
            Effect::ReportOutcome(outcome) => log::debug!("outcome: {outcome}"),
            // The bridges of the world end when everybody has been answered: see `advance`.
            Effect::CollectProbe | Effect::DisconnectWorldBridges | Effect::Exit => {}
        }
        None
    }
}

/// A simulated time that is never negative.
fn nanos(time_ns: i64) -> Duration {
    Duration::from_nanos(u64::try_from(time_ns).unwrap_or(0))
}
