//! The trait that a bridge implements.

use std::time::Duration;

use bytes::Bytes;

use crate::frame::Frame;
use crate::link::Link;

/// What a server answers to the subprotocols that a client offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Negotiation {
    /// The connection has no subprotocol.
    Plain,
    /// The connection has this subprotocol, which must be one of the offered.
    Use(String),
    /// The client is refused with status 400 and this text.
    Refuse(String),
}

/// What a bridge does with clients.
///
/// All callbacks of one server run on its thread, one after the other, so they must not block: neither on a lock that
/// another thread holds for long, nor on input or output. A panic of a callback disconnects the client.
pub trait Protocol: Send + Sync + 'static {
    /// What the protocol keeps for each client. Usually an `Arc`, if other threads send to the client.
    type Client: Send + Sync + 'static;

    /// Chooses among the subprotocols that a client offers, in its order; none if it offers none.
    fn negotiate(&self, offered: &[&str]) -> Negotiation {
        let _ = offered;
        Negotiation::Plain
    }

    /// Returns true if pages of this origin may connect besides those of [`crate::ServerOptions::origins`] and of this machine.
    fn allows_origin(&self, origin: &str) -> bool {
        let _ = origin;
        false
    }

    /// Called when a client has connected. What is sent here is the first that it receives.
    fn opened(&self, link: &Link) -> Self::Client;

    /// Called for each text message.
    fn text(&self, client: &Self::Client, text: &str);

    /// Called for each binary message.
    fn binary(&self, client: &Self::Client, bytes: Bytes);

    /// Called after each received message, and again while it returns true: does a part of the work that the message
    /// causes. Other clients have their turn in between, and the next message of this client is read afterwards.
    fn proceed(&self, client: &Self::Client) -> bool {
        let _ = client;
        false
    }

    /// Called after data to this client was dropped, before the next frame is sent to it. The returned frame is sent
    /// first. `count` is the number of frames since the last call.
    fn lost(&self, client: &Self::Client, count: u64) -> Option<Frame> {
        let _ = (client, count);
        None
    }

    /// Called after [`Link::wake`], after each received message, and when the returned time has passed. Returns the time
    /// until the next call, or `None` to wait for one of the other two.
    fn poll(&self, client: &Self::Client) -> Option<Duration> {
        let _ = client;
        None
    }

    /// Logs what a client did wrong: a refused handshake, a message over the limit, replies that are not read. Called for
    /// one line of each kind every ten seconds.
    fn warn(&self, text: &str) {
        log::warn!("{text}");
    }

    /// Called when a client has disconnected, also if it was closed from this side. Not called if
    /// [`Protocol::opened`] panicked.
    fn closed(&self, client: &Self::Client) {
        let _ = client;
    }
}
