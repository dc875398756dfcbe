//! Sockets as the bridge needs them: four roles, all of which bind. Two libraries stand behind them.

mod inbound;
#[cfg(feature = "libzmq")]
mod libzmq;
mod pure;
#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::time::Duration;

use bridgehead_plugin_api::{Error, Result};

use crate::codes::{SOCKET, STRANGER};
pub use crate::connection::BackendKind;
use crate::tag::Tag;
use crate::tally::{Tally, so_often};

/// Why a port cannot be had.
#[derive(Debug)]
pub enum BindError {
    /// Another socket has it.
    Taken,
    /// Something else.
    Failed(String),
}

/// Gives the answer to a request; both without tag.
pub type Answerer = Box<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;
/// Takes what came, without tag.
pub type Hearer = Box<dyn Fn(&[u8]) + Send + Sync>;
/// A port that is served until this is dropped.
pub type Bound = Box<dyn Send + Sync>;

/// What came of a question to a client.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// The frame that the client answered with.
    Answer(Vec<u8>),
    /// No client is there to be asked.
    NobodyThere,
    /// The client did not answer in time.
    NoAnswer,
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
    NotToAll,
}

/// A port that asks whichever client is there.
pub trait Ask: Send {
    /// Sends a frame and waits for the answer; gives up early once `is_over` says so.
    ///
    /// # Errors
    /// Why it could not be asked.
    fn ask(&mut self, frame: &[u8], patience: Duration, is_over: &dyn Fn() -> bool) -> Result<Asked, String>;
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
    fn answer(&self, port: u16, tag: Tag, answerer: Answerer) -> Result<Bound, BindError>;
    /// Takes messages with a tag.
    ///
    /// # Errors
    /// Where the port cannot be had.
    fn hear(&self, port: u16, tag: Tag, hearer: Hearer) -> Result<Bound, BindError>;
    /// Asks.
    ///
    /// # Errors
    /// Where the port cannot be had.
    fn ask(&self, port: u16) -> Result<Box<dyn Ask>, BindError>;
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
        BackendKind::Zeromq => Ok(Box::new(pure::Pure::start(address)?)),
    }
}

/// Where a socket binds.
fn endpoint(address: IpAddr, port: u16) -> String {
    format!("tcp://{}", std::net::SocketAddr::new(address, port))
}

/// Somebody has come to a port and speaks something else.
fn tell_of_stranger(port: u16, strangers: &Tally) {
    if let Some(count) = strangers.count() {
        let so_often = so_often(count);
        log::warn!("who came to port {port} does not speak ZeroMQ and was sent away{so_often} [{STRANGER}]");
    }
}

fn thread_error(error: std::io::Error) -> Error {
    Error::from(error).context(format_args!("starting a thread for sockets [{SOCKET}]"))
}
