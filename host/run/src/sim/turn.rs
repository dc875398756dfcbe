//! The loop: carries out what the lifecycle orders, and reports back. It makes no decisions itself.

use std::mem::ManuallyDrop;
use std::time::Duration;

use bridgehead_lifecycle::{Cause, Effect, Interrupt, Report, Request, State, WorldRequest};

use super::controller::Controller;
use super::error::SimError;
use super::instances::InstanceBuilder;
use super::simulation::Simulation;
use crate::bridge::{AttachError, BridgeInstance, WORLD};
use crate::config::BridgeRequest;
use crate::report::{RunResult, Watcher};
use crate::{clock, guard};

impl Simulation {
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
    pub(super) fn request_first_world(&mut self) {
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
            self.report = self.work(watcher, controller);
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
    pub(super) fn attach(&mut self, request: &BridgeRequest, vehicle: &str) -> Result<(), AttachError> {
        let builder = InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds);
        builder.attach(&mut self.traffic.bridges, request, vehicle)
    }

    /// Keeps the findings about libraries that were opened for a part of a running world.
    pub(super) fn keep_library_problems(&mut self) {
        let problems = self.libraries.take_problems().unwrap_or_else(|problem| vec![problem]);
        problems.into_iter().for_each(|problem| self.record.keep_error(problem));
    }

    /// One turn of the lifecycle: takes requests, moves on, carries out the effects.
    pub(super) fn turn(&mut self, report: Option<Report>, watcher: &mut dyn Watcher) -> Option<Report> {
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
    pub(super) fn work(
        &mut self,
        watcher: &mut dyn Watcher,
        controller: &mut dyn Controller,
    ) -> Option<Report> {
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
                self.idle(watcher, controller);
                None
            }
            _ => Some(Report::PhaseDone),
        }
    }

    /// While nothing runs: keeps bridges alive and waits for a request.
    pub(super) fn idle(&mut self, watcher: &mut dyn Watcher, controller: &mut dyn Controller) {
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
            controller.wait(&self.shared.requests, IDLE);
        }
    }

    /// Follows connections, and makes endpoints for new topics.
    pub(super) fn poll_bridges(&mut self) {
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
    pub(super) fn follow_bridges(&mut self) -> Option<Cause> {
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

/// How long the loop waits for a request at once while nothing runs.
pub(super) const IDLE: Duration = Duration::from_millis(20);
