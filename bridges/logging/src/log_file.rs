//! One open file, shared by every instance whose connection has the same target.
//!
//! It orders, limits and flushes; [`crate::format`] decides about the bytes. A disk error ends the file for all
//! instances that share it and is reported by the instance that encounters it. Usable from any thread: one lock, held
//! for one message.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_plugin_api::messages::{PayloadError, StepMark};

use crate::format::Encoder;
use crate::merge::Merge;
use crate::topic::Record;

pub(crate) mod registry;
#[cfg(test)]
mod tests;

/// Longest time before written data is flushed; well below the documented limit of one second.
pub(crate) const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// Result of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is in the file, or waits for its turn.
    Accepted,
    /// It was not written: the file is full or broken, or the message is not of its type.
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

/// Whether the file still accepts messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    Writing,
    /// `max_size` is reached, as the user requested.
    Full,
    /// The disk failed.
    Broken,
}

/// A file that is being written.
pub(crate) struct LogFile {
    /// Its name in log lines.
    name: String,
    max_size: Option<u64>,
    state: Mutex<State>,
}

struct State {
    merge: Merge,
    /// `None` once the file is finished or broken.
    encoder: Option<Box<dyn Encoder>>,
    health: Health,
    is_dirty: bool,
    last_flush: Duration,
    errors: Vec<FileError>,
}

impl LogFile {
    pub(crate) fn new(name: String, max_size: Option<u64>, encoder: Box<dyn Encoder>) -> Self {
        let state = State {
            merge: Merge::default(),
            encoder: Some(encoder),
            health: Health::Writing,
            is_dirty: true,
            last_flush: Duration::ZERO,
            errors: Vec::new(),
        };
        LogFile { name, max_size, state: Mutex::new(state) }
    }

    /// Ignores poisoning: a panic of another instance leaves the encoder between two messages.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the messages that are ready.
    fn write_ready(&self, state: &mut State) {
        for record in state.merge.take_ready() {
            self.write(state, &record);
        }
    }

    fn write(&self, state: &mut State, record: &Record) -> Outcome {
        let Some(encoder) = state.encoder.as_mut().filter(|_| state.health == Health::Writing) else {
            return Outcome::Refused;
        };
        match put(encoder.as_mut(), record, self.max_size) {
            Ok(()) => {
                state.is_dirty = true;
                return Outcome::Accepted;
            }
            Err(WriteError::NotOfItsType(error)) => warn_once(record, &error),
            Err(WriteError::Full) => self.stop(state),
            Err(WriteError::Disk(error)) => self.fail(state, &error),
        }
        Outcome::Refused
    }

    fn stop(&self, state: &mut State) {
        state.health = Health::Full;
        state.errors.push(FileError {
            code: "BH-BRG-115",
            text: format!(
                "`{}` has reached its max_size of {} bytes; further messages are counted as dropped",
                self.name,
                self.max_size.unwrap_or_default()
            ),
        });
    }

    fn fail(&self, state: &mut State, error: &io::Error) {
        state.health = Health::Broken;
        state.encoder = None;
        state.errors.push(FileError {
            code: "BH-BRG-114",
            text: format!(
                "writing `{}` failed: {error}; further messages are counted as dropped and the run goes on. \
                 Make room, or limit the file with max_size=",
                self.name
            ),
        });
    }

    fn flush(&self, state: &mut State) {
        if let Some(encoder) = &mut state.encoder
            && let Err(error) = encoder.flush()
        {
            self.fail(state, &error);
        }
        state.is_dirty = false;
    }

    /// Finishes the file.
    fn finish(&self) -> io::Result<()> {
        let mut state = self.state();
        self.write_ready(&mut state);
        state.encoder.take().map_or(Ok(()), Encoder::finish)
    }
}

/// Why a message was not written.
enum WriteError {
    NotOfItsType(PayloadError),
    Full,
    Disk(io::Error),
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Disk(error)
    }
}

/// Writes a message if it fits into the file.
fn put(encoder: &mut dyn Encoder, record: &Record, max_size: Option<u64>) -> Result<(), WriteError> {
    let size = encoder.prepare(record).map_err(WriteError::NotOfItsType)?;
    let max_size = max_size.unwrap_or(u64::MAX);
    if encoder.size().saturating_add(size) > max_size {
        // How much compression saved is known only after a flush.
        encoder.flush()?;
        if encoder.size().saturating_add(size) > max_size {
            return Err(WriteError::Full);
        }
    }
    Ok(encoder.write(record)?)
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
    fn join(file: &Arc<LogFile>) -> Self {
        let id = file.state().merge.join();
        Member { file: Arc::clone(file), id }
    }

    /// Writes or queues a message.
    pub(crate) fn take(&self, record: Record) -> Outcome {
        let mut state = self.file.state();
        if !state.merge.is_shared() {
            self.file.write_ready(&mut state);
            return self.file.write(&mut state, &record);
        }
        if state.health != Health::Writing {
            return Outcome::Refused;
        }
        state.merge.push(self.id, record);
        self.file.write_ready(&mut state);
        Outcome::Accepted
    }

    /// Announces that this instance has no more messages before `mark`.
    pub(crate) fn advance(&self, mark: StepMark) {
        let mut state = self.file.state();
        if state.merge.is_shared() {
            state.merge.advance(self.id, mark);
            self.file.write_ready(&mut state);
        }
    }

    /// Announces that this instance has no more messages. Its messages are on the disk or wait for others.
    pub(crate) fn end(&self) {
        let mut state = self.file.state();
        state.merge.finish(self.id);
        self.file.write_ready(&mut state);
        self.file.flush(&mut state);
    }

    /// Flushes if the last flush is long enough ago. `now` is of any monotonic clock, the same in every call.
    pub(crate) fn flush_if_due(&self, now: Duration) {
        let mut state = self.file.state();
        if state.is_dirty && now >= state.last_flush + FLUSH_INTERVAL {
            state.last_flush = now;
            self.file.flush(&mut state);
        }
    }

    /// Returns true if other instances write into the same file.
    pub(crate) fn is_shared(&self) -> bool {
        self.file.state().merge.is_shared()
    }

    /// Returns true if the disk failed.
    pub(crate) fn is_broken(&self) -> bool {
        self.file.state().health == Health::Broken
    }

    /// Takes the errors that were not reported yet.
    pub(crate) fn take_errors(&self) -> Vec<FileError> {
        std::mem::take(&mut self.file.state().errors)
    }
}
