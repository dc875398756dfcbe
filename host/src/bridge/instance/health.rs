//! What shows that a connected bridge does not do its work: a loop that has ended, messages that it does not take, a
//! `status` that takes long. Each is logged once for each connection, because the totals alone do not say why.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use super::BridgeInstance;

/// A slow `status`: the simulation thread calls it in every step.
const SLOW: Duration = Duration::from_millis(2);
/// Slow ones before it is said. A busy machine also delays a few.
const SLOW_CALLS: u32 = 20;

/// The loops of a bridge that have returned without having been told to.
#[derive(Debug, Default)]
pub(in crate::bridge) struct EndedLoops(AtomicU8);

/// Names of the loops, by their bits in [`EndedLoops`].
const LOOPS: [&str; 2] = ["transmit", "receive"];

impl EndedLoops {
    /// Notes the end of a loop.
    pub(in crate::bridge) fn add(&self, which: &str) {
        let bit = LOOPS.iter().position(|name| *name == which).map_or(0, |index| 1 << index);
        self.0.fetch_or(bit, Ordering::Release);
    }

    /// Forgets the ends of an earlier connection.
    pub(in crate::bridge) fn clear(&self) {
        self.0.store(0, Ordering::Release);
    }

    /// Takes the names of the loops that have ended since the last call.
    fn take(&self) -> impl Iterator<Item = &'static str> {
        let bits = if self.0.load(Ordering::Relaxed) == 0 { 0 } else { self.0.swap(0, Ordering::AcqRel) };
        LOOPS.into_iter().enumerate().filter(move |(index, _)| bits & (1 << index) != 0).map(|(_, name)| name)
    }
}

/// Logs that a loop has ended by itself. Returns the text.
pub(in crate::bridge) fn report_end(label: &str, which: &str, reason: &str) -> String {
    let text = format!("the {which} loop has ended: {reason}");
    log::error!(target: label, "[BH-BRG-017] {text}");
    text
}

/// What the polls of one bridge took.
#[derive(Debug, Default)]
pub(super) struct Polls {
    /// Time of the polls that were measured.
    pub(super) busy: Duration,
    slow: u32,
}

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
        for which in self.ended_loops.take() {
            self.failure = report_end(&self.label, which, "it returned, although the bridge is connected");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_of_a_loop_is_taken_once() {
        let ended = EndedLoops::default();
        assert_eq!(ended.take().count(), 0);
        ended.add("receive");
        ended.add("transmit");
        assert_eq!(ended.take().collect::<Vec<_>>(), ["transmit", "receive"]);
        ended.add("receive");
        ended.clear();
        assert_eq!(ended.take().count(), 0);
    }
}
