//! The reset cascade: bridges acknowledge it, then the world, the data path and the plugins are reset.

use bridgehead_lifecycle::{Cause, Report, ResetScope};

use super::entities::RestoreWorldError;
use super::faults::failed_plugin;
use super::simulation::Simulation;
use super::snapshot::Restored;
use crate::trigger::Signal;

impl Simulation {
    /// Runs the cascade for `scope`.
    pub(super) fn reset(&mut self, scope: ResetScope) -> Report {
        match self.return_to_snapshot() {
            None => self.reset_to_beginning(scope),
            Some(Ok(restored)) => self.reset_to(restored),
            // Nothing has changed, and the client that asked for it is told why.
            Some(Err(())) => Report::ResetDone,
        }
    }

    /// Runs the cascade for a world that has the state of a snapshot already.
    fn reset_to(&mut self, restored: Restored) -> Report {
        let Restored { step, time_ns, plugins, topics } = restored;
        self.announce_reset(ResetScope::ALL);
        self.reset_traffic(ResetScope::ALL, Some((step, time_ns)));
        let report = match self.reset_plugins(ResetScope::ALL) {
            Report::ResetDone => self.load_plugins(plugins, topics),
            failed => failed,
        };
        self.traffic.announce_time(self.timeline.now());
        report
    }

    /// Begins the epoch after a reset, and has bridges acknowledge it.
    fn announce_reset(&mut self, scope: ResetScope) {
        self.signal_triggers(Signal::Reset);
        self.timeline.begin_reset();
        let ticket = u64::from(self.timeline.totals().resets);
        self.traffic.notify_reset(self.timeline.now(), scope, ticket);
    }

    fn reset_to_beginning(&mut self, scope: ResetScope) -> Report {
        self.announce_reset(scope);
        if let Err(error) = self.reset_world(scope) {
            return Report::ResetFailed(Cause::Host(error.to_string()));
        }
        self.reset_traffic(scope, None);
        let report = self.reset_plugins(scope);
        if scope.contains(ResetScope::TIME) {
            self.traffic.announce_time(self.timeline.now());
        }
        report
    }

    /// Resets entities, bodies, joints and motor targets.
    fn reset_world(&mut self, scope: ResetScope) -> Result<(), RestoreWorldError> {
        if scope.contains(ResetScope::SPAWNED) {
            self.remove_spawned()?;
        }
        if scope.contains(ResetScope::SPAWNED | ResetScope::STATE) {
            return self.restore_world();
        }
        match &mut self.loaded {
            Some(loaded) if scope.contains(ResetScope::STATE) => Ok(loaded.world.get_mut().reset_state()?),
            Some(_) | None => Ok(()),
        }
    }

    /// Resets queues, sequence numbers, time and triggers. Time begins at the step and the time of `to`, or at zero.
    fn reset_traffic(&mut self, scope: ResetScope, to: Option<(u64, i64)>) {
        if let Some(loaded) = &mut self.loaded {
            loaded.models.discard();
            loaded.models.expect_nothing();
        }
        self.traffic.reset();
        if scope.contains(ResetScope::TIME) {
            self.timeline.rewind();
        }
        if let Some((step, time_ns)) = to {
            self.timeline.continue_from(step, time_ns);
        }
        self.triggers.reset(scope, self.timeline.now());
        self.shared.clock.set(self.timeline.now(), self.timeline.width_ns());
    }

    fn reset_plugins(&mut self, scope: ResetScope) -> Report {
        let Some(loaded) = &mut self.loaded else {
            return Report::ResetDone;
        };
        let faults = loaded.models.reset(&loaded.world, u32::from(scope.bits()));
        let failed = failed_plugin(&faults);
        self.handle_faults(faults);
        failed.map_or(Report::ResetDone, Report::ResetFailed)
    }
}
