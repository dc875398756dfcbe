//! A topic of a recording: its type, and where its messages are.

use bridgehead_plugin_api::messages::{JsonPlan, MessageType};

/// Where a message is in the file, and when it was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Time of the recording, nanoseconds. Never less than that of the message before on the topic.
    pub time_ns: u64,
    /// Simulated time stamp, nanoseconds.
    pub stamp_ns: i64,
    /// The step in which it was published.
    pub step: u64,
    /// Resets before it.
    pub epoch: u32,
    /// Number of the message on its topic, modulo 2³².
    pub sequence: u32,
    /// Position of its bytes in the file.
    pub at: u64,
    /// Number of its bytes.
    pub length: u32,
}

/// A topic of a recording.
pub struct Topic {
    /// Full name.
    pub name: String,
    /// The vehicle; empty for the world.
    pub vehicle: String,
    /// Type of its messages.
    pub message: MessageType,
    /// Writes them as JSON.
    pub plan: JsonPlan,
    /// Its messages, in the order of the file.
    pub entries: Vec<Entry>,
}

impl Topic {
    pub(super) fn new(name: String, vehicle: String, message: MessageType) -> Self {
        let plan = JsonPlan::compile(&message);
        Topic { name, vehicle, message, plan, entries: Vec::new() }
    }

    /// Adds the next message.
    pub(super) fn push(&mut self, entry: Entry) {
        let last = self.entries.last().map_or(0, |last| last.time_ns);
        self.entries.push(Entry { time_ns: entry.time_ns.max(last), ..entry });
    }

    /// Returns the number of messages up to a time of the recording, which is the index of the next one.
    #[must_use]
    pub fn count_at(&self, time_ns: u64) -> usize {
        self.entries.partition_point(|entry| entry.time_ns <= time_ns)
    }

    /// Returns the newest message at a time.
    #[must_use]
    pub fn newest_at(&self, time_ns: u64) -> Option<&Entry> {
        self.entries.get(self.count_at(time_ns).checked_sub(1)?)
    }

    /// Returns the messages after `from` up to `to`.
    #[must_use]
    pub fn between(&self, from: u64, to: u64) -> &[Entry] {
        self.entries.get(self.count_at(from)..self.count_at(to)).unwrap_or_default()
    }
}
