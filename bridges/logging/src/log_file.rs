//! One open file, shared by every instance whose connection names the same target.
//!
//! It orders, limits and flushes; what the bytes are is for [`crate::format`]. A failure of the disk ends the
//! file for all who share it and is reported by the one who meets it. Any thread: one lock, held for one
//! message.

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

/// What is written is on its way to the disk after this time at the latest; well below the second that is
/// promised.
pub(crate) const FLUSH_INTERVAL: Duration = Duration::from_millis(500);

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is in the file, or waits for its turn.
    Accepted,
    /// It is not: the file is full or broken, or the message is not of its type.
    Refused,
}

/// Something that has to be said, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// Stable error code.
    pub(crate) code: &'static str,
    /// What happened and what follows from it.
    pub(crate) text: String,
}

/// Whether the file still takes messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    Writing,
    /// `max_size` is reached: a state the user asked for.
    Full,
    /// The disk failed.
    Broken,
}

/// A file that is being written.
pub(crate) struct LogFile {
    /// How messages about it name it.
    name: String,
    max_size: Option<u64>,
    state: Mutex<State>,
}

struct State {
    merge: Merge,
    /// Gone once the file is finished or broken.
    encoder: Option<Box<dyn Encoder>>,
    health: Health,
    is_dirty: bool,
    last_flush: Duration,
    trouble: Vec<Trouble>,
}

impl LogFile {
    pub(crate) fn new(name: String, max_size: Option<u64>, encoder: Box<dyn Encoder>) -> Self {
        let state = State {
            merge: Merge::default(),
            encoder: Some(encoder),
            health: Health::Writing,
            is_dirty: true,
            last_flush: Duration::ZERO,
            trouble: Vec::new(),
        };
        LogFile { name, max_size, state: Mutex::new(state) }
    }

    /// A panic of another instance leaves the file as good as it was: the encoder is only ever between
    /// messages.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what has become ready.
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
            Err(Obstacle::NotOfItsType(error)) => warn_once(record, &error),
            Err(Obstacle::Full) => self.stop(state),
            Err(Obstacle::Disk(error)) => self.fail(state, &error),
        }
        Outcome::Refused
    }

    fn stop(&self, state: &mut State) {
        state.health = Health::Full;
        state.trouble.push(Trouble {
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
        state.trouble.push(Trouble {
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

    /// Ends the file.
    fn finish(&self) -> io::Result<()> {
        let mut state = self.state();
        self.write_ready(&mut state);
        state.encoder.take().map_or(Ok(()), Encoder::finish)
    }
}

/// Why a message did not get into the file.
enum Obstacle {
    NotOfItsType(PayloadError),
    Full,
    Disk(io::Error),
}

impl From<io::Error> for Obstacle {
    fn from(error: io::Error) -> Self {
        Obstacle::Disk(error)
    }
}

/// Writes a message if it still has room.
fn put(encoder: &mut dyn Encoder, record: &Record, max_size: Option<u64>) -> Result<(), Obstacle> {
    let size = encoder.prepare(record).map_err(Obstacle::NotOfItsType)?;
    let max_size = max_size.unwrap_or(u64::MAX);
    if encoder.size().saturating_add(size) > max_size {
        // What compression saved is known only after a flush.
        encoder.flush()?;
        if encoder.size().saturating_add(size) > max_size {
            return Err(Obstacle::Full);
        }
    }
    Ok(encoder.write(record)?)
}

fn warn_once(record: &Record, error: &PayloadError) {
    if record.topic.complains_first() {
        let topic = &record.topic.name;
        log::warn!("a message on {topic} is left out, and so is every further one like it: {error}");
    }
}

/// One instance's hold on a file.
pub(crate) struct Member {
    file: Arc<LogFile>,
    id: u64,
}

impl Member {
    fn join(file: &Arc<LogFile>) -> Self {
        let id = file.state().merge.join();
        Member { file: Arc::clone(file), id }
    }

    /// Takes a message.
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

    /// This instance brings nothing before `mark` any more.
    pub(crate) fn advance(&self, mark: StepMark) {
        let mut state = self.file.state();
        if state.merge.is_shared() {
            state.merge.advance(self.id, mark);
            self.file.write_ready(&mut state);
        }
    }

    /// This instance brings nothing any more. What it brought is on the disk or waits for others.
    pub(crate) fn end(&self) {
        let mut state = self.file.state();
        state.merge.finish(self.id);
        self.file.write_ready(&mut state);
        self.file.flush(&mut state);
    }

    /// Flushes if the last time is long enough ago. `now` is any monotonic clock, the same in every call.
    pub(crate) fn flush_if_due(&self, now: Duration) {
        let mut state = self.file.state();
        if state.is_dirty && now >= state.last_flush + FLUSH_INTERVAL {
            state.last_flush = now;
            self.file.flush(&mut state);
        }
    }

    /// Whether other instances write into the same file.
    pub(crate) fn is_shared(&self) -> bool {
        self.file.state().merge.is_shared()
    }

    /// Whether the disk failed.
    pub(crate) fn is_broken(&self) -> bool {
        self.file.state().health == Health::Broken
    }

    /// What nobody has been told yet.
    pub(crate) fn take_trouble(&self) -> Vec<Trouble> {
        std::mem::take(&mut self.file.state().trouble)
    }
}
