//! What a run says of itself, while it runs and at its end.

use super::{STATUS_PERIOD, Simulation};
use crate::report::{RunResult, Status, Versions, Watcher};

impl Simulation {
    pub(super) fn show_status(&mut self, watcher: &mut dyn Watcher) {
        let now = crate::clock::now();
        if now < self.status_due {
            return;
        }
        let elapsed = now.saturating_duration_since(self.status_due) + STATUS_PERIOD;
        self.status_due = now + STATUS_PERIOD;
        let published = self.router.published();
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = (published - self.published_at_status) as f64 / elapsed.as_secs_f64();
        self.published_at_status = published;
        self.rates.sample(&self.router.report(), elapsed);
        watcher.status(&Status {
            state: self.lifecycle.machine().state(),
            time: self.timeline.elapsed(),
            real_time_factor: self.shared.clock.factor(),
            messages_per_second: rate,
            dropped: self.router.dropped(),
        });
    }

    pub(super) fn result(&self) -> RunResult {
        let machine = self.lifecycle.machine();
        let outcome = machine.outcome();
        let totals = self.timeline.totals();
        RunResult {
            outcome,
            cause: machine
                .verdict()
                .map_or_else(|| self.requests.stop_cause().to_owned(), |verdict| verdict.cause.to_string()),
            exit_code: outcome.exit_code(self.config.require_success),
            world: self.world_name.clone(),
            seed: self.config.seed,
            steps: self.now().step,
            time: self.timeline.elapsed(),
            total_steps: totals.steps,
            simulated: totals.simulated,
            resets: totals.resets,
            wall: totals.wall,
            real_time_factor: totals.real_time_factor(),
            state_hash: self.state_hash,
            topics: self.router.report(),
            bridges: self.bridges.results(),
            plugins: self.models.results(),
            unsupported: self.unsupported.iter().cloned().collect(),
            triggers: self.triggers.history().clone(),
            statistics: self.statistics(),
            versions: Versions::of(&self.plugins),
            errors: self.errors.clone(),
        }
    }
}
