//! From a loaded world to the first step: bridges connect, plugins start, the first reset runs.

use std::time::Duration;

use bridgehead_lifecycle::{Need, Report, State};

use super::Simulation;
use super::reset::failed_plugin;
use crate::report::{StartProgress, Watcher};

/// How long the loop waits at once for connections and starts.
const POLL: Duration = Duration::from_millis(2);

impl Simulation {
    /// Follows the connections: every instance has its first chance, required ones must succeed.
    pub(super) fn poll_connect(&mut self) -> Option<Report> {
        if let Some(cause) = self.bridges.poll(&mut self.router) {
            self.errors.push(cause.to_string());
            return Some(Report::ConnectFailed(cause));
        }
        if self.bridges.is_connecting() {
            self.shared.watchdog.waits_for(self.bridges.connecting());
            self.shared.requests.wait(POLL);
            return None;
        }
        Some(Report::BridgesConnected)
    }

    pub(super) fn start_plugins(&mut self) {
        (self.plugins_run, self.all_started_told) = (true, false);
        let deadline = self.start_deadline();
        let need = if self.config.strict { Need::Required } else { Need::Optional };
        self.models.start(&mut self.tracker, need, deadline);
    }

    /// Follows the starts; once all have ended runs the first reset.
    pub(super) fn poll_start(&mut self, watcher: &mut dyn Watcher) -> Option<Report> {
        for (label, reason) in self.models.poll_starts(&self.shared, &mut self.tracker) {
            self.note_error(format!("[BH-PLG-097] plugin `{label}` could not start: {reason}"));
        }
        self.note_late();
        self.show_progress(watcher);
        let Some(report) = self.tracker.report() else {
            let late = self.tracker.waiting().map(|label| format!("the start of `{label}`"));
            self.shared.watchdog.waits_for(late.collect());
            self.shared.requests.wait(POLL);
            return None;
        };
        if report != Report::AllStarted {
            return Some(report);
        }
        if !std::mem::replace(&mut self.is_start_finished, true) {
            self.finish_start();
        } else {
            // Who came since then.
            self.catch_up();
        }
        // The loops run now; a bridge that feeds exact steps may hold the first one.
        (!self.is_held()).then_some(Report::AllStarted)
    }

    /// Everything has started: the first reset runs, and topics get their ways through the bridges.
    fn finish_start(&mut self) {
        let is_new_run = self.initial_reset;
        self.publish_scene();
        self.router.sync(&self.shared.bus);
        self.models.route_subscriptions(&mut self.router);
        if std::mem::take(&mut self.initial_reset)
            && let Some(world) = &self.world
        {
            let mut faults = self.models.reset(world, bridgehead_abi::bridge::SCOPE_ALL);
            faults.extend(self.models.load(world, self.now()));
            self.router.restore(self.now());
            self.reset_failure = failed_plugin(&faults);
            self.handle_faults(faults);
        } else {
            self.catch_up();
        }
        self.bridges.sync_endpoints(&self.shared, &mut self.router);
        self.route_scene();
        self.begin_triggers(is_new_run);
        self.bridges.start_loops();
    }

    /// Lets plugins that started after their deadline take part.
    pub(super) fn adopt_late_starters(&mut self) {
        let Some(world) = self.world.as_ref().filter(|_| self.tracker.waiting().next().is_some()) else {
            return;
        };
        let mut faults = self.models.adopt_late(&self.shared, &mut self.tracker, world, self.timeline.now());
        if self.state() == State::Pause {
            faults.extend(self.models.pause_new());
        }
        self.router.sync(&self.shared.bus);
        self.models.route_subscriptions(&mut self.router);
        self.handle_faults(faults);
        self.note_late();
    }

    /// Gives those that started behind the others what the others have behind them.
    fn catch_up(&mut self) {
        let Some(world) = &self.world else { return };
        let faults = match self.all_started_told {
            true => self.models.catch_up(world, self.now()),
            false => self.models.reset_new(world, self.now()),
        };
        self.router.sync(&self.shared.bus);
        self.models.route_subscriptions(&mut self.router);
        self.handle_faults(faults);
    }

    /// Names those whose deadline has just passed.
    fn note_late(&mut self) {
        for label in self.tracker.expire(self.uptime_ns()) {
            let patience = self.config.start_timeout;
            self.note_error(format!("[BH-PLG-098] plugin `{label}` has not started after {patience:?}"));
        }
    }

    /// When whoever starts now is late.
    pub(super) fn start_deadline(&self) -> u64 {
        self.uptime_ns() + u64::try_from(self.config.start_timeout.as_nanos()).unwrap_or(u64::MAX / 2)
    }

    fn show_progress(&mut self, watcher: &mut dyn Watcher) {
        let progress = self.tracker.progress();
        watcher.starting(&StartProgress {
            started: progress.started,
            total: progress.total,
            waiting: self.tracker.waiting().map(str::to_owned).collect(),
        });
    }

    /// Nanoseconds since the host began, the clock of start deadlines.
    fn uptime_ns(&self) -> u64 {
        let uptime = crate::clock::now().saturating_duration_since(self.started_at);
        u64::try_from(uptime.as_nanos()).unwrap_or(u64::MAX)
    }
}
