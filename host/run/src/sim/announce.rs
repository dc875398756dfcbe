//! Notices of the lifecycle, for plugins, bridges and triggers.

use bridgehead_abi::bridge::{
    NOTICE_PAUSED, NOTICE_RESUMED, NOTICE_STARTED, NOTICE_STOPPED, Notice as RawNotice,
};
use bridgehead_lifecycle::{Cause, Interrupt, Notice, Request};

use super::loaded::LoadedWorld;
use super::simulation::Simulation;
use crate::model_plugin::Fault;
use crate::trigger::Signal;

impl Simulation {
    /// Announces a notice to plugins, then to bridges, then to triggers.
    pub(super) fn announce(&mut self, notice: Notice) {
        log::debug!("announce {notice:?}");
        let (kind, signal) = match notice {
            Notice::AllStarted => (NOTICE_STARTED, None),
            Notice::Paused => (NOTICE_PAUSED, Some(Signal::Pause)),
            Notice::Resumed => (NOTICE_RESUMED, Some(Signal::Resume)),
            Notice::Stopped => (NOTICE_STOPPED, Some(Signal::Stop)),
            Notice::Succeeded => return self.signal_triggers(Signal::Success),
            Notice::Failed => return self.signal_triggers(Signal::Failure),
        };
        if notice == Notice::Resumed {
            self.counts_steps = self.machine().steps_left().is_some();
        }
        let counts_steps = self.counts_steps;
        if let Some(loaded) = &mut self.loaded {
            let (faults, reset_failure) = loaded.announce(notice, counts_steps);
            self.handle_faults(faults);
            if let Some(cause) = reset_failure {
                self.shared.requests.push(Request::new(Interrupt::Abort, cause));
            }
        }
        let now = self.now();
        self.traffic.notify(&RawNotice {
            struct_size: RawNotice::SIZE,
            kind,
            scope: 0,
            reset_epoch: now.reset_epoch,
            time_ns: now.time_ns,
            ticket: 0,
        });
        if notice == Notice::Stopped {
            self.record.flush();
        }
        if let Some(signal) = signal {
            self.signal_triggers(signal);
        }
    }
}

impl LoadedWorld {
    /// Calls every plugin. Also returns the cause of a failed first reset, which aborts the run.
    fn announce(&mut self, notice: Notice, counts_steps: bool) -> (Vec<(String, Fault)>, Option<Cause>) {
        let faults = match notice {
            Notice::AllStarted => self.models.all_started(),
            Notice::Paused => self.models.pause(counts_steps),
            Notice::Resumed => self.models.resume(counts_steps),
            Notice::Stopped | Notice::Succeeded | Notice::Failed => Vec::new(),
        };
        (faults, self.reset_failure.take())
    }
}
