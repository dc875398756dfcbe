//! What nodes of `rmw_zenoh` see of a run: the node and its endpoints, with types, hashes and qualities of service, and that
//! samples come from the endpoints that the graph shows.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::native::{Node, Quality, endpoint_token, hash, node_token, service_hash};
use super::{CLOCK, domain_and_peer, endpoints, quit, two_vehicles};
use crate::ros2::{SERVICES, Stage, Wire, snake};
use crate::support::eventually;

/// Kind, name, type, hash and quality of service, as tokens contain them. The hashes are those of Jazzy, Kilted and Rolling.
const EXPECTED: [(&str, &str, &str, &str, &str); 8] = [
    (
        "MP",
        "/clock",
        "rosgraph_msgs::msg::dds_::Clock_",
        "RIHS01_692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
        "2::,10:,:,:,,",
    ),
    (
        "MP",
        "/car1/scan",
        "sensor_msgs::msg::dds_::LaserScan_",
        "RIHS01_64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828",
        "2::,10:,:,:,,",
    ),
    (
        "MP",
        "/tf",
        "tf2_msgs::msg::dds_::TFMessage_",
        "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
        "::,100:,:,:,,",
    ),
    (
        "MP",
        "/tf_static",
        "tf2_msgs::msg::dds_::TFMessage_",
        "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
        ":1:,1:,:,:,,",
    ),
    (
        "MS",
        "/car1/cmd_vel",
        "geometry_msgs::msg::dds_::TwistStamped_",
        "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64",
        "::,10:,:,:,,",
    ),
    (
        "MP",
        "/simulate_steps/_action/status",
        "action_msgs::msg::dds_::GoalStatusArray_",
        "RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e",
        ":1:,1:,:,:,,",
    ),
    (
        "SS",
        "/simulate_steps/_action/cancel_goal",
        "action_msgs::srv::dds_::CancelGoal_",
        "RIHS01_573d8b0a534451d7bc2ac8c5ffde8ac14b8593b7001175d0cd6516dcbeb8689a",
        "::,10:,:,:,,",
    ),
    (
        "SS",
        "/get_spawnables",
        "simulation_interfaces::srv::dds_::GetSpawnables_",
        "RIHS01_3e25fd827d8bcbd9db5e36ccb190efa22d6f6313897861268ab923bf091a992a",
        "::,10:,:,:,,",
    ),
];

/// The tokens of the run, each without the session and the number of the endpoint, which change.
fn tokens(graph: &Value) -> Vec<String> {
    let tokens = graph["tokens"].as_array().expect("a list").iter();
    let parts = tokens.map(|token| token.as_str().expect("a text").split('/').collect::<Vec<_>>());
    parts
        .map(|mut parts| {
            (parts[2], parts[4]) = ("SESSION", "ID");
            parts.join("/")
        })
        .collect()
}

fn token((kind, name, type_name, hash, qos): (&str, &str, &str, &str, &str)) -> String {
    let name = name.replace('/', "%");
    format!("@ros2_lv/7/SESSION/0/ID/{kind}/%/%sim/host/{name}/{type_name}/{hash}/{qos}")
}

#[test]
fn the_tokens_are_those_of_a_node_of_rmw_zenoh() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let host = two_vehicles(&domain.bridge("node=/sim/host"));
    let expected = EXPECTED.map(token);
    let missing = || {
        let found = tokens(&peer.graph());
        expected.iter().filter(|token| !found.contains(token)).cloned().collect::<Vec<_>>()
    };
    eventually("the endpoints are there", || missing().is_empty());
    let graph = peer.graph();
    let found = tokens(&graph);
    let node = found.iter().filter(|token| token.contains("/NN/")).collect::<Vec<_>>();
    assert_eq!(node, ["@ros2_lv/7/SESSION/0/ID/NN/%/%sim/host"], "one node for the world and all vehicles");
    assert_eq!(graph["ignored"], json!([]), "nodes of ROS can read all of them");
    let ids: BTreeSet<&str> = graph["tokens"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|token| token.as_str().and_then(|token| token.split('/').nth(4)).expect("a number"))
        .collect();
    assert_eq!(ids.len(), found.len(), "each endpoint has a number of its own");
    quit(host);
    eventually("nothing is left", || peer.graph()["tokens"] == json!([]));
}

/// The services of the standard and the endpoints of the action: kind, name, type, and whether the last message is kept.
fn standard() -> Vec<(&'static str, String, String, bool)> {
    let services = SERVICES.iter().map(|name| (snake(name), format!("simulation_interfaces/srv/{name}")));
    let mut all: Vec<_> = services.map(|(name, of)| ("SS", name, of, false)).collect();
    let action = |part: &str| format!("simulate_steps/_action/{part}");
    let steps = |part: &str| format!("simulation_interfaces/action/SimulateSteps_{part}");
    all.push(("SS", action("send_goal"), steps("SendGoal"), false));
    all.push(("SS", action("get_result"), steps("GetResult"), false));
    all.push(("SS", action("cancel_goal"), "action_msgs/srv/CancelGoal".to_owned(), false));
    all.push(("MP", action("feedback"), steps("FeedbackMessage"), false));
    all.push(("MP", action("status"), "action_msgs/msg/GoalStatusArray".to_owned(), true));
    all
}

#[test]
fn the_tokens_of_all_services_and_of_the_action_are_those_of_rmw_zenoh() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    let node = Node::start(&stage.domain, "native");
    let zid = node.only_peer();
    let token = |(kind, name, of, is_latched): &(&str, String, String, bool)| {
        let hash = if *kind == "SS" { service_hash(of) } else { hash(of) };
        let quality = if *is_latched { Quality::latched(1) } else { Quality::DEFAULT };
        endpoint_token((7, &zid, 0, "bridgehead"), kind, (name, of, &hash), &quality)
    };
    let expected: BTreeSet<String> = standard().iter().map(token).collect();
    let without_number = |token: &str| {
        let mut parts: Vec<&str> = token.split('/').collect();
        parts[4] = "0";
        parts.join("/")
    };
    let found = || node.tokens().iter().map(|token| without_number(token)).collect::<BTreeSet<_>>();
    eventually("all endpoints exist", || found().is_superset(&expected));
    let is_of_standard = |token: &&String| {
        ["/simulation_interfaces::", "/action_msgs::"].iter().any(|package| token.contains(package))
    };
    let found = found();
    assert!(found.contains(&node_token(7, &zid, "bridgehead")), "{found:?}");
    assert_eq!(found.into_iter().filter(|token| is_of_standard(&token)).collect::<BTreeSet<_>>(), expected);
}

#[test]
fn nodes_of_humble_and_of_the_older_generation_find_their_types() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    for (options, expected) in [
        ("distro=humble", "TypeHashNotSupported"),
        ("generation=1", "RIHS01_3bc0266bf8236058ff589c44512e013afe4f295427c39d44cff363d1c956bf36"),
    ] {
        let host = two_vehicles(&domain.bridge(options));
        let hash = || {
            let found = endpoints(&peer).into_iter().find(|endpoint| endpoint["name"] == "/get_spawnables");
            found.map(|endpoint| endpoint["hash"].clone())
        };
        eventually("the service is there", || hash() == Some(json!(expected)));
        quit(host);
        eventually("it is gone", || hash().is_none());
    }
}

#[test]
fn samples_come_from_the_endpoints_of_the_graph_in_their_order() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let raw = json!({"raw": true, "depth": 1000, "reliable": false});
    let clock = peer.subscribe("/clock", CLOCK, raw);
    let host = two_vehicles(&domain.bridge(""));
    host.ok("play", json!({}));
    let lines: Vec<Value> = (0..20).map(|_| clock.next()).collect();
    let gid = endpoints(&peer)
        .into_iter()
        .find(|endpoint| endpoint["name"] == "/clock" && endpoint["kind"] == "MP")
        .expect("the publisher")["gid"]
        .clone();
    let sequence = |line: &Value| line["attachment"]["sequence"].as_u64().expect("a number");
    for pair in lines.windows(2) {
        assert_eq!(sequence(&pair[1]), sequence(&pair[0]) + 1, "{pair:?}");
    }
    for line in &lines {
        assert_eq!(line["attachment"]["gid"], gid, "{line}");
        assert!(line["cdr"].as_str().is_some_and(|cdr| cdr.starts_with("00010000")), "{line}");
        assert_eq!(line["encoding"], "zenoh/bytes", "{line}");
    }
    quit(host);
}
