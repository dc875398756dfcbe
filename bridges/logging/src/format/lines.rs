//! The two text formats. Both encode a message into one buffer that is reused.

use std::io::{self, Write};

use bridgehead_plugin_api::messages::PayloadError;

use super::Encoder;
use crate::stream::{Output, Stream};
use crate::topic::Record;

/// Lines of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One line: `{"vehicle":…,"topic":…,"type":…,"stamp":…,"seq":…,"step":…,"epoch":…,"message":{…}}`.
    JsonLines,
    /// Two lines: `sensor_msgs/msg/Imu /car1/imu`, then the message as JSON.
    TypeTopicThenJson,
}

/// Writes lines.
pub(crate) struct LineEncoder {
    layout: Layout,
    stream: Stream,
    count: Output,
    /// Bytes written to the stream since the last flush.
    since_flush: u64,
    /// The byte count at the last flush.
    flushed: u64,
    line: Vec<u8>,
}

impl LineEncoder {
    pub(crate) fn new(layout: Layout, stream: Stream, count: Output) -> Self {
        LineEncoder { layout, stream, count, since_flush: 0, flushed: 0, line: Vec::new() }
    }
}

impl Encoder for LineEncoder {
    fn prepare(&mut self, record: &Record) -> Result<u64, PayloadError> {
        self.line.clear();
        let topic = &record.topic;
        match self.layout {
            Layout::JsonLines => topic.writer.write(&record.time, &record.payload, &mut self.line)?,
            Layout::TypeTopicThenJson => {
                self.line.extend_from_slice(topic.message.ros_type().to_string().as_bytes());
                self.line.push(b' ');
                self.line.extend_from_slice(topic.name.as_bytes());
                self.line.push(b'\n');
                topic.writer.plan().encode(&record.payload, &mut self.line)?;
                self.line.push(b'\n');
            }
        }
        Ok(self.line.len() as u64)
    }

    fn write(&mut self, _: &Record) -> io::Result<()> {
        self.stream.write_all(&self.line)?;
        self.since_flush += self.line.len() as u64;
        Ok(())
    }

    fn size(&self) -> u64 {
        self.flushed + self.since_flush
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()?;
        self.flushed = self.count.total();
        self.since_flush = 0;
        Ok(())
    }

    fn ending(&self) -> Vec<u8> {
        self.stream.ending()
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.stream.finish()
    }
}
