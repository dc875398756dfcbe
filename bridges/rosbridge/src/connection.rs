//! The connection string: `127.0.0.1:9090;token=…` for a server, `ws://host:9090` for a client.
//!
//! Only parses the text.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key, Target, listen_address};
use bridgehead_plugin_api::{Error, Result};
use bridgehead_websocket::{DialerOptions, ServerError, ServerOptions, server_keys};

use crate::codes::CONNECTION;

/// The port of rosbridge servers.
const PORT: u16 = 9090;
/// Name of the thread of a server, and of a client.
const SERVER_THREAD: &str = "rosbridge";
const CLIENT_THREAD: &str = "rosbridge-ws";
/// Keys that mean nothing to a client.
const SERVERS_ONLY: [&str; 2] = ["origins", "clients"];

/// The keys of a server, which has the default limits.
const SERVER: &[Key] = &server_keys("none", "1000", "10000000");

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: Some(
        Target::new(
            "ADDRESS",
            "an address to listen on, such as 127.0.0.1:9090, or that of a rosbridge server, such as ws://robot:9090 \
             (without TLS)",
        )
        .or("127.0.0.1:9090")
        .formerly("listen://"),
    ),
    keys: &[SERVER, &[Key::new("ros", "1 or 2", "2", "Generation of ROS whose form messages have.")]],
    example: "127.0.0.1:9090;token=SECRET;ros=2",
};

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

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let mut role = options.target(role)?;
        match &mut role {
            Role::Server(server) => {
                server.take(&options)?;
                // Before anything starts.
                if !server.address.ip().is_loopback() && server.token.is_none() {
                    return Err(options.wrong(ServerError::Open(server.address)));
                }
            }
            Role::Client(client) => {
                client.take(&options)?;
                if let Some(key) = SERVERS_ONLY.into_iter().find(|key| options.text(key).is_some()) {
                    return Err(
                        options.wrong(format_args!("`{key}=` is for servers, and `ws://` makes a client"))
                    );
                }
            }
        }
        let generation = options.read("ros", |text| match text {
            "1" => Some(Generation::One),
            "2" => Some(Generation::Two),
            _ => None,
        });
        Ok(Connection { role, generation: generation?.unwrap_or_default() })
    }
}

fn role(target: &str) -> Option<Role> {
    if target.contains("://") {
        return Some(Role::Client(Box::new(DialerOptions::new(target, CLIENT_THREAD)?)));
    }
    let default = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT);
    let address = listen_address(target, default)?;
    Some(Role::Server(Box::new(ServerOptions::new(address, SERVER_THREAD))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(text: &str) -> ServerOptions {
        match text.parse::<Connection>().expect(text).role {
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
        let options = server("0.0.0.0:1; token=s3cret; origins=*; backlog=7; clients=2; ros=1");
        assert_eq!((options.token.as_deref(), options.backlog.frames), (Some("s3cret"), 7));
        let parsed = "ros=1".parse::<Connection>().expect("parts only");
        assert_eq!(parsed.generation, Generation::One);
    }

    #[test]
    fn an_address_of_a_server_makes_a_client() {
        let parsed = "ws://robot:9090;token=a;ros=1;backlog=5".parse::<Connection>().expect("a client");
        let Role::Client(options) = parsed.role else { panic!("a server") };
        assert_eq!((options.url.as_str(), options.token.as_deref()), ("ws://robot:9090", Some("a")));
        assert_eq!((options.backlog.frames, parsed.generation), (5, Generation::One));
    }

    #[test]
    fn a_wrong_part_is_named_with_the_expected_form() {
        for (text, part) in [
            ("robot:9090", "found `robot:9090`"),
            ("127.0.0.1:9090;ros=3", "must be 1 or 2"),
            ("token=", "`token=` must be"),
            ("backlog=1;backlog=2", "given twice"),
            ("speed=1", "not a known key"),
            ("0.0.0.0:9090", "without a token"),
            (";x", "must be an address"),
            ("ws://", "found `ws://`"),
            ("wss://robot", "TLS"),
            ("ws://robot;origins=*", "is for servers"),
        ] {
            let error = text.parse::<Connection>().expect_err(text).to_string();
            assert!(error.contains(part) && error.contains("[BH-RBR-001]"), "{text}: {error}");
            assert!(error.contains("127.0.0.1:9090;token=SECRET"), "{error}");
        }
    }

    #[test]
    fn the_readme_documents_the_form() {
        let (section, readme) = (FORM.markdown(), include_str!("../README.md"));
        assert!(readme.contains(&section), "README.md needs this text:\n{section}");
    }
}
