//! The connection string: `mode=peer;connect=tcp/localhost:7447;domain=0;…`, every part optional.
//!
//! Missing parts are taken from the environment variables of ROS, and otherwise have the defaults of `rmw_zenoh`.

use std::str::FromStr;

use bridgehead_plugin_api::connection::{Form, Key};
use bridgehead_plugin_api::{Error, Result};
use bridgehead_ros2_node::environment::{Environment, domain};
use bridgehead_ros2_node::settings::{self, Settings};

use crate::codes::CONNECTION;

#[cfg(test)]
mod tests;

/// Where a router of ROS listens.
const ROUTER: &str = "tcp/localhost:7447";

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: None,
    keys: &[
        &[
            Key::new(
                "mode",
                "peer, client or router",
                "peer",
                "How the session takes part: a `peer` exchanges data directly with those that the router names, a `client` \
                 through the router only, and a `router` is what others connect to, if no `rmw_zenohd` runs.",
            ),
            Key::new(
                "connect",
                "endpoints, such as tcp/localhost:7447, separated by commas, or none",
                "tcp/localhost:7447",
                "Where to connect, again and again until somebody is there; of a `router`, `none` by default.",
            ),
            Key::new(
                "listen",
                "endpoints, such as tcp/localhost:0, separated by commas, or none",
                "tcp/localhost:0",
                "Where others connect; of a `router`, `tcp/localhost:7447` by default. A `client` does not listen.",
            ),
            settings::DOMAIN,
            Key::new(
                "distro",
                "a distribution of ROS 2: humble, jazzy, kilted, lyrical or rolling",
                "jazzy",
                "Distribution of the peers; if it is left out, `ROS_DISTRO`. Nodes of Humble do not know the hashes of types, \
                 by which all others find each other.",
            ),
        ],
        settings::KEYS,
    ],
    example: "mode=peer;connect=tcp/localhost:7447;remap=/car1/scan:=/scan",
};

/// How a session takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Peer,
    Client,
    Router,
}

impl Mode {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "peer" => Some(Mode::Peer),
            "client" => Some(Mode::Client),
            "router" => Some(Mode::Router),
            _ => None,
        }
    }

    /// Returns its name in the configuration of Zenoh.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Peer => "peer",
            Mode::Client => "client",
            Mode::Router => "router",
        }
    }

    fn connect(self) -> Vec<String> {
        match self {
            Mode::Peer | Mode::Client => vec![ROUTER.to_owned()],
            Mode::Router => Vec::new(),
        }
    }

    fn listen(self) -> Vec<String> {
        match self {
            Mode::Peer => vec!["tcp/localhost:0".to_owned()],
            Mode::Client => Vec::new(),
            Mode::Router => vec![ROUTER.to_owned()],
        }
    }
}

/// Where a session connects and listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    pub(crate) mode: Mode,
    pub(crate) connect: Vec<String>,
    pub(crate) listen: Vec<String>,
}

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) network: Network,
    pub(crate) domain: u16,
    /// Whether peers know the hashes of types.
    pub(crate) has_hashes: bool,
    /// How the node presents the run.
    pub(crate) settings: Settings,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Connection::parse_in(text, Environment::OF_PROCESS)
    }
}

impl Connection {
    /// Parses a connection string with the environment variables.
    fn parse_in(text: &str, environment: Environment<'_>) -> Result<Self> {
        let options = FORM.read(text)?;
        let mode = options.read("mode", Mode::parse)?.unwrap_or(Mode::Peer);
        let listen = options.read("listen", endpoints)?;
        if mode == Mode::Client && listen.as_ref().is_some_and(|listen| !listen.is_empty()) {
            return Err(options.wrong("`listen=` is of a peer or a router, and `mode=client` is given"));
        }
        let connect = options.read("connect", endpoints)?.unwrap_or_else(|| mode.connect());
        if mode == Mode::Client && connect.is_empty() {
            return Err(options.wrong("`mode=client` needs an endpoint in `connect=`"));
        }
        let distro = options.read("distro", has_hashes)?;
        Ok(Connection {
            network: Network { mode, connect, listen: listen.unwrap_or_else(|| mode.listen()) },
            domain: options.read("domain", domain)?.map_or_else(|| environment.domain(), Ok)?,
            has_hashes: match distro {
                Some(has_hashes) => has_hashes,
                // As in Jazzy if the distribution is unknown.
                None => environment.distro().as_deref().and_then(has_hashes).unwrap_or(true),
            },
            settings: Settings::read(&options)?,
        })
    }
}

/// Parses `none`, or endpoints separated by commas. Only TCP is in this build.
fn endpoints(text: &str) -> Option<Vec<String>> {
    if text == "none" {
        return Some(Vec::new());
    }
    text.split(',').map(|endpoint| tcp(endpoint.trim())).collect()
}

fn tcp(endpoint: &str) -> Option<String> {
    let (host, port) = endpoint.strip_prefix("tcp/")?.rsplit_once(':')?;
    let is_host = !host.is_empty() && !host.contains(['/', ' ', '#', '?']);
    (is_host && port.parse::<u16>().is_ok()).then(|| endpoint.to_owned())
}

/// Returns whether a distribution knows the hashes of types.
fn has_hashes(distro: &str) -> Option<bool> {
    match distro {
        "humble" => Some(false),
        "jazzy" | "kilted" | "lyrical" | "rolling" => Some(true),
        _ => None,
    }
}
