//! The connection string: `service=127.0.0.1:8080;bind=127.0.0.1;ports=49152-;backend=libzmq`, every part optional.
//!
//! Only parses the text; sockets find out whether a port can be opened.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;

use bridgehead_plugin_api::{Error, Result};

#[cfg(test)]
mod tests;

/// Default port of the service.
const SERVICE_PORT: u16 = 8080;
/// Environment variable that clients and simulator share for another port.
const SERVICE_PORT_VARIABLE: &str = "CLOISIM_SERVICE_PORT";
/// First port of the dynamic range (RFC 6335).
const FIRST_PORT: u16 = 49152;
/// CLOiSim never assigns the very last port.
const LAST_PORT: u16 = 65534;

/// Expected form, for every error about a connection string.
const USAGE: &str = "expected parts such as service=127.0.0.1:8080;bind=127.0.0.1;ports=49152-65534;backend=libzmq, \
    each of which may be left out";

/// The ZeroMQ implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendKind {
    /// The reference library in C++.
    Libzmq,
    /// The crate `zeromq` in Rust.
    Zeromq,
}

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    /// Address of the WebSocket on which clients list devices.
    pub(crate) service: SocketAddr,
    /// Address of the devices' ports.
    pub(crate) bind: IpAddr,
    pub(crate) ports: RangeInclusive<u16>,
    pub(crate) backend: BackendKind,
}

impl Connection {
    /// Parses a connection string.
    ///
    /// # Errors
    /// Returns an error that names the wrong part and shows the expected form.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        Connection::parse_with(text, std::env::var(SERVICE_PORT_VARIABLE).ok().as_deref())
    }

    /// The same with the value of the environment variable.
    fn parse_with(text: &str, variable: Option<&str>) -> Result<Self> {
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let mut connection = Connection {
            service: SocketAddr::new(local, service_port(variable)?),
            bind: local,
            ports: FIRST_PORT..=LAST_PORT,
            backend: BackendKind::default_of_build(),
        };
        let mut seen = Vec::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(wrong(format_args!("`{part}` is not of the form `key=value`")));
            };
            if seen.contains(&key) {
                return Err(wrong(format_args!("`{key}=` is given twice")));
            }
            seen.push(key);
            connection.set(key, value.trim())?;
        }
        connection.check()?;
        Ok(connection)
    }

    fn set(&mut self, key: &str, value: &str) -> Result {
        match key {
            "service" => self.service = parse_service(value, self.service.port())?,
            "bind" => self.bind = parse_address(key, value)?,
            "ports" => self.ports = parse_ports(value)?,
            "backend" => self.backend = parse_backend(value)?,
            _ => return Err(wrong(format_args!("`{key}=` is not a known key"))),
        }
        Ok(())
    }

    fn check(&self) -> Result {
        if self.backend == BackendKind::Zeromq && !self.bind.is_loopback() {
            return Err(Error::invalid(format!(
                "[BH-CLO-005] connection string: backend=zeromq with bind={}: a malformed message from the network can \
                 end the process in that library, so it is allowed for 127.0.0.1 only; use backend=libzmq",
                self.bind
            )));
        }
        if self.ports.contains(&self.service.port()) && self.service.ip() == self.bind {
            return Err(wrong(format_args!(
                "the port {} of the service is in the range {}-{} of the devices",
                self.service.port(),
                self.ports.start(),
                self.ports.end()
            )));
        }
        Ok(())
    }
}

impl BackendKind {
    fn default_of_build() -> Self {
        if cfg!(feature = "libzmq") { BackendKind::Libzmq } else { BackendKind::Zeromq }
    }
}

fn service_port(variable: Option<&str>) -> Result<u16> {
    let Some(text) = variable.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(SERVICE_PORT);
    };
    text.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
        wrong(format_args!(
            "the environment variable {SERVICE_PORT_VARIABLE} is `{text}`; expected a port from 1 to 65535; \
             unset it or give service="
        ))
    })
}

/// `ADDRESS:PORT`, `ADDRESS` or `:PORT`.
fn parse_service(text: &str, default_port: u16) -> Result<SocketAddr> {
    if let Ok(whole) = text.parse::<SocketAddr>() {
        return Ok(whole);
    }
    let (address, port) = match text.rsplit_once(':') {
        Some((address, port)) if !address.contains(':') => (address, port.parse().ok()),
        _ => (text, Some(default_port)),
    };
    let Some(port) = port.filter(|port| *port > 0) else {
        return Err(wrong(format_args!("service=`{text}` has no port from 1 to 65535 after the colon")));
    };
    let address = if address.is_empty() { "127.0.0.1" } else { address };
    Ok(SocketAddr::new(parse_address("service", address)?, port))
}

fn parse_address(key: &str, text: &str) -> Result<IpAddr> {
    match text {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        "*" => Ok(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
        _ => text.parse().map_err(|_| {
            wrong(format_args!("{key}=`{text}` is not an address, such as 127.0.0.1, 0.0.0.0 or *"))
        }),
    }
}

/// `FIRST-LAST`, `FIRST-` or `FIRST`, which means `FIRST-`.
fn parse_ports(text: &str) -> Result<RangeInclusive<u16>> {
    let refuse = || {
        wrong(format_args!(
            "ports=`{text}` is not a range of ports from 1024 to {LAST_PORT}, such as 49152- or 50000-50999"
        ))
    };
    let (first, last) = text.split_once('-').unwrap_or((text, ""));
    let first: u16 = first.trim().parse().map_err(|_| refuse())?;
    let last = if last.trim().is_empty() { LAST_PORT } else { last.trim().parse().map_err(|_| refuse())? };
    if first < 1024 || last > LAST_PORT || first > last {
        return Err(refuse());
    }
    Ok(first..=last)
}

fn parse_backend(text: &str) -> Result<BackendKind> {
    match text {
        "libzmq" if cfg!(feature = "libzmq") => Ok(BackendKind::Libzmq),
        "libzmq" => Err(Error::unsupported(
            "[BH-CLO-006] connection string: backend=libzmq is not in this build of the bridge; build it with its \
             feature `libzmq`, or use backend=zeromq",
        )),
        "zeromq" => Ok(BackendKind::Zeromq),
        _ => Err(wrong(format_args!("backend=`{text}` is neither libzmq nor zeromq"))),
    }
}

fn wrong(what: impl std::fmt::Display) -> Error {
    Error::invalid(format!("[BH-CLO-001] connection string: {what}; {USAGE}"))
}
