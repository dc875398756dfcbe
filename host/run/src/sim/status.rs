//! The status of a run while it runs, and its result at the end.

use std::time::{Duration, Instant};

use bridgehead_lifecycle::Outcome;

use super::Simulation;
use crate::clock;
use crate::config::LossPolicy;
use crate::report::{PluginResult, RunResult, Statistics, Status, Watcher};

/// Interval at which the watcher gets the status.
const PERIOD: Duration = Duration::from_secs(1);
/// Exit code of a run that could not write a requested file, if its outcome has none.
const EXIT_UNWRITTEN: u8 = 1;

/// When the status is due, and the message count of the last one.
pub(super) struct StatusTimer {
    due: Instant,
    /// Published messages so far, at the last status.
    published: u64,
}

impl StatusTimer {
    pub(super) fn new(now: Instant) -> Self {
        StatusTimer { due: now, published: 0 }
    }

    /// Returns the wall time since the last status, if the next one is due.
    fn take_elapsed(&mut self, now: Instant) -> Option<Duration> {
        let late = now.checked_duration_since(self.due)?;
        self.due = now + PERIOD;
        Some(late + PERIOD)
    }

    /// Returns the messages per second since the last status.
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    fn rate(&mut self, published: u64, elapsed: Duration) -> f64 {
        let new = published - std::mem::replace(&mut self.published, published);
        new as f64 / elapsed.as_secs_f64()
    }
}

impl Simulation {
    pub(super) fn show_status(&mut self, watcher: &mut dyn Watcher) {
        let Some(elapsed) = self.status.take_elapsed(clock::now()) else { return };
        let router = &self.traffic.router;
        let messages_per_second = self.status.rate(router.published(), elapsed);
        self.traffic.rates.sample(&router.report(), elapsed);
        watcher.status(&Status {
            state: self.state(),
            time: self.timeline.elapsed(),
            real_time_factor: self.shared.clock.factor(),
            messages_per_second,
            dropped: self.traffic.router.dropped(),
        });
    }

    /// Returns the results of all model plugins: first the removed ones, then the current ones in document order.
    #[must_use]
    pub fn plugin_results(&self) -> Vec<PluginResult> {
        let present = self.loaded.iter().flat_map(|loaded| loaded.models.results());
        self.record.removed_plugins().iter().cloned().chain(present).collect()
    }

    /// Returns the times of the steps so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.cycle.statistics(self.shared.clock.factor())
    }

    /// Clears all statistics: those of steps, and those of the calls of each plugin.
    pub fn reset_statistics(&mut self) {
        self.cycle.clear();
        if let Some(loaded) = &mut self.loaded {
            loaded.models.reset_timings();
        }
    }

    pub(super) fn result(&self) -> RunResult {
        let machine = self.machine();
        let (outcome, totals) = (machine.outcome(), self.timeline.totals());
        let cause = match machine.verdict() {
            Some(verdict) => verdict.cause.to_string(),
            None => self.requests.stop_cause().to_owned(),
        };
        let losses = match self.config.on_loss {
            LossPolicy::Fail => self.record.losses(),
            LossPolicy::Ignore => 0,
        };
        let (outcome, cause) = match (outcome, losses) {
            (outcome, 0) => (outcome, cause),
            (Outcome::Success | Outcome::Stopped, 1) => {
                (Outcome::Failure, "the world is incomplete: it has an error".to_owned())
            }
            (Outcome::Success | Outcome::Stopped, count) => {
                (Outcome::Failure, format!("the world is incomplete: it has {count} errors"))
            }
            (outcome, _) => (outcome, cause),
        };
        RunResult {
            outcome,
            cause,
            exit_code: match outcome.exit_code(self.config.require_success) {
                0 if self.record.has_unwritten() => EXIT_UNWRITTEN,
                exit_code => exit_code,
            },
            world: self.record.world.clone(),
            seed: self.config.seed,
            steps: self.now().step,
            time: self.timeline.elapsed(),
            total_steps: totals.steps,
            simulated: totals.simulated,
            resets: totals.resets,
            wall: totals.wall,
            real_time_factor: totals.real_time_factor(),
            state_hash: self.record.state_hash(),
            topics: self.traffic.topics(),
            bridges: self.traffic.bridge_results(),
            plugins: self.plugin_results(),
            unsupported: self.record.unsupported.iter().cloned().collect(),
            triggers: self.triggers.history().clone(),
            statistics: self.statistics(),
            versions: self.libraries.versions(),
            errors: self.record.errors().to_vec(),
        }
    }
}
