//! A session of Zenoh with the settings of `rmw_zenoh`.

use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::host::quieten;
use bridgehead_plugin_api::{Error, Result};
use zenoh::{Config, Session, Wait as _};

use crate::codes::{ENDPOINT, SESSION};
use crate::network::{Mode, Network};

/// Settings of `DEFAULT_RMW_ZENOH_SESSION_CONFIG.json5` that differ from those of Zenoh.
const SETTINGS: &[(&str, &str)] = &[
    // A session opens without anybody and tries again meanwhile, except for that of a client, which would not open: the
    // host tries to connect it again.
    ("connect/timeout_ms", "{ router: -1, peer: -1, client: 0 }"),
    ("connect/exit_on_failure", "{ router: false, peer: false, client: true }"),
    ("connect/retry", "{ period_init_ms: 1000, period_max_ms: 4000, period_increase_factor: 2 }"),
    ("scouting/multicast/enabled", "false"),
    ("scouting/gossip/enabled", "true"),
    ("scouting/gossip/multihop", "false"),
    ("scouting/gossip/target", r#"{ router: ["router", "peer"], peer: ["router"] }"#),
    ("scouting/gossip/autoconnect", r#"{ router: [], peer: ["router", "peer"] }"#),
    ("scouting/gossip/autoconnect_strategy", r#"{ peer: { to_router: "always", to_peer: "greater-zid" } }"#),
    // Samples that are kept for late subscribers need a time.
    ("timestamping/enabled", "{ router: true, peer: true, client: true }"),
    ("queries_default_timeout", "600000"),
    ("transport/unicast/open_timeout", "60000"),
    ("transport/unicast/accept_timeout", "60000"),
    ("transport/unicast/accept_pending", "10000"),
    ("transport/unicast/max_sessions", "10000"),
    ("transport/link/tx/lease", "60000"),
    ("transport/link/tx/keep_alive", "2"),
];

/// Called once per process, before the first session.
pub(crate) fn prepare() {
    // Zenoh reports each attempt to connect; what matters is returned as errors. The debug level shows it.
    if log::max_level() < log::LevelFilter::Debug {
        quieten("zenoh", None);
    }
}

/// Opens a session.
///
/// # Errors
/// Returns an error if Zenoh cannot open it, because an address to listen at is taken, for example.
pub(crate) fn open(network: &Network) -> Result<Session> {
    let config = configure(network).map_err(|error| failed(network, &error))?;
    zenoh::open(config).wait().map_err(|error| failed(network, &error))
}

fn configure(network: &Network) -> zenoh::Result<Config> {
    let Network { mode, connect, listen } = network;
    let mut config = Config::default();
    for (key, value) in SETTINGS {
        config.insert_json5(key, value)?;
    }
    config.insert_json5("mode", &format!("{:?}", mode.name()))?;
    config.insert_json5("connect/endpoints", &format!("{connect:?}"))?;
    if *mode != Mode::Client {
        config.insert_json5("listen/endpoints", &format!("{listen:?}"))?;
    }
    Ok(config)
}

fn failed(network: &Network, error: &dyn std::fmt::Display) -> Error {
    let Network { mode, connect, listen } = network;
    let places = |all: &[String]| if all.is_empty() { "none".to_owned() } else { all.join(",") };
    let text = format!(
        "[{SESSION}] a session of Zenoh cannot be opened with mode={};connect={};listen={}: {error}; give free addresses in \
         `listen=`, and a `client` the address of a router in `connect=`",
        mode.name(),
        places(connect),
        places(listen)
    );
    Error::with_status(status::IO, text)
}

/// Returns the error of something that Zenoh does not declare.
pub(crate) fn not_declared(what: &str, key: &str, error: &dyn std::fmt::Display) -> Error {
    Error::with_status(
        status::IO,
        format!("[{ENDPOINT}] {what} cannot be declared in Zenoh as `{key}`: {error}"),
    )
}
