//! Where the server listens, and how much it takes.

use std::net::{SocketAddr, ToSocketAddrs};

use super::WebError;
use crate::config::{self, HttpAddress, Secret};

/// More would be more than a process may have files.
const MOST_CONNECTIONS: usize = 1 << 16;

/// A server that is to be started.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// Where it listens; `None` is nowhere. Port 0 is one that is free.
    pub address: Option<SocketAddr>,
    /// Whether the run goes on without a server where somebody else has the port: nobody asked for this one.
    pub may_be_taken: bool,
    /// What clients must say to be let in.
    pub token: Option<Secret>,
    /// Longest body of a request, bytes.
    pub body_limit: usize,
    /// Most connections at a time.
    pub connections: usize,
}

impl HttpConfig {
    /// The server that a run is configured to have. `is_chosen` says that its address was given on the command line.
    ///
    /// # Errors
    /// Where the name of the host is unknown, or the token cannot be read.
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
            connections: config.connections.clamp(1, MOST_CONNECTIONS),
        })
    }
}

fn resolve(text: &str) -> Result<SocketAddr, WebError> {
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
