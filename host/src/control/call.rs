//! Calls with their types: the bytes of a request in, an answer out, once.

use std::marker::PhantomData;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::{Status, status};
use bridgehead_plugin_api::messages::Message;

use crate::bus::Answer;

/// A response as bytes.
pub(super) struct Encoded<R> {
    bytes: Vec<u8>,
    response: PhantomData<fn(R)>,
}

impl<R: Message> Encoded<R> {
    pub(super) fn of(response: &R) -> Self {
        Encoded { bytes: response.encode_to_vec(), response: PhantomData }
    }

    /// Lets `encode` append fields: bytes of two parts of a message in a row are the message.
    pub(super) fn with(mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Self {
        encode(&mut self.bytes);
        self
    }
}

/// Where the response of one call goes. It may be kept, and sent from any thread; a call that is dropped without a
/// response is answered with INTERRUPTED.
pub struct Reply<R> {
    answer: Option<Answer>,
    response: PhantomData<fn(R)>,
}

impl<R: Message> Reply<R> {
    pub(super) fn new(answer: Answer) -> Self {
        Reply { answer: Some(answer), response: PhantomData }
    }

    /// Sends the response.
    #[expect(clippy::needless_pass_by_value, reason = "a response is sent once")]
    pub fn send(self, response: R) {
        self.send_encoded(Encoded::of(&response));
    }

    /// Sends the response.
    pub(super) fn send_encoded(mut self, response: Encoded<R>) {
        if let Some(answer) = self.answer.take() {
            answer(status::OK, Some(Payload::from_vec(response.bytes)));
        }
    }

    /// Ends the call without a response.
    pub fn fail(mut self, status: Status) {
        if let Some(answer) = self.answer.take() {
            answer(status, None);
        }
    }
}

impl<R> Drop for Reply<R> {
    fn drop(&mut self) {
        if let Some(answer) = self.answer.take() {
            answer(status::INTERRUPTED, None);
        }
    }
}

/// The request of a call; one that is none is answered with SCHEMA.
pub(super) fn decoded<Q: Message>(request: &Payload, answer: Answer) -> Option<(Q, Answer)> {
    match Q::decode(&**request) {
        Ok(request) => Some((request, answer)),
        Err(error) => {
            log::warn!("a request is no {}: {error}", Q::FULL_NAME);
            answer(status::SCHEMA, None);
            None
        }
    }
}
