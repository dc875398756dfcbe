//! Orders the messages of several instances in one file by step, so that the file is the same in every run.
//!
//! Each instance takes its own messages in order, but on its own thread, so they arrive at the file in random order.
//! A message is therefore kept until every instance has announced that it has no earlier one; then messages are
//! released by step, and within a step by vehicle. Plain data without a thread of its own.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::StepMark;

use crate::topic::Record;

#[cfg(test)]
mod tests;

/// Bytes that may wait for a slow instance. Above this limit the order is given up to bound the memory.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// The progress of an instance that has no more messages.
const DONE: StepMark = StepMark { epoch: u32::MAX, step: u64::MAX };

/// Messages that wait to be written to one file.
#[derive(Default)]
pub(crate) struct Merge {
    next_member: u64,
    /// Progress of each instance: it has no more messages before this mark.
    progress: BTreeMap<u64, StepMark>,
    waiting: Vec<Record>,
    waiting_bytes: usize,
}

impl Merge {
    /// Adds an instance. Nothing is released until its first progress, unless it is alone.
    pub(crate) fn join(&mut self) -> u64 {
        let member = self.next_member;
        self.next_member += 1;
        self.progress.insert(member, StepMark::default());
        member
    }

    /// Removes an instance. Returns false if none is left.
    pub(crate) fn leave(&mut self, member: u64) -> bool {
        self.progress.remove(&member);
        !self.progress.is_empty()
    }

    /// Returns true if several instances write.
    pub(crate) fn is_shared(&self) -> bool {
        self.progress.len() > 1
    }

    /// Adds a message of an instance, which is also progress.
    pub(crate) fn push(&mut self, member: u64, record: Record) {
        self.advance(member, record.time.mark());
        self.waiting_bytes += record.payload.len();
        self.waiting.push(record);
    }

    /// Announces that an instance has no more messages before `mark`.
    pub(crate) fn advance(&mut self, member: u64, mark: StepMark) {
        if let Some(progress) = self.progress.get_mut(&member) {
            *progress = mark.max(*progress);
        }
    }

    /// Announces that an instance has no more messages.
    pub(crate) fn finish(&mut self, member: u64) {
        self.advance(member, DONE);
    }

    /// Takes the messages that are ready, in order.
    pub(crate) fn take_ready(&mut self) -> Vec<Record> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let ready = self.count_ready();
        let taken: Vec<Record> = self.waiting.drain(..ready).collect();
        self.waiting_bytes -= taken.iter().map(|record| record.payload.len()).sum::<usize>();
        taken
    }

    /// Sorts the waiting messages and counts the ones that are ready.
    fn count_ready(&mut self) -> usize {
        if self.waiting_bytes > MAX_WAITING_BYTES {
            self.sort();
            return self.waiting.len();
        }
        let complete = self.progress.values().min().copied().unwrap_or(DONE);
        // No other instance can add messages before those of a single one.
        let is_alone = !self.is_shared();
        let is_ready = |record: &Record| {
            let mark = record.time.mark();
            mark < complete || is_alone && mark == complete
        };
        if !self.waiting.iter().any(is_ready) {
            return 0;
        }
        self.sort();
        self.waiting.partition_point(is_ready)
    }

    /// The sort is stable: messages of one vehicle in one step keep their order.
    fn sort(&mut self) {
        self.waiting.sort_by(|one, other| {
            let key = |record: &Record| record.time.mark();
            key(one).cmp(&key(other)).then_with(|| one.topic.vehicle.cmp(&other.topic.vehicle))
        });
    }
}
