//! The order of messages in a file that several instances share: that of the run, the same every time.
//!
//! Each instance takes its own messages in the order of the run, but on a thread of its own, so what reaches
//! the file first is a matter of luck. A message is therefore kept until every instance has said that it will
//! bring nothing earlier; then it goes out by step, and within a step by vehicle. Plain data, no thread of
//! its own.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::StepMark;

use crate::topic::Record;

#[cfg(test)]
mod tests;

/// Bytes that may wait for a slow instance. Beyond that the order gives way, not the memory.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// An instance that brings nothing more.
const DONE: StepMark = StepMark { epoch: u32::MAX, step: u64::MAX };

/// Messages on their way into one file.
#[derive(Default)]
pub(crate) struct Merge {
    next_member: u64,
    /// How far each instance has come: it brings nothing before this mark any more.
    progress: BTreeMap<u64, StepMark>,
    waiting: Vec<Record>,
    waiting_bytes: usize,
}

impl Merge {
    /// An instance more. Nothing goes out until it has told how far it has come, unless it is alone.
    pub(crate) fn join(&mut self) -> u64 {
        let member = self.next_member;
        self.next_member += 1;
        self.progress.insert(member, StepMark::default());
        member
    }

    /// An instance less; false once none is left.
    pub(crate) fn leave(&mut self, member: u64) -> bool {
        self.progress.remove(&member);
        !self.progress.is_empty()
    }

    /// Whether several instances write.
    pub(crate) fn is_shared(&self) -> bool {
        self.progress.len() > 1
    }

    /// A message of an instance, which tells how far it has come, too.
    pub(crate) fn push(&mut self, member: u64, record: Record) {
        self.advance(member, record.time.mark());
        self.waiting_bytes += record.payload.len();
        self.waiting.push(record);
    }

    /// An instance brings nothing before `mark` any more.
    pub(crate) fn advance(&mut self, member: u64, mark: StepMark) {
        if let Some(progress) = self.progress.get_mut(&member) {
            *progress = mark.max(*progress);
        }
    }

    /// An instance brings nothing any more.
    pub(crate) fn finish(&mut self, member: u64) {
        self.advance(member, DONE);
    }

    /// Messages whose turn has come, in order.
    pub(crate) fn take_ready(&mut self) -> Vec<Record> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let ready = self.count_ready();
        let taken: Vec<Record> = self.waiting.drain(..ready).collect();
        self.waiting_bytes -= taken.iter().map(|record| record.payload.len()).sum::<usize>();
        taken
    }

    /// Sorts what waits and counts what may go.
    fn count_ready(&mut self) -> usize {
        if self.waiting_bytes > MAX_WAITING_BYTES {
            self.sort();
            return self.waiting.len();
        }
        let complete = self.progress.values().min().copied().unwrap_or(DONE);
        // Of whoever is alone, or left alone by the others, nothing comes between what has come.
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

    /// The sort is stable: messages of one vehicle in one step stay in their own order.
    fn sort(&mut self) {
        self.waiting.sort_by(|one, other| {
            let key = |record: &Record| record.time.mark();
            key(one).cmp(&key(other)).then_with(|| one.topic.vehicle.cmp(&other.topic.vehicle))
        });
    }
}
