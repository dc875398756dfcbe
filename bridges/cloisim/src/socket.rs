//! Sockets as the bridge needs them: four roles, all of which bind. Two libraries stand behind them.

mod inbound;
#[cfg(feature = "libzmq")]
mod libzmq;
mod pure_rust;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::time::Duration;

use bridgehead_plugin_api::{Error, Result};

use crate::codes::{SOCKET_FAILED, UNSUPPORTED_INPUT};
pub use crate::connection::BackendKind;
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::tag::Tag;

/// Why a port cannot be had.
#[derive(Debug)]
pub enum BindError {
    /// Another socket has it.
    Taken,
    /// Something else.
    Failed(String),
}

/// Gives the answer to a request; both without tag.
pub type RequestHandler = Box<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;
/// Takes what came, without tag.
pub type CommandHandler = Box<dyn Fn(&[u8]) + Send + Sync>;
/// A port that is served until this is dropped.
pub type BoundPort = Box<dyn Send + Sync>;

/// What came of a question to a client.
#[derive(Debug, PartialEq, Eq)]
pub enum RequestOutcome {
    /// The frame that the client answered with.
    Replied(Vec<u8>),
    /// No client is there to be asked.
    NoClient,
    /// The client did not answer in time.
    TimedOut,
}

/// A port that sends to whoever listens.
pub trait Publish: Send {
    /// Sends a frame without waiting; what a listener is too slow for is lost to it.
    ///
    /// # Errors
    /// Why nothing was sent.
    fn send(&mut self, frame: &[u8]) -> Result<Sent, String>;
}

/// Who has a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// Whoever listens, as far as the library can tell.
    ToAll,
    /// A listener was too slow for it.
    ToSome,
}

/// A port that asks whichever client is there.
pub trait RequestPort: Send {
    /// Sends a frame and waits for the answer; gives up early once `is_over` says so.
    ///
    /// # Errors
    /// Why it could not be asked.
    fn request(
        &mut self,
        frame: &[u8],
        timeout: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<RequestOutcome, String>;
}

/// Makes sockets. Dropping it ends everything it made.
pub trait Backend: Send + Sync {
    /// Sends; `depth` messages may wait for a slow listener.
    ///
    /// # Errors
    /// Where the port cannot be had.
    fn publish(&self, port: u16, depth: i32) -> Result<Box<dyn Publish>, BindError>;
    /// Answers requests with the tag before each answer.
    ///
    /// # Errors
    /// Where the port cannot be had.
    fn open_reply_port(&self, port: u16, tag: Tag, handler: RequestHandler) -> Result<BoundPort, BindError>;
    /// Takes messages with a tag.
    ///
    /// # Errors
    /// Where the port cannot be had.
    fn open_command_port(&self, port: u16, tag: Tag, handler: CommandHandler)
    -> Result<BoundPort, BindError>;
    /// Asks.
    ///
    /// # Errors
    /// Where the port cannot be had.
    fn open_request_port(&self, port: u16) -> Result<Box<dyn RequestPort>, BindError>;
}

/// A backend whose ports are at an address.
///
/// # Errors
/// Where the library cannot start, or is not in this build.
pub fn backend(kind: BackendKind, address: IpAddr) -> Result<Box<dyn Backend>> {
    match kind {
        #[cfg(feature = "libzmq")]
        BackendKind::Libzmq => Ok(Box::new(libzmq::Libzmq::start(address)?)),
        #[cfg(not(feature = "libzmq"))]
        BackendKind::Libzmq => Err(Error::unsupported("this build has no libzmq")),
        BackendKind::Zeromq => Ok(Box::new(pure_rust::PureRust::start(address)?)),
    }
}

/// Where a socket binds.
fn endpoint(address: IpAddr, port: u16) -> String {
    format!("tcp://{}", std::net::SocketAddr::new(address, port))
}

/// Somebody has come to a port and speaks something else.
fn log_foreign_peer(port: u16, foreign_peers: &RepeatCounter) {
    if let Some(count) = foreign_peers.record() {
        let times_so_far = times_so_far(count);
        log::warn!(
            "who came to port {port} does not speak ZeroMQ and was sent away{times_so_far} [{UNSUPPORTED_INPUT}]"
        );
    }
}

fn thread_error(error: std::io::Error) -> Error {
    Error::from(error).context(format_args!("starting a thread for sockets [{SOCKET_FAILED}]"))
}
