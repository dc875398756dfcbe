//! The formats: selected by the target's name, with one interface.
//!
//! A format turns messages into bytes of a [`Stream`], in memory. [`crate::part`] decides when to flush, and
//! [`crate::log_file`] when a file is full.

use std::io;

use bridgehead_plugin_api::messages::PayloadError;

pub(crate) mod lines;
pub(crate) mod mcap;
#[cfg(test)]
mod tests;

use crate::stream::{Output, Stream};
use crate::topic::Record;

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// MCAP with protobuf schemas and messages.
    Mcap,
    /// One JSON object per line, which the replay bridge reads.
    JsonLines {
        /// Whether it is compressed.
        gzip: bool,
    },
    /// LGSVL's format: a line with type and topic, then a line of JSON.
    Text {
        /// Whether it is compressed.
        gzip: bool,
    },
}

/// The target that stands for standard output.
pub(crate) const STANDARD_OUTPUT: &str = "-";

/// Formats by the ending of a target's name.
const ENDINGS: [(&str, Format); 5] = [
    (".mcap", Format::Mcap),
    (".jsonl", Format::JsonLines { gzip: false }),
    (".jsonl.gz", Format::JsonLines { gzip: true }),
    (".txt", Format::Text { gzip: false }),
    (".txt.gz", Format::Text { gzip: true }),
];

impl Format {
    /// Returns the format of a target; `None` if its ending is unknown.
    pub(crate) fn of_target(target: &str) -> Option<Self> {
        if target == STANDARD_OUTPUT {
            return Some(Format::JsonLines { gzip: false });
        }
        ENDINGS.into_iter().find(|(ending, _)| target.ends_with(ending)).map(|(_, format)| format)
    }

    /// Returns the format's ending of a target's name, with its dot.
    pub(crate) fn ending_of(target: &str) -> &'static str {
        ENDINGS.into_iter().find(|(ending, _)| target.ends_with(ending)).map_or("", |(ending, _)| ending)
    }

    /// Starts a file. Bytes that are already on the disk can be corrected only if it is a regular one.
    ///
    /// # Errors
    /// Returns an error if the start of the file cannot be encoded.
    pub(crate) fn begin(self, output: Output, is_file: bool) -> io::Result<Box<dyn Encoder>> {
        let lines = |layout, gzip| {
            let stream = Stream::new(output.clone(), gzip);
            Box::new(lines::LineEncoder::new(layout, stream, output.clone()))
        };
        match self {
            Format::Mcap => Ok(Box::new(mcap::McapEncoder::begin(output, is_file)?)),
            Format::JsonLines { gzip } => Ok(lines(lines::Layout::JsonLines, gzip)),
            Format::Text { gzip } => Ok(lines(lines::Layout::TypeTopicThenJson, gzip)),
        }
    }
}

/// Writes one file. A message is prepared first and then written, so that its size is known in between.
pub(crate) trait Encoder: Send {
    /// Encodes a message and returns its size in bytes; nothing is written yet.
    ///
    /// # Errors
    /// Returns an error if the payload is not of its type.
    fn prepare(&mut self, record: &Record) -> Result<u64, PayloadError>;

    /// Writes the message that was prepared last.
    ///
    /// # Errors
    /// Returns the error of the system; the file must not be written any further.
    fn write(&mut self, record: &Record) -> io::Result<()>;

    /// Returns the size of the file if everything accepted so far were written now, with the index of an MCAP chunk: an
    /// upper bound, and exact if everything is flushed and no chunk is open.
    fn size(&self) -> u64;

    /// Makes the file readable up to this point.
    ///
    /// # Errors
    /// Returns the error of the system; the file must not be written any further.
    fn flush(&mut self) -> io::Result<()>;

    /// Returns the bytes that complete the file if nothing follows what was flushed last. If the disk is full, they
    /// replace the end that [`Encoder::finish`] writes.
    fn ending(&self) -> Vec<u8>;

    /// Finishes the file.
    ///
    /// # Errors
    /// Returns the error of the system.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
