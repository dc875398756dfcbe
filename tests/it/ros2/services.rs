//! Services and the action over each transport, beyond the cases of `conformance`: concurrent clients, clients that die, and
//! discovery.
//!
//! What is tested over DDS only is about its two kinds of clients, its discovery and its types without hashes: a type of
//! another generation has another hash, so that over Zenoh `zenoh::graph` tests the generations.

use std::time::Duration;

use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{FastDds, Peer, Seen, Stage, Wire};
use crate::support::{Setup, eventually, is_loaded, vehicle, world};

const STATE: &str = "simulation_interfaces/srv/GetSimulationState";
const STEP: &str = "simulation_interfaces/srv/StepSimulation";
const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const SPAWNABLES: &str = "simulation_interfaces/srv/GetSpawnables";
const ENTITIES: &str = "simulation_interfaces/srv/GetEntities";
const STEPS: &str = "simulation_interfaces/action/SimulateSteps";
const TRIGGER: &str = "std_srvs/srv/Trigger";
const STATUS: &str = "bridgehead_simulation_interfaces/srv/GetStatus";

/// `RESULT_OK`.
const OK: u64 = 1;

/// Code of the result of a response.
fn code(response: &Value) -> u64 {
    response["result"]["result"].as_u64().unwrap_or_else(|| panic!("no result in {response}"))
}

fn goal(number: u8) -> Value {
    json!({"uuid": vec![number; 16]})
}

over_each_transport!(
    all_endpoints_of_the_action_exist_before_the_first_goal_and_after_the_last,
    many_concurrent_calls_are_all_answered,
    replies_to_other_clients_arrive_if_a_client_dies_during_a_call,
    services_of_vehicles_and_of_the_host_are_offered_like_the_standard_ones,
    the_host_answers_a_request_to_quit_before_it_ends,
);

#[test]
fn concurrent_clients_of_both_stacks_receive_only_their_own_replies() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    for round in 0..40_u64 {
        let unknown = format!("cyclone {round}");
        let asked = cyclone.ask("delete_entity", DELETE, &json!({"entity": unknown}));
        let entity = format!("fast {round}");
        let pending = fast.ask("delete_entity", DELETE, &json!({"entity": entity}));
        let state = fast.ask("get_simulation_state", STATE, &json!({})).wait().expect("an answer");
        assert_eq!(state["state"]["state"], 2);
        for (pending, entity) in [(pending, entity), (asked, unknown)] {
            let response = pending.wait().expect("an answer");
            let text = response["result"]["error_message"].as_str().expect("a text");
            assert!(text.contains(&entity), "{response}");
        }
    }
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients are sent only to them");
}

fn many_concurrent_calls_are_all_answered(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(one) = Peer::start(&stage.domain) else { return };
    let other = Peer::start(&stage.domain).expect("a second peer");
    for round in 0..10_u64 {
        // Fewer than the ten calls that a ROS client can have open, which is the depth of its endpoints.
        let mut pending = Vec::new();
        for number in 0..8 {
            for (peer, who) in [(&one, "one"), (&other, "other")] {
                let entity = format!("{who} {round} {number}");
                pending.push((peer.ask("delete_entity", DELETE, &json!({"entity": entity})), entity));
                pending.push((peer.ask("step_simulation", STEP, &json!({"steps": 1})), String::new()));
            }
        }
        for (answer, entity) in pending {
            let response = answer.wait().expect("an answer");
            let text = response["result"]["error_message"].as_str().expect("a text");
            assert!(text.contains(&entity), "{entity}: {response}");
            assert!(!entity.is_empty() || code(&response) == OK, "{response}");
        }
    }
    assert_eq!(stage.host.status("time_ns"), 160 * 1_000_000);
}

/// Readers of Cyclone ignore replies up to the newest one in the first heartbeat. Whether they receive a heartbeat
/// before the first reply depends on the order of discovery.
#[test]
fn the_first_calls_of_a_client_are_all_answered() {
    let stage = Stage::with("").paused();
    for round in 0..10_u64 {
        let Some(peer) = Peer::start_without_preemptive_acks(&stage.domain) else { return };
        let ask = |number| {
            let entity = format!("{round} {number}");
            (peer.ask("delete_entity", DELETE, &json!({"entity": entity})), entity)
        };
        for (answer, entity) in (0..8).map(ask).collect::<Vec<_>>() {
            let response = answer.wait().unwrap_or_else(|error| panic!("{entity}: {error}"));
            let text = response["result"]["error_message"].as_str().expect("a text");
            assert!(text.contains(&entity), "{entity}: {response}");
        }
    }
}

fn replies_to_other_clients_arrive_if_a_client_dies_during_a_call(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(dying) = Peer::start(&stage.domain) else { return };
    let other = Peer::start(&stage.domain).expect("a second peer");
    assert_eq!(code(&other.call("get_simulation_state", STATE, &json!({}))), OK);
    // In real time this takes two seconds; the client dies before.
    let lost = dying.ask("step_simulation", STEP, &json!({"steps": 2000}));
    eventually("the steps run", || stage.host.status("time_ns") > 0);
    drop(dying);
    let waiting = other.ask("delete_entity", DELETE, &json!({"entity": "nobody"}));
    assert_eq!(code(&other.call("get_simulation_state", STATE, &json!({}))), OK);
    assert!(waiting.wait().is_ok());
    // Beside other work the steps may be done before the client dies.
    assert!(lost.wait().is_err() || is_loaded(), "the client has ended");
    eventually("the steps are done", || stage.host.status("time_ns") == 2_000_000_000);
    assert_eq!(code(&other.call("step_simulation", STEP, &json!({"steps": 1}))), OK);
}

fn all_endpoints_of_the_action_exist_before_the_first_goal_and_after_the_last(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let is_complete = || {
        let (seen, action) = (Seen::by(&peer, wire), "simulate_steps/_action");
        seen.has_service(&format!("{action}/send_goal"), &format!("{STEPS}_SendGoal"))
            && seen.has_service(&format!("{action}/get_result"), &format!("{STEPS}_GetResult"))
            && seen.has_service(&format!("{action}/cancel_goal"), "action_msgs/srv/CancelGoal")
            && seen.has_publisher(&format!("/{action}/feedback"), &format!("{STEPS}_FeedbackMessage"))
            && seen.has_publisher(&format!("/{action}/status"), "action_msgs/msg/GoalStatusArray")
    };
    eventually("all endpoints of the action exist", is_complete);
    let accepted = peer.call(
        "simulate_steps/_action/send_goal",
        &format!("{STEPS}_SendGoal"),
        &json!({"goal_id": goal(1), "goal": {"steps": 5}}),
    );
    assert_eq!(accepted["accepted"], true);
    // The request may arrive during the goal or after it: the response is sent when the goal has ended.
    let response = peer.call(
        "simulate_steps/_action/get_result",
        &format!("{STEPS}_GetResult"),
        &json!({"goal_id": goal(1)}),
    );
    assert_eq!((response["status"].as_u64(), code(&response["result"])), (Some(4), OK), "{response}");
    // A late subscriber receives the final status.
    let status = peer.subscribe(
        "/simulate_steps/_action/status",
        "action_msgs/msg/GoalStatusArray",
        json!({"transient_local": true, "depth": 1}),
    );
    // It may receive earlier states first.
    while status.next()["status_list"][0]["status"] != 4 {}
    assert!(is_complete(), "every endpoint still exists once");
}

#[test]
fn a_mapping_can_be_configured_for_all_clients() {
    let stage = Stage::with("mapping=cyclone").paused();
    let Some(peer) = Peer::start(&stage.domain) else { return };
    assert_eq!(code(&peer.call("get_simulation_state", STATE, &json!({}))), OK);
}

#[test]
fn the_list_of_spawnables_has_the_type_of_the_configured_generation() {
    let older = Stage::with("generation=1").paused();
    let newer = Stage::with("generation=2").paused();
    let ask = |stage: &Stage, response: &str| {
        let fast = FastDds::start(&stage.domain)?;
        let listed = fast
            .ask_with_response("get_spawnables", SPAWNABLES, response, &json!({}))
            .wait()
            .expect("a reply");
        assert_eq!(code(&listed), OK);
        Some(listed["spawnables"].as_array().expect("a list").clone())
    };
    let Some(of_older) = ask(&older, "older/GetSpawnables_Response") else { return };
    let of_newer = ask(&newer, "simulation_interfaces/GetSpawnables_Response").expect("a client");
    assert_eq!(of_older.len(), 2, "{of_older:?}");
    for (older, newer) in of_older.iter().zip(&of_newer) {
        assert!(older["uri"].as_str().is_some_and(|uri| !uri.is_empty()), "{older}");
        assert_eq!(older["uri"], newer["entity_resource"]["uri"]);
        assert_eq!(older["spawn_bounds"], newer["spawn_bounds"]);
    }
}

fn services_of_vehicles_and_of_the_host_are_offered_like_the_standard_ones(wire: Wire) {
    let plugins = r#"<plugin filename="own_type" name="barometer"/>"#;
    let setup = Setup::new().in_real_time().fixtures(&["own_type"]).world(&world(&vehicle("car1", plugins)));
    let setup = setup.args(["--start", "playing"]);
    let Some(stage) = Stage::start_over(wire, setup, "namespace=/sim") else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let response = peer.call("sim/car1/calibrate", TRIGGER, &json!({}));
    assert_eq!(
        (response["success"].clone(), response["message"].clone()),
        (json!(true), json!("0 received"))
    );
    assert_eq!(code(&peer.call("sim/get_entities", ENTITIES, &json!({}))), OK);
    assert_eq!(code(&peer.call("sim/get_status", STATUS, &json!({}))), OK);
}

fn the_host_answers_a_request_to_quit_before_it_ends(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let quit = json!({"state": {"state": 3}});
    let kind = "simulation_interfaces/srv/SetSimulationState";
    assert_eq!(code(&peer.call("set_simulation_state", kind, &quit)), OK);
    assert_eq!(stage.host.finish().code(), Some(0));
}

/// A reply to an undiscovered reader is delayed for seconds: none of these must be.
#[test]
fn replies_to_discovered_readers_are_not_delayed() {
    let stage = Stage::with("").paused();
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..300 {
        let begin = bridgehead_host::clock::now();
        fast.ask("get_simulation_state", STATE, &json!({})).wait().expect("an answer");
        // Wall time: a reply that is delayed arrives too, but late.
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    assert!(times[150] < Duration::from_millis(250) || is_loaded(), "{:?}", times[150]);
}
