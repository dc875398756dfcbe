//! Checks the stamps of the messages that plugins publish on a topic: a recording with a message of the future, or of which
//! time runs backwards, cannot be played.

use super::{Moment, TopicEntry};
use bridgehead_runtime::call;

/// The stamps of one topic.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// The publisher of the last message, as the address of its name, and the stamp. Several may publish on a topic.
    last: Option<(usize, i64)>,
    /// A plugin that is wrong is so in every step.
    is_reported: bool,
}

impl Stamps {
    /// Notes a stamp; returns what is wrong with it, once for each topic.
    pub(super) fn check(&mut self, publisher: &str, stamp_ns: i64, now: Moment) -> Option<String> {
        let publisher = publisher.as_ptr().addr();
        let before = self.last.replace((publisher, stamp_ns));
        let earlier = before.filter(|(by, earlier)| *by == publisher && *earlier > stamp_ns);
        if earlier.is_none() && (0..=now.time_ns).contains(&stamp_ns) {
            return None;
        }
        if std::mem::replace(&mut self.is_reported, true) {
            return None;
        }
        Some(match earlier {
            _ if stamp_ns > now.time_ns => format!("{stamp_ns} ns, in the step at {} ns", now.time_ns),
            _ if stamp_ns < 0 => format!("{stamp_ns} ns: simulated time begins at 0"),
            Some((_, earlier)) => format!("{stamp_ns} ns, after one of {earlier} ns"),
            None => format!("{stamp_ns} ns"),
        })
    }

    /// Forgets the last stamp at a reset, after which time begins again.
    pub(super) fn reset(&mut self) {
        self.last = None;
    }
}

impl TopicEntry {
    /// Reports a stamp of another time. The message is delivered as it is.
    pub(super) fn check_stamp(&mut self, publisher: &str, stamp_ns: i64, now: Moment) {
        // Messages of the host come without a name.
        if let Some(found) = self.stamps.check(publisher, stamp_ns, now)
            && !publisher.is_empty()
        {
            let text = format!("published a message on `{}` with the stamp {found}", self.topic.name);
            call::breach_of(call::Rule::Stamp, publisher, &text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment { step: 3, time_ns: 30, reset_epoch: 0 };

    #[test]
    fn stamps_lie_between_zero_and_now_and_do_not_run_backwards() {
        for (stamps, expected) in [
            (&[0, 10, 10, 30][..], ""),
            (&[31], "31 ns, in the step at 30 ns"),
            (&[i64::MAX], "9223372036854775807 ns, in the step at 30 ns"),
            (&[-1], "-1 ns: simulated time begins at 0"),
            (&[20, 10, 5], "10 ns, after one of 20 ns"),
        ] {
            let mut of_topic = Stamps::default();
            let found: Vec<String> =
                stamps.iter().filter_map(|stamp| of_topic.check("car1/imu", *stamp, NOW)).collect();
            assert_eq!(found.concat(), expected, "{stamps:?}");
        }
    }

    #[test]
    fn publishers_of_one_topic_and_epochs_have_stamps_of_their_own() {
        let mut of_topic = Stamps::default();
        let (first, second) = ("car1/odometry", "car1/pose");
        assert_eq!(of_topic.check(first, 20, NOW), None);
        assert_eq!(of_topic.check(second, 10, NOW), None);
        of_topic.reset();
        assert_eq!(of_topic.check(second, 0, NOW), None);
    }
}
