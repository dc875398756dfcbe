//! The sockets that the bridge needs: four roles, all of which bind, implemented with two libraries.

mod inbound;
#[cfg(feature = "libzmq")]
mod libzmq;
mod pure_rust;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use bridgehead_plugin_api::{Error, Result};

use crate::codes::{SOCKET_FAILED, UNSUPPORTED_INPUT};
pub use crate::connection::BackendKind;
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::tag::Tag;

/// Why a port cannot be opened.
#[derive(Debug)]
pub enum BindError {
    /// Another socket uses it.
    Taken,
    /// Any other error.
    Failed(SocketError),
}

/// An error of the ZeroMQ library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocketError(String);

impl SocketError {
    fn new(error: &impl fmt::Display) -> Self {
        SocketError(error.to_string())
    }
}

impl fmt::Display for SocketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SocketError {}

/// Returns the reply to a request; both without tag.
pub type RequestHandler = Box<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;
/// Handles a command, without tag.
pub type CommandHandler = Box<dyn Fn(&[u8]) + Send + Sync>;
/// A port that is served until this is dropped.
pub type BoundPort = Box<dyn Send + Sync>;

/// Result of a request to a client.
#[derive(Debug, PartialEq, Eq)]
pub enum RequestOutcome {
    /// The frame with which the client replied.
    Replied(Vec<u8>),
    /// No client is connected.
    NoClient,
    /// The client did not reply in time.
    TimedOut,
}

/// A port that publishes to all subscribers.
pub trait Publish: Send {
    /// Sends a frame without waiting. Messages are lost to a subscriber that is too slow.
    ///
    /// # Errors
    /// Returns an error if nothing was sent.
    fn send(&mut self, frame: &[u8]) -> Result<Sent, SocketError>;
}

/// Which subscribers got a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// All subscribers, as far as the library can tell.
    ToAll,
    /// At least one subscriber was too slow and lost it.
    ToSome,
}

/// A port that sends requests to the connected client.
pub trait RequestPort: Send {
    /// Sends a frame and waits for the reply. Stops waiting early once `is_over` returns true.
    ///
    /// # Errors
    /// Returns an error if the request could not be sent.
    fn request(
        &mut self,
        frame: &[u8],
        timeout: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<RequestOutcome, SocketError>;
}

/// Opens ports. Dropping it closes all of them.
pub trait Backend: Send + Sync {
    /// Opens a port that publishes; up to `depth` messages wait for a slow subscriber.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    fn publish(&self, port: u16, depth: i32) -> Result<Box<dyn Publish>, BindError>;
    /// Opens a port that replies to requests; each reply starts with the tag.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    fn open_reply_port(&self, port: u16, tag: Tag, handler: RequestHandler) -> Result<BoundPort, BindError>;
    /// Opens a port that receives commands with a tag.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    fn open_command_port(&self, port: u16, tag: Tag, handler: CommandHandler)
    -> Result<BoundPort, BindError>;
    /// Opens a port that sends requests.
    ///
    /// # Errors
    /// Returns an error if the port cannot be opened.
    fn open_request_port(&self, port: u16) -> Result<Box<dyn RequestPort>, BindError>;
}

/// Starts a backend whose ports bind to an address.
///
/// # Errors
/// Returns an error if the library cannot start or is not in this build.
pub fn backend(kind: BackendKind, address: IpAddr) -> Result<Box<dyn Backend>> {
    match kind {
        #[cfg(feature = "libzmq")]
        BackendKind::Libzmq => Ok(Box::new(libzmq::Libzmq::start(address)?)),
        #[cfg(not(feature = "libzmq"))]
        BackendKind::Libzmq => Err(Error::unsupported("this build has no libzmq")),
        BackendKind::Zeromq => Ok(Box::new(pure_rust::PureRust::start(address)?)),
    }
}

/// Returns the ZeroMQ endpoint to bind.
fn endpoint(address: IpAddr, port: u16) -> String {
    format!("tcp://{}", std::net::SocketAddr::new(address, port))
}

/// Logs, at powers of ten, that a peer used another protocol.
fn log_foreign_peer(port: u16, foreign_peers: &RepeatCounter) {
    if let Some(count) = foreign_peers.record() {
        let times_so_far = times_so_far(count);
        log::warn!(
            "[{UNSUPPORTED_INPUT}] a peer on port {port} does not speak ZeroMQ and was disconnected{times_so_far}"
        );
    }
}

fn thread_error(error: std::io::Error) -> Error {
    Error::from(error).context(format_args!("[{SOCKET_FAILED}] a thread for sockets cannot be started"))
}
