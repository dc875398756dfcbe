//! Addresses on which servers listen, and of peers.

use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

use crate::error::{Error, Result};

/// Reads the address of a server: `ADDRESS:PORT`, `ADDRESS`, `:PORT` or nothing; what is left out is that of `default`.
/// `localhost` is 127.0.0.1, and `*` all addresses of this machine. Other names are refused, so that no name server is
/// asked. Returns `None` if the text is none of these.
#[must_use]
pub fn listen_address(text: &str, default: SocketAddr) -> Option<SocketAddr> {
    let text = text.trim().trim_end_matches('/');
    if text.is_empty() {
        return Some(default);
    }
    if let Ok(whole) = text.parse() {
        return Some(whole);
    }
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    if let Some(address) = address(bare) {
        return Some(SocketAddr::new(address, default.port()));
    }
    let (host, port) = text.rsplit_once(':')?;
    let host = if host.is_empty() { default.ip() } else { address(host)? };
    Some(SocketAddr::new(host, port.parse().ok()?))
}

/// Reads an address without a port: a number, `localhost` for 127.0.0.1, or `*` for all addresses of this machine. Returns
/// `None` if the text is none of these.
#[must_use]
pub fn address(text: &str) -> Option<IpAddr> {
    match text {
        "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        "*" => Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        _ => text.parse().ok(),
    }
}

/// Longest name of a host in DNS, in bytes (RFC 1035).
const MAX_HOST: usize = 253;

/// A peer by its name or address, which nobody has looked up yet: that may block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Name or address.
    pub host: String,
    /// Port, not 0.
    pub port: u16,
}

impl Peer {
    /// Reads `HOST:PORT` or `[IPV6]:PORT`; without a port, that of `default`. Returns `None` if the text is none of these.
    #[must_use]
    pub fn parse(text: &str, default: Option<u16>) -> Option<Self> {
        let text = text.trim();
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, rest)) => (host, Some(rest.strip_prefix(':')?)),
            None if text.parse::<IpAddr>().is_ok() => (text, None),
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let port = port.map_or(default, |port| port.parse().ok()).filter(|port| *port > 0)?;
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
        let is_name = (1..=MAX_HOST).contains(&host.len()) && host.chars().all(is_letter);
        (is_name || host.parse::<IpAddr>().is_ok()).then(|| Peer { host: host.to_owned(), port })
    }

    /// Looks up the addresses of the peer, at least one. May block.
    ///
    /// # Errors
    /// Returns an error that names the peer if it has none.
    pub fn look_up(&self) -> Result<Vec<SocketAddr>> {
        let found = (self.host.as_str(), self.port).to_socket_addrs();
        let found: Vec<_> =
            found.map_err(|error| Error::new(format!("the peer `{self}` is not found: {error}")))?.collect();
        if found.is_empty() {
            return Err(Error::new(format!("the peer `{self}` has no address")));
        }
        Ok(found)
    }
}

impl Display for Peer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Peer { host, port } = self;
        if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
    }
}
