//! Peers that send what no node of ROS sends.

use serde_json::{Value, json};

use super::{domain_and_peer, expect_answer, quit, received, two_vehicles};
use crate::ros2::Peer;
use crate::support::{FAILED, eventually};

const COMMANDS: &str = "7/car1/cmd_vel/geometry_msgs::msg::dds_::Twist_/\
    RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a";
const STEPS: &str = "simulation_interfaces/action/SimulateSteps";
const STATES: &str = "simulation_interfaces/srv/SetEntityState";
/// An attachment as every node sends it: the number 1, a time, and an identity.
const ATTACHMENT: &str = "01000000000000000100000000000000100102030405060708090a0b0c0d0e0f10";

fn zeros(count: usize) -> String {
    "00".repeat(count)
}

fn put(peer: &Peer, payload: &str, attachment: Option<&str>) {
    let line = json!({"key": COMMANDS, "payload": payload, "attachment": attachment});
    peer.tell("put", line).wait().expect("a subscriber");
}

#[test]
fn samples_that_are_none_of_ros_are_dropped_and_reported_once() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let mut host = two_vehicles(&domain.bridge(""));
    let good = format!("00010000{}", zeros(48));
    let negative = format!("{}{}", &ATTACHMENT[..14], "80") + &ATTACHMENT[16..];
    for (payload, attachment) in [
        (good.as_str(), None),
        (good.as_str(), Some("")),
        (good.as_str(), Some(&ATTACHMENT[..64])),
        (good.as_str(), Some(negative.as_str())),
        ("", Some(ATTACHMENT)),
        ("0001", Some(ATTACHMENT)),
        ("0001000000", Some(ATTACHMENT)),
        (&format!("00000000{}", zeros(48)), Some(ATTACHMENT)),
        (&format!("00070000{}", zeros(48)), Some(ATTACHMENT)),
    ] {
        put(&peer, payload, attachment);
    }
    let line = host.wait_for("[BH-ROS-008]");
    assert!(line.contains("/car1/cmd_vel") && line.contains("attachment"), "{line}");
    assert_eq!(received(&host, "/car1/cmd_vel"), 0);
    // Messages reach the run in its steps.
    eventually("a good one arrives", || {
        put(&peer, &good, Some(ATTACHMENT));
        host.ok("step_simulation", json!({"steps": 1}));
        received(&host, "/car1/cmd_vel") > 0
    });
    host.ok("quit", json!({}));
    let text = host.finish().expect_code(0).to_string();
    assert_eq!(text.matches("BH-ROS-008").count(), 1, "{text}");
}

#[test]
fn requests_that_are_none_are_refused_and_others_are_answered() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let host = two_vehicles(&domain.bridge(""));
    expect_answer(&peer);
    let cut =
        peer.tell("send", json!({"service": "set_entity_state", "type": STATES, "body": "ffffffff"})).wait();
    let cut = cut.expect("an answer");
    assert_eq!(cut["result"]["result"], FAILED, "{cut}");
    let text = cut["result"]["error_message"].as_str().expect("a text");
    assert!(text.contains("SetEntityState") && text.contains("byte"), "{text}");
    let key = "7/get_simulation_state/simulation_interfaces::srv::dds_::GetSimulationState_/\
        RIHS01_3362dcebee4b1afebbf9c4beee5c79c1455385aded62092a892d61fde8644f30";
    let ask = |key: &str, attachment: Option<&str>, payload: Option<&str>| -> Value {
        let line =
            json!({"key": key, "payload": payload, "attachment": attachment, "target": "all_complete"});
        peer.tell("query", line).wait().expect("the end of the query")
    };
    let answered = ask(key, Some(ATTACHMENT), Some("0001000000"));
    // The number and the identity are those of the request.
    let attachment = answered[0]["attachment"].as_str().expect("hexadecimal");
    assert_eq!((&attachment[..16], &attachment[32..]), (&ATTACHMENT[..16], &ATTACHMENT[32..]), "{answered}");
    assert_eq!(
        ask(key, None, Some("0001000000")),
        json!([]),
        "a request without an attachment has no answer"
    );
    assert_eq!(ask(key, Some("00"), Some("0001000000")), json!([]));
    assert_eq!(
        ask("7/nobody/a::srv::dds_::B_/RIHS01_0", Some(ATTACHMENT), None),
        json!([]),
        "an unknown service"
    );
    expect_answer(&peer);
    quit(host);
}

/// The result of a goal is the answer that a client may wait for as long as it likes.
#[test]
fn more_calls_than_may_wait_are_refused_and_the_others_answered() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let host = two_vehicles(&domain.bridge(""));
    let goal = json!({"uuid": vec![7; 16]});
    let send = json!({"goal_id": goal, "goal": {"steps": 1_000_000}});
    let accepted = peer.call("simulate_steps/_action/send_goal", &format!("{STEPS}_SendGoal"), &send);
    assert_eq!(accepted["accepted"], true);
    let request = json!({"goal_id": goal});
    let ask = |_| peer.ask("simulate_steps/_action/get_result", &format!("{STEPS}_GetResult"), &request);
    let mut waiting: Vec<_> = (0..256).map(ask).collect();
    // They arrive in their order.
    let refused = ask(256).wait().expect("an answer");
    let text = refused["result"]["result"]["error_message"].as_str().expect("a text");
    assert!(text.contains("256 calls"), "{refused}");
    let cancel = json!({"goal_info": {"goal_id": goal}});
    peer.call("simulate_steps/_action/cancel_goal", "action_msgs/srv/CancelGoal", &cancel);
    for answer in waiting.drain(..) {
        assert_eq!(answer.wait().expect("an answer")["status"], 5, "it was canceled");
    }
    assert_eq!(ask(0).wait().expect("an answer")["status"], 5, "there is room again");
    quit(host);
}

#[test]
fn tokens_of_any_text_and_number_harm_nobody() {
    let Some((domain, peer)) = domain_and_peer() else { return };
    let host = two_vehicles(&domain.bridge(""));
    let declare = |text: String| drop(peer.tell("token", json!({"text": text})).wait());
    for text in [
        "@ros2_lv/7/x",
        "@ros2_lv/7/x/0/0/NN",
        "@ros2_lv/7/x/y/z/XX/%/%/n/%t/a/b/c",
        "@ros2_lv/7/x/0/1/MP/%/%/n/%clock/%/%/%",
        "@ros2_lv/7/x/0/2/SS/%/%/n/%load_world",
    ] {
        declare(text.to_owned());
    }
    for number in 0..2000 {
        declare(format!(
            "@ros2_lv/7/flood/0/{number}/MP/%/%/n/%clock/a::msg::dds_::B_/RIHS01_0/::,10:,:,:,,"
        ));
    }
    expect_answer(&peer);
    host.ok("quit", json!({}));
    let text = host.finish().expect_code(0).to_string();
    assert_eq!(text.matches("BH-ZEN-005").count(), 2, "one line for each session: {text}");
}
