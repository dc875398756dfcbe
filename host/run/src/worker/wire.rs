//! What the host and a worker send to each other: the calls of the ABI, in both directions, as plain values.
//!
//! Each thread of the host that calls the plugin has a socket of its own, whose other end a thread of the worker reads.
//! The host sends a [`Call`] and waits for [`FromWorker::Returned`]; meanwhile the plugin may call the host on the same
//! thread, which is a [`Request`] that the waiting thread answers. Other threads of the plugin send their requests through
//! one more socket. The encoding is postcard; texts and payloads are borrowed from the received bytes.

mod answer;
mod bytes;
mod lane;
mod model;
mod protocol;
#[cfg(test)]
mod schema;

pub(super) use answer::{Answer, Message};
pub(super) use bytes::Bytes;
pub(super) use lane::Lane;
pub(super) use model::{ModelCall, ModelRequest, Qos, Step};
pub(super) use protocol::{
    Call, Caller, Channel, Connection, Finding, FromWorker, Loaded, Notice, Request, Returned, Role, Signal,
    ToWorker,
};
