//! A recording, read message by message: memory does not grow with the file.
//!
//! A file that breaks off in the middle of a message, as a kill leaves it, ends before that message with a
//! warning. Anything else that is wrong is an error with its place.

use std::fmt;
use std::fs::File;
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

/// No single message is larger; what claims to be is not a recording.
const MAX_MESSAGE_BYTES: usize = 256 << 20;

/// Where in its file a message stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: Arc<str>,
    /// `line` or `message`.
    pub(crate) unit: Unit,
    /// From 1.
    pub(crate) number: u64,
}

/// What a place counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Line,
    Message,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            Unit::Line => write!(f, "{}:{}", self.file, self.number),
            Unit::Message => write!(f, "{}: message {}", self.file, self.number),
        }
    }
}

impl Place {
    /// An error at this place.
    pub(crate) fn refuse(&self, cause: impl fmt::Display) -> Error {
        Error::with_status(status::SCHEMA, format!("{self}: {cause} [BH-BRG-123]"))
    }
}

/// One recorded message.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) place: Place,
    pub(crate) topic: &'a str,
    pub(crate) mark: StepMark,
    /// Simulated time in nanoseconds, where the recording has it.
    pub(crate) stamp_ns: Option<i64>,
    pub(crate) content: Content<'a>,
}

/// The message itself, as it was recorded.
#[derive(Debug)]
pub(crate) enum Content<'a> {
    Json {
        /// ROS type, where the line gives it.
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
    /// `None` where the recorded descriptor cannot be used.
    pub(crate) fingerprint: Option<Fingerprint>,
}

/// Reads a recording.
pub(crate) trait Recording: Send {
    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// Where the file cannot be read or is no recording, with the place.
    fn next(&mut self) -> Result<Option<Entry<'_>>>;
}

/// Opens a recording.
///
/// # Errors
/// Where the file cannot be opened.
pub(crate) fn open(path: &Path, format: Format) -> Result<Box<dyn Recording>> {
    let file = File::open(path).map_err(|error| {
        let text = format!("the recording `{}` cannot be opened: {error} [BH-BRG-122]", path.display());
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
