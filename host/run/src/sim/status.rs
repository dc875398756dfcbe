//! The status of a run while it runs, and its result at the end.

pub(super) mod timer;

use bridgehead_lifecycle::Outcome;

use super::simulation::Simulation;
use crate::clock;
use crate::config::LossPolicy;
use crate::report::{PluginResult, RunResult, Statistics, Status, Watcher};

/// Exit code of a run that could not write a requested file, if its outcome has none.
const EXIT_UNWRITTEN: u8 = 1;

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
