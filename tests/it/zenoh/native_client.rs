//! Clients in Rust, and both peers at once: what the one sends, the other receives, and either sees the run in the same way.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::native::{Node, Quality, gid};
use super::{CLOCK, quit, received, two_vehicles};
use crate::ros2::{
    Domain, Peer, Pending, Stack, Stage, Wire, expect_logged, late_reader, make_all_at_once, make_all_calls,
    run_all_goals, run_goals_at_once, send_other_encodings,
};
use crate::support::{Served, Setup, eventually, vehicle, world};

const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const TF: &str = "tf2_msgs/msg/TFMessage";
const TEXT: &str = "std_msgs/msg/String";

#[test]
fn every_service_works_for_a_client_in_rust() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    make_all_calls(&Node::start(&stage.domain, "native"));
}

#[test]
fn a_client_in_rust_runs_and_cancels_goals_and_requests_results_late() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    run_all_goals(&stage, || Some(Box::new(Node::start(&stage.domain, "native"))));
}

#[test]
fn every_service_and_the_action_work_for_concurrent_clients_in_rust_and_python() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    let Some(python) = Peer::start(&stage.domain) else { return };
    let rust = Node::start(&stage.domain, "native");
    run_goals_at_once(&stage, [&python, &rust]);
    make_all_at_once(&python, &rust);
}

#[test]
fn every_service_refuses_other_encodings_of_a_client_in_rust() {
    let Some(stage) = Stage::over(Wire::Zenoh, "").map(Stage::paused) else { return };
    let node = Node::start(&stage.domain, "native");
    send_other_encodings(["00 00", "00 07"], |service, ros_type, head, body| {
        Pending(node.request(service, ros_type, [&head, body].concat()))
    });
    expect_logged(stage, &[]);
}

/// Vehicles with a static transform each.
fn two_frames(domain: &Domain) -> Served {
    let frames = "<plugin filename='link_transforms' name='frames'>\
        <static_link parent_frame_id='base'>body</static_link></plugin>";
    let body = ["car1", "car2"].map(|car| vehicle(car, frames)).concat();
    let setup = Setup::new().in_real_time().plugins(&["zenoh", "entities"]).world(&world(&body));
    Served::start(setup.bridge(format!("*={}", domain.bridge(""))))
}

/// The frame of the child of the one transform of a message.
fn child(message: &Value) -> String {
    message["transforms"][0]["child_frame_id"].as_str().expect("a frame").to_owned()
}

#[test]
fn a_late_subscriber_in_rust_receives_what_the_run_keeps_and_a_volatile_one_does_not() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let host = two_frames(&domain);
    let early = Node::start(&domain, "early");
    let expect_both = |node: &Node| {
        let statics = node.subscriber("/tf_static", TF, Quality::latched(10));
        let both = [statics.next(), statics.next()];
        let children: BTreeSet<String> = both.iter().map(|received| child(&received.message)).collect();
        assert_eq!(children, ["car1/body", "car2/body"].map(str::to_owned).into());
        let tokens = node.tokens();
        for received in both {
            let owner = tokens.iter().find(|token| gid(token) == received.attachment.gid);
            assert!(owner.is_some_and(|token| token.contains("/%tf_static/")), "{owner:?}");
        }
    };
    expect_both(&early);
    let late = Node::start(&domain, "late");
    let nothing = late.subscriber("/tf_static", TF, Quality::DEFAULT);
    expect_both(&late);
    assert!(nothing.next_of_now().is_none(), "only latched subscribers receive earlier messages");
    quit(host);
}

#[test]
fn commands_of_volatile_and_of_latched_publishers_in_rust_arrive_once_each() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let host = two_vehicles(&domain.bridge(""));
    let node = Node::start(&domain, "native");
    let twist = "geometry_msgs/msg/Twist";
    for (topic, quality) in [("/car1/cmd_vel", Quality::DEFAULT), ("/car2/cmd_vel", Quality::latched(5))] {
        let publisher = node.publisher(topic, twist, quality);
        publisher.await_subscriber();
        for number in 1..=5 {
            publisher.publish(&json!({"linear": {"x": number}}));
        }
        // Messages reach the run in its steps.
        eventually(&format!("{topic} has them"), || {
            host.ok("step_simulation", json!({"steps": 1}));
            received(&host, topic) >= 5
        });
        host.ok("step_simulation", json!({"steps": 100}));
        assert_eq!(received(&host, topic), 5, "{topic}");
    }
    quit(host);
}

#[test]
fn a_run_that_comes_late_reads_what_a_latched_publisher_in_rust_keeps_and_not_what_a_volatile_one_sent() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let node = Node::start(&domain, "native");
    let read = node.subscriber("/car1/read", TEXT, Quality::latched(10));
    let [latched, volatile] = [Quality::latched(2), Quality::DEFAULT].map(|quality| {
        let publisher = node.publisher("/car1/kept", TEXT, quality);
        ["one", "two", "three"].iter().for_each(|text| publisher.publish(&json!({"data": text})));
        publisher
    });
    let _host = late_reader(&domain, Wire::Zenoh);
    let next = || read.next().message["data"].as_str().expect("a text").to_owned();
    assert_eq!([next(), next()], ["two", "three"]);
    volatile.await_subscriber();
    volatile.publish(&json!({"data": "four"}));
    assert_eq!(next(), "four");
    latched.publish(&json!({"data": "five"}));
    assert_eq!(next(), "five");
}

#[test]
fn peers_in_rust_and_python_understand_each_other() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let Some(python) = Peer::start(&domain) else { return };
    let rust = Node::start(&domain, "native");
    // Services.
    let (request, response) =
        (json!({"entity": "b"}), json!({"result": {"result": 1, "error_message": "ä"}}));
    let server = rust.server("here", DELETE);
    let pending = python.ask("here", DELETE, &request);
    assert_eq!(server.answer(&response), request);
    assert_eq!(pending.wait().as_ref(), Ok(&response));
    python.serve("there", DELETE);
    let pending = rust.ask("there", DELETE, &request);
    let asked = python.asked();
    assert_eq!(asked.request, request);
    python.answer(&asked, &response);
    assert_eq!(pending.wait().as_ref(), Ok(&response));
    // Topics, also for late subscribers.
    let publisher = rust.publisher("/kept", TEXT, Quality::latched(2));
    ["one", "two", "three"].iter().for_each(|text| publisher.publish(&json!({"data": text})));
    let kept = python.subscribe("/kept", TEXT, json!({"transient_local": true, "depth": 2}));
    assert_eq!([kept.next(), kept.next()], ["two", "three"].map(|text| json!({"data": text})));
    let latched = json!({"transient_local": true, "depth": 2, "wait": false});
    for text in ["one", "two", "three"] {
        python.publish("/back", TEXT, &json!({"data": text}), latched.clone());
    }
    let back = rust.subscriber("/back", TEXT, Quality::latched(2));
    let texts = [back.next(), back.next()].map(|received| (received.message, received.attachment.number));
    assert_eq!(texts, [(json!({"data": "two"}), 2), (json!({"data": "three"}), 3)]);
    // The graph.
    let endpoints = python.graph()["endpoints"].as_array().expect("a list").clone();
    let gids: BTreeSet<&str> = endpoints.iter().map(|one| one["gid"].as_str().expect("a text")).collect();
    let hex = |bytes: [u8; 16]| bytes.map(|byte| format!("{byte:02x}")).concat();
    assert!(gids.contains(&*hex(publisher.gid())), "{gids:?}");
    assert_eq!(python.graph()["ignored"], json!([]));
}

#[test]
fn clients_in_rust_and_python_receive_only_their_own_replies_and_the_same_messages() {
    let Some(domain) = Domain::over(Wire::Zenoh) else { return };
    let Some(python) = Peer::start(&domain) else { return };
    let host = two_vehicles(&domain.bridge(""));
    let rust = Node::start(&domain, "native");
    let stacks = [&python as &dyn Stack, &rust];
    let [one, other] =
        stacks.map(|stack| stack.subscribe("/car1/joint_states", "sensor_msgs/msg/JointState", false));
    for round in 0..20 {
        let ask = |stack: &dyn Stack| {
            let entity = format!("{} {round}", stack.name());
            (stack.ask("delete_entity", DELETE, &json!({"entity": entity})), entity)
        };
        for (pending, entity) in stacks.map(ask) {
            let response = pending.wait().expect("a response");
            let text = response["result"]["error_message"].as_str().expect("a text");
            assert!(text.contains(&format!("`{entity}`")), "{entity}: {response}");
        }
    }
    host.ok("step_simulation", json!({"steps": 500}));
    for _ in 0..20 {
        assert_eq!(one.next(), other.next());
    }
    let clock = rust.subscriber("/clock", CLOCK, Quality { is_reliable: false, ..Quality::DEFAULT });
    host.ok("step_simulation", json!({"steps": 100}));
    let sent = clock.next();
    assert_eq!(sent.cdr[..4], [0, 1, 0, 0]);
    eventually("both have the same graph", || {
        let own = |token: &&String| !token.contains("/peer") && !token.contains("/native");
        let of_python = python.graph()["tokens"].clone();
        let of_python: BTreeSet<String> = serde_json::from_value(of_python).expect("texts");
        let of_rust = rust.tokens();
        of_python.iter().filter(own).eq(of_rust.iter().filter(own))
    });
    quit(host);
}
