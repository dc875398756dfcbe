//! Start and end of a run: plugins of a loaded world start, are reset for the first time, and stop at the end.

pub(super) mod progress;

use std::time::Duration;

use bridgehead_abi::bridge::SCOPE_ALL;
use bridgehead_lifecycle::{Manner, Need, Outcome, Report, State};

use super::faults::failed_plugin;
use super::loaded::LoadedWorld;
use super::record::{Record, plugin_is_disabled, plugin_is_not_started};
use super::scene::When;
use super::simulation::Simulation;
use crate::api::shared::Shared;
use crate::bridge::BridgeInstance;
use crate::bus::Moment;
use crate::config::RunConfig;
use crate::model_plugin::Fault;
use crate::report::Watcher;
use progress::StartPhase;

/// Maximum time of one wait for starts.
const POLL: Duration = Duration::from_millis(2);

impl LoadedWorld {
    /// Returns the labels of the plugins that are starting, in the order in which they began to.
    pub fn starting_plugins(&self) -> impl Iterator<Item = &str> {
        self.start.tracker.waiting()
    }

    /// Starts every plugin.
    pub(super) fn start_plugins(&mut self, config: &RunConfig) {
        let deadline_ns = self.start.deadline_ns(config.start_timeout);
        self.models.start(&mut self.start.tracker, need_of_loaded(config), deadline_ns);
    }

    /// Starts the plugins that were added while the others run.
    pub(super) fn start_new(&mut self, need: Need, config: &RunConfig) {
        let deadline_ns = self.start.deadline_ns(config.start_timeout);
        self.models.start_new(&mut self.start.tracker, need, deadline_ns);
    }

    /// Reports finished starts to the tracker. Returns the failures.
    fn poll_starts(&mut self, shared: &Shared) -> Vec<(String, String)> {
        self.models.poll_starts(shared, &mut self.start.tracker)
    }

    /// Reports plugins whose deadline has just passed.
    fn report_late(&mut self, timeout: Duration, record: &mut Record) {
        for label in self.start.take_late() {
            record.error(format!("[BH-PLG-098] plugin `{label}` has not started after {timeout:?}"));
        }
    }

    /// Resets every plugin for the first time, then loads the states of a snapshot.
    fn first_reset(&mut self, now: Moment) -> Vec<(String, Fault)> {
        let mut faults = self.models.reset(&self.world, SCOPE_ALL);
        faults.extend(self.models.load(&self.world, now));
        faults
    }

    /// Brings plugins that started later to the state of the others.
    fn catch_up(&mut self, has_begun: bool, now: Moment) -> Vec<(String, Fault)> {
        if has_begun {
            self.models.catch_up(&self.world, now)
        } else {
            self.models.reset_new(&self.world, now)
        }
    }

    /// Includes plugins that started after their deadline in the run.
    fn adopt_late(&mut self, shared: &Shared, now: Moment, is_paused: bool) -> Vec<(String, Fault)> {
        let mut faults = self.models.adopt_late(shared, &mut self.start.tracker, &self.world, now);
        if is_paused {
            faults.extend(self.models.pause_new());
        }
        faults
    }
}

/// Returns the need for the plugins of the world: a strict run does not begin without them.
pub(super) fn need_of_loaded(config: &RunConfig) -> Need {
    if config.strict { Need::Required } else { Need::Optional }
}

impl Simulation {
    /// Polls the starts. Once all have ended, runs the scheduled work, such as the first reset.
    pub(super) fn poll_start(&mut self, watcher: &mut dyn Watcher) -> Option<Report> {
        let loaded = self.loaded.as_mut()?;
        for (label, reason) in loaded.poll_starts(&self.shared) {
            let text = plugin_is_not_started(&label, &reason);
            if loaded.models.is_sensor(&label) {
                log::error!("{text}");
                self.record.lost(text, false);
            } else {
                self.record.error(text);
            }
        }
        loaded.report_late(self.config.start_timeout, &mut self.record);
        watcher.starting(&loaded.start.progress());
        let Some(report) = loaded.start.tracker.report() else {
            let late = loaded.starting_plugins().map(|label| format!("the start of `{label}`"));
            self.shared.watchdog.waits_for(late.collect());
            self.shared.requests.wait(POLL);
            return None;
        };
        if report != Report::AllStarted {
            return Some(report);
        }
        match std::mem::replace(&mut loaded.start.phase, StartPhase::Done) {
            StartPhase::FirstReset => self.finish_start(true),
            StartPhase::Continue => self.finish_start(false),
            StartPhase::Done => self.catch_up(),
        }
        // The loops of the bridges run now; a lockstep bridge may hold the first step.
        (!self.is_step_held()).then_some(Report::AllStarted)
    }

    /// Completes the start of all plugins: runs the first reset, and creates the endpoints of topics.
    fn finish_start(&mut self, is_new_run: bool) {
        let now = self.now();
        let Some(loaded) = &mut self.loaded else { return };
        loaded.scene.open_topics(&self.shared, &loaded.world.borrow());
        if let Some(topics) = &mut loaded.scene_topics {
            topics.open(&self.shared);
        }
        self.traffic.sync_models(&mut loaded.models);
        if is_new_run {
            let faults = loaded.first_reset(now);
            self.traffic.router.restore(now);
            loaded.reset_failure = failed_plugin(&faults);
            self.handle_faults(faults);
        } else {
            self.catch_up();
        }
        self.traffic.sync_endpoints();
        if let Some(loaded) = &mut self.loaded {
            loaded.scene.publish(&mut self.traffic, now);
            loaded.publish_scene(&mut self.traffic, now, When::Now);
        }
        self.begin_triggers(is_new_run);
        self.traffic.start_loops();
    }

    /// Brings plugins that started later to the state of the others.
    fn catch_up(&mut self) {
        let (now, has_begun) = (self.now(), self.machine().has_begun_run());
        let Some(loaded) = &mut self.loaded else { return };
        let faults = loaded.catch_up(has_begun, now);
        self.traffic.sync_models(&mut loaded.models);
        self.handle_faults(faults);
    }

    /// Includes plugins that started after their deadline in the run.
    pub(super) fn adopt_late_starters(&mut self) {
        let (now, is_paused) = (self.now(), self.state() == State::Pause);
        let Some(loaded) = &mut self.loaded else { return };
        if loaded.starting_plugins().next().is_none() {
            return;
        }
        let faults = loaded.adopt_late(&self.shared, now, is_paused);
        self.traffic.sync_models(&mut loaded.models);
        self.handle_faults(faults);
        if let Some(loaded) = &mut self.loaded {
            loaded.report_late(self.config.start_timeout, &mut self.record);
        }
    }

    /// Lets the next step wait for what was just added, if the run is paused. A run that is not paused does not wait.
    pub(super) fn expect_additions(&mut self) {
        if self.state() == State::Pause
            && let Some(loaded) = &mut self.loaded
        {
            loaded.start.has_additions = true;
        }
    }

    /// Lets the next step wait for an entity that is being prepared, if the run is paused. Returns true if it does; then
    /// [`Self::end_expected_spawn`] must follow.
    pub fn expect_spawn(&mut self) -> bool {
        let is_paused = self.state() == State::Pause;
        if let (true, Some(loaded)) = (is_paused, &mut self.loaded) {
            loaded.start.expected_spawns += 1;
            loaded.start.has_additions = true;
        }
        is_paused
    }

    /// Ends the wait for an entity, which is in the world now or was refused.
    pub fn end_expected_spawn(&mut self) {
        if let Some(loaded) = &mut self.loaded {
            loaded.start.expected_spawns = loaded.start.expected_spawns.saturating_sub(1);
        }
    }

    /// Returns true while entities, plugins and bridges that were added during the last pause are prepared, start and
    /// connect. The first step after a pause waits for them, so that equal commands between equal steps give equal runs.
    pub(super) fn is_awaiting_additions(&mut self) -> bool {
        if !self.loaded.as_ref().is_some_and(|loaded| loaded.start.has_additions) {
            return false;
        }
        self.adopt_late_starters();
        self.poll_bridges();
        let Some(loaded) = &mut self.loaded else { return false };
        let is_connecting = self.traffic.bridges.is_connecting_first();
        let start = &mut loaded.start;
        start.has_additions = start.is_starting() || is_connecting || start.expected_spawns > 0;
        if loaded.start.has_additions {
            // Starts and connections have deadlines of their own.
            self.shared.watchdog.rest();
            self.shared.requests.wait(POLL);
            self.shared.watchdog.enter(State::StepBegin);
        }
        loaded.start.has_additions
    }

    /// Ends a run: writes the configured world file and snapshot, then stops the plugins, the last one first.
    pub(super) fn stop_plugins(&mut self, manner: Manner) -> Report {
        let now = self.now();
        if let Some(loaded) = &mut self.loaded {
            loaded.publish_scene(&mut self.traffic, now, When::Now);
            self.record.set_state_hash(loaded.state_hash());
        }
        self.save_at_end();
        self.snapshot_at_end();
        let is_interrupted =
            self.machine().verdict().is_some_and(|verdict| verdict.outcome == Outcome::Stopped);
        if let (true, Some(loaded)) = (is_interrupted, &mut self.loaded) {
            loaded.models.interrupt_starts(&loaded.start.tracker);
        }
        let faults = self.loaded.as_mut().map(|loaded| loaded.models.stop()).unwrap_or_default();
        for (label, fault) in faults {
            match (fault, manner) {
                (Fault::Failed(reason) | Fault::FailedToLoad(reason), Manner::BestEffort) => {
                    log::warn!(target: &label, "{reason}")
                }
                (Fault::Failed(reason) | Fault::FailedToLoad(reason), Manner::Orderly) => {
                    self.record.error(plugin_is_disabled(&label, &reason));
                }
                (asked @ Fault::Requested(..), _) => self.handle_faults(vec![(label, asked)]),
            }
        }
        if let Some(loaded) = &mut self.loaded {
            loaded.start.tracker.clear();
        }
        Report::PluginsStopped
    }

    /// Disconnects and removes the bridges for which `which` returns true.
    pub(super) fn end_bridges(&mut self, which: impl Fn(&BridgeInstance) -> bool) {
        for problem in self.traffic.end_bridges(which) {
            self.record.error(problem);
        }
        self.keep_reported_errors();
    }
}
