//! The reset cascade: bridges acknowledge it, then the world, the data path and the plugins are reset.

use bridgehead_lifecycle::{Cause, Report, ResetScope};

use super::Simulation;
use super::entities::RestoreWorldError;
use crate::model_plugin::Fault;
use crate::trigger::Signal;

impl Simulation {
    /// Runs the cascade for `scope`.
    pub(super) fn reset(&mut self, scope: ResetScope) -> Report {
        self.signal_triggers(Signal::Reset);
        self.timeline.begin_reset();
        let ticket = u64::from(self.timeline.totals().resets);
        self.traffic.notify_reset(self.timeline.now(), scope, ticket);
        if let Err(error) = self.reset_world(scope) {
            return Report::ResetFailed(Cause::Host(error.to_string()));
        }
        self.reset_traffic(scope);
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

    /// Resets queues, sequence numbers, time and triggers.
    fn reset_traffic(&mut self, scope: ResetScope) {
        if let Some(loaded) = &mut self.loaded {
            loaded.models.discard();
            loaded.models.expect_nothing();
        }
        self.traffic.reset();
        if scope.contains(ResetScope::TIME) {
            self.timeline.rewind();
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

/// Returns the first plugin that failed, as a cause.
pub(super) fn failed_plugin(faults: &[(String, Fault)]) -> Option<Cause> {
    faults.iter().find_map(|(name, fault)| match fault {
        Fault::Failed(reason) => Some(Cause::Plugin { name: name.clone(), reason: reason.clone() }),
        Fault::FailedToLoad(_) | Fault::Requested(..) => None,
    })
}
