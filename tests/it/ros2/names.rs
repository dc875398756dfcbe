//! The DDS names of endpoints, and the bytes on the wire over each transport. The names over Zenoh are in `zenoh::graph`.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::{CdrPlan, JsonPlan, all_schemas};
use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{Domain, FastDds, Peer, Stack, Wire};
use crate::conformance::{Caller, Transport};
use crate::service_calls::{of_all, own};
use crate::support::eventually;

/// The services by the names of their types.
pub(crate) const SERVICES: [&str; 22] = [
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

/// `get_entities` of `GetEntities`.
pub(crate) fn snake(name: &str) -> String {
    let words =
        name.chars().flat_map(|letter| letter.is_uppercase().then_some('_').into_iter().chain([letter]));
    words.collect::<String>().to_lowercase().trim_start_matches('_').to_owned()
}

/// Endpoints of the host with types of these packages: topic, type, kind, and whether reliable and latched.
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
fn case_103_dds_names_are_those_that_clients_look_for() {
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

/// Messages of the standard, with their bytes from another serializer.
fn vectors() -> Vec<(&'static str, Value, &'static str)> {
    let spawn = json!({"name": "b1", "allow_renaming": true, "entity_resource": {"uri": "file:///m.sdf"},
        "entity_namespace": "ns",
        "initial_pose": {"header": {"frame_id": "world"}, "pose": {"position": {"x": 1, "y": 2, "z": 3}}}});
    let filters = json!({"filter": "^b", "categories": [{"category": 1}],
        "tags": {"tags": ["a"], "filter_mode": 1}, "bounds": {"type": 3, "points": [{}, {"x": 2}]}});
    vec![
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
    ]
}

#[track_caller]
fn assert_writes_expected_bytes(stack: &dyn Stack) {
    for (name, message, expected) in vectors() {
        let written = stack.body(&format!("simulation_interfaces/{name}"), &message);
        assert_eq!(format!("00010000{written}"), expected, "{name}");
    }
}

over_each_transport!(
    case_100_the_peer_writes_the_same_bytes_as_another_serializer,
    the_peer_and_the_project_encode_requests_to_the_same_bytes,
);

fn case_100_the_peer_writes_the_same_bytes_as_another_serializer(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    assert_writes_expected_bytes(&peer);
}

#[test]
fn case_100_fast_dds_writes_the_same_bytes_as_another_serializer() {
    let domain = Domain::free();
    let Some(fast) = FastDds::start(&domain) else { return };
    assert_writes_expected_bytes(&fast);
}

/// A message as encoded by the project: padded with zeros to a multiple of four bytes, which other stacks add later or
/// not at all.
fn own_body(ros_type: &str, message: &Value) -> String {
    let types = all_schemas().map(|schema| schema.resolve().expect("a type"));
    let of_name = types.into_iter().find(|found| found.ros_type().to_string() == ros_type);
    let message_type = of_name.unwrap_or_else(|| panic!("no message type {ros_type}"));
    let (mut payload, mut body) = (Vec::new(), Vec::new());
    JsonPlan::compile(&message_type).decode(&message.to_string(), &mut payload).expect("a message");
    CdrPlan::compile(&message_type).encode_body(&payload, &mut body).expect("a message");
    body.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares all requests of a stack with those of the project.
#[track_caller]
fn assert_encodes_like_the_project(stack: &dyn Stack) {
    for call in [own("somebody"), of_all()].into_iter().flatten() {
        let ros_type = format!("{}_Request", call.ros_type());
        let expected = own_body(&ros_type, &call.request);
        let mut written = stack.body(&ros_type, &call.request);
        written.extend(std::iter::repeat_n('0', expected.len() - written.len()).take(6));
        assert_eq!(written, expected, "{} writes {ros_type} {}", stack.name(), call.request);
    }
}

fn the_peer_and_the_project_encode_requests_to_the_same_bytes(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    assert_encodes_like_the_project(&peer);
}

#[test]
fn fast_dds_and_the_project_encode_requests_to_the_same_bytes() {
    let domain = Domain::free();
    let Some(fast) = FastDds::start(&domain) else { return };
    assert_encodes_like_the_project(&fast);
}
