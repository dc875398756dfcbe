//! The side of a service that faces its clients, whatever the transport: reads requests, writes responses, and logs what
//! fails. Usable from any thread.

use std::sync::Mutex;

use bridgehead_plugin_api::messages::CdrError;
use bridgehead_plugin_api::{Payload, Result};

use super::codec::Codec;
use super::codes::UNANSWERED;
use super::failure_response::FailureResponse;
use crate::lock::lock;
use crate::log_limiter::{LogLimiter, more};
use crate::wall_clock;

/// Reads the requests of a service and writes its responses.
pub struct Responder {
    name: String,
    codec: Codec,
    failure_response: Option<FailureResponse>,
    log_limiter: Mutex<LogLimiter>,
}

impl Responder {
    /// Creates that of a service with this absolute name.
    pub fn new(name: &str, codec: Codec) -> Self {
        Responder {
            name: name.to_owned(),
            failure_response: FailureResponse::of(codec.types().response()),
            codec,
            log_limiter: Mutex::default(),
        }
    }

    /// Returns the ROS type of the service.
    pub fn ros_type(&self) -> &str {
        self.codec.types().ros_type()
    }

    /// Decodes the body of a request to protobuf.
    ///
    /// # Errors
    /// Returns the field and the byte at which it is malformed.
    pub fn decode(&self, body: &[u8]) -> Result<Vec<u8>, CdrError> {
        self.codec.decode(body)
    }

    /// Encodes what the host has answered, after `header`; `None` if nothing can be sent to the client.
    pub fn encode(&self, header: &[u8], outcome: Result<Payload>) -> Option<Vec<u8>> {
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

    /// Returns a response that reports a failure, if the type of the response can.
    pub fn failure_response(&self, why: &str) -> Option<Payload> {
        self.failure_response.as_ref()?.response(why).map(Payload::from_vec)
    }

    /// Logs a failure of the service, not too often.
    pub fn log(&self, code: &str, text: &str) {
        if let Some(suppressed) = lock(&self.log_limiter).admit(wall_clock::now()) {
            log::warn!("[{code}] service {}: {text}{}", self.name, more(suppressed, "about this service"));
        }
    }
}
