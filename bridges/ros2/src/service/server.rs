//! One service: takes requests, calls the host, and makes replies out of what comes back.
//!
//! Requests come in on the thread of the participant, answers on any thread and in any order. Each call carries with it
//! what its reply needs, so that calls know nothing of each other.

use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_plugin_api::{Payload, Result};

use crate::dds::{Encoding, Guid, Sample, WriteOptions};
use crate::wall;

use super::client::Client;
use super::codec::Codec;
use super::codes::{REPLY, REQUEST, UNANSWERED};
use super::failure_response::FailureResponse;
use super::identity::{Arrived, HEADER_BYTES, Identity, NoHeader};
use super::log_limiter::{LogLimiter, more};
use super::mapping::{Kind, Mapping, Traits};
use super::replies::{Replies, Reply};
use super::reply_writer::ReplyWriter;
use super::withdrawn;
use crate::lock::lock;

/// What was written longer ago has arrived, or never will.
const IN_FLIGHT: Duration = Duration::from_millis(300);
/// How long the acknowledgement of a reply is waited for at the end.
const TIMEOUT: Duration = Duration::from_millis(100);

/// What answers a call; called once, on any thread.
pub(crate) type Answer = Box<dyn FnOnce(Result<Payload>) + Send>;

/// Who serves the calls.
pub(crate) trait Callee: Send {
    /// Starts a call.
    ///
    /// # Errors
    /// Where it was not accepted; `answer` is then never called.
    fn call(&self, request: &Payload, answer: Answer) -> Result;
}

/// A service that is offered.
pub(crate) struct Server {
    name: String,
    mapping: Mapping,
    codec: Codec,
    failure_response: Option<FailureResponse>,
    reply_writer: Box<dyn ReplyWriter>,
    replies: Arc<Replies>,
    /// `None` once the host has taken the service back.
    callee: Mutex<Option<Box<dyn Callee>>>,
    log_limiter: Mutex<LogLimiter>,
    last_written: Mutex<Option<Instant>>,
}

impl Server {
    /// A service of that name.
    pub(crate) fn new(
        name: &str,
        mapping: Mapping,
        codec: Codec,
        reply_writer: Box<dyn ReplyWriter>,
        callee: Box<dyn Callee>,
        replies: &Arc<Replies>,
    ) -> Arc<Self> {
        Arc::new(Server {
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

    /// Calls the host no more. Waits for a call that is being handed over.
    pub(crate) fn close(&self) {
        drop(lock(&self.callee).take());
    }

    /// Where replies go out.
    pub(crate) fn reply_writer(&self) -> &dyn ReplyWriter {
        self.reply_writer.as_ref()
    }

    /// Which clients are served.
    pub(crate) fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Takes a request. `[the thread of the participant]`
    pub(crate) fn take(self: &Arc<Self>, sample: &Sample) {
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
        let (identity, message) = match Identity::take(kind, &arrived) {
            Ok(taken) => taken,
            Err(NoHeader) => return self.log_bad_request(sample, kind, &without_header(sample)),
        };
        let client = Client { identity, writer: sample.id.guid, user_data };
        match self.read(sample.encoding, message) {
            Ok(request) => self.call(client, &Payload::from_vec(request)),
            Err(problem) => {
                self.log_bad_request(sample, kind, &problem);
                self.refuse(client, &problem);
            }
        }
    }

    /// The request in protobuf, or why there is none.
    fn read(&self, encoding: Encoding, message: &[u8]) -> Result<Vec<u8>, String> {
        let problem =
            |error: &dyn Display| format!("it is no request of {}: {error}", self.codec.types().ros_type());
        encoding.check().map_err(|error| problem(&error))?;
        self.codec.decode(message).map_err(|error| problem(&error))
    }

    fn call(self: &Arc<Self>, client: Client, request: &Payload) {
        let answer: Answer = {
            let (server, client) = (Arc::clone(self), client.clone());
            Box::new(move |outcome| {
                let replies = Arc::clone(&server.replies);
                replies.push(Reply { server, client, outcome });
            })
        };
        let called = match lock(&self.callee).as_ref() {
            Some(callee) => callee.call(request, answer),
            None => Err(withdrawn()),
        };
        if let Err(error) = called {
            self.replies.push(Reply { server: Arc::clone(self), client, outcome: Err(error) });
        }
    }

    /// Lets the client know that nothing came of its call.
    fn refuse(self: &Arc<Self>, client: Client, why: &str) {
        if let Some(response) =
            self.failure_response.as_ref().and_then(|failure_response| failure_response.response(why))
        {
            let outcome = Ok(Payload::from_vec(response));
            self.replies.push(Reply { server: Arc::clone(self), client, outcome });
        }
    }

    /// The bytes of a reply; `None` where there is nothing to say to the client.
    pub(crate) fn encode(&self, client: &Client, outcome: Result<Payload>) -> Option<Vec<u8>> {
        let header = client.identity.header();
        let failed = match outcome {
            Ok(response) => match self.codec.encode(header, &response) {
                Ok(cdr) => return Some(cdr),
                Err(error) => format!("the response cannot be sent to ROS 2: {error}"),
            },
            Err(error) => error.to_string(),
        };
        self.log(&format!("a call came to nothing: {failed} [{UNANSWERED}]"));
        let response = self.failure_response.as_ref()?.response(&failed)?;
        self.codec.encode(header, &response).ok()
    }

    /// Writes a reply to one reader, or without `to` to all.
    pub(crate) fn write(&self, client: &Client, cdr: Vec<u8>, to: Option<Guid>) {
        let options = WriteOptions { related: client.identity.related(), to };
        *lock(&self.last_written) = Some(wall::now());
        if let Err(error) = self.reply_writer.write(cdr, options) {
            self.log(&format!("a reply is lost: {error} [{REPLY}]"));
        }
    }

    /// Sees to it that the last replies arrive, before all of this is dropped.
    pub(crate) fn flush(&self) {
        let last = lock(&self.last_written).take();
        if last.is_some_and(|last| last.elapsed() < IN_FLIGHT) {
            self.reply_writer.flush(TIMEOUT);
        }
    }

    /// Says that a reply finds nobody it could go to.
    pub(crate) fn lose(&self, why: &str) {
        self.log(&format!("a reply is lost: {why} [{REPLY}]"));
    }

    fn log_bad_request(&self, sample: &Sample, kind: Kind, problem: &str) {
        let conventions = match kind {
            Kind::Header => "rmw_cyclonedds",
            Kind::InlineQos => "rmw_fastrtps",
        };
        let (bytes, vendor, writer) = (sample.body.len(), sample.vendor, sample.id.guid);
        self.log(&format!(
            "a request of {bytes} bytes cannot be understood: {problem} (taken for a client of {conventions}; its DDS is \
             {vendor:?}, its writer {writer:?}) [{REQUEST}]"
        ));
    }

    fn log(&self, text: &str) {
        if let Some(suppressed) = lock(&self.log_limiter).admit(wall::now()) {
            log::warn!("service {}: {text}{}", self.name, more(suppressed));
        }
    }
}

fn without_header(sample: &Sample) -> String {
    match sample.encoding.check() {
        Err(error) => error.to_string(),
        Ok(()) => {
            format!(
                "{HEADER_BYTES} bytes of header belong before the message, there are {}",
                sample.body.len()
            )
        }
    }
}

#[cfg(test)]
mod tests;
