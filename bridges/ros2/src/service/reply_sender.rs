//! The side of a service that faces its clients: makes replies of responses, writes them, and logs what fails. Usable from
//! any thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::{Payload, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::service::codec::Codec;
use bridgehead_ros2_node::service::codes::REPLY;
use bridgehead_ros2_node::service::responder::Responder;
use bridgehead_ros2_node::wall_clock;

use super::client::Client;
use super::mapping::Mapping;
use super::reply_writer::ReplyWriter;
use crate::dds::{Guid, WriteOptions};

/// What was written longer ago has arrived, or never will.
const IN_FLIGHT: Duration = Duration::from_millis(300);
/// Time limit for the acknowledgement of the last reply.
const TIMEOUT: Duration = Duration::from_millis(100);

/// Sends the replies of one service. It outlasts the service until the last of them is sent.
pub(crate) struct ReplySender {
    mapping: Mapping,
    responder: Responder,
    writer: Box<dyn ReplyWriter>,
    is_withdrawn: AtomicBool,
    last_written: Mutex<Option<Instant>>,
}

impl ReplySender {
    /// Creates that of a service of that name.
    pub(crate) fn new(name: &str, mapping: Mapping, codec: Codec, writer: Box<dyn ReplyWriter>) -> Self {
        ReplySender {
            mapping,
            responder: Responder::new(name, codec),
            writer,
            is_withdrawn: AtomicBool::new(false),
            last_written: Mutex::default(),
        }
    }

    /// Returns which clients are served.
    pub(crate) fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Returns what reads its requests.
    pub(crate) fn responder(&self) -> &Responder {
        &self.responder
    }

    /// Returns the writer of replies.
    pub(crate) fn writer(&self) -> &dyn ReplyWriter {
        self.writer.as_ref()
    }

    /// Records that the host has withdrawn the service.
    pub(crate) fn note_withdrawn(&self) {
        self.is_withdrawn.store(true, Ordering::Release);
    }

    /// Returns true if the host has withdrawn the service.
    pub(crate) fn is_withdrawn(&self) -> bool {
        self.is_withdrawn.load(Ordering::Acquire)
    }

    /// Encodes a reply; `None` if nothing can be sent to the client.
    pub(crate) fn encode(&self, client: &Client, outcome: Result<Payload>) -> Option<Vec<u8>> {
        self.responder.encode(client.identity.header(), outcome)
    }

    /// Writes a reply to one reader, or to all if `to` is `None`.
    pub(crate) fn write(&self, client: &Client, cdr: Vec<u8>, to: Option<Guid>) {
        let options = WriteOptions { related: client.identity.related(), to };
        *lock(&self.last_written) = Some(wall_clock::now());
        if let Err(error) = self.writer.write(cdr, options) {
            self.responder.log(REPLY, &format!("a reply is lost: {error}"));
        }
    }

    /// Waits for the delivery of the last replies, before it is dropped.
    pub(crate) fn flush(&self) {
        let last = lock(&self.last_written).take();
        if last.is_some_and(|last| last.elapsed() < IN_FLIGHT) {
            self.writer.flush(TIMEOUT);
        }
    }

    /// Logs a reply that has no reader.
    pub(crate) fn log_lost_reply(&self, why: &str) {
        self.responder.log(REPLY, &format!("a reply is lost: {why}"));
    }
}
