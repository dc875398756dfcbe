//! What is no request, from two stacks of DDS: every service says so to whoever sent it, and goes on.

use std::thread::scope;

use serde_json::{Value, json};

use super::names::{SERVICES, snake};
use super::{FastDds, Peer, Pending, Stack, Stage};

/// Services whose requests have no fields, so that nothing can be missing in them.
const WITHOUT_FIELDS: [&str; 4] =
    ["get_current_world", "get_simulation_state", "get_simulator_features", "unload_world"];
/// How other encodings say what they are, and what the answer calls them.
const OTHERS: [([u8; 4], &str); 2] = [([0, 0, 0, 0], "big endian"), ([0, 7, 0, 0], "version 2")];
const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";

/// The services with their types, those of the action too.
fn services() -> Vec<(String, String)> {
    let ours = SERVICES.iter().map(|name| (snake(name), format!("simulation_interfaces/srv/{name}")));
    let action = [("send_goal", "SendGoal"), ("get_result", "GetResult")].map(|(service, name)| {
        let kind = format!("simulation_interfaces/action/SimulateSteps_{name}");
        (format!("simulate_steps/_action/{service}"), kind)
    });
    let cancel = ("simulate_steps/_action/cancel_goal".to_owned(), "action_msgs/srv/CancelGoal".to_owned());
    ours.chain(action).chain([cancel]).collect()
}

/// Fails unless the answer says that it was no request of this type, and why.
#[track_caller]
fn is_refused(asked: Pending, ros_type: &str, why: &str) {
    let response = asked.wait().unwrap_or_else(|error| panic!("{ros_type}: {error}"));
    let (has_failed, text) = failure(&response);
    assert!(has_failed, "{ros_type}: {response}");
    // Two responses of an action have no room for a text.
    if let Some(text) = text {
        assert!(text.contains(ros_type) && text.contains(why), "{text}");
    }
}

/// Whether a response says that its call came to nothing, and why.
fn failure(response: &Value) -> (bool, Option<&str>) {
    if let Some(accepted) = response.get("accepted") {
        return (accepted == false, None);
    }
    if let Some(code) = response.get("return_code") {
        return (code == 1, None);
    }
    if let Some(features) = response.get("features") {
        return (features["features"] == json!([]), features["custom_info"].as_str());
    }
    let is_of_goal = response.get("status").is_some();
    let result = if is_of_goal { &response["result"]["result"] } else { &response["result"] };
    (result["result"] == 4 && (!is_of_goal || response["status"] == 6), result["error_message"].as_str())
}

/// Requests that end where they begin.
#[track_caller]
fn send_nothing(stack: &dyn Stack) {
    for (service, ros_type) in services() {
        if !WITHOUT_FIELDS.contains(&&*service) {
            is_refused(stack.ask_bytes(&service, &ros_type, &[]), &ros_type, "byte 0");
        }
    }
}

/// Requests that end before it is clear whose they are: nobody can be answered.
#[track_caller]
fn send_halves(cyclone: &Peer) {
    let asked = services().into_iter().map(|(service, ros_type)| cyclone.ask_half(&service, &ros_type));
    for pending in asked.collect::<Vec<_>>() {
        assert_eq!(pending.wait(), Err("no answer".to_owned()));
    }
}

/// Requests that say that they are written in another way.
#[track_caller]
fn send_otherwise(fast: &FastDds) {
    for (service, ros_type) in services() {
        for (head, name) in OTHERS {
            is_refused(fast.ask_encapsulated(&service, &ros_type, head, &[0; 64]), &ros_type, name);
        }
    }
}

/// Fails unless the world is as it was, and the log tells of every service.
#[track_caller]
fn is_told(stage: Stage) {
    assert_eq!(stage.host.state(), 2, "nothing came of it");
    let log = stage.finish().expect_code(0).to_string();
    for (service, _) in services() {
        assert!(log.contains(&format!("service /{service}: a request of ")), "{service}: {log}");
    }
}

#[test]
fn every_service_says_so_to_a_client_of_cyclone() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    send_nothing(&cyclone);
    send_halves(&cyclone);
    is_told(stage);
}

#[test]
fn every_service_says_so_to_a_client_of_fast_dds() {
    let stage = Stage::with("").paused();
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    send_nothing(&fast);
    send_otherwise(&fast);
    assert_eq!(fast.stray(), 0);
    is_told(stage);
}

#[test]
fn every_service_says_so_to_clients_of_both_at_once() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    scope(|threads| {
        threads.spawn(|| {
            send_nothing(&cyclone);
            send_halves(&cyclone);
        });
        threads.spawn(|| {
            send_nothing(&fast);
            send_otherwise(&fast);
        });
    });
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients went there alone");
    is_told(stage);
}

#[test]
fn many_in_a_row_are_told_once_and_harm_nobody() {
    let unfit: [&[u8]; 5] = [&[], &[1], &[255; 64], &[200, 0, 0, 0, b'a', 0], &[2, 0, 0, 0, 0xff, 0]];
    let stage = Stage::with("").paused();
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    for body in unfit {
        is_refused(fast.ask_bytes("delete_entity", DELETE, body), DELETE, "byte");
    }
    let response = fast.call("delete_entity", DELETE, &json!({"entity": "nobody"}));
    assert_eq!(response["result"]["result"], 2, "not found");
    let finished = stage.finish().expect_code(0);
    let told = finished.to_string().matches("BH-ROS-104").count();
    assert_eq!(told, 1, "{finished}");
}
