//! What a node needs of the transport that connects it to other nodes.

use std::str::FromStr;

use bridgehead_plugin_api::{Error, Result};

use crate::qos::Qos;
use crate::service::callee::Callee;
use crate::service::codec::Codec;
use crate::settings::Settings;
use crate::topic_type::TopicType;

/// Takes the body of each sample, without its encapsulation, or why it cannot be read.
pub type Take = Box<dyn FnMut(Result<&[u8]>) + Send>;

/// The connection of one instance. Its endpoints end when they are dropped; names are absolute names of ROS.
pub trait Transport: Sized + Send + Sync + 'static {
    /// A parsed connection string.
    type Connection: FromStr<Err: Into<Error>>;
    /// The outgoing endpoint of a topic.
    type Writer: Writer;
    /// The incoming endpoint of a topic. Dropping it waits until nothing is being taken.
    type Reader: Send + Sync + 'static;
    /// A service that is offered. Dropping it waits for a call in progress.
    type Server: Send + 'static;

    /// The bytes that this transport needs before the body of each message.
    const ENCAPSULATION: &'static [u8];

    /// Whether topics without the hash of their type cannot be opened.
    const NEEDS_HASHES: bool;

    /// Called once per process, before the first instance.
    fn prepare() {}

    /// Connects.
    ///
    /// # Errors
    /// Returns an error if that is not possible.
    fn join(connection: Self::Connection) -> Result<Self>;

    /// Returns how the node is to present the run.
    fn settings(&self) -> &Settings;

    /// Opens the outgoing endpoint of a topic.
    ///
    /// # Errors
    /// Returns an error if the transport cannot create it.
    fn writer(&self, name: &str, kind: &TopicType, qos: Qos) -> Result<Self::Writer>;

    /// Opens an incoming endpoint of a topic. `take` is called for one sample at a time, on a thread of the transport.
    ///
    /// # Errors
    /// Returns an error if the transport cannot create it.
    fn reader(&self, name: &str, kind: &TopicType, qos: Qos, take: Take) -> Result<Self::Reader>;

    /// Offers a service.
    ///
    /// # Errors
    /// Returns an error if the name is in use in this node, or if the transport cannot create its endpoints.
    fn serve(&self, name: &str, codec: Codec, callee: Box<dyn Callee>) -> Result<Self::Server>;
}

/// The outgoing endpoint of a topic, for any thread.
pub trait Writer: Send + Sync + 'static {
    /// Returns true if anybody receives it.
    fn has_readers(&self) -> bool;

    /// Writes a message: [`Transport::ENCAPSULATION`] and its body.
    ///
    /// # Errors
    /// Returns an error if the message is lost, with the status `TIMEOUT` if a reader does not keep up.
    fn write(&self, message: Vec<u8>) -> Result;

    /// Logs a warning, once, if another process has such an endpoint too. `what` says what only one process should do:
    /// `publishes /clock`.
    fn warn_of_others(&self, what: String);
}
