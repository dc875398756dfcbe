//! A recording, read message by message: memory does not grow with the file.
//!
//! A file that is truncated within a message, for example by a kill, ends before that message with a warning. Any
//! other fault is an error with its position.

use std::fmt;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::messages::{Fingerprint, StepMark};
use bridgehead_plugin_api::{Error, Result};
use flate2::read::MultiGzDecoder;

use crate::connection::Format;

pub(crate) mod lines;
pub(crate) mod mcap;
#[cfg(test)]
mod tests;

/// Largest size of a message; anything larger is not a recording.
const MAX_MESSAGE_BYTES: usize = 256 << 20;

/// Position of a message in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) file: Arc<str>,
    /// `line` or `message`.
    pub(crate) unit: Unit,
    /// From 1.
    pub(crate) number: u64,
}

/// What a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Line,
    Message,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            Unit::Line => write!(f, "{}:{}", self.file, self.number),
            Unit::Message => write!(f, "{}: message {}", self.file, self.number),
        }
    }
}

impl Position {
    /// Returns an error at this position.
    pub(crate) fn error(&self, cause: impl fmt::Display) -> Error {
        Error::with_status(status::SCHEMA, format!("[BH-BRG-123] {self}: {cause}"))
    }
}

/// One recorded message.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) position: Position,
    pub(crate) topic: &'a str,
    pub(crate) mark: StepMark,
    /// Simulated time in nanoseconds, if recorded.
    pub(crate) stamp_ns: Option<i64>,
    pub(crate) content: Content<'a>,
}

/// The recorded message.
#[derive(Debug)]
pub(crate) enum Content<'a> {
    Json {
        /// ROS type, if the line has one.
        ros_type: Option<&'a str>,
        text: &'a str,
    },
    Protobuf {
        schema: &'a RecordedSchema,
        payload: &'a [u8],
    },
}

/// The type of recorded protobuf messages.
#[derive(Clone, Debug)]
pub(crate) struct RecordedSchema {
    /// Protobuf full name.
    pub(crate) name: String,
    /// `None` if the recorded descriptor is invalid.
    pub(crate) fingerprint: Option<Fingerprint>,
}

/// Reads a recording.
pub(crate) trait Recording: Send {
    /// Returns the next message; `None` at the end.
    ///
    /// # Errors
    /// Returns an error with the position if the file cannot be read or is not a recording.
    fn next(&mut self) -> Result<Option<Entry<'_>>>;
}

/// Opens a recording.
///
/// # Errors
/// Returns an error if the file cannot be opened.
pub(crate) fn open(path: &Path, format: Format) -> Result<Box<dyn Recording>> {
    let file = bridgehead_files::open(path).map_err(|error| {
        let text = format!("[BH-BRG-122] the recording `{}` cannot be opened: {error}", path.display());
        Error::with_status(status::IO, text)
    })?;
    let name: Arc<str> = path.display().to_string().into();
    let file = BufReader::with_capacity(1 << 16, file);
    Ok(match format {
        Format::JsonLines { gzip: false } => Box::new(lines::LineRecording::new(name, file)),
        Format::JsonLines { gzip: true } => {
            let inflated: Box<dyn Read + Send> = Box::new(MultiGzDecoder::new(file));
            Box::new(lines::LineRecording::new(name, BufReader::with_capacity(1 << 16, inflated)))
        }
        Format::Mcap => Box::new(mcap::McapRecording::new(name, file)),
    })
}
