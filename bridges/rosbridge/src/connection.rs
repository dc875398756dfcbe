//! The connection string: `listen://127.0.0.1:9090;token=…` for a server, `ws://host:9090` for a client.
//!
//! Only parses the text.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bridgehead_plugin_api::{Error, Result};
use bridgehead_websocket::{DialerOptions, OptionError, ServerError, ServerOptions};

use crate::codes::CONNECTION;

/// The port of rosbridge servers.
const PORT: u16 = 9090;
/// Name of the thread of a server, and of a client.
const SERVER_THREAD: &str = "rosbridge";
const CLIENT_THREAD: &str = "rosbridge-ws";

/// Expected form, for every error about a connection string.
const USAGE: &str = "expected listen://127.0.0.1:9090;token=…;origins=…;backlog=…;ros=2 for a server (every part may be \
    left out), or ws://host:9090;token=…;ros=2 for a client of a rosbridge server";

/// The generation of ROS whose form messages have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Generation {
    /// Times have `secs` and `nsecs`, headers have `seq`, types have two parts.
    One,
    /// Times have `sec` and `nanosec`, types have three parts.
    #[default]
    Two,
}

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) role: Role,
    pub(crate) generation: Generation,
}

/// Who connects to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Clients connect to this bridge.
    Server(Box<ServerOptions>),
    /// This bridge connects to a server.
    Client(Box<DialerOptions>),
}

impl Connection {
    /// Parses a connection string.
    ///
    /// # Errors
    /// Returns an error that names the wrong part and shows the expected form.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (place, parts) = split(text.trim());
        let role = match place {
            place if place.starts_with("ws://") => Role::Client(Box::new(
                DialerOptions::new(place, CLIENT_THREAD).map_err(|_| wrong_address(place))?,
            )),
            place if place.starts_with("wss://") => {
                return Err(wrong("`wss://` needs TLS, which this bridge does not support"));
            }
            place => {
                let address = address(place.strip_prefix("listen://").unwrap_or(place))?;
                Role::Server(Box::new(ServerOptions::new(address, SERVER_THREAD)))
            }
        };
        let mut connection = Connection { role, generation: Generation::default() };
        let mut seen = Vec::new();
        for part in parts.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(wrong(&format!("`{part}` is not of the form `key=value`")));
            };
            let (key, value) = (key.trim(), value.trim());
            if seen.contains(&key) {
                return Err(wrong(&format!("`{key}=` is given twice")));
            }
            seen.push(key);
            connection.set(key, value)?;
        }
        connection.check()?;
        Ok(connection)
    }

    /// Refuses a server that other machines could use without a token, before anything starts.
    fn check(&self) -> Result {
        match &self.role {
            Role::Server(options) if !options.address.ip().is_loopback() && options.token.is_none() => {
                Err(wrong(&ServerError::Open(options.address).to_string()))
            }
            Role::Server(_) | Role::Client(_) => Ok(()),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result {
        if key == "ros" {
            self.generation = match value {
                "1" => Generation::One,
                "2" => Generation::Two,
                _ => return Err(wrong(&format!("`ros=` must be 1 or 2, found `{value}`"))),
            };
            return Ok(());
        }
        let is_known = match &mut self.role {
            Role::Server(options) => options.set(key, value).map_err(|error| wrong_value(&error))?,
            Role::Client(options) => set_client(options, key, value).map_err(|error| wrong_value(&error))?,
        };
        if is_known { Ok(()) } else { Err(wrong(&format!("`{key}=` is not a known key"))) }
    }
}

/// Sets an option of a client through those of a server, which have the same keys.
fn set_client(options: &mut DialerOptions, key: &str, value: &str) -> Result<bool, OptionError> {
    if !["token", "backlog", "backlog_mb", "max_message"].contains(&key) {
        return Ok(false);
    }
    let mut server = ServerOptions::new(SocketAddr::from(([127, 0, 0, 1], PORT)), CLIENT_THREAD);
    server.backlog = options.backlog;
    server.max_message = options.max_message;
    server.token = options.token.take();
    server.set(key, value)?;
    options.backlog = server.backlog;
    options.max_message = server.max_message;
    options.token = server.token;
    Ok(true)
}

/// Splits the place from the parts; a string of parts only has no place.
fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(';').unwrap_or((text, ""));
    let is_place = first.contains("://") || !first.contains('=');
    if is_place { (first.trim(), rest) } else { ("", text) }
}

/// Parses `address:port`, `address`, `:port` or nothing.
fn address(text: &str) -> Result<SocketAddr> {
    let text = text.trim_end_matches('/');
    if text.is_empty() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT));
    }
    let text = text.replacen("localhost", "127.0.0.1", 1);
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(&text);
    if let Ok(ip) = bare.parse() {
        return Ok(SocketAddr::new(ip, PORT));
    }
    let with_host = if text.starts_with(':') { format!("127.0.0.1{text}") } else { text.clone() };
    with_host.parse().map_err(|_| wrong_address(&text))
}

fn wrong_address(found: &str) -> Error {
    wrong(&format!("`{found}` is not an address with a port, such as 127.0.0.1:9090"))
}

fn wrong_value(error: &OptionError) -> Error {
    wrong(&error.to_string())
}

fn wrong(what: &str) -> Error {
    Error::invalid(format!("[{CONNECTION}] {what}; {USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(text: &str) -> ServerOptions {
        match Connection::parse(text).expect(text).role {
            Role::Server(options) => *options,
            Role::Client(_) => panic!("{text} is a client"),
        }
    }

    #[test]
    fn an_empty_string_is_a_server_on_the_loopback() {
        for text in
            ["", "listen://", "listen://127.0.0.1:9090", "127.0.0.1", ":9090", "localhost:9090", "ros=2"]
        {
            assert_eq!(server(text).address.to_string(), "127.0.0.1:9090", "{text}");
        }
        assert_eq!(server("[::1]:1").address.to_string(), "[::1]:1");
        assert_eq!(server("::1").address.to_string(), "[::1]:9090");
    }

    #[test]
    fn parts_set_the_options() {
        let options = server("listen://0.0.0.0:1; token=s3cret; origins=*; backlog=7; clients=2; ros=1");
        assert_eq!((options.token.as_deref(), options.backlog.frames), (Some("s3cret"), 7));
        let parsed = Connection::parse("ros=1").expect("parts only");
        assert_eq!(parsed.generation, Generation::One);
    }

    #[test]
    fn an_address_of_a_server_makes_a_client() {
        let parsed = Connection::parse("ws://robot:9090;token=a;ros=1;backlog=5").expect("a client");
        let Role::Client(options) = parsed.role else { panic!("a server") };
        assert_eq!((options.url.as_str(), options.token.as_deref()), ("ws://robot:9090", Some("a")));
        assert_eq!((options.backlog.frames, parsed.generation), (5, Generation::One));
    }

    #[test]
    fn a_wrong_part_is_named_with_the_expected_form() {
        for (text, part) in [
            ("robot:9090", "`robot:9090` is not an address"),
            ("listen://127.0.0.1:9090;ros=3", "must be 1 or 2"),
            ("token=", "`token=` must be"),
            ("backlog=1;backlog=2", "given twice"),
            ("speed=1", "not a known key"),
            ("listen://0.0.0.0:9090", "without a token"),
            (";x", "not of the form"),
            ("ws://", "not an address"),
            ("wss://robot", "TLS"),
            ("ws://robot;origins=*", "not a known key"),
        ] {
            let error = Connection::parse(text).expect_err(text).to_string();
            assert!(error.contains(part) && error.contains("[BH-RBR-001]"), "{text}: {error}");
            assert!(error.contains("ws://host:9090"), "{error}");
        }
    }
}
