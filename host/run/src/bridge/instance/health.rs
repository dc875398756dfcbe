//! What shows that a connected bridge does not do its work: a loop that has ended, messages that it does not take, a
//! `status` that takes long. Each is logged when it is first seen, because the totals alone do not say why.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::BridgeInstance;
use crate::bridge::loops::report_end;

/// A slow `status`: the simulation thread calls it in every step.
const SLOW: Duration = Duration::from_millis(2);
/// Slow ones before it is said. A busy machine also delays a few.
const SLOW_CALLS: u32 = 20;

impl BridgeInstance {
    /// Notes the time of a poll, and says if they take long.
    pub fn note_poll(&mut self, took: Duration) {
        self.polls.busy += took;
        if took < SLOW {
            return;
        }
        self.polls.slow = self.polls.slow.saturating_add(1);
        if self.polls.slow == SLOW_CALLS {
            log::warn!(
                target: &self.label,
                "[BH-BRG-035] `status` takes {took:.1?}, and the simulation waits for it in every step"
            );
        }
    }

    /// Says what is wrong with a bridge that says that it is connected.
    pub(super) fn check_flow(&mut self) {
        // A receive loop may have nothing left to do, like that of a recording; messages wait for a transmit loop.
        if self.has_left.load(Ordering::Relaxed) && !self.queue.is_empty() {
            self.has_left.store(false, Ordering::Relaxed);
            self.failure =
                report_end(&self.label, "transmit", "it returned, although the bridge is connected");
        }
        if let Some(taken) = self.queue.take_first_drop() {
            let how = match taken {
                0 => "the bridge has taken none of them".to_owned(),
                taken => format!("the bridge takes them too slowly; it has taken {taken} so far"),
            };
            log::warn!(target: &self.label, "[BH-BRG-036] messages are dropped, because the queue is full: {how}");
        }
    }
}
