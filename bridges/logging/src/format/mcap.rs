//! MCAP: unchanged protobuf payloads, with the descriptor of each type as its schema.
//!
//! The file contains no wall-clock time, so it is the same in every run: `publish_time` is the stamp of the message,
//! and so is `log_time` until a reset turns time back. From then on `log_time` continues where it was, so that a
//! viewer shows the epochs one after the other. A private record ([`StepMark`]) contains the step in which messages
//! were published.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use bridgehead_plugin_api::messages::{PayloadError, RecordTime, STEP_MARK_OPCODE, StepMark};
use mcap::records::MessageHeader;
use mcap::write::{NoSeek, PrivateRecordOptions, WriteOptions};

use super::Encoder;
use crate::stream::{Output, Stream};
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

/// Writes MCAP. Chunks are collected in memory and written whole, so that a killed process leaves no incomplete chunk
/// before the next one; the target need not support seeking.
pub(crate) struct McapEncoder {
    writer: mcap::Writer<NoSeek<Stream>>,
    count: Output,
    /// Bytes accepted since the last flush, and the byte count at that time.
    since_flush: u64,
    flushed: u64,
    /// Channel of each topic that was written.
    channels: HashMap<u64, u16>,
    mark: Option<StepMark>,
    log_time: LogTime,
}

impl McapEncoder {
    pub(crate) fn begin(stream: Stream, count: Output) -> io::Result<Self> {
        let writer = WriteOptions::new()
            .compression(None)
            .disable_seeking(true)
            .library(concat!("bridgehead-bridge-logging ", env!("CARGO_PKG_VERSION")))
            .create(NoSeek::new(stream))
            .map_err(into_io)?;
        Ok(McapEncoder {
            writer,
            count,
            since_flush: 0,
            flushed: 0,
            channels: HashMap::new(),
            mark: None,
            log_time: LogTime::default(),
        })
    }

    /// Returns the topic's channel, which is added with its schema before its first message.
    fn channel(&mut self, topic: &Topic) -> io::Result<u16> {
        if let Some(id) = self.channels.get(&topic.id) {
            return Ok(*id);
        }
        let descriptor_set = topic.message.schema().descriptor_set();
        let schema =
            self.writer.add_schema(topic.message.full_name(), "protobuf", descriptor_set).map_err(into_io)?;
        let metadata = BTreeMap::from([
            ("ros_type".to_owned(), topic.message.ros_type().to_string()),
            ("vehicle".to_owned(), topic.vehicle.clone()),
        ]);
        let id = self.writer.add_channel(schema, &topic.name, "protobuf", &metadata).map_err(into_io)?;
        self.since_flush += descriptor_set.len() as u64;
        self.channels.insert(topic.id, id);
        Ok(id)
    }

    /// Writes the step in which the next message was published, if it changed.
    fn write_mark(&mut self, mark: StepMark) -> io::Result<()> {
        if self.mark == Some(mark) {
            return Ok(());
        }
        self.mark = Some(mark);
        self.since_flush += MARK_BYTES;
        self.writer
            .write_private_record(
                STEP_MARK_OPCODE,
                &mark.to_bytes(),
                PrivateRecordOptions::IncludeInChunks.into(),
            )
            .map_err(into_io)
    }
}

impl Encoder for McapEncoder {
    fn prepare(&mut self, record: &Record) -> Result<u64, PayloadError> {
        let mark = if self.mark == Some(record.time.mark()) { 0 } else { MARK_BYTES };
        Ok(record.payload.len() as u64 + MESSAGE_OVERHEAD + INDEX_ENTRY + mark)
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let header = MessageHeader {
            channel_id: self.channel(&record.topic)?,
            #[expect(clippy::cast_possible_truncation, reason = "MCAP counts in 32 bits and lets them wrap")]
            sequence: record.time.sequence as u32,
            log_time: self.log_time.of(&record.time),
            publish_time: nanos(record.time.stamp_ns),
        };
        self.write_mark(record.time.mark())?;
        self.since_flush += record.payload.len() as u64 + MESSAGE_OVERHEAD + INDEX_ENTRY;
        self.writer.write_to_known_channel(&header, &record.payload).map_err(into_io)
    }

    fn size(&self) -> u64 {
        self.flushed + self.since_flush
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(into_io)?;
        self.flushed = self.count.total();
        self.since_flush = 0;
        Ok(())
    }

    fn ending(&self) -> Vec<u8> {
        SHORT_END.to_vec()
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.writer.finish().map_err(into_io)?;
        let mut stream = self.writer.into_inner();
        stream.flush()
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
