//! Orders the messages of several instances in one file by step, so that the file is the same in every run.
//!
//! Each instance takes its own messages in order, but on its own thread, so they arrive at the file in random order.
//! A message is therefore kept until every instance has announced that it has no earlier one; then messages are
//! released by step, within a step by the moment at which their instance joined, and then by vehicle. So an instance
//! that joins in a pause comes after what may be in the file already. A file that was shared once keeps this order when
//! one instance is left. Plain data without a thread of its own.

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
    members: BTreeMap<u64, Progress>,
    waiting: Vec<Waiting>,
    waiting_bytes: usize,
    was_shared: bool,
}

struct Progress {
    /// When the instance joined.
    joined: StepMark,
    /// It has no more messages before this mark.
    passed: StepMark,
}

struct Waiting {
    /// When its instance joined.
    joined: StepMark,
    record: Record,
}

impl Merge {
    /// Adds an instance that joins at the mark `joined`. Nothing is released until its first progress, unless it is
    /// alone.
    pub(crate) fn join(&mut self, joined: StepMark) -> u64 {
        let member = self.next_member;
        self.next_member += 1;
        self.members.insert(member, Progress { joined, passed: StepMark::default() });
        self.was_shared |= self.members.len() > 1;
        member
    }

    /// Removes an instance. Returns false if none is left.
    pub(crate) fn leave(&mut self, member: u64) -> bool {
        self.members.remove(&member);
        !self.members.is_empty()
    }

    /// Returns true if several instances write or wrote.
    pub(crate) fn is_shared(&self) -> bool {
        self.was_shared
    }

    /// Adds a message of an instance, which is also progress.
    pub(crate) fn push(&mut self, member: u64, record: Record) {
        self.advance(member, record.time.mark());
        self.waiting_bytes += record.payload.len();
        let joined = self.members.get(&member).map(|progress| progress.joined).unwrap_or_default();
        self.waiting.push(Waiting { joined, record });
    }

    /// Announces that an instance has no more messages before `mark`.
    pub(crate) fn advance(&mut self, member: u64, mark: StepMark) {
        if let Some(progress) = self.members.get_mut(&member) {
            progress.passed = mark.max(progress.passed);
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
        let taken: Vec<Record> = self.waiting.drain(..ready).map(|waiting| waiting.record).collect();
        self.waiting_bytes -= taken.iter().map(|record| record.payload.len()).sum::<usize>();
        taken
    }

    /// Sorts the waiting messages and counts the ones that are ready.
    fn count_ready(&mut self) -> usize {
        if self.waiting_bytes > MAX_WAITING_BYTES {
            self.sort();
            return self.waiting.len();
        }
        let complete = self.members.values().map(|member| member.passed).min().unwrap_or(DONE);
        // No other instance can add messages before those of a single one.
        let is_alone = !self.is_shared();
        let is_ready = |waiting: &Waiting| {
            let mark = waiting.record.time.mark();
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
            let key = |waiting: &Waiting| (waiting.record.time.mark(), waiting.joined);
            let vehicles = || one.record.topic.vehicle.cmp(&other.record.topic.vehicle);
            key(one).cmp(&key(other)).then_with(vehicles)
        });
    }
}
