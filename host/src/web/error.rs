//! Why the server was not started.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

use crate::config::ConfigError;

/// Why the server was not started.
#[derive(Debug, Error)]
pub enum WebError {
    /// The address is taken, or not of this machine.
    #[error("[BH-WEB-002] the HTTP server cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// Other machines could control the run.
    #[error(
        "[BH-WEB-003] the HTTP server would listen without a token on {0}, which other machines can reach"
    )]
    Open(SocketAddr),
    /// The name of the host is unknown.
    #[error("[BH-WEB-004] the address `{address}` of the HTTP server cannot be resolved: {reason}")]
    Unknown {
        /// As it was given.
        address: String,
        /// The cause.
        reason: String,
    },
    /// A thread or a poll of sockets cannot be created.
    #[error("[BH-WEB-005] the HTTP server cannot be started: {0}")]
    Thread(io::Error),
    /// The token cannot be read.
    #[error("{0}")]
    Token(Box<ConfigError>),
}
