//! MCAP: unchanged protobuf payloads, with the descriptor of each type as its schema.
//!
//! The file contains no wall-clock time, so it is the same in every run: `publish_time` is the stamp of the message,
//! and so is `log_time` until a reset turns time back. From then on `log_time` continues where it was, so that a
//! viewer shows the epochs one after the other. A private record ([`StepMark`]) contains the step in which messages
//! were published.
//!
//! A chunk of a regular file is on the disk while it grows: it begins with the header of an empty chunk, so a killed
//! process leaves its messages behind that chunk, where readers find them too. Once it has its size, the header is
//! corrected. The writer keeps about a kilobyte for each chunk until the file ends, so chunks that end with each flush
//! would take megabytes for each hour. A pipe gets a chunk with each flush.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Weak};

use bridgehead_plugin_api::messages::{PayloadError, RecordTime, STEP_MARK_OPCODE, StepMark};
use mcap::records::{MessageHeader, op};
use mcap::write::{PrivateRecordOptions, WriteOptions};

use super::Encoder;
use crate::stream::Output;
use crate::topic::{Record, Topic};

/// Opcode, length and fixed part of a message record (MCAP specification, "Message (op=0x05)").
const MESSAGE_OVERHEAD: u64 = 1 + 8 + 22;
/// One entry of a chunk's message index.
const INDEX_ENTRY: u64 = 16;
/// Opcode, length and content of a step mark.
const MARK_BYTES: u64 = 1 + 8 + 12;
/// The end of a file without a summary: the records "Data End (op=0x0F)" without a checksum and "Footer (op=0x02)"
/// without a summary, then the magic bytes.
const SHORT_END: &[u8] = b"\x0f\x04\0\0\0\0\0\0\0\0\0\0\0\
    \x02\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x89MCAP0\r\n";

/// Bytes of the messages after which a chunk of a regular file ends; the default of the MCAP libraries.
const CHUNK_BYTES: u64 = 768 << 10;
/// A chunk without messages: the record "Chunk (op=0x06)" with times, sizes and a checksum of 0 and no compression.
const EMPTY_CHUNK: [u8; 49] = {
    let mut chunk = [0; 49];
    [chunk[0], chunk[1]] = [op::CHUNK, 40];
    chunk
};

/// Writes MCAP.
pub(crate) struct McapEncoder {
    writer: mcap::Writer<Output>,
    output: Output,
    /// A regular file, whose header of a chunk can be corrected.
    is_file: bool,
    /// Where the open chunk of a regular file begins.
    chunk: Option<u64>,
    /// Bytes accepted since the end of the last chunk of a pipe, about, and the byte count at that time.
    since_chunk: u64,
    chunks_end: u64,
    /// Bytes of the index that follows the open chunk, without its heads.
    index_bytes: u64,
    channels: Channels,
    mark: Option<StepMark>,
    log_time: LogTime,
}

impl McapEncoder {
    pub(crate) fn begin(output: Output, is_file: bool) -> io::Result<Self> {
        let writer = WriteOptions::new()
            .compression(None)
            .chunk_size(None)
            .disable_seeking(!is_file)
            .library(concat!("bridgehead-bridge-logging ", env!("CARGO_PKG_VERSION")))
            .create(output.clone())
            .map_err(into_io)?;
        Ok(McapEncoder {
            writer,
            output,
            is_file,
            chunk: None,
            since_chunk: 0,
            chunks_end: 0,
            index_bytes: 0,
            channels: Channels::default(),
            mark: None,
            log_time: LogTime::default(),
        })
    }

    /// Returns the topic's channel, which is added with its schema before its first message. A topic that exists again
    /// has the channel from before.
    fn channel(&mut self, topic: &Arc<Topic>) -> io::Result<u16> {
        if let Some(id) = self.channels.get(topic) {
            return Ok(id);
        }
        let descriptor_set = topic.message.schema().descriptor_set();
        let schema =
            self.writer.add_schema(topic.message.full_name(), "protobuf", descriptor_set).map_err(into_io)?;
        let metadata = BTreeMap::from([
            ("ros_type".to_owned(), topic.message.ros_type().to_string()),
            ("vehicle".to_owned(), topic.vehicle.clone()),
        ]);
        let id = self.writer.add_channel(schema, &topic.name, "protobuf", &metadata).map_err(into_io)?;
        self.since_chunk += descriptor_set.len() as u64;
        self.channels.insert(topic, id);
        Ok(id)
    }

    /// Writes the step in which the next message was published, if it changed.
    fn write_mark(&mut self, mark: StepMark) -> io::Result<()> {
        if self.mark == Some(mark) {
            return Ok(());
        }
        self.mark = Some(mark);
        self.since_chunk += MARK_BYTES;
        self.writer
            .write_private_record(
                STEP_MARK_OPCODE,
                &mark.to_bytes(),
                PrivateRecordOptions::IncludeInChunks.into(),
            )
            .map_err(into_io)
    }

    fn write_message(&mut self, record: &Record) -> io::Result<()> {
        let header = MessageHeader {
            channel_id: self.channel(&record.topic)?,
            #[expect(clippy::cast_possible_truncation, reason = "MCAP counts in 32 bits and lets them wrap")]
            sequence: record.time.sequence as u32,
            log_time: self.log_time.of(&record.time),
            publish_time: nanos(record.time.stamp_ns),
        };
        self.write_mark(record.time.mark())?;
        self.since_chunk += record.payload.len() as u64 + MESSAGE_OVERHEAD + INDEX_ENTRY;
        self.index_bytes += INDEX_ENTRY;
        self.writer.write_to_known_channel(&header, &record.payload).map_err(into_io)
    }

    fn end_chunk(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(into_io)?;
        self.chunk = None;
        self.chunks_end = self.output.total();
        self.since_chunk = 0;
        self.index_bytes = 0;
        Ok(())
    }
}

impl Encoder for McapEncoder {
    fn prepare(&mut self, record: &Record) -> Result<u64, PayloadError> {
        let mark = if self.mark == Some(record.time.mark()) { 0 } else { MARK_BYTES };
        Ok(record.payload.len() as u64 + MESSAGE_OVERHEAD + INDEX_ENTRY + mark)
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let before = self.output.total();
        self.write_message(record)?;
        if !self.is_file {
            return Ok(());
        }
        let begin = *self.chunk.get_or_insert_with(|| {
            // The library has written a header with sizes that no reader accepts.
            self.output.overwrite(before, &EMPTY_CHUNK);
            before
        });
        if self.output.total() - begin >= CHUNK_BYTES { self.end_chunk() } else { Ok(()) }
    }

    fn size(&self) -> u64 {
        // A chunk of a pipe is in the output only after its end.
        if self.is_file { self.output.total() + self.index_bytes } else { self.chunks_end + self.since_chunk }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_file && self.chunk.is_some() { Ok(()) } else { self.end_chunk() }
    }

    fn ending(&self) -> Vec<u8> {
        SHORT_END.to_vec()
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer.finish().map(drop).map_err(into_io)
    }
}

/// The channel of each topic that exists.
#[derive(Default)]
struct Channels(HashMap<u64, (Weak<Topic>, u16)>);

impl Channels {
    fn get(&self, topic: &Topic) -> Option<u16> {
        self.0.get(&topic.id).map(|(_, channel)| *channel)
    }

    /// Adds a topic and forgets those that are gone: vehicles may come and go without end.
    fn insert(&mut self, topic: &Arc<Topic>, channel: u16) {
        self.0.retain(|_, (topic, _)| topic.strong_count() > 0);
        self.0.insert(topic.id, (Arc::downgrade(topic), channel));
    }
}

/// Simulated time that a reset does not turn back.
#[derive(Default)]
struct LogTime {
    epoch: u32,
    offset_ns: i64,
    last_ns: i64,
}

impl LogTime {
    fn of(&mut self, time: &RecordTime) -> u64 {
        if time.epoch != self.epoch {
            self.epoch = time.epoch;
            let turned_back = self.last_ns.saturating_sub(self.offset_ns.saturating_add(time.stamp_ns));
            self.offset_ns = self.offset_ns.saturating_add(turned_back.max(0));
        }
        let now_ns = self.offset_ns.saturating_add(time.stamp_ns);
        self.last_ns = self.last_ns.max(now_ns);
        nanos(now_ns)
    }
}

/// Clamps negative times, which MCAP does not support, to zero.
fn nanos(time_ns: i64) -> u64 {
    u64::try_from(time_ns).unwrap_or(0)
}

fn into_io(error: mcap::McapError) -> io::Error {
    match error {
        mcap::McapError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{record, topic};

    #[test]
    fn a_topic_that_exists_again_has_its_channel_and_those_that_are_gone_take_no_memory() {
        let mut encoder = McapEncoder::begin(Output::default(), true).unwrap();
        let stays = topic("car1");
        encoder.write(&record(&stays, 0, 0)).unwrap();
        let mut channels = Vec::new();
        for step in 1..10 {
            let comes = topic("car2");
            encoder.write(&record(&comes, 0, step)).unwrap();
            channels.extend(encoder.channels.get(&comes));
        }
        assert_eq!(channels, [channels[0]; 9]);
        assert!(encoder.channels.get(&stays).is_some() && encoder.channels.0.len() <= 3);
    }
}
