//! The connection string: `127.0.0.1:8080;bind=127.0.0.1;ports=49152-;backend=libzmq`, every part optional.
//!
//! Only parses the text; sockets find out whether a port can be opened.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key, Target, address, listen_address};
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

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: "BH-CLO-001",
    target: Some(
        Target::new("ADDRESS", "the address of the service, such as 127.0.0.1:8080")
            .or("127.0.0.1:8080")
            .formerly("service="),
    ),
    keys: &[&[
        Key::new(
            "bind",
            "an address, such as 127.0.0.1, 0.0.0.0 or *",
            "127.0.0.1",
            "Address of the ports of devices; `*` for every interface.",
        ),
        Key::new(
            "ports",
            "a range of ports from 1024 to 65534, such as 49152- or 50000-50999",
            "49152-65534",
            "Ports of devices.",
        ),
        Key::new(
            "backend",
            "libzmq or zeromq",
            "libzmq",
            "Implementation of ZeroMQ: the library in C++, or the crate.",
        ),
    ]],
    example: "127.0.0.1:8080;bind=127.0.0.1;ports=49152-65534",
};

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

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Connection::parse_with(text, std::env::var(SERVICE_PORT_VARIABLE).ok().as_deref())
    }
}

impl Connection {
    /// Parses a connection string with the value of the environment variable.
    fn parse_with(text: &str, variable: Option<&str>) -> Result<Self> {
        let options = FORM.read(text)?;
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let default = SocketAddr::new(local, service_port(variable)?);
        let connection = Connection {
            service: options
                .target(|text| listen_address(text, default).filter(|address| address.port() > 0))?,
            bind: options.read("bind", address)?.unwrap_or(local),
            ports: options.read("ports", ports)?.unwrap_or(FIRST_PORT..=LAST_PORT),
            backend: options
                .read("backend", BackendKind::parse)?
                .unwrap_or_else(BackendKind::default_of_build),
        };
        connection.check()?;
        Ok(connection)
    }

    fn check(&self) -> Result {
        if self.backend == BackendKind::Libzmq && !cfg!(feature = "libzmq") {
            return Err(Error::unsupported(
                "[BH-CLO-006] connection string: backend=libzmq is not in this build of the bridge; build it with its \
                 feature `libzmq`, or use backend=zeromq",
            ));
        }
        if self.backend == BackendKind::Zeromq && !self.bind.is_loopback() {
            return Err(Error::invalid(format!(
                "[BH-CLO-005] connection string: backend=zeromq with bind={}: a malformed message from the network can \
                 end the process in that library, so it is allowed for 127.0.0.1 only; use backend=libzmq",
                self.bind
            )));
        }
        if self.ports.contains(&self.service.port()) && self.service.ip() == self.bind {
            return Err(FORM.wrong(format_args!(
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
    fn parse(text: &str) -> Option<Self> {
        match text {
            "libzmq" => Some(BackendKind::Libzmq),
            "zeromq" => Some(BackendKind::Zeromq),
            _ => None,
        }
    }

    fn default_of_build() -> Self {
        if cfg!(feature = "libzmq") { BackendKind::Libzmq } else { BackendKind::Zeromq }
    }
}

fn service_port(variable: Option<&str>) -> Result<u16> {
    let Some(text) = variable.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(SERVICE_PORT);
    };
    text.parse().ok().filter(|port| *port > 0).ok_or_else(|| {
        FORM.wrong(format_args!(
            "the environment variable {SERVICE_PORT_VARIABLE} is `{text}`, no port from 1 to 65535; unset it, or begin \
             the string with an address and a port"
        ))
    })
}

/// `FIRST-LAST`, `FIRST-` or `FIRST`, which means `FIRST-`.
fn ports(text: &str) -> Option<RangeInclusive<u16>> {
    let (first, last) = text.split_once('-').unwrap_or((text, ""));
    let first: u16 = first.trim().parse().ok()?;
    let last = if last.trim().is_empty() { LAST_PORT } else { last.trim().parse().ok()? };
    (first >= 1024 && last <= LAST_PORT && first <= last).then_some(first..=last)
}
