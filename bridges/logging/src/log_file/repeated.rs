//! The messages that a new part repeats, so that it can be read alone. Plain data.

use bridgehead_plugin_api::messages::RecordTime;

use crate::topic::{Record, Repeats};

/// The messages with which the next part begins, in the order in which they were written.
#[derive(Default)]
pub(super) struct Repeated(Vec<Record>);

impl Repeated {
    /// Takes note of a message that was written.
    pub(super) fn add(&mut self, record: &Record) {
        let is_of_topic = |kept: &Record| kept.topic.name == record.topic.name;
        match record.topic.repeats {
            Repeats::Nothing => return,
            Repeats::Last => self.0.retain(|kept| !is_of_topic(kept)),
            Repeats::All => {}
        }
        self.0.push(record.clone());
    }

    /// Returns the messages with the time at which a part begins: earlier ones would not be in its order.
    pub(super) fn at(&self, time: &RecordTime) -> Vec<Record> {
        let at_begin = |record: &Record| Record {
            time: RecordTime { sequence: record.time.sequence, ..*time },
            ..record.clone()
        };
        self.0.iter().map(at_begin).collect()
    }
}
