//! The reported features of the host, and those of a host whose services are renamed and disabled.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{Caller, Transport, fixture, setup};

/// Features by their numbers, and the services that each needs.
const FEATURES: [(u64, &[&str]); 32] = [
    (0, &["spawn_entity"]),
    (1, &["delete_entity"]),
    (2, &["get_named_poses"]),
    (3, &["get_named_pose_bounds"]),
    (4, &["get_entities"]),
    (5, &["get_entity_bounds"]),
    (6, &["get_entities"]),
    (7, &["get_entities"]),
    (8, &["get_entities"]),
    (9, &["spawn_entity"]),
    (10, &["get_entity_state", "get_entities_states"]),
    (11, &["set_entity_state"]),
    (12, &["get_entity_info"]),
    (13, &["set_entity_info"]),
    (14, &["get_spawnables"]),
    (20, &["reset_simulation"]),
    (21, &["reset_simulation"]),
    (22, &["reset_simulation"]),
    (23, &["reset_simulation"]),
    (24, &["get_simulation_state"]),
    (25, &["set_simulation_state"]),
    (26, &["set_simulation_state"]),
    (31, &["step_simulation"]),
    (32, &["step_simulation"]),
    (33, &["simulate_steps"]),
    (40, &["load_world"]),
    (41, &["load_world"]),
    (42, &["get_available_worlds"]),
    (43, &["unload_world"]),
    (44, &["get_current_world"]),
    (45, &["get_available_worlds"]),
    (50, &["spawn_entities"]),
];

/// Returns the numbers of the reported features.
#[track_caller]
fn reported(host: &Caller) -> Vec<u64> {
    let response = host.call("get_simulator_features", json!({}));
    let numbers = response["features"]["features"].as_array().expect("a list").iter();
    numbers.map(|number| number.as_u64().expect("a number")).collect()
}

/// Returns the features that the offered services provide; `names` maps renamed services to their new names.
fn provided(offered: &BTreeSet<String>, names: &BTreeMap<&str, &str>) -> Vec<u64> {
    let is_there = |service: &&str| offered.contains(*names.get(service).unwrap_or(service));
    let whole = FEATURES.iter().filter(|(_, services)| services.iter().all(&is_there));
    whole.map(|(feature, _)| *feature).collect()
}

pub(super) fn features_are_sorted(over: Transport) {
    let numbers = reported(&over.host("stopped"));
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{numbers:?}");
    assert_eq!(numbers, FEATURES.map(|(number, _)| number), "every feature of the standard");
}

pub(super) fn features_of_disabled_services_are_not_reported(over: Transport) {
    let toml = "[services]\nload_world = \"\"\nget_entities_states = \"\"\nsimulate_steps = \"\"\n\
                get_entities = \"/sim/get_entities\"\n";
    let setup = setup().run(fixture("W1.sdf").as_ref()).args(["--start", "stopped"]).config(toml);
    let host = over.start(setup).wait_for_state("stopped");
    let offered = host.offered(20);
    for gone in ["load_world", "get_entities_states", "simulate_steps", "get_entities"] {
        host.assert_not_offered(gone);
    }
    let numbers = reported(&host);
    for feature in [10, 33, 40, 41] {
        assert!(!numbers.contains(&feature), "{feature} is in {numbers:?}");
    }
    let names = BTreeMap::from([("get_entities", "sim/get_entities")]);
    assert_eq!(numbers, provided(&offered, &names), "features of the renamed service are still reported");
    let renamed = host.ok("sim/get_entities", json!({}));
    assert_eq!(renamed["entities"].as_array().map(Vec::len), Some(4));
}
