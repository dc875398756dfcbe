//! The reset cascade: bridges are told and acknowledge, then helpers, devices and plugins are reset.

use std::time::Duration;

use bridgehead_abi::bridge::{NOTICE_RESET, Notice};
use bridgehead_lifecycle::{Cause, Report, ResetScope};

use super::Simulation;
use super::load::width_ns;
use crate::bus::Moment;
use crate::model_plugin::Fault;
use crate::trigger::Signal;

/// How long bridges may take to acknowledge a reset.
const ACKNOWLEDGE: Duration = Duration::from_secs(2);

impl Simulation {
    /// Runs the cascade for `scope`.
    pub(super) fn reset(&mut self, scope: ResetScope) -> Report {
        self.fire(Signal::Reset);
        self.now.reset_epoch += 1;
        self.totals.resets += 1;
        self.tell_bridges(scope);
        if let Err(report) = self.reset_helpers(scope) {
            return report;
        }
        self.reset_devices(scope);
        self.reset_plugins(scope)
    }

    fn tell_bridges(&mut self, scope: ResetScope) {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.bridges.notice(&Notice {
            struct_size: Notice::SIZE,
            kind: NOTICE_RESET,
            scope: u32::from(scope.bits()),
            reset_epoch: self.now.reset_epoch,
            time_ns: self.now.time_ns,
            ticket,
        });
        let late = self.shared.lockstep.wait_for_acknowledgements(ACKNOWLEDGE);
        if !late.is_empty() {
            log::warn!("[BH-BRG-033] no acknowledgement of the reset from {}", self.bridges.labels(&late));
        }
    }

    /// Bodies, joints and motor targets.
    fn reset_helpers(&mut self, scope: ResetScope) -> Result<(), Report> {
        let failed = |why: String| Report::ResetFailed(Cause::Host(why));
        if scope.contains(ResetScope::SPAWNED) {
            self.remove_spawned().map_err(failed)?;
        }
        if scope.contains(ResetScope::SPAWNED | ResetScope::STATE) {
            return self.begin_again().map_err(failed);
        }
        let Some(world) = self.world.as_ref().filter(|_| scope.contains(ResetScope::STATE)) else {
            return Ok(());
        };
        world.borrow_mut().reset_state().map_err(|error| failed(error.to_string()))
    }

    /// Queues, sequence numbers, time.
    fn reset_devices(&mut self, scope: ResetScope) {
        self.models.discard();
        self.models.expect_nothing();
        self.shared.inbox.clear();
        self.router.reset();
        if scope.contains(ResetScope::TIME) {
            self.now = Moment { reset_epoch: self.now.reset_epoch, ..Moment::default() };
        }
        self.reset_triggers(scope);
        self.shared.clock.set(self.now, width_ns(self.width));
    }

    fn reset_plugins(&mut self, scope: ResetScope) -> Report {
        let Some(world) = &self.world else {
            return Report::ResetDone;
        };
        let faults = self.models.reset(world, u32::from(scope.bits()));
        let failed = failed_plugin(&faults);
        self.handle_faults(faults);
        failed.map_or(Report::ResetDone, Report::ResetFailed)
    }
}

/// The first plugin that failed, as the cause of what follows.
pub(super) fn failed_plugin(faults: &[(String, Fault)]) -> Option<Cause> {
    faults.iter().find_map(|(name, fault)| match fault {
        Fault::Failed(reason) => Some(Cause::Plugin { name: name.clone(), reason: reason.clone() }),
        Fault::Requested(..) => None,
    })
}
