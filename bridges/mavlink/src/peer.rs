//! What is known of the autopilot that is connected: a state without sockets and clocks.
//!
//! PX4 counts its time from the first sample. It boots on this time, so it does not answer at first; from its first answer
//! on, each sample has one, except for some that PX4 leaves out.

use crate::message::{CommandLong, HilActuatorControls, Message};

/// Answers in a row that may be left out.
const MOST_SKIPPED: u32 = 3;
/// The command that asks for a message at an interval (`MAV_CMD_SET_MESSAGE_INTERVAL`).
const SET_MESSAGE_INTERVAL: u16 = 511;
/// The message that it may ask for.
const TRUTH: f32 = 115.0;
/// Shortest interval, µs: that of samples is never shorter.
const SHORTEST_US: f32 = 1000.0;

/// An autopilot.
#[derive(Debug, Default)]
pub(crate) struct Peer {
    /// Time of its first sample, µs.
    first_us: Option<u64>,
    /// Time of its last sample, as the autopilot counts it.
    wanted_us: u64,
    /// True if it has ever answered.
    has_answered: bool,
    /// Samples in a row without an answer.
    skipped: u32,
    /// Samples without an answer, after the first one that had one.
    pub(crate) all_skipped: u64,
    /// Samples so far.
    pub(crate) samples: u64,
    /// Interval of the truth, and its next time, µs; `None` if it was not asked for.
    truth: Option<(u64, Option<u64>)>,
}

impl Peer {
    /// A sample is sent.
    pub(crate) fn sent(&mut self, time_us: u64) {
        self.samples += 1;
        self.wanted_us = time_us - *self.first_us.get_or_insert(time_us);
    }

    /// Returns true for the first sample, which starts the clock of the autopilot and goes alone.
    pub(crate) fn is_first(&self) -> bool {
        self.first_us.is_none()
    }

    /// Returns true if the truth is due at the time of a sample.
    pub(crate) fn is_truth_due(&mut self, time_us: u64) -> bool {
        let Some((interval, next)) = &mut self.truth else { return false };
        let is_due = next.is_none_or(|next| time_us >= next);
        if is_due {
            // At most once for each sample.
            *next = Some((next.unwrap_or(time_us) + *interval).max(time_us + 1));
        }
        is_due
    }

    /// Takes a message. Returns the answer to the last sample, if it is that.
    pub(crate) fn take(&mut self, message: Message) -> Option<HilActuatorControls> {
        match message {
            Message::HilActuatorControls(answer) => {
                self.has_answered = true;
                if self.is_first() || answer.time_usec < self.wanted_us {
                    return None;
                }
                self.skipped = 0;
                Some(answer)
            }
            Message::CommandLong(command) => {
                self.command(&command);
                None
            }
            _ => None,
        }
    }

    fn command(&mut self, command: &CommandLong) {
        let [message, interval, ..] = command.params;
        if command.command != SET_MESSAGE_INTERVAL || (message - TRUTH).abs() > 0.5 {
            return;
        }
        // -1 for never and 0 for the default, which is never.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "casts of floats saturate"
        )]
        let every = |interval: f32| (interval.max(SHORTEST_US) as u64, None);
        self.truth = (interval > 0.0).then(|| every(interval));
    }

    /// Returns true if it has answered before: then it has to.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered
    }

    /// Leaves out the answer to the last sample. Returns false if there were too many of these: then it has to answer.
    pub(crate) fn skip(&mut self) -> bool {
        if self.skipped == MOST_SKIPPED {
            return false;
        }
        self.skipped += 1;
        self.all_skipped += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(time_usec: u64) -> Message {
        HilActuatorControls { time_usec, ..HilActuatorControls::default() }.into()
    }

    fn ask(interval_us: f32, message: f32, command: u16) -> Message {
        let mut params = [0.0; 7];
        (params[0], params[1]) = (message, interval_us);
        CommandLong { params, command, ..CommandLong::default() }.into()
    }

    #[test]
    fn an_answer_is_as_late_as_the_sample_counted_from_the_first_one() {
        let mut peer = Peer::default();
        assert!(peer.is_first() && !peer.has_answered());
        assert_eq!(peer.take(answer(0)), None, "to no sample");
        for time_us in [10_000, 14_000, 18_000] {
            peer.sent(time_us);
        }
        assert!(!peer.is_first() && peer.has_answered());
        assert_eq!(peer.take(answer(4000)), None, "to an older sample");
        assert!(peer.take(answer(8000)).is_some_and(|answer| answer.time_usec == 8000));
        peer.sent(22_000);
        assert_eq!(peer.take(answer(8000)), None);
        assert!(peer.take(answer(12_345)).is_some());
        assert_eq!(peer.samples, 4);
    }

    #[test]
    fn three_answers_in_a_row_may_be_left_out() {
        let mut peer = Peer::default();
        peer.sent(1);
        assert_eq!([(); 4].map(|()| peer.skip()), [true, true, true, false]);
        assert!(peer.take(answer(1)).is_some());
        assert!(peer.skip());
        assert_eq!(peer.all_skipped, 4);
    }

    #[test]
    fn the_truth_is_sent_at_the_interval_that_was_asked_for() {
        let due = |peer: &mut Peer| {
            (1..=10_u64).filter(|sample| peer.is_truth_due(sample * 4000)).collect::<Vec<_>>()
        };
        let mut peer = Peer::default();
        assert!(due(&mut peer).is_empty());
        for other in [ask(5000.0, 114.0, 511), ask(5000.0, 115.0, 512), ask(f32::NAN, 115.0, 511)] {
            assert_eq!(peer.take(other), None);
        }
        assert!(due(&mut peer).is_empty());
        peer.take(ask(8000.0, 115.0, 511));
        assert_eq!(due(&mut peer), [1, 3, 5, 7, 9]);
        peer.take(ask(5000.0, 115.0, 511));
        assert_eq!(due(&mut peer).len(), 8);
        peer.take(ask(-1.0, 115.0, 511));
        assert!(due(&mut peer).is_empty());
    }
}
