//! Notices of the lifecycle, for plugins, bridges and triggers.

use bridgehead_abi::bridge::{
    NOTICE_PAUSED, NOTICE_RESUMED, NOTICE_STARTED, NOTICE_STOPPED, Notice as RawNotice,
};
use bridgehead_lifecycle::{Interrupt, Notice, Request};

use super::Simulation;
use crate::trigger::Signal;

impl Simulation {
    /// Carries out an announcement: first plugins, then bridges, then triggers.
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
        self.announce_to_plugins(notice);
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

    fn announce_to_plugins(&mut self, notice: Notice) {
        let Some(loaded) = &mut self.loaded else { return };
        let faults = match notice {
            Notice::AllStarted => loaded.models.all_started(),
            Notice::Paused => loaded.models.pause(),
            Notice::Resumed => loaded.models.resume(),
            Notice::Stopped | Notice::Succeeded | Notice::Failed => Vec::new(),
        };
        let reset_failure = loaded.reset_failure.take();
        self.handle_faults(faults);
        if let Some(cause) = reset_failure {
            self.shared.requests.push(Request::new(Interrupt::Abort, cause));
        }
    }
}
