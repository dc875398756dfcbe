//! What the host answers to the requests of a plugin.

use bridgehead_abi::Status;
use serde::{Deserialize, Serialize};

use super::bytes::Bytes;

/// The answer to a request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Answer<'a> {
    /// A status, and nothing else.
    Status(Status),
    /// A number.
    Number(u64),
    /// A payload, or what a function of `hosting` has answered.
    Payload(#[serde(borrow)] Bytes<'a>),
    /// A message, for the transmit loop or of a subscription.
    Message(Message<'a>),
    /// A call of a service.
    ServiceCall {
        call: u64,
        #[serde(borrow)]
        payload: Bytes<'a>,
    },
}

impl Answer<'_> {
    /// The status of an answer; OK for one that has something else.
    pub(in crate::worker) fn status(self) -> Status {
        match self {
            Answer::Status(code) => code,
            _ => bridgehead_abi::status::OK,
        }
    }
}

/// A message.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Message<'a> {
    /// Of a bridge; 0 for a subscription.
    pub(in crate::worker) endpoint: u32,
    pub(in crate::worker) type_id: u32,
    pub(in crate::worker) encoding: u32,
    pub(in crate::worker) reset_epoch: u32,
    pub(in crate::worker) stamp_ns: i64,
    pub(in crate::worker) sequence: u64,
    pub(in crate::worker) step: u64,
    pub(in crate::worker) vehicle: &'a str,
    pub(in crate::worker) topic: &'a str,
    pub(in crate::worker) payload: Bytes<'a>,
}
