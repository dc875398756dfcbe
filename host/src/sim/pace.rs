//! The clock of a run: when it stands, when it runs, and how fast.

use super::Simulation;
use crate::clock::Speed;

impl Simulation {
    pub(super) fn hold_clock(&mut self) {
        self.shared.clock.set_paused(true);
        if let Some(since) = self.totals.running_since.take() {
            self.totals.wall += crate::clock::now().saturating_duration_since(since);
        }
    }

    pub(super) fn release_clock(&mut self) {
        let now = crate::clock::now();
        self.shared.clock.set_paused(false);
        self.pacer.restart(now);
        self.step_due = None;
        self.factor.restart(now);
        self.cycle.restart(now);
        self.totals.running_since = Some(now);
    }

    /// How fast simulated time is meant to run.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.pacer.speed()
    }

    /// Makes simulated time run at another speed from the next step on.
    pub fn set_speed(&mut self, speed: Speed) {
        self.pacer.set_speed(speed, crate::clock::now());
        self.step_due = None;
    }
}
