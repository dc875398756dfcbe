//! MCAP with protobuf messages and step marks, as the logging bridge writes it.
//!
//! Read from the front without the index, so an unfinished file can be played too.

use std::collections::HashMap;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bridgehead_plugin_api::messages::{STEP_MARK_OPCODE, Schema, StepMark};
use bridgehead_plugin_api::{Error, Result};
use mcap::McapError;
use mcap::records::{Channel, MessageHeader, Record};
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use super::{Content, Entry, MAX_MESSAGE_BYTES, Position, RecordedSchema, Recording, Unit};

/// Reads MCAP.
pub(crate) struct McapRecording<R> {
    position: Position,
    source: R,
    reader: LinearReader,
    schemas: HashMap<u16, RecordedSchema>,
    channels: HashMap<u16, Channel>,
    mark: Option<StepMark>,
    header: Option<MessageHeader>,
    payload: Vec<u8>,
}

impl<R: Read + Send> McapRecording<R> {
    pub(crate) fn new(file: Arc<str>, source: R) -> Self {
        let options = LinearReaderOptions::default()
            .with_validate_chunk_crcs(true)
            .with_record_length_limit(MAX_MESSAGE_BYTES);
        McapRecording {
            position: Position { file, unit: Unit::Message, number: 0 },
            source,
            reader: LinearReader::new_with_options(options),
            schemas: HashMap::new(),
            channels: HashMap::new(),
            mark: None,
            header: None,
            payload: Vec::new(),
        }
    }

    /// Reads up to the next message. Returns false at the end of the file.
    fn advance(&mut self) -> Result<bool> {
        loop {
            // `mcap` 0.26 panics if a record is longer than the rest of its uncompressed chunk.
            let reader = &mut self.reader;
            let event = contained(move || reader.next_event()).ok_or_else(|| {
                self.position.error("the file cannot be read after this: a record exceeds its chunk")
            })?;
            match event {
                None => return Ok(false),
                Some(Ok(LinearReadEvent::ReadRequest(wanted))) => {
                    let read = self.source.read(self.reader.insert(wanted));
                    self.reader.notify_read(read.map_err(|error| self.position.error(error))?);
                }
                Some(Ok(LinearReadEvent::Record { opcode: STEP_MARK_OPCODE, data })) => {
                    self.mark = StepMark::from_bytes(data);
                }
                Some(Ok(LinearReadEvent::Record { opcode, data })) => {
                    match mcap::parse_record(opcode, data).map_err(|error| after(&self.position, &error))? {
                        Record::Schema { header, data } => {
                            let schema = Schema::new(data.into_owned(), header.name.clone()).resolve();
                            let fingerprint = schema.ok().map(|message| message.fingerprint());
                            self.schemas.insert(header.id, RecordedSchema { name: header.name, fingerprint });
                        }
                        Record::Channel(channel) => _ = self.channels.insert(channel.id, channel),
                        Record::Message { header, data } => {
                            self.header = Some(header);
                            self.payload.clear();
                            self.payload.extend_from_slice(&data);
                            self.position.number += 1;
                            return Ok(true);
                        }
                        // The rest is index, statistics and records of other programs.
                        _ => {}
                    }
                }
                Some(Err(McapError::UnexpectedEof)) => {
                    log::warn!(
                        "{}: the recording is truncated after this; everything before is played",
                        self.position
                    );
                    return Ok(false);
                }
                Some(Err(error)) => return Err(after(&self.position, &error)),
            }
        }
    }
}

/// Returns `None` if `read` panics.
fn contained<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).ok()
}

/// An error after the last message that was read.
fn after(position: &Position, error: &McapError) -> Error {
    position.error(format_args!("the file cannot be read after this: {error}"))
}

impl<R: Read + Send> Recording for McapRecording<R> {
    fn next(&mut self) -> Result<Option<Entry<'_>>> {
        if !self.advance()? {
            return Ok(None);
        }
        let position = &self.position;
        let known = self.header.and_then(|header| Some((header, self.channels.get(&header.channel_id)?)));
        let Some((header, channel)) = known else {
            return Err(position.error("its channel is not in the file"));
        };
        let schema = self.schemas.get(&channel.schema_id).filter(|_| channel.message_encoding == "protobuf");
        let Some(schema) = schema else {
            return Err(position.error(format_args!(
                "`{}` is recorded as `{}`; expected protobuf with its schema, as the logging bridge writes it",
                channel.topic, channel.message_encoding
            )));
        };
        let Some(mark) = self.mark else {
            return Err(position.error(
                "the file does not say in which step its messages were published; \
                 expected one that the logging bridge has written",
            ));
        };
        Ok(Some(Entry {
            position: position.clone(),
            topic: &channel.topic,
            mark,
            stamp_ns: i64::try_from(header.publish_time).ok(),
            content: Content::Protobuf { schema, payload: &self.payload },
        }))
    }
}
