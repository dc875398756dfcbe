//! The loop: carries out what the lifecycle orders, and reports back. It makes no decisions itself.
//!
//! Each part of a run owns its state, and only [`Simulation`] sees all parts. Everything here runs on the simulation
//! thread; other threads reach a run through [`Shared`] only: requests, received messages, the clock.

mod announce;
mod background;
mod check;
mod controller;
mod cycle;
mod description;
pub mod entities;
mod files;
mod inputs;
mod instances;
mod libraries;
mod load;
mod loaded;
mod poses;
mod prepare;
mod record;
mod requests;
mod reset;
mod save;
mod scene;
mod sensors;
mod snapshot;
mod start;
mod status;
mod step;
#[cfg(test)]
mod tests;
mod timeline;
mod topics;
mod traffic;
mod triggers;
mod worlds;

use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{
    Cause, Effect, Interrupt, Lifecycle, Report, Request, Settings, State, WorldRequest,
};
use thiserror::Error;

pub use background::Background;
pub use check::{Finding, check};
pub use controller::{Controller, NoController};
pub use inputs::{Inputs, check_values, inputs, value_in_file};
pub use libraries::Libraries;
pub use loaded::LoadedWorld;
pub use save::{Overwrite, SaveError, SavedWorld};
pub use snapshot::ReturnError;
pub use timeline::{Timeline, Totals};
pub use topics::{PublishError, TopicRates};
pub use traffic::Traffic;
pub use triggers::Triggers;
pub use worlds::{LoadEnd, LoadError, WorldLoad, Worlds};

use crate::api::shared::Shared;
use crate::bridge::{AttachError, BridgeInstance, WORLD};
use crate::config::{BridgeRequest, RunConfig};
use crate::report::{RunResult, Watcher};
use crate::{clock, guard};
use cycle::Cycle;
use files::RunFiles;
use instances::InstanceBuilder;
use record::Record;
use requests::Requests;
use snapshot::Return;
use status::StatusTimer;

/// Why a run could not begin, which is a configuration error, or was cut off by a panic.
#[derive(Debug, Error)]
pub enum SimError {
    /// What `--strict` does not accept of plugins, folders or a world.
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
    /// The host itself panicked, before or during the run.
    #[error(
        "[BH-SIM-902] the simulation panicked: `{0}`; this is a defect of the host, please report it with the world and \
         the last requests"
    )]
    Panicked(String),
}

/// How long the loop waits for a request at once while nothing runs.
const IDLE: Duration = Duration::from_millis(20);

/// A run. [`Simulation::new`] checks and prepares it; [`Simulation::run`] carries it out.
pub struct Simulation {
    config: Arc<RunConfig>,
    shared: Arc<Shared>,
    libraries: Libraries,
    lifecycle: Lifecycle,
    requests: Requests,
    /// Simulated time and its pace.
    pub timeline: Timeline,
    cycle: Cycle,
    /// Bridges, topics and messages.
    pub traffic: Traffic,
    /// The triggers of the run.
    pub triggers: Triggers,
    /// Worlds to load, and how loads ended.
    pub worlds: Worlds,
    loaded: Option<LoadedWorld>,
    record: Record,
    status: StatusTimer,
    /// The snapshot that a reset returns to, if a client has requested it.
    returning: Option<Return>,
    /// Report of the last turn, which the next turn hands to the lifecycle.
    report: Option<Report>,
}

impl Simulation {
    /// Finds plugins, checks every bridge request and opens output files.
    ///
    /// # Errors
    /// Returns an error if the configuration cannot be carried out.
    pub fn new(config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        guard::catch(|| Self::checked(config, shared)).unwrap_or_else(|panic| Err(SimError::Panicked(panic)))
    }

    fn checked(config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        let mut simulation = Self::assemble(config, shared)?;
        let instances = simulation.instances();
        let checked = simulation.config.bridges.iter().try_for_each(|request| instances.check(request));
        // First, because it may be the cause of the other error.
        let of_libraries = simulation.libraries.take_problems().map_err(SimError::Plugins)?;
        of_libraries.into_iter().for_each(|problem| simulation.record.keep_error(problem));
        checked?;
        Ok(simulation)
    }

    /// Finds plugins and opens output files.
    fn assemble(mut config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        let (libraries, problems) = Libraries::load(&config, &shared)?;
        if config.safe_mode {
            libraries.leave_out_unknown(&mut config.bridges);
        }
        let files = RunFiles::open(&config)?;
        let now = clock::now();
        let settings = Settings {
            // A host that begins without a world waits for one.
            keep_alive: config.keep_alive || config.world.is_none(),
            pause_from_stopped: config.control.pause_from_stopped,
            ..Settings::default()
        };
        let width = config.step_width.unwrap_or(Duration::from_millis(1));
        Ok(Simulation {
            libraries,
            lifecycle: Lifecycle::new(settings),
            requests: Requests::default(),
            timeline: Timeline::new(config.speed, width, now),
            cycle: Cycle::new(now),
            traffic: Traffic::new(Arc::clone(&shared)),
            triggers: Triggers::default(),
            worlds: Worlds::new(&config),
            loaded: None,
            record: Record::new(files, problems),
            status: StatusTimer::new(now),
            returning: None,
            report: None,
            shared,
            config: Arc::new(config),
        })
    }

    /// Carries the run out.
    ///
    /// # Errors
    /// Returns an error if a bridge of the world cannot be created, or if the host panics. After a panic the parts of
    /// the run are in no defined state: none of their destructors runs, and the process should end.
    pub fn run(
        self,
        watcher: &mut dyn Watcher,
        controller: &mut dyn Controller,
    ) -> Result<RunResult, SimError> {
        let mut run = ManuallyDrop::new(self);
        let carried_out = guard::catch(|| {
            run.begin()?;
            while run.advance(watcher, controller) {}
            Ok(run.finish())
        });
        let result = carried_out.map_err(SimError::Panicked)?;
        drop(ManuallyDrop::into_inner(run));
        result
    }

    /// Connects the bridges of the world, and requests the configured world. To be called once, before
    /// [`Simulation::advance`].
    ///
    /// # Errors
    /// Returns an error if a bridge of the world cannot be created.
    pub fn begin(&mut self) -> Result<(), SimError> {
        let is_of_world = |request: &&BridgeRequest| request.attach == WORLD || request.attach == "*";
        let requests: Vec<_> = self.config.bridges.iter().filter(is_of_world).cloned().collect();
        for request in requests {
            self.attach(&request, "")?;
        }
        self.traffic.bridges.connect(|_| true);
        self.request_first_world();
        Ok(())
    }

    /// Requests the world of the configuration.
    fn request_first_world(&mut self) {
        let Some(world) = &self.config.world else { return };
        let request =
            WorldRequest { world: world.to_string_lossy().into_owned(), start_in: self.config.start };
        self.lifecycle.submit(Request::new(Interrupt::LoadWorld(request), Cause::CommandLine));
    }

    /// Makes one turn: takes requests, moves on, and works a while. Returns false when the run is over. Between two turns
    /// entities may be spawned, deleted, changed and read.
    pub fn advance(&mut self, watcher: &mut dyn Watcher, controller: &mut dyn Controller) -> bool {
        let report = self.report.take();
        self.report = self.turn(report, watcher);
        self.serve_controller(controller);
        if self.state() == State::Quitting {
            // Requests that still wait are refused, and named in the log.
            self.turn(None, watcher);
            self.serve_controller(controller);
            // Only now, so that clients of a bridge of the world get their answers.
            self.end_bridges(|_| true);
            return false;
        }
        if self.report.is_none() {
            self.report = self.work(watcher);
        }
        true
    }

    /// Ends a run that is over.
    pub fn finish(&mut self) -> RunResult {
        self.libraries.deinit();
        self.keep_reported_errors();
        self.shared.retired.keep_for_good();
        self.result()
    }

    /// Attaches a bridge to a vehicle, or to the world (empty name).
    fn attach(&mut self, request: &BridgeRequest, vehicle: &str) -> Result<(), AttachError> {
        let builder = InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds);
        builder.attach(&mut self.traffic.bridges, request, vehicle)
    }

    /// Keeps the findings about libraries that were opened for a part of a running world.
    fn keep_library_problems(&mut self) {
        let problems = self.libraries.take_problems().unwrap_or_else(|problem| vec![problem]);
        problems.into_iter().for_each(|problem| self.record.keep_error(problem));
    }

    /// One turn of the lifecycle: takes requests, moves on, carries out the effects.
    fn turn(&mut self, report: Option<Report>, watcher: &mut dyn Watcher) -> Option<Report> {
        for request in self.shared.requests.take() {
            if !self.refuses_while_loading(&request) {
                self.requests.submit(&mut self.lifecycle, request);
            }
        }
        let before = self.state();
        let turn = self.lifecycle.advance(report);
        for answer in &turn.answers {
            if let Err(refusal) = &answer.result {
                self.worlds.end_refused(&answer.request, refusal);
            }
            self.requests.record(answer);
        }
        let after = self.state();
        if before != after {
            if !(before.is_step() && after.is_step()) {
                log::debug!("{} -> {}", before.name(), after.name());
            }
            self.shared.watchdog.enter(after);
        }
        let mut report = None;
        for effect in turn.effects {
            report = self.carry_out(effect, watcher).or(report);
        }
        report
    }

    /// The work of the present state besides its effects: long work is polled, waiting states wait.
    fn work(&mut self, watcher: &mut dyn Watcher) -> Option<Report> {
        let state = self.state();
        if !state.is_step() {
            self.shared.watchdog.beat(clock::now());
        }
        match state {
            State::Loading => self.poll_load(),
            State::Connect => self.traffic.poll_connect(&mut self.record),
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

    /// While nothing runs: keeps bridges alive and waits for a request.
    fn idle(&mut self, watcher: &mut dyn Watcher) {
        self.poll_bridges();
        self.adopt_late_starters();
        self.show_status(watcher);
        let state = self.state();
        // Triggers that wait for a pause, or were added during it, are carried out although nothing runs.
        if state == State::Pause {
            self.repeat_pause_triggers();
        }
        if matches!(state, State::Pause | State::Stopped) {
            self.run_due_triggers();
        }
        if state != State::Pause {
            self.shared.requests.clear_urgency();
        }
        if !self.lifecycle.has_requests() {
            self.shared.requests.wait(IDLE);
        }
    }

    /// Follows connections, and makes endpoints for new topics.
    fn poll_bridges(&mut self) {
        let state = self.state();
        if let Some(cause) = self.follow_bridges()
            && state.is_step()
        {
            log::error!("a required bridge is gone: {cause}");
        }
        if !matches!(state, State::Connect | State::Start | State::Loading) {
            self.traffic.start_loops();
        }
    }

    /// Follows connections, and makes endpoints for new topics, but starts no loops. Returns the failure of a required
    /// bridge, if any.
    fn follow_bridges(&mut self) -> Option<Cause> {
        let failure = self.traffic.poll_bridges();
        self.keep_reported_errors();
        self.traffic.sync_endpoints();
        failure
    }

    fn carry_out(&mut self, effect: Effect, watcher: &mut dyn Watcher) -> Option<Report> {
        match effect {
            Effect::HoldClock => {
                self.shared.clock.set_paused(true);
                self.timeline.hold(clock::now());
            }
            Effect::ReleaseClock => self.release_clock(),
            Effect::LoadWorld(world) => return self.begin_load(&world),
            Effect::ConnectBridges => self.traffic.bridges.connect(|bridge| !bridge.vehicle.is_empty()),
            Effect::StartPlugins => {
                self.loaded.iter_mut().for_each(|loaded| loaded.start_plugins(&self.config));
            }
            Effect::RunInitialReset => {
                self.loaded.iter_mut().for_each(|loaded| loaded.start.expect_first_reset());
            }
            Effect::AwaitAllStarted => {
                self.loaded.iter_mut().for_each(|loaded| loaded.start.expect_begin());
                return self.poll_start(watcher);
            }
            Effect::Announce(notice) => self.announce(notice),
            Effect::StepSimulator => return Some(self.step_simulator()),
            Effect::StepControllers => return Some(self.step_controllers()),
            Effect::EndStep => {
                self.end_step(watcher);
                return self.poll_step_end();
            }
            Effect::RunResetCascade(scope) => return Some(self.reset(scope)),
            Effect::StopPlugins(manner) => return Some(self.stop_plugins(manner)),
            Effect::CancelWork => {
                self.shared.requests.set_urgent();
                self.worlds.interrupt();
            }
            Effect::DisconnectBridges => {
                self.end_bridges(BridgeInstance::is_of_loaded_world);
                return Some(Report::Disconnected);
            }
            Effect::UnloadWorld => self.unload_world(),
            Effect::ReportOutcome(outcome) => log::debug!("outcome: {outcome}"),
            // The step waits for its due time in `work`.
            Effect::BeginStep => {}
            // No step runs during a reset, so no sensor publishes.
            Effect::PauseSensors | Effect::ResumeSensors => {}
            // The bridges of the world end when all requests are answered: see `advance`.
            Effect::CollectProbe | Effect::DisconnectWorldBridges | Effect::Exit => {}
        }
        None
    }
}
