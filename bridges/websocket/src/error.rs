//! Errors of the server and of its options. A bridge adds its own code.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

/// Why a server is not available.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Other machines could connect without a token.
    #[error(
        "the server at {0} would be open to other machines without a token; add `token=` with a secret, or use a \
         loopback address such as 127.0.0.1"
    )]
    Open(SocketAddr),
    /// The address cannot be used.
    #[error("cannot listen on {address}: {source}; choose another address, or end the program that uses it")]
    Bind {
        /// The requested address.
        address: SocketAddr,
        /// What the operating system reports.
        source: io::Error,
    },
    /// Another instance of the plugin has a server there.
    #[error(
        "another instance listens on {0} with other options; instances of one address need equal connection strings"
    )]
    Differs(SocketAddr),
    /// The thread cannot be started.
    #[error("the thread of the server cannot be started: {0}")]
    Thread(#[source] io::Error),
}
