//! The connection string: `listen=127.0.0.1:8765;token=…;origins=…;encoding=cdr;…`, every part optional.
//!
//! Only parses the text; the server checks whether the address is available. Keys of the server itself are read by
//! `bridgehead-websocket`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use bridgehead_plugin_api::{Error, Result};
use bridgehead_websocket::{Origins, ServerOptions};

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

/// Expected form, for every error about a connection string.
const USAGE: &str = "expected parts such as listen=127.0.0.1:8765;token=SECRET;origins=https://viewer.example;\
    encoding=cdr;backlog=256;assets=/folder, each of which may be left out";

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

impl Connection {
    /// Parses a connection string.
    ///
    /// # Errors
    /// Returns an error that names the wrong part and shows the expected form.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (mut connection, mut seen) = (Connection::default(), Vec::new());
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
            else {
                return Err(wrong(format_args!("`{part}` is not of the form `key=value`")));
            };
            if seen.contains(&key) {
                return Err(wrong(format_args!("`{key}=` is given twice")));
            }
            seen.push(key);
            connection.set(key, value)?;
        }
        if let Origins::List(origins) = &mut connection.server.origins {
            origins.push(DESKTOP.to_owned());
        }
        Ok(connection)
    }

    fn set(&mut self, key: &str, value: &str) -> Result {
        match key {
            "listen" => self.server.address = address(value)?,
            "encoding" => {
                let encoding = Encoding::parse(value);
                self.encoding = encoding.ok_or_else(|| not_an_encoding(value))?;
            }
            "assets" => self.assets = folders(value),
            _ => {
                if !self.server.set(key, value).map_err(wrong)? {
                    return Err(wrong(format_args!("`{key}=` is not a known key")));
                }
            }
        }
        Ok(())
    }
}

/// Parses an address; a name is allowed for this machine only, so that parsing asks no name server.
fn address(value: &str) -> Result<SocketAddr> {
    let named = value.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    named.as_deref().unwrap_or(value).parse().map_err(|_| {
        let expected = "an address with a port, such as 127.0.0.1:8765 or [::]:8765";
        wrong(format_args!("`listen=` must be {expected}, found `{value}`"))
    })
}

fn folders(value: &str) -> Vec<PathBuf> {
    value.split(',').map(str::trim).filter(|folder| !folder.is_empty()).map(PathBuf::from).collect()
}

fn not_an_encoding(value: &str) -> Error {
    wrong(format_args!("`encoding=` must be cdr, protobuf or json, found `{value}`"))
}

fn wrong(what: impl std::fmt::Display) -> Error {
    let code = codes::CONNECTION;
    Error::invalid(format!("[{code}] connection string: {what}; {USAGE}"))
}
