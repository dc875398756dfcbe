//! The configuration of the server: its address and limits.

use std::net::{SocketAddr, ToSocketAddrs};

use super::error::WebError;
use super::page::Page;
use crate::config;
use crate::config::{HttpAddress, Secret};

/// Upper limit of connections: a process may not open more files.
const MAX_CONNECTIONS: usize = 1 << 16;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// Its address; `None` for no server. Port 0 picks a free port.
    pub address: Option<SocketAddr>,
    /// Whether the server may have another port if this one is taken, because it is the default port.
    pub may_be_taken: bool,
    /// Token that clients must send.
    pub token: Option<Secret>,
    /// Largest body of a request, in bytes.
    pub body_limit: usize,
    /// Largest number of connections at the same time.
    pub connections: usize,
    /// The page for browsers.
    pub page: Page,
}

impl HttpConfig {
    /// Returns the server of a run. `is_chosen` is true if its address was given on the command line.
    ///
    /// # Errors
    /// Returns an error if the host name is unknown, or the token cannot be read.
    pub fn of(config: &config::HttpConfig, is_chosen: bool) -> Result<Self, WebError> {
        let standard = config::HttpConfig::default();
        Ok(HttpConfig {
            address: match &config.address {
                HttpAddress::Off => None,
                HttpAddress::At(text) => Some(resolve(text)?),
            },
            may_be_taken: !is_chosen && config.address == standard.address,
            token: config.token().map_err(|error| WebError::Token(Box::new(error)))?,
            body_limit: config.body_limit,
            connections: config.connections.clamp(1, MAX_CONNECTIONS),
            page: Page::embedded(),
        })
    }
}

/// Returns the address that a text names, such as `localhost:8090`.
///
/// # Errors
/// Returns an error if the host name is unknown.
pub fn resolve(text: &str) -> Result<SocketAddr, WebError> {
    let unknown = |reason: String| WebError::Unknown { address: text.to_owned(), reason };
    let mut found = text.to_socket_addrs().map_err(|error| unknown(error.to_string()))?;
    found.next().ok_or_else(|| unknown("the name has no address".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str, is_chosen: bool) -> Result<HttpConfig, WebError> {
        let address = if address == "off" { HttpAddress::Off } else { HttpAddress::At(address.to_owned()) };
        HttpConfig::of(&config::HttpConfig { address, ..Default::default() }, is_chosen)
    }

    #[test]
    fn only_the_address_that_nobody_chose_may_be_taken() {
        assert!(of("127.0.0.1:8090", false).expect("an address").may_be_taken);
        assert!(!of("127.0.0.1:8090", true).expect("an address").may_be_taken);
        assert!(!of("127.0.0.1:8091", false).expect("an address").may_be_taken);
    }

    #[test]
    fn names_are_looked_up_and_off_is_nowhere() {
        assert!(of("localhost:1", false).expect("a name").address.is_some_and(|at| at.ip().is_loopback()));
        assert_eq!(of("off", false).expect("off").address, None);
        let error = of("no.such.host.invalid:1", true).expect_err("no such host");
        assert!(error.to_string().contains("no.such.host.invalid:1"), "{error}");
    }
}
