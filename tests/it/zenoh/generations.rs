//! Clients with the definitions of `simulation_interfaces` 1.x: four services have other types there, and so other hashes.

use std::fs;

use serde_json::{Value, json};

use crate::ros2::{Peer, Stage, Wire};
use crate::support::root;

/// The definitions of 1.x that differ; texts name their package `older`.
const OLDER: [&str; 5] = [
    "srv/GetSpawnables_Response",
    "srv/LoadWorld_Request",
    "srv/SetEntityState_Request",
    "srv/SpawnEntity_Request",
    "msg/Spawnable",
];

/// Gives a peer the older definitions.
#[track_caller]
fn make_older(peer: &Peer) {
    let mut texts = json!({});
    for name in OLDER {
        let (_, short) = name.split_once('/').expect("a kind");
        let path = root().join(format!("tests/it/ros2/peer/texts/older.{short}.msg"));
        let text = fs::read_to_string(path).expect("a text").replace("older/", "simulation_interfaces/");
        texts[format!("simulation_interfaces/{name}")] = json!(text);
    }
    peer.tell("types", json!({"texts": texts})).wait().expect("types");
}

#[track_caller]
fn call(peer: &Peer, service: &str, name: &str, request: &Value) -> Value {
    peer.call(service, &format!("simulation_interfaces/srv/{name}"), request)
}

#[test]
fn a_client_of_the_older_generation_uses_the_four_services_that_differ() {
    let Some(stage) = Stage::over(Wire::Zenoh, "generation=1").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    make_older(&peer);
    let at = |x: f64| json!({"position": {"x": x, "y": 20, "z": 5}});
    let request = json!({"name": "old", "uri": "model://crate", "initial_pose": {"pose": at(1.5)}});
    let spawned = call(&peer, "spawn_entity", "SpawnEntity", &request);
    assert_eq!((&spawned["result"]["result"], &spawned["entity_name"]), (&json!(1), &json!("old")));
    let request = json!({"entity": "old", "state": {"pose": at(7.5)}});
    let set = call(&peer, "set_entity_state", "SetEntityState", &request);
    assert_eq!(set["result"]["result"], 1, "{set}");
    let found = call(&peer, "get_entity_state", "GetEntityState", &json!({"entity": "old"}));
    assert_eq!(found["state"]["pose"]["position"]["x"], 7.5, "{found}");
    let listed = call(&peer, "get_spawnables", "GetSpawnables", &json!({}));
    let uris = listed["spawnables"].as_array().expect("a list").iter().map(|one| one["uri"].as_str());
    assert!(uris.clone().count() == 2 && uris.flatten().all(|uri| !uri.is_empty()), "{listed}");
    let refused = call(&peer, "load_world", "LoadWorld", &json!({"uri": "/no/such.sdf"}));
    let text = refused["result"]["error_message"].as_str().expect("a text");
    assert!(refused["result"]["result"] != 1 && text.contains("/no/such.sdf"), "{refused}");
}

#[test]
fn a_client_of_the_older_generation_does_not_find_the_newer_services() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    make_older(&peer);
    // One that is equal in both, so that the run is known.
    let state = call(&peer, "get_simulation_state", "GetSimulationState", &json!({}));
    assert_eq!(state["result"]["result"], 1);
    let kind = "simulation_interfaces/srv/GetSpawnables";
    let line = json!({"service": "get_spawnables", "type": kind, "request": {}, "timeout": 0.5});
    assert_eq!(peer.tell("call", line).wait(), Err("no server".to_owned()));
}
