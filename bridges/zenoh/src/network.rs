//! The parts of a connection string that both forms have: where a session connects and listens.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::connection::{Key, Options};

/// Where a router listens.
const ROUTER: &str = "tcp/localhost:7447";

/// The parts that [`Network::read`] reads.
pub(crate) const KEYS: &[Key] = &[
    Key::new(
        "mode",
        "peer, client or router",
        "peer",
        "How the session takes part: a `peer` exchanges data directly with those that the router names, a `client` \
         through the router only, and a `router` is what others connect to, if no other one runs.",
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
];

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

impl Network {
    /// Reads the parts of [`KEYS`].
    ///
    /// # Errors
    /// Returns an error that names the part if its value is wrong.
    pub(crate) fn read(options: &Options<'_>) -> Result<Self> {
        let mode = options.read("mode", Mode::parse)?.unwrap_or(Mode::Peer);
        let listen = options.read("listen", endpoints)?;
        if mode == Mode::Client && listen.as_ref().is_some_and(|listen| !listen.is_empty()) {
            return Err(options.wrong("`listen=` is of a peer or a router, and `mode=client` is given"));
        }
        let connect = options.read("connect", endpoints)?.unwrap_or_else(|| mode.connect());
        if mode == Mode::Client && connect.is_empty() {
            return Err(options.wrong("`mode=client` needs an endpoint in `connect=`"));
        }
        Ok(Network { mode, connect, listen: listen.unwrap_or_else(|| mode.listen()) })
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
