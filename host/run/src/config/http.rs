//! Where the HTTP server listens, and what it keeps secret. Plain values.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Where the HTTP server listens unless another address is given.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8090);

/// Where the HTTP server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpAddress {
    /// No server.
    Off,
    /// `host:port`; port 0 picks a free port.
    At(String),
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
