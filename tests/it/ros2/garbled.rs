//! Malformed requests over each transport, and from two DDS stacks: every service reports them to the sender and keeps working.

use std::thread::scope;

use serde_json::{Value, json};

use super::names::{SERVICES, snake};
use super::wire::over_each_transport;
use super::{FastDds, Peer, Pending, Stack, Stage, Wire};

/// Services whose requests have no fields, so that an empty body is valid.
const WITHOUT_FIELDS: [&str; 4] =
    ["get_current_world", "get_simulation_state", "get_simulator_features", "unload_world"];
/// Encapsulation headers of unsupported encodings: big endian, and version 2 of CDR.
const OTHERS: [[u8; 4]; 2] = [[0, 0, 0, 0], [0, 7, 0, 0]];
const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";

/// The services with their types, including those of the action.
fn services() -> Vec<(String, String)> {
    let ours = SERVICES.iter().map(|name| (snake(name), format!("simulation_interfaces/srv/{name}")));
    let action = [("send_goal", "SendGoal"), ("get_result", "GetResult")].map(|(service, name)| {
        let kind = format!("simulation_interfaces/action/SimulateSteps_{name}");
        (format!("simulate_steps/_action/{service}"), kind)
    });
    let cancel = ("simulate_steps/_action/cancel_goal".to_owned(), "action_msgs/srv/CancelGoal".to_owned());
    ours.chain(action).chain([cancel]).collect()
}

/// Fails unless the response reports a malformed request of this type, with the reason.
#[track_caller]
fn expect_refusal(asked: Pending, ros_type: &str, why: &str) {
    let response = asked.wait().unwrap_or_else(|error| panic!("{ros_type}: {error}"));
    let (has_failed, text) = failure(&response);
    assert!(has_failed, "{ros_type}: {response}");
    // Two responses of an action have no room for a text.
    if let Some(text) = text {
        assert!(text.contains(ros_type) && text.contains(why), "{text}");
    }
}

/// Whether a response reports a failed call, and the reason.
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

/// Sends requests with empty bodies.
#[track_caller]
fn send_empty(stack: &dyn Stack) {
    for (service, ros_type) in services() {
        if !WITHOUT_FIELDS.contains(&&*service) {
            expect_refusal(stack.ask_bytes(&service, &ros_type, &[]), &ros_type, "byte 0");
        }
    }
}

/// Sends requests that end within the id of the sender, so that they cannot be answered.
#[track_caller]
fn send_truncated_headers(cyclone: &Peer) {
    let asked =
        services().into_iter().map(|(service, ros_type)| cyclone.ask_half_header(&service, &ros_type));
    for pending in asked.collect::<Vec<_>>() {
        assert_eq!(pending.wait(), Err("no answer".to_owned()));
    }
}

/// Sends requests with encapsulation headers of unsupported encodings: service, type, header and body. The responses contain
/// the names of the two encodings.
#[track_caller]
pub(crate) fn send_other_encodings(names: [&str; 2], ask: impl Fn(&str, &str, [u8; 4], &[u8]) -> Pending) {
    for (service, ros_type) in services() {
        for (head, name) in OTHERS.into_iter().zip(names) {
            expect_refusal(ask(&service, &ros_type, head, &[0; 64]), &ros_type, name);
        }
    }
}

/// The same from Fast DDS.
#[track_caller]
fn send_other_encodings_of(fast: &FastDds) {
    send_other_encodings(["big endian", "version 2"], |service, ros_type, head, body| {
        fast.ask_encapsulated(service, ros_type, head, body)
    });
}

/// Fails unless the state is unchanged, and the log contains a line for every service, except those.
#[track_caller]
pub(crate) fn expect_logged(stage: Stage, except: &[&str]) {
    assert_eq!(stage.host.state(), 2, "the requests had no effect");
    let log = stage.finish().expect_code(0).to_string();
    for (service, _) in services().iter().filter(|(service, _)| !except.contains(&&**service)) {
        assert!(log.contains(&format!("service /{service}: a request ")), "{service}: {log}");
    }
}

over_each_transport!(
    every_service_reports_malformed_requests_to_a_client,
    repeated_malformed_requests_are_logged_once_and_do_not_affect_later_calls,
);

fn every_service_reports_malformed_requests_to_a_client(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    send_empty(&peer);
    if wire == Wire::Zenoh {
        return expect_logged(stage, &WITHOUT_FIELDS);
    }
    send_truncated_headers(&peer);
    expect_logged(stage, &[]);
}

#[test]
fn every_service_reports_malformed_requests_to_a_fast_dds_client() {
    let stage = Stage::with("").paused();
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    send_empty(&fast);
    send_other_encodings_of(&fast);
    assert_eq!(fast.stray(), 0);
    expect_logged(stage, &[]);
}

#[test]
fn every_service_reports_malformed_requests_to_concurrent_clients_of_both_stacks() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    scope(|threads| {
        threads.spawn(|| {
            send_empty(&cyclone);
            send_truncated_headers(&cyclone);
        });
        threads.spawn(|| {
            send_empty(&fast);
            send_other_encodings_of(&fast);
        });
    });
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients are sent only to them");
    expect_logged(stage, &[]);
}

#[test]
fn repeated_malformed_requests_of_a_fast_dds_client_are_logged_once() {
    let stage = Stage::with("").paused();
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    repeat_malformed_requests(stage, &fast);
}

fn repeated_malformed_requests_are_logged_once_and_do_not_affect_later_calls(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    repeat_malformed_requests(stage, &peer);
}

#[track_caller]
fn repeat_malformed_requests(stage: Stage, stack: &dyn Stack) {
    let unfit: [&[u8]; 5] = [&[], &[1], &[255; 64], &[200, 0, 0, 0, b'a', 0], &[2, 0, 0, 0, 0xff, 0]];
    for body in unfit {
        expect_refusal(stack.ask_bytes("delete_entity", DELETE, body), DELETE, "byte");
    }
    let response = stack.call("delete_entity", DELETE, &json!({"entity": "nobody"}));
    assert_eq!(response["result"]["result"], 2, "not found");
    let finished = stage.finish().expect_code(0);
    let logged = finished.to_string().matches("BH-ROS-104").count();
    assert_eq!(logged, 1, "{finished}");
}
