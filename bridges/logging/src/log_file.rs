//! One log, shared by every instance whose connection has the same target.
//!
//! It orders, limits and flushes; [`crate::part`] writes one file of it. If the disk refuses a file, the file stays
//! complete up to its last commit, further messages are counted as lost, and the log continues in a new part as soon as
//! the disk allows it: see [`outage`]. Usable from any thread: one lock, held for one message.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::messages::{PayloadError, StepMark};

use crate::connection::Limits;
use crate::merge::Merge;
use crate::part::{Abandoned, Part};
use crate::topic::Record;
use loss::Loss;
use parts::Parts;
use repeated::Repeated;

mod loss;
mod next_part;
mod outage;
pub(crate) mod parts;
pub(crate) mod registry;
mod repeated;
#[cfg(test)]
mod tests;

/// Longest time before written data is flushed; well below the documented limit of one second.
pub(crate) const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// Result of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is in the file, or waits for its turn.
    Accepted,
    /// It was not written: the file is full, the disk fails, or the message is not of its type.
    Refused,
}

/// An error to report once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileError {
    /// Stable error code.
    pub(crate) code: &'static str,
    /// What happened, and its consequence.
    pub(crate) text: String,
}

/// A log that is being written.
pub(crate) struct LogFile {
    limits: Limits,
    state: Mutex<State>,
}

struct State {
    /// Path of the present part in messages.
    name: String,
    /// Creates further parts; `None` for standard output.
    parts: Option<Parts>,
    merge: Merge,
    sink: Sink,
    /// `max_size` is reached, as the user requested.
    is_full: bool,
    /// The present part has messages besides those that it repeats.
    has_own_messages: bool,
    /// What the next part repeats, if parts have a size.
    repeated: Repeated,
    /// Size of the earlier parts.
    earlier_bytes: u64,
    /// Mark of the message that was written last.
    last_mark: StepMark,
    loss: Loss,
    is_dirty: bool,
    last_flush: Duration,
    errors: Vec<FileError>,
}

/// Where messages go.
enum Sink {
    Writing(Part),
    /// The disk refuses the file; the log continues in a new part when it can.
    Waiting(Abandoned),
    /// Standard output, a pipe or a device has failed.
    Broken,
    Finished,
}

impl LogFile {
    pub(crate) fn new(name: &Path, limits: Limits, parts: Option<Parts>, part: Part) -> Self {
        let state = State {
            name: name.display().to_string(),
            parts,
            merge: Merge::default(),
            sink: Sink::Writing(part),
            is_full: false,
            has_own_messages: false,
            repeated: Repeated::default(),
            earlier_bytes: 0,
            last_mark: StepMark::default(),
            loss: Loss::default(),
            is_dirty: true,
            last_flush: Duration::ZERO,
            errors: Vec::new(),
        };
        LogFile { limits, state: Mutex::new(state) }
    }

    /// Ignores poisoning: a panic of another instance leaves the encoder between two messages.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn name(&self) -> String {
        self.state().name.clone()
    }

    /// Finishes the file, or what can be finished of it.
    fn finish(&self) -> io::Result<()> {
        let mut state = self.state();
        state.write_ready(self.limits);
        state.finish(self.limits)
    }
}

impl State {
    /// Writes the messages that are ready. During an outage they stay where they are.
    fn write_ready(&mut self, limits: Limits) {
        if matches!(self.sink, Sink::Waiting(_)) {
            return;
        }
        for record in self.merge.take_ready() {
            self.write_accepted(record, limits);
        }
    }

    /// Writes a message that was accepted before.
    fn write_accepted(&mut self, mut record: Record, limits: Limits) {
        match &mut self.sink {
            Sink::Writing(_) => {
                if self.write(record, limits) == Outcome::Refused {
                    self.loss.add_unwanted();
                }
            }
            // The disk failed at an earlier message.
            Sink::Waiting(part) => {
                in_order(&mut record, &mut self.last_mark);
                part.records.push(record);
            }
            Sink::Broken | Sink::Finished => self.loss.add_accepted(record.time.mark()),
        }
    }

    /// Writes a message. One that the disk refuses is accepted too, if it is kept for the next part.
    fn write(&mut self, mut record: Record, limits: Limits) -> Outcome {
        let part_limit = self.part_limit(limits);
        let Sink::Writing(part) = &mut self.sink else { return Outcome::Refused };
        if self.is_full {
            return Outcome::Refused;
        }
        in_order(&mut record, &mut self.last_mark);
        let limit = limits.max_size.map_or(u64::MAX, |size| size.saturating_sub(self.earlier_bytes));
        match put(part, &record, limit, part_limit) {
            Ok(()) => self.written(&record, limits),
            Err(WriteError::PartIsFull) => return self.write_into_next_part(record, limits),
            Err(WriteError::NotOfItsType(error)) => {
                warn_once(&record, &error);
                return Outcome::Refused;
            }
            Err(WriteError::Full) => {
                self.stop(limits);
                return Outcome::Refused;
            }
            Err(WriteError::Disk(error)) => self.fail(&error),
            Err(WriteError::DiskBefore(error)) => {
                self.fail(&error);
                return self.keep(record);
            }
        }
        Outcome::Accepted
    }

    fn written(&mut self, record: &Record, limits: Limits) {
        (self.is_dirty, self.has_own_messages) = (true, true);
        if limits.part_size.is_some() {
            self.repeated.add(record);
        }
    }

    /// Keeps a message that the failed part has not taken.
    fn keep(&mut self, record: Record) -> Outcome {
        let Sink::Waiting(part) = &mut self.sink else {
            self.loss.add_refused(record.time.mark());
            return Outcome::Refused;
        };
        part.records.push(record);
        Outcome::Accepted
    }

    fn stop(&mut self, limits: Limits) {
        self.is_full = true;
        self.errors.push(FileError {
            code: "BH-BRG-115",
            text: format!(
                "`{}` has reached its max_size of {} bytes; further messages are counted as dropped",
                self.name,
                limits.max_size.unwrap_or_default()
            ),
        });
    }

    /// Makes the file readable up to this point, or continues in a new part after an outage.
    fn flush(&mut self, limits: Limits) {
        self.is_dirty = false;
        match &mut self.sink {
            Sink::Writing(part) => {
                if let Err(error) = part.commit() {
                    self.fail(&error);
                }
            }
            Sink::Waiting(_) => {
                self.resume(true);
                self.write_ready(limits);
            }
            Sink::Broken | Sink::Finished => {}
        }
    }
}

/// Moves a message that comes late to the mark of the message before it, because a recording is in the order of its
/// steps. A connection that was made while steps ran gets the latched messages of earlier steps.
fn in_order(record: &mut Record, last: &mut StepMark) {
    *last = record.time.mark().max(*last);
    (record.time.epoch, record.time.step) = (last.epoch, last.step);
}

/// Why a message was not written.
enum WriteError {
    NotOfItsType(PayloadError),
    Full,
    /// The part has its size.
    PartIsFull,
    /// The part has taken the message.
    Disk(io::Error),
    /// The part has not taken the message.
    DiskBefore(io::Error),
}

/// Writes a message if it fits into the log and into the part.
fn put(part: &mut Part, record: &Record, limit: u64, part_limit: u64) -> Result<(), WriteError> {
    let size = part.prepare(record).map_err(WriteError::NotOfItsType)?;
    if part.size().saturating_add(size) > limit.min(part_limit) {
        // How much compression saved is known only after a flush.
        part.commit().map_err(WriteError::DiskBefore)?;
        match part.size().saturating_add(size) {
            size if size > limit => return Err(WriteError::Full),
            size if size > part_limit => return Err(WriteError::PartIsFull),
            _ => {}
        }
    }
    part.write(record).map_err(WriteError::Disk)
}

fn warn_once(record: &Record, error: &PayloadError) {
    if record.topic.is_first_warning() {
        let topic = &record.topic.name;
        let (code, detail) = (error.code(), error.detail());
        log::warn!("[{code}] a message on {topic} is dropped, and so are further ones like it: {detail}");
    }
}

/// The share of one instance in a file.
pub(crate) struct Member {
    file: Arc<LogFile>,
    id: u64,
}

impl Member {
    fn join(file: &Arc<LogFile>, joined: StepMark) -> Self {
        let id = file.state().merge.join(joined);
        Member { file: Arc::clone(file), id }
    }

    /// Writes or queues a message.
    pub(crate) fn take(&self, record: Record) -> Outcome {
        let mut state = self.file.state();
        let mark = record.time.mark();
        match &state.sink {
            Sink::Writing(_) if !state.is_full => {}
            Sink::Writing(_) => return Outcome::Refused,
            Sink::Waiting(_) | Sink::Broken | Sink::Finished => {
                state.loss.add_refused(mark);
                return Outcome::Refused;
            }
        }
        let limits = self.file.limits;
        if !state.merge.is_shared() {
            state.write_ready(limits);
            return state.write(record, limits);
        }
        state.merge.push(self.id, record);
        state.write_ready(limits);
        Outcome::Accepted
    }

    /// Announces that this instance has no more messages before `mark`.
    pub(crate) fn advance(&self, mark: StepMark) {
        let mut state = self.file.state();
        if state.merge.is_shared() {
            state.merge.advance(self.id, mark);
            state.write_ready(self.file.limits);
        }
    }

    /// Announces that this instance has no more messages. Its messages are on the disk or wait for others.
    pub(crate) fn end(&self) {
        let mut state = self.file.state();
        state.merge.finish(self.id);
        state.write_ready(self.file.limits);
        state.flush(self.file.limits);
    }

    /// Flushes if the last flush is long enough ago. `now` is of any monotonic clock, the same in every call.
    pub(crate) fn flush_if_due(&self, now: Duration) {
        let mut state = self.file.state();
        let is_wanted = state.is_dirty || matches!(state.sink, Sink::Waiting(_));
        if is_wanted && now >= state.last_flush + FLUSH_INTERVAL {
            state.last_flush = now;
            state.flush(self.file.limits);
        }
    }

    /// Returns true if other instances write into the same file, or wrote.
    pub(crate) fn is_shared(&self) -> bool {
        self.file.state().merge.is_shared()
    }

    /// Returns true if a target that is no file failed, such as a closed pipe.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.file.state().sink, Sink::Broken)
    }

    /// Takes the number of messages that were accepted and lost afterwards.
    pub(crate) fn take_lost(&self) -> u64 {
        self.file.state().loss.take_accepted()
    }

    /// Takes the errors that were not reported yet.
    pub(crate) fn take_errors(&self) -> Vec<FileError> {
        std::mem::take(&mut self.file.state().errors)
    }
}
