//! Tests of the peer with another such peer: its results about the host are only as reliable as these.

use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{Domain, Peer, Wire};
use crate::support::{Python, root};

const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const SPAWN: &str = "simulation_interfaces/srv/SpawnEntity";
const STATE: &str = "simulation_interfaces/srv/GetSimulationState";

/// Peers of one domain.
fn two(domain: &Domain) -> Option<[Peer; 2]> {
    Some([Peer::start(domain)?, Peer::start(domain)?])
}

fn ok_with_text(text: &str) -> Value {
    json!({"result": {"result": 1, "error_message": text}})
}

#[test]
fn the_types_of_the_peer_have_the_published_hashes() {
    let Some(python) = Python::with("rosbags.typesys") else { return };
    let folders =
        ["plugin-api/messages/tests/golden", "tests/it/ros2/peer/texts"].map(|path| root().join(path));
    let [golden, own] = folders.map(|path| path.display().to_string());
    let hashes: Value =
        serde_json::from_str(&python.run("ros2/peer/hashes.py", &[&golden, &own])).expect("JSON");
    let published = include_str!("../../../plugin-api/messages/tests/hashes.txt").lines();
    let mut compared = 0;
    for (name, expected) in published.filter_map(|line| line.split_once(' ')) {
        // Services and actions as a whole are not messages.
        let Some(found) = hashes.get(name) else { continue };
        assert_eq!(*found, format!("RIHS01_{expected}"), "{name}");
        compared += 1;
    }
    assert_eq!(compared, 65, "messages and halves of services");
    // The types of the older generation of the interfaces that differ.
    for (name, expected) in [
        ("SetEntityState_Request", "95cdfbffcd9c4d0133b2079bdcadd4420ce86dd255c11a3dfed7f9f907fd304d"),
        ("SpawnEntity_Request", "fdcf97087f59eed1ad0b75696ea97ffbb44d104f62f177fcd5a31ab67c6fc923"),
        ("LoadWorld_Request", "f683da497d911d5b8d8191c457d4dd90b39ceb1a7c3ec8e2f2adf89ee6721851"),
        ("GetSpawnables_Response", "4e532ac531e2d0bb495a8b53409a8025551f55329250537a3d5a28c5d7ce36af"),
    ] {
        assert_eq!(hashes[format!("older/srv/{name}")], format!("RIHS01_{expected}"), "{name}");
    }
}

over_each_transport!(
    requests_arrive_unchanged_with_the_defaults_of_ros,
    late_answers_find_their_requests_in_any_order_and_from_any_client,
    a_call_without_an_answer_returns_an_error,
);

fn requests_arrive_unchanged_with_the_defaults_of_ros(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some([server, client]) = two(&domain) else { return };
    server.serve("spawn_entity", SPAWN);
    let request = json!({"name": "ä\n", "initial_pose": {"pose": {"position": {"x": "NaN", "y": -0.5}}}});
    let answer = client.ask("spawn_entity", SPAWN, &request);
    let asked = server.asked();
    let pose = &asked.request["initial_pose"]["pose"];
    assert_eq!((&asked.request["name"], &asked.request["allow_renaming"]), (&json!("ä\n"), &json!(false)));
    assert_eq!(pose["position"], json!({"x": "NaN", "y": -0.5, "z": 0.0}));
    assert_eq!(pose["orientation"], json!({"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}));
    server.answer(&asked, &json!({"entity_name": "ä", "result": {"result": 1}}));
    let response = answer.wait().expect("a response");
    assert_eq!(response, json!({"entity_name": "ä", "result": {"result": 1, "error_message": ""}}));
}

fn late_answers_find_their_requests_in_any_order_and_from_any_client(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some([server, one]) = two(&domain) else { return };
    let other = Peer::start(&domain).expect("a third peer");
    server.serve("delete_entity", DELETE);
    let named = |name: &str| json!({"entity": name});
    let pending: Vec<_> = (0..4)
        .flat_map(|round| [(&one, format!("one {round}")), (&other, format!("other {round}"))])
        .map(|(peer, name)| (peer.ask("delete_entity", DELETE, &named(&name)), name))
        .collect();
    let mut asked: Vec<_> = (0..8).map(|_| server.asked()).collect();
    asked.reverse();
    for request in asked {
        server.answer(&request, &ok_with_text(request.request["entity"].as_str().expect("a name")));
    }
    for (answer, name) in pending {
        assert_eq!(answer.wait(), Ok(ok_with_text(&name)));
    }
}

fn a_call_without_an_answer_returns_an_error(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some([server, client]) = two(&domain) else { return };
    let call = |service: &str, request: Value| {
        let line = json!({"service": service, "type": STATE, "request": request, "timeout": 0.3});
        client.tell("call", line).wait()
    };
    assert_eq!(call("unknown", json!({})), Err("no server".to_owned()));
    server.serve("slow", STATE);
    // A call without a timeout waits for discovery first, which may take long on a busy machine.
    let first = client.ask("slow", STATE, &json!({}));
    let asked = server.asked();
    assert_eq!(asked.request, json!({}), "the hidden member of an empty message is not shown");
    assert_eq!(call("slow", json!({})), Err("no answer".to_owned()));
    assert!(call("slow", json!({"wrong": 1})).expect_err("refused").contains("has no ['wrong']"));
    server.answer(&asked, &json!({"state": {"state": 2}}));
    assert_eq!(first.wait().expect("a response")["state"]["state"], 2);
    let last = client.ask("slow", STATE, &json!({}));
    // The client first: Zenoh ends the call if the server leaves.
    drop(client);
    assert_eq!(last.wait(), Err("the peer is gone".to_owned()));
    server.leave();
}

#[test]
fn topics_and_the_graph_are_reported() {
    let domain = Domain::free();
    let Some([one, other]) = two(&domain) else { return };
    // A best-effort reader would lose a message that is sent before it knows the writer.
    let messages = one.subscribe("rt/odom", "nav_msgs/msg/Odometry", json!({"reliable": true}));
    let _ = one.subscribe("rt/scan", "sensor_msgs/msg/LaserScan", json!({"reliable": false}));
    let message = json!({"child_frame_id": "body", "pose": {"pose": {"position": {"z": 0.25}}}});
    other.publish("rt/odom", "nav_msgs/msg/Odometry", &message, json!({}));
    let message = messages.next();
    assert_eq!(
        (&message["child_frame_id"], &message["pose"]["pose"]["position"]["z"]),
        (&json!("body"), &json!(0.25))
    );
    assert_eq!(message["pose"]["covariance"].as_array().map(Vec::len), Some(36));
    assert_eq!(messages.next_of_now(), None);
    let graph = other.graph();
    assert_eq!(graph["participants"][0]["user_data"], "enclave=/;");
    let endpoints = graph["endpoints"].as_array().expect("a list");
    let mut found: Vec<_> = endpoints
        .iter()
        .map(|one| json!([one["topic"], one["type"], one["kind"], one["reliable"]]).to_string())
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            r#"["rt/odom","nav_msgs::msg::dds_::Odometry_","reader",true]"#,
            r#"["rt/scan","sensor_msgs::msg::dds_::LaserScan_","reader",false]"#
        ]
    );
}
