//! All services of `simulation_interfaces` over DDS, each once with what it is for and once with what it refuses; and
//! the names of their endpoints, and the bytes on the wire.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::Peer;
use crate::conformance::{Caller, Transport};
use crate::support::{OK, eventually, root};

/// `RESULT_OPERATION_FAILED`.
const FAILED: u64 = 4;

/// The services by the names of their types.
const SERVICES: [&str; 22] = [
    "DeleteEntity",
    "GetAvailableWorlds",
    "GetCurrentWorld",
    "GetEntities",
    "GetEntitiesStates",
    "GetEntityBounds",
    "GetEntityInfo",
    "GetEntityState",
    "GetNamedPoseBounds",
    "GetNamedPoses",
    "GetSimulationState",
    "GetSimulatorFeatures",
    "GetSpawnables",
    "LoadWorld",
    "ResetSimulation",
    "SetEntityInfo",
    "SetEntityState",
    "SetSimulationState",
    "SpawnEntities",
    "SpawnEntity",
    "StepSimulation",
    "UnloadWorld",
];

/// Services that refuse nothing that is a request of theirs.
const NEVER_REFUSE: [&str; 3] = ["get_simulation_state", "get_simulator_features", "get_spawnables"];

/// `get_entities` of `GetEntities`.
fn snake(name: &str) -> String {
    let words =
        name.chars().flat_map(|letter| letter.is_uppercase().then_some('_').into_iter().chain([letter]));
    words.collect::<String>().to_lowercase().trim_start_matches('_').to_owned()
}

/// Requests in order, each with the result it has: the world W1 is paused at first.
fn calls() -> Vec<(&'static str, u64, Value)> {
    let of = |name: &str| json!({"entity": name});
    let filter = |expression: &str| json!({"filters": {"filter": expression}});
    let a_crate = |name: &str| json!({"name": name, "entity_resource": {"uri": "model://crate"}});
    let missing = json!({"name": "c9", "entity_resource": {"uri": "/no/such.sdf"}});
    let state = |number: u64| json!({"state": {"state": number}});
    let moved =
        |name: &str| json!({"entity": name, "state": {"pose": {"position": {"z": 3}}}, "set_pose": true});
    let described = |name: &str| json!({"entity": name, "info": {"description": "x", "tags": ["t"]}});
    let world = |uri: String| json!({"world_resource": {"uri": uri}});
    let second = root().join("tests/fixtures/worlds/W2.sdf").display().to_string();
    vec![
        ("get_simulator_features", OK, json!({})),
        ("get_simulation_state", OK, json!({})),
        ("get_spawnables", OK, json!({"sources": ["bogus"]})),
        ("get_available_worlds", OK, json!({})),
        ("get_available_worlds", FAILED, json!({"filter": {"tags": ["x"], "filter_mode": 9}})),
        ("get_current_world", OK, json!({})),
        ("get_named_poses", OK, json!({})),
        ("get_named_poses", FAILED, json!({"tags": {"tags": ["x"], "filter_mode": 9}})),
        ("get_named_pose_bounds", OK, json!({"name": "dock"})),
        ("get_named_pose_bounds", 2, json!({"name": "nowhere"})),
        ("get_entities", OK, filter("^box")),
        ("get_entities", FAILED, filter("[a-z")),
        ("get_entities_states", OK, filter("^box")),
        ("get_entities_states", FAILED, filter("[a-z")),
        ("get_entity_state", OK, of("box_a")),
        ("get_entity_state", 2, of("nobody")),
        ("get_entity_info", OK, of("box_a")),
        ("get_entity_info", 2, of("nobody")),
        ("get_entity_bounds", OK, of("box_a")),
        ("get_entity_bounds", 2, of("nobody")),
        ("set_entity_info", OK, described("box_a")),
        ("set_entity_info", 2, described("nobody")),
        ("set_entity_state", OK, moved("box_a")),
        ("set_entity_state", 2, moved("nobody")),
        ("spawn_entity", OK, a_crate("c1")),
        ("spawn_entity", 101, a_crate("c1")),
        ("spawn_entities", OK, json!({"spawn_requests": [a_crate("c2"), a_crate("c3")]})),
        ("spawn_entities", 150, json!({"spawn_requests": [a_crate("c4"), missing]})),
        ("delete_entity", OK, of("c1")),
        ("delete_entity", 2, of("c1")),
        ("step_simulation", OK, json!({"steps": 3})),
        ("set_simulation_state", OK, state(1)),
        ("set_simulation_state", 103, state(200)),
        ("step_simulation", FAILED, json!({"steps": 3})),
        ("reset_simulation", OK, json!({"scope": 255})),
        ("reset_simulation", 0, json!({"scope": 8})),
        ("load_world", OK, world(second)),
        ("load_world", 102, world(String::new())),
        ("unload_world", OK, json!({})),
        ("unload_world", 101, json!({})),
        ("get_current_world", 101, json!({})),
    ]
}

#[test]
fn each_does_what_it_is_for_and_says_what_it_does_not() {
    let Some(over) = Transport::dds() else { return };
    let host = over.host("paused");
    let mut results: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (service, code, request) in calls() {
        if service == "get_simulator_features" {
            let response = host.call(service, request);
            assert!(
                response["features"]["features"].as_array().is_some_and(|list| list.len() > 20),
                "{response}"
            );
        } else {
            host.expect(code, service, request);
        }
        results.entry(service).or_default().push(code);
    }
    let called: BTreeSet<String> = results.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(called, SERVICES.iter().map(|name| snake(name)).collect());
    for (service, codes) in results {
        assert!(codes.contains(&OK), "{service} is never asked for what it does");
        let is_refused = codes.iter().any(|code| *code != OK);
        assert_eq!(is_refused, !NEVER_REFUSE.contains(&service), "{service} {codes:?}");
    }
}

/// Endpoints of the host whose types are of these packages: topic, type, kind, whether reliable and latched.
fn endpoints(host: &Caller, packages: [&str; 2]) -> BTreeSet<(String, String, String, bool, bool)> {
    let graph = host.peer().graph();
    let all = graph["endpoints"].as_array().expect("a list").iter();
    let of_packages = all.filter(|one| {
        let kind = one["type"].as_str().expect("a type");
        packages.iter().any(|package| kind.starts_with(&format!("{package}::")))
    });
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let flag = |value: &Value| value.as_bool().expect("a flag");
    let row = |one: &Value| {
        let quality = [flag(&one["reliable"]), flag(&one["transient_local"])];
        (text(&one["topic"]), text(&one["type"]), text(&one["kind"]), quality[0], quality[1])
    };
    of_packages.map(row).collect()
}

#[test]
fn case_103_names_in_dds_are_those_that_clients_look_for() {
    let Some(over) = Transport::dds() else { return };
    let host = over.host("paused");
    let mut expected = BTreeSet::new();
    let mut add = |topic: String, kind: String, end: &str, latched: bool| {
        expected.insert((topic, format!("{kind}_"), end.to_owned(), true, latched));
    };
    let mut add_service = |name: &str, kind: &str| {
        add(format!("rq/{name}Request"), format!("{kind}_Request"), "reader", false);
        add(format!("rr/{name}Reply"), format!("{kind}_Response"), "writer", false);
    };
    for name in SERVICES {
        add_service(&snake(name), &format!("simulation_interfaces::srv::dds_::{name}"));
    }
    let (action, steps) = ("simulate_steps/_action", "simulation_interfaces::action::dds_::SimulateSteps");
    add_service(&format!("{action}/send_goal"), &format!("{steps}_SendGoal"));
    add_service(&format!("{action}/get_result"), &format!("{steps}_GetResult"));
    add_service(&format!("{action}/cancel_goal"), "action_msgs::srv::dds_::CancelGoal");
    add(format!("rt/{action}/feedback"), format!("{steps}_FeedbackMessage"), "writer", false);
    add(format!("rt/{action}/status"), "action_msgs::msg::dds_::GoalStatusArray".to_owned(), "writer", true);
    let mut found = BTreeSet::new();
    eventually("all endpoints are discovered", || {
        found = endpoints(&host, ["simulation_interfaces", "action_msgs"]);
        found.len() >= expected.len()
    });
    assert_eq!(found, expected);
}

#[test]
fn case_100_the_peer_writes_the_bytes_that_another_serializer_writes() {
    let domain = super::Domain::free();
    let Some(peer) = Peer::start(&domain) else { return };
    let spawn = json!({"name": "b1", "allow_renaming": true, "entity_resource": {"uri": "file:///m.sdf"},
        "entity_namespace": "ns",
        "initial_pose": {"header": {"frame_id": "world"}, "pose": {"position": {"x": 1, "y": 2, "z": 3}}}});
    let filters = json!({"filter": "^b", "categories": [{"category": 1}],
        "tags": {"tags": ["a"], "filter_mode": 1}, "bounds": {"type": 3, "points": [{}, {"x": 2}]}});
    let vectors = [
        ("msg/Result", json!({"result": 1}), "00010000010000000100000000"),
        ("srv/SetSimulationState_Request", json!({"state": {"state": 1}}), "0001000001"),
        (
            "srv/SetSimulationState_Response",
            json!({"result": {"result": 101, "error_message": "x"}}),
            "0001000065000000020000007800",
        ),
        (
            "srv/GetSimulationState_Response",
            json!({"state": {"state": 2}, "result": {"result": 1}}),
            "00010000020100000100000000",
        ),
        ("srv/StepSimulation_Request", json!({"steps": 5}), "000100000500000000000000"),
        ("srv/ResetSimulation_Request", json!({"scope": 7}), "0001000007"),
        (
            "srv/SpawnEntity_Request",
            spawn,
            "0001000003000000623100010e00000066696c653a2f2f2f6d2e73646600000001000000000000000300\
             00006e730000000000000000000006000000776f726c64000000000000000000f03f0000000000000040\
             0000000000000840000000000000000000000000000000000000000000000000000000000000f03f",
        ),
        (
            "srv/SpawnEntity_Response",
            json!({"result": {"result": 1}, "entity_name": "b1"}),
            "0001000001000000010000000000000003000000623100",
        ),
        (
            "srv/GetEntities_Request",
            json!({"filters": filters}),
            "00010000030000005e62000001000000010000000100000002000000610001030200000000000000\
             0000000000000000000000000000000000000000000000000000004000000000000000000000000000\
             000000",
        ),
        (
            "srv/GetSimulatorFeatures_Response",
            json!({"features": {"features": [0, 1, 50], "spawn_formats": ["sdf"]}}),
            "000100000300000000000100320000000100000004000000736466000100000000",
        ),
        (
            "srv/LoadWorld_Request",
            json!({"world_resource": {"uri": "w.sdf"}, "ignore_missing_or_unsupported_assets": true}),
            "0001000006000000772e73646600000001000000000001",
        ),
    ];
    for (name, message, expected) in vectors {
        let line = json!({"type": format!("simulation_interfaces/{name}"), "message": message});
        let written = peer.tell("encode", line).wait().expect("bytes");
        assert_eq!(written["cdr"], expected, "{name}");
    }
}
