//! WebSocket for bridges: a server for many clients, and a client that reconnects.
//!
//! A bridge implements [`Protocol`]: what to do when a client connects, sends a message or disconnects. This crate does
//! the rest: the thread, the handshake, access control, pings, deadlines and bounded queues.
//!
//! 1. [`ServerOptions`] is what the connection string of a bridge says about the server; it parses its own keys.
//! 2. [`SharedServers`] is the table of open servers of one plugin: instances with equal options share one server, which
//!    exists as long as an instance holds it.
//! 3. [`Protocol`] has the callbacks. All of them run on the server's thread, one after the other.
//! 4. [`Link`] is the sending side of one client. It may be used on any thread and never blocks.
//! 5. [`Frame`] is a message to send. Its bytes are shared by all clients that it is sent to.
//! 6. [`Dialer`] connects to a server instead, with the same [`Protocol`], and reconnects.
//!
//! A bridge uses it like this:
//!
//! ```
//! use bridgehead_websocket::{Bytes, Frame, Link, Protocol, ServerOptions, SharedServers};
//!
//! /// Sends every text back.
//! struct Echo;
//!
//! impl Protocol for Echo {
//!     type Client = Link;
//!
//!     fn opened(&self, link: &Link) -> Link {
//!         link.clone()
//!     }
//!     fn text(&self, client: &Link, text: &str) {
//!         client.reply(Frame::text(text.to_owned()));
//!     }
//!     fn binary(&self, client: &Link, _: Bytes) {
//!         client.close(1003, "only text");
//!     }
//! }
//!
//! static SERVERS: SharedServers<Echo> = SharedServers::new();
//!
//! let mut options = ServerOptions::new("127.0.0.1:0".parse()?, "echo");
//! options.max_clients = 8;
//! let server = SERVERS.join(&options, || Echo)?;
//! assert!(server.address().port() > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data and replies
//!
//! [`Link::data`] sends what may be lost: if the queue of the client is full, the oldest data is dropped and counted.
//! [`Link::reply`] sends what must not be lost: if too many replies wait, the client is disconnected with a reason.
//! Both kinds leave in the order in which they were queued.
//! Before the next frame after a loss, [`Protocol::lost`] can tell the client.
//!
//! # What a client can do to others
//!
//! It can use processor time of the server's thread; other clients have their turn after each message, and after each part
//! of its work if the bridge divides it ([`Protocol::proceed`]).
//! It cannot block the caller of a [`Link`], and what waits for it is bounded in frames and in bytes.
//! A client that does not read is disconnected after [`ServerOptions::write_deadline`].
//! A panic of a callback disconnects the client for which it was called.

mod callback;
mod dialer;
mod error;
mod frame;
mod gate;
mod handshakes;
mod link;
mod lock;
mod options;
mod origin;
mod outgoing;
mod protocol;
mod report;
mod server;
mod session;
mod shared;
#[cfg(test)]
mod tests;

pub use bytes::Bytes;

pub use dialer::{Dialer, DialerOptions};
pub use error::ServerError;
pub use frame::Frame;
pub use link::Link;
pub use options::{Backlog, CLIENT_KEYS, ServerOptions, server_keys};
pub use origin::Origins;
pub use protocol::{Negotiation, Protocol};
pub use server::Server;
pub use shared::SharedServers;
