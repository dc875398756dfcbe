//! One service: receives requests and calls the host.
//!
//! Requests arrive on the thread of the participant, responses on any thread and in any order. Each call carries what
//! its reply needs, so calls are independent of each other.

use std::fmt;
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::messages::CdrError;
use bridgehead_plugin_api::{Error, Payload, Result};
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::service::callee::{Answer, Callee, withdrawn};
use bridgehead_ros2_node::service::codes::REQUEST;

use super::client::Client;
use super::identity::{Arrived, HEADER_BYTES, Identity, NoHeader};
use super::mapping::{Kind, Traits};
use super::replies::{CallOutcome, Replies};
use super::reply_sender::ReplySender;
use crate::dds::{Encoding, Sample};

/// A service that is offered.
pub(crate) struct ServiceServer {
    sender: Arc<ReplySender>,
    replies: Arc<Replies>,
    /// `None` once the host has withdrawn the service.
    callee: Mutex<Option<Box<dyn Callee>>>,
}

impl ServiceServer {
    /// Creates a service that sends its replies with `sender`.
    pub(crate) fn new(
        sender: &Arc<ReplySender>,
        callee: Box<dyn Callee>,
        replies: &Arc<Replies>,
    ) -> Arc<Self> {
        Arc::new(ServiceServer {
            sender: Arc::clone(sender),
            replies: Arc::clone(replies),
            callee: Mutex::new(Some(callee)),
        })
    }

    /// Stops calling the host. Waits for a call in progress.
    pub(crate) fn close(&self) {
        drop(lock(&self.callee).take());
        self.sender.note_withdrawn();
    }

    /// Returns what sends its replies.
    pub(crate) fn sender(&self) -> &ReplySender {
        &self.sender
    }

    /// Handles a request. `[the thread of the participant]`
    pub(crate) fn handle_request(&self, sample: &Sample) {
        let user_data =
            self.sender.writer().writer(sample.id.guid).map(|peer| peer.user_data).unwrap_or_default();
        let kind = self.sender.mapping().kind_of(&Traits {
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
        let service = || self.sender.responder().ros_type().to_owned();
        encoding.check().map_err(|error| BadRequest::Encoding { service: service(), error })?;
        self.sender
            .responder()
            .decode(message)
            .map_err(|error| BadRequest::Message { service: service(), error })
    }

    fn without_header(&self, sample: &Sample) -> BadRequest {
        match self.read(sample.encoding, &[]) {
            Err(encoding @ BadRequest::Encoding { .. }) => encoding,
            Ok(_) | Err(_) => BadRequest::Header { found: sample.body.len() },
        }
    }

    fn call(&self, client: Client, request: &Payload) {
        let answer: Answer = {
            let (sender, client) = (Arc::clone(&self.sender), client.clone());
            let replies = Arc::clone(&self.replies);
            Box::new(move |outcome| replies.push(CallOutcome { sender, client, outcome }))
        };
        let called = match lock(&self.callee).as_ref() {
            Some(callee) => callee.call(request, answer),
            None => Err(withdrawn()),
        };
        if let Err(error) = called {
            self.reply(client, Err(error));
        }
    }

    /// Sends the client a response that reports the failure of its call.
    fn refuse(&self, client: Client, why: &str) {
        if let Some(response) = self.sender.responder().failure_response(why) {
            self.reply(client, Ok(response));
        }
    }

    fn reply(&self, client: Client, outcome: Result<Payload>) {
        self.replies.push(CallOutcome { sender: Arc::clone(&self.sender), client, outcome });
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
        self.sender.responder().log(REQUEST, &text);
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
