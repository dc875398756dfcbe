//! The formats: which one a target's name asks for, and what every format can do.
//!
//! A format turns messages into bytes of a [`Stream`]. It decides neither when to flush nor when a file is
//! full: that is for [`crate::log_file`].

use std::io;

use bridgehead_plugin_api::messages::PayloadError;

pub(crate) mod lines;
pub(crate) mod mcap;
#[cfg(test)]
mod tests;

use crate::stream::Stream;
use crate::topic::Record;

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// MCAP with protobuf schemas and messages.
    Mcap,
    /// One JSON object per line, the form the replay bridge reads.
    JsonLines {
        /// Whether it is compressed.
        gzip: bool,
    },
    /// LGSVL's form: a line with type and topic, then a line of JSON.
    Text {
        /// Whether it is compressed.
        gzip: bool,
    },
}

/// The name that stands for standard output.
pub(crate) const STANDARD_OUTPUT: &str = "-";

/// What the end of a target's name asks for.
const ENDINGS: [(&str, Format); 5] = [
    (".mcap", Format::Mcap),
    (".jsonl", Format::JsonLines { gzip: false }),
    (".jsonl.gz", Format::JsonLines { gzip: true }),
    (".txt", Format::Text { gzip: false }),
    (".txt.gz", Format::Text { gzip: true }),
];

impl Format {
    /// The format of a target; `None` where its name says nothing.
    pub(crate) fn of_target(target: &str) -> Option<Self> {
        if target == STANDARD_OUTPUT {
            return Some(Format::JsonLines { gzip: false });
        }
        ENDINGS.into_iter().find(|(ending, _)| target.ends_with(ending)).map(|(_, format)| format)
    }

    /// Begins a file.
    ///
    /// # Errors
    /// Where the beginning cannot be written.
    pub(crate) fn begin(self, target: Box<dyn io::Write + Send>) -> io::Result<Box<dyn Encoder>> {
        match self {
            Format::Mcap => {
                let (stream, count) = Stream::new(target, false);
                Ok(Box::new(mcap::McapEncoder::begin(stream, count)?))
            }
            Format::JsonLines { gzip } => {
                let (stream, count) = Stream::new(target, gzip);
                Ok(Box::new(lines::LineEncoder::new(lines::Layout::JsonLines, stream, count)))
            }
            Format::Text { gzip } => {
                let (stream, count) = Stream::new(target, gzip);
                Ok(Box::new(lines::LineEncoder::new(lines::Layout::TypeTopicThenJson, stream, count)))
            }
        }
    }
}

/// Writes one file. A message is prepared first and written then, so that its size is known in between.
pub(crate) trait Encoder: Send {
    /// Turns a message into bytes and tells how many they are; nothing is written yet.
    ///
    /// # Errors
    /// Where the payload is not of its type.
    fn prepare(&mut self, record: &Record) -> Result<u64, PayloadError>;

    /// Writes the message that was prepared last.
    ///
    /// # Errors
    /// As the system says. The file is not to be written further.
    fn write(&mut self, record: &Record) -> io::Result<()>;

    /// Bytes of the file if everything accepted so far were written now: exact after a flush, before that an
    /// upper bound where the stream is compressed.
    fn size(&self) -> u64;

    /// Makes the file readable up to here.
    ///
    /// # Errors
    /// As the system says. The file is not to be written further.
    fn flush(&mut self) -> io::Result<()>;

    /// Ends the file.
    ///
    /// # Errors
    /// As the system says.
    fn finish(self: Box<Self>) -> io::Result<()>;
}
