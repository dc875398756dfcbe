//! The side of a service that faces its clients: makes replies of responses, writes them, and logs what fails. Usable from
//! any thread.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::{Payload, Result};

use super::client::Client;
use super::codec::Codec;
use super::codes::{REPLY, UNANSWERED};
use super::failure_response::FailureResponse;
use super::mapping::Mapping;
use super::reply_writer::ReplyWriter;
use crate::dds::{Guid, WriteOptions};
use crate::lock::lock;
use crate::log_limiter::{LogLimiter, more};
use crate::wall_clock;

/// What was written longer ago has arrived, or never will.
const IN_FLIGHT: Duration = Duration::from_millis(300);
/// Time limit for the acknowledgement of the last reply.
const TIMEOUT: Duration = Duration::from_millis(100);

/// Sends the replies of one service. It outlasts the service until the last of them is sent.
pub(crate) struct ReplySender {
    name: String,
    mapping: Mapping,
    codec: Codec,
    failure_response: Option<FailureResponse>,
    writer: Box<dyn ReplyWriter>,
    is_withdrawn: AtomicBool,
    log_limiter: Mutex<LogLimiter>,
    last_written: Mutex<Option<Instant>>,
}

impl ReplySender {
    /// Creates that of a service of that name.
    pub(crate) fn new(name: &str, mapping: Mapping, codec: Codec, writer: Box<dyn ReplyWriter>) -> Self {
        ReplySender {
            name: name.to_owned(),
            mapping,
            failure_response: FailureResponse::of(codec.types().response()),
            codec,
            writer,
            is_withdrawn: AtomicBool::new(false),
            log_limiter: Mutex::default(),
            last_written: Mutex::default(),
        }
    }

    /// Returns which clients are served.
    pub(crate) fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Returns the codec of its messages.
    pub(crate) fn codec(&self) -> &Codec {
        &self.codec
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

    /// Returns a response that reports a failure, if the type of the response can.
    pub(crate) fn failure_response(&self, why: &str) -> Option<Vec<u8>> {
        self.failure_response.as_ref()?.response(why)
    }

    /// Encodes a reply; `None` if nothing can be sent to the client.
    pub(crate) fn encode(&self, client: &Client, outcome: Result<Payload>) -> Option<Vec<u8>> {
        let header = client.identity.header();
        let failed = match outcome {
            Ok(response) => match self.codec.encode(header, &response) {
                Ok(cdr) => return Some(cdr),
                Err(error) => format!("the response cannot be sent to ROS 2: {error}"),
            },
            Err(error) => error.to_string(),
        };
        self.log(UNANSWERED, &format!("a call failed: {failed}"));
        let response = self.failure_response(&failed)?;
        self.codec.encode(header, &response).ok()
    }

    /// Writes a reply to one reader, or to all if `to` is `None`.
    pub(crate) fn write(&self, client: &Client, cdr: Vec<u8>, to: Option<Guid>) {
        let options = WriteOptions { related: client.identity.related(), to };
        *lock(&self.last_written) = Some(wall_clock::now());
        if let Err(error) = self.writer.write(cdr, options) {
            self.log(REPLY, &format!("a reply is lost: {error}"));
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
        self.log(REPLY, &format!("a reply is lost: {why}"));
    }

    /// Logs a failure of the service, not too often.
    pub(crate) fn log(&self, code: &str, text: &str) {
        if let Some(suppressed) = lock(&self.log_limiter).admit(wall_clock::now()) {
            log::warn!("[{code}] service {}: {text}{}", self.name, more(suppressed, "about this service"));
        }
    }
}
