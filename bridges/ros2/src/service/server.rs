//! One service: receives requests, calls the host and makes replies of the responses.
//!
//! Requests arrive on the thread of the participant, responses on any thread and in any order. Each call carries what
//! its reply needs, so calls are independent of each other.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::messages::CdrError;
use bridgehead_plugin_api::{Error, Payload, Result};

use crate::dds::{Encoding, Guid, Sample, WriteOptions};
use crate::wall_clock;

use super::client::Client;
use super::codec::Codec;
use super::codes::{REPLY, REQUEST, UNANSWERED};
use super::failure_response::FailureResponse;
use super::identity::{Arrived, HEADER_BYTES, Identity, NoHeader};
use super::mapping::{Kind, Mapping, Traits};
use super::replies::{CallOutcome, Replies};
use super::reply_writer::ReplyWriter;
use super::withdrawn;
use crate::lock::lock;
use crate::log_limiter::{LogLimiter, more};

/// What was written longer ago has arrived, or never will.
const IN_FLIGHT: Duration = Duration::from_millis(300);
/// Time limit for the acknowledgement of the last reply.
const TIMEOUT: Duration = Duration::from_millis(100);

/// Completes a call; called once, on any thread.
pub(crate) type Answer = Box<dyn FnOnce(Result<Payload>) + Send>;

/// Handles the calls.
pub(crate) trait Callee: Send {
    /// Starts a call.
    ///
    /// # Errors
    /// Returns an error if it was not accepted; `answer` is then never called.
    fn call(&self, request: &Payload, answer: Answer) -> Result;
}

/// A service that is offered.
pub(crate) struct ServiceServer {
    name: String,
    mapping: Mapping,
    codec: Codec,
    failure_response: Option<FailureResponse>,
    reply_writer: Box<dyn ReplyWriter>,
    replies: Arc<Replies>,
    /// `None` once the host has withdrawn the service.
    callee: Mutex<Option<Box<dyn Callee>>>,
    log_limiter: Mutex<LogLimiter>,
    last_written: Mutex<Option<Instant>>,
}

impl ServiceServer {
    /// Creates a service of that name.
    pub(crate) fn new(
        name: &str,
        mapping: Mapping,
        codec: Codec,
        reply_writer: Box<dyn ReplyWriter>,
        callee: Box<dyn Callee>,
        replies: &Arc<Replies>,
    ) -> Arc<Self> {
        Arc::new(ServiceServer {
            name: name.to_owned(),
            mapping,
            failure_response: FailureResponse::of(codec.types().response()),
            codec,
            reply_writer,
            replies: Arc::clone(replies),
            callee: Mutex::new(Some(callee)),
            log_limiter: Mutex::default(),
            last_written: Mutex::default(),
        })
    }

    /// Stops calling the host. Waits for a call in progress.
    pub(crate) fn close(&self) {
        drop(lock(&self.callee).take());
    }

    /// Returns true if the host has withdrawn the service.
    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.callee).is_none()
    }

    /// Returns the writer of replies.
    pub(crate) fn reply_writer(&self) -> &dyn ReplyWriter {
        self.reply_writer.as_ref()
    }

    /// Returns which clients are served.
    pub(crate) fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Handles a request. `[the thread of the participant]`
    pub(crate) fn handle_request(self: &Arc<Self>, sample: &Sample) {
        let user_data =
            self.reply_writer.writer(sample.id.guid).map(|peer| peer.user_data).unwrap_or_default();
        let kind = self.mapping.kind_of(&Traits {
            vendor: sample.vendor,
            user_data: &user_data,
            has_related_identity: sample.related.is_some(),
        });
        let arrived = Arrived {
            payload: &sample.body,
            encoding: sample.encoding,
            sample: sample.id,
            related: sample.related,
        };
        let (identity, message) = match Identity::split(kind, &arrived) {
            Ok(taken) => taken,
            Err(NoHeader) => return self.log_bad_request(sample, kind, &self.without_header(sample)),
        };
        let client = Client { identity, writer: sample.id.guid, user_data };
        match self.read(sample.encoding, message) {
            Ok(request) => self.call(client, &Payload::from_vec(request)),
            Err(problem) => {
                self.log_bad_request(sample, kind, &problem);
                self.refuse(client, &problem.to_string());
            }
        }
    }

    /// Decodes a request to protobuf.
    fn read(&self, encoding: Encoding, message: &[u8]) -> Result<Vec<u8>, BadRequest> {
        let service = || self.codec.types().ros_type().to_string();
        encoding.check().map_err(|error| BadRequest::Encoding { service: service(), error })?;
        self.codec.decode(message).map_err(|error| BadRequest::Message { service: service(), error })
    }

    fn without_header(&self, sample: &Sample) -> BadRequest {
        match self.read(sample.encoding, &[]) {
            Err(encoding @ BadRequest::Encoding { .. }) => encoding,
            Ok(_) | Err(_) => BadRequest::Header { found: sample.body.len() },
        }
    }

    fn call(self: &Arc<Self>, client: Client, request: &Payload) {
        let answer: Answer = {
            let (server, client) = (Arc::clone(self), client.clone());
            Box::new(move |outcome| {
                let replies = Arc::clone(&server.replies);
                replies.push(CallOutcome { server, client, outcome });
            })
        };
        let called = match lock(&self.callee).as_ref() {
            Some(callee) => callee.call(request, answer),
            None => Err(withdrawn()),
        };
        if let Err(error) = called {
            self.replies.push(CallOutcome { server: Arc::clone(self), client, outcome: Err(error) });
        }
    }

    /// Sends the client a response that reports the failure of its call.
    fn refuse(self: &Arc<Self>, client: Client, why: &str) {
        if let Some(response) =
            self.failure_response.as_ref().and_then(|failure_response| failure_response.response(why))
        {
            let outcome = Ok(Payload::from_vec(response));
            self.replies.push(CallOutcome { server: Arc::clone(self), client, outcome });
        }
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
        let response = self.failure_response.as_ref()?.response(&failed)?;
        self.codec.encode(header, &response).ok()
    }

    /// Writes a reply to one reader, or to all if `to` is `None`.
    pub(crate) fn write(&self, client: &Client, cdr: Vec<u8>, to: Option<Guid>) {
        let options = WriteOptions { related: client.identity.related(), to };
        *lock(&self.last_written) = Some(wall_clock::now());
        if let Err(error) = self.reply_writer.write(cdr, options) {
            self.log(REPLY, &format!("a reply is lost: {error}"));
        }
    }

    /// Waits for the delivery of the last replies, before the service is dropped.
    pub(crate) fn flush(&self) {
        let last = lock(&self.last_written).take();
        if last.is_some_and(|last| last.elapsed() < IN_FLIGHT) {
            self.reply_writer.flush(TIMEOUT);
        }
    }

    /// Logs a reply that has no reader.
    pub(crate) fn log_lost_reply(&self, why: &str) {
        self.log(REPLY, &format!("a reply is lost: {why}"));
    }

    fn log_bad_request(&self, sample: &Sample, kind: Kind, problem: &BadRequest) {
        let conventions = match kind {
            Kind::Header => "rmw_cyclonedds",
            Kind::InlineQos => "rmw_fastrtps",
        };
        let (bytes, vendor, writer) = (sample.body.len(), sample.vendor, sample.id.guid);
        let text = format!(
            "a request of {bytes} bytes is malformed: {problem} (treated as a client of {conventions}; its DDS is \
             {vendor:?}, its writer {writer:?})"
        );
        self.log(REQUEST, &text);
    }

    fn log(&self, code: &str, text: &str) {
        if let Some(suppressed) = lock(&self.log_limiter).admit(wall_clock::now()) {
            log::warn!("[{code}] service {}: {text}{}", self.name, more(suppressed, "about this service"));
        }
    }
}

/// Why a request cannot be understood.
enum BadRequest {
    /// Another encoding than CDR version 1 in little endian.
    Encoding {
        service: String,
        error: Error,
    },
    /// It has fewer bytes than its header.
    Header {
        found: usize,
    },
    Message {
        service: String,
        error: CdrError,
    },
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadRequest::Header { found } => {
                write!(f, "expected {HEADER_BYTES} bytes of header before the message, found {found}")
            }
            BadRequest::Encoding { service, error } => write!(f, "it is not a request of {service}: {error}"),
            BadRequest::Message { service, error } => write!(f, "it is not a request of {service}: {error}"),
        }
    }
}

#[cfg(test)]
mod tests;
