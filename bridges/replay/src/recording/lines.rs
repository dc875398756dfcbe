//! JSON lines, as the logging bridge and `--record-commands` write them.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::{RecordLine, StepMark};

use super::{Content, Entry, MAX_MESSAGE_BYTES, Position, Recording, Unit};

/// Reads lines. Empty ones and ones that begin with `#` are skipped, so that hand-written files may contain comments.
pub(crate) struct LineRecording<R> {
    position: Position,
    source: R,
    line: Vec<u8>,
    topic: String,
    ros_type: Option<String>,
}

impl<R: BufRead + Send> LineRecording<R> {
    pub(crate) fn new(file: Arc<str>, source: R) -> Self {
        let position = Position { file, unit: Unit::Line, number: 0 };
        LineRecording { position, source, line: Vec::new(), topic: String::new(), ros_type: None }
    }

    /// Reads the next line with content. Returns false at the end of the file.
    fn advance(&mut self) -> Result<bool> {
        loop {
            self.line.clear();
            self.position.number += 1;
            let mut limited = (&mut self.source).take(MAX_MESSAGE_BYTES as u64);
            match limited.read_until(b'\n', &mut self.line) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.warn_of_break();
                    return Ok(false);
                }
                Err(error) => return Err(self.position.error(error)),
            }
            if self.line.len() >= MAX_MESSAGE_BYTES {
                return Err(self
                    .position
                    .error(format_args!("the line is longer than {MAX_MESSAGE_BYTES} bytes")));
            }
            match self.line.trim_ascii() {
                [] if self.line.is_empty() => return Ok(false),
                [] | [b'#', ..] => {}
                _ => return Ok(true),
            }
        }
    }

    fn warn_of_break(&self) {
        log::warn!("{}: the recording is truncated here; everything before is played", self.position);
    }
}

impl<R: BufRead + Send> Recording for LineRecording<R> {
    fn next(&mut self) -> Result<Option<Entry<'_>>> {
        if !self.advance()? {
            return Ok(None);
        }
        let is_whole = self.line.ends_with(b"\n");
        let parsed = std::str::from_utf8(&self.line)
            .map_err(|_| self.position.error("the line is not UTF-8"))
            .and_then(|text| RecordLine::parse(text).map_err(|error| self.position.error(error.detail())));
        let line = match parsed {
            Ok(line) => line,
            Err(_) if !is_whole => {
                self.warn_of_break();
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        self.topic = line.topic.into_owned();
        self.ros_type = line.ros_type.map(Cow::into_owned);
        Ok(Some(Entry {
            position: self.position.clone(),
            topic: &self.topic,
            mark: StepMark { epoch: line.epoch, step: line.step },
            stamp_ns: line.stamp_ns,
            content: Content::Json { ros_type: self.ros_type.as_deref(), text: line.message },
        }))
    }
}
