//! The connection string: `127.0.0.1:8765;token=…;encoding=cdr;…`, every part optional.
//!
//! Only parses the text; the server checks whether the address is available.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key, Target, listen_address};
use bridgehead_plugin_api::{Error, Result};
use bridgehead_websocket::{Origins, ServerOptions, server_keys};

use crate::codec::Encoding;
use crate::codes;

#[cfg(test)]
mod tests;

/// The default address: the port of the protocol, reachable from this machine only.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8765);
/// Web pages that may connect by default, besides those from this machine: the hosted viewers.
const VIEWERS: [&str; 2] = ["https://app.foxglove.dev", "https://lichtblick-suite.github.io"];
/// The origin of desktop viewers, whose pages are files of this machine. It is always allowed.
const DESKTOP: &str = "file://";
/// Data that waits for one client by default: a second of a few topics. Viewers show the present, so more would only
/// delay it.
const BACKLOG: usize = 256;
/// Largest message of a client by default.
const MAX_MESSAGE: usize = 16 << 20;

/// The keys of a server, with the defaults of this bridge.
const SERVER: &[Key] = &server_keys("the hosted viewers of Foxglove and Lichtblick", "256", "16777216");

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: codes::CONNECTION,
    target: Some(
        Target::new("ADDRESS", "an address with a port, such as 127.0.0.1:8765 or [::]:8765")
            .or("127.0.0.1:8765")
            .formerly("listen="),
    ),
    keys: &[
        SERVER,
        &[
            Key::new("encoding", "cdr, protobuf or json", "cdr", "Encoding of channels."),
            Key::new(
                "assets",
                "folders, separated by commas",
                "none",
                "Folders in which meshes are looked up, before those of the environment.",
            ),
        ],
    ],
    example: "127.0.0.1:8765;token=SECRET;encoding=cdr",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) server: ServerOptions,
    /// How channels are encoded.
    pub(crate) encoding: Encoding,
    /// Folders in which meshes are looked up.
    pub(crate) assets: Vec<PathBuf>,
}

impl Default for Connection {
    fn default() -> Self {
        let mut server = ServerOptions::new(LISTEN, "foxglove");
        server.origins = Origins::List(VIEWERS.map(str::to_owned).to_vec());
        server.backlog.frames = BACKLOG;
        server.max_message = MAX_MESSAGE;
        Connection { server, encoding: Encoding::default(), assets: Vec::new() }
    }
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let mut connection = Connection::default();
        connection.server.address = options.target(|text| listen_address(text, LISTEN))?;
        connection.server.take(&options)?;
        connection.encoding = options.read("encoding", Encoding::parse)?.unwrap_or_default();
        connection.assets = options.text("assets").map(folders).unwrap_or_default();
        if let Origins::List(origins) = &mut connection.server.origins {
            origins.push(DESKTOP.to_owned());
        }
        Ok(connection)
    }
}

fn folders(value: &str) -> Vec<PathBuf> {
    value.split(',').map(str::trim).filter(|folder| !folder.is_empty()).map(PathBuf::from).collect()
}
