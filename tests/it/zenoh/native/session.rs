//! Sessions with the settings of `rmw_zenoh`, on loopback only.

use serde_json::{Value, json};
use zenoh::{Config, Session, Wait as _};

/// Settings that differ from those of Zenoh.
fn settings(endpoint: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("mode", json!("peer")),
        ("connect/endpoints", json!([endpoint])),
        ("connect/timeout_ms", json!({"router": -1, "peer": -1, "client": 0})),
        ("connect/exit_on_failure", json!(false)),
        ("listen/endpoints", json!(["tcp/127.0.0.1:0"])),
        ("open/return_conditions", json!({"connect_scouted": true, "declares": true})),
        ("scouting/multicast/enabled", json!(false)),
        ("scouting/gossip/target", json!({"router": ["router", "peer"], "peer": ["router"]})),
        ("scouting/gossip/autoconnect", json!({"router": [], "peer": ["router", "peer"]})),
        (
            "scouting/gossip/autoconnect_strategy",
            json!({"peer": {"to_router": "always", "to_peer": "greater-zid"}}),
        ),
        ("timestamping/enabled", json!(true)),
        ("queries_default_timeout", json!(600_000)),
        ("transport/link/tx/lease", json!(60_000)),
        ("transport/link/tx/keep_alive", json!(2)),
    ]
}

/// Opens a session that connects to a router.
#[track_caller]
pub(super) fn open(endpoint: &str) -> Session {
    let mut config = Config::default();
    for (key, value) in settings(endpoint) {
        config.insert_json5(key, &value.to_string()).unwrap_or_else(|error| panic!("{key}: {error}"));
    }
    zenoh::open(config).wait().expect("a session")
}
