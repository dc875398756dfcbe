//! One part of a log: a file that is complete after every commit, and the messages that are not committed yet.
//!
//! If the disk fails, the part is left as a complete file, and its uncommitted messages are handed back for the next
//! part. [`crate::log_file`] decides when to commit and where to continue.

use std::io;

use bridgehead_plugin_api::messages::PayloadError;

use crate::disk::Disk;
use crate::format::{Encoder, Format};
use crate::stream::Output;
use crate::topic::Record;

/// Bytes that are encoded before they are written: large enough that system calls cost little per message.
const BATCH_BYTES: usize = 64 << 10;
/// Payload bytes after which messages are committed, which bounds the messages that are kept for the next part.
const COMMIT_BYTES: usize = 1 << 20;

/// A file that is being written.
pub(crate) struct Part {
    disk: Disk,
    encoder: Box<dyn Encoder>,
    output: Output,
    batch: Vec<u8>,
    /// Completes the file after its last commit.
    ending: Vec<u8>,
    uncommitted: Vec<Record>,
    uncommitted_bytes: usize,
}

/// A part that the disk refused to continue.
pub(crate) struct Abandoned {
    disk: Disk,
    ending: Vec<u8>,
    is_ended: bool,
    /// Messages that are not in the file.
    pub(crate) records: Vec<Record>,
}

impl Part {
    /// Begins a file. A regular one is complete at once.
    ///
    /// # Errors
    /// Returns an error if the begin of the file cannot be written.
    pub(crate) fn begin(format: Format, disk: Disk) -> io::Result<Self> {
        let output = Output::default();
        let mut part = Part {
            encoder: format.begin(output.clone(), disk.is_file())?,
            output,
            disk,
            batch: Vec::new(),
            ending: Vec::new(),
            uncommitted: Vec::new(),
            uncommitted_bytes: 0,
        };
        if part.disk.is_file() {
            part.commit()?;
        }
        Ok(part)
    }

    /// Returns true if it is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        self.disk.is_file()
    }

    /// Encodes a message and returns its size in bytes; nothing is written yet.
    ///
    /// # Errors
    /// Returns an error if the payload is not of its type.
    pub(crate) fn prepare(&mut self, record: &Record) -> Result<u64, PayloadError> {
        self.encoder.prepare(record)
    }

    /// Returns the size of the file if everything accepted so far were written now.
    pub(crate) fn size(&self) -> u64 {
        self.encoder.size()
    }

    /// Writes the message that was prepared last. It is taken in any case: after an error it is one of
    /// [`Abandoned::records`].
    ///
    /// # Errors
    /// Returns the error of the system. [`Self::abandon`] must follow.
    pub(crate) fn write(&mut self, record: &Record) -> io::Result<()> {
        self.uncommitted.push(record.clone());
        self.uncommitted_bytes += record.payload.len();
        self.encoder.write(record)?;
        if self.uncommitted_bytes >= COMMIT_BYTES {
            return self.commit();
        }
        if self.output.len() >= BATCH_BYTES { self.write_batch() } else { Ok(()) }
    }

    /// Makes the file readable up to this point.
    ///
    /// # Errors
    /// Returns the error of the system. [`Self::abandon`] must follow.
    pub(crate) fn commit(&mut self) -> io::Result<()> {
        self.encoder.flush()?;
        self.write_batch()?;
        self.disk.commit();
        self.ending = self.encoder.ending();
        self.uncommitted.clear();
        self.uncommitted_bytes = 0;
        let corrections = self.output.take_corrections();
        corrections.iter().try_for_each(|correction| self.disk.correct(correction))
    }

    fn write_batch(&mut self) -> io::Result<()> {
        self.output.take_into(&mut self.batch);
        self.disk.write(&self.batch)
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// Returns the error of the system, and the abandoned part.
    pub(crate) fn finish(mut self) -> Result<(), (io::Error, Abandoned)> {
        if let Err(error) = self.commit() {
            return Err((error, self.abandon()));
        }
        let Part { mut disk, encoder, output, mut batch, ending, uncommitted, .. } = self;
        let finished = encoder.finish().and_then(|()| {
            output.take_into(&mut batch);
            disk.write(&batch)?;
            output.take_corrections().iter().try_for_each(|correction| disk.correct(correction))
        });
        finished.map_err(|error| (error, Abandoned::new(disk, ending, uncommitted)))
    }

    /// Leaves the file complete up to its last commit.
    pub(crate) fn abandon(self) -> Abandoned {
        Abandoned::new(self.disk, self.ending, self.uncommitted)
    }
}

impl Abandoned {
    fn new(mut disk: Disk, ending: Vec<u8>, records: Vec<Record>) -> Self {
        let is_ended = disk.roll_back(&ending);
        Abandoned { disk, ending, is_ended, records }
    }

    /// Tries again to complete the file, if that failed.
    pub(crate) fn complete(&mut self) {
        if !self.is_ended {
            self.is_ended = self.disk.roll_back(&self.ending);
        }
    }

    /// Returns true if the log can continue in another file.
    pub(crate) fn is_file(&self) -> bool {
        self.disk.is_file()
    }

    /// Returns the bytes of its complete messages.
    pub(crate) fn size(&self) -> u64 {
        self.disk.committed()
    }
}

#[cfg(test)]
mod tests;
