//! Services and the action over DDS, beyond what the cases of `conformance` ask: several clients of two makes at a time,
//! clients that die, and what is on the wire.

use std::time::Duration;

use serde_json::{Value, json};

use super::{FastDds, Peer, Stage};
use crate::support::{Setup, eventually, vehicle, world};

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

#[test]
fn clients_of_both_makes_are_served_at_once_and_none_hears_the_others() {
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
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients went there alone");
}

#[test]
fn many_calls_at_a_time_are_all_answered() {
    let stage = Stage::with("").paused();
    let Some(one) = Peer::start(&stage.domain) else { return };
    let other = Peer::start(&stage.domain).expect("as the first");
    for round in 0..10_u64 {
        // As many as a client of ROS can have open: its endpoints keep ten.
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

/// Readers of Cyclone take nothing up to the newest reply that the first heartbeat names. Whether they have heard of one
/// before the first reply depends on who found whom first.
#[test]
fn the_first_calls_of_a_client_are_all_answered() {
    let stage = Stage::with("").paused();
    for round in 0..10_u64 {
        let Some(peer) = Peer::start_trusting(&stage.domain) else { return };
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

#[test]
fn a_client_that_dies_in_the_middle_of_a_call_takes_no_other_reply_with_it() {
    let stage = Stage::with("").paused();
    let Some(doomed) = Peer::start(&stage.domain) else { return };
    let other = Peer::start(&stage.domain).expect("as the first");
    assert_eq!(code(&other.call("get_simulation_state", STATE, &json!({}))), OK);
    // In real time this takes two seconds, of which the doomed sees nothing.
    let lost = doomed.ask("step_simulation", STEP, &json!({"steps": 2000}));
    eventually("the steps run", || stage.host.status("time_ns") > 0);
    drop(doomed);
    let waiting = other.ask("delete_entity", DELETE, &json!({"entity": "nobody"}));
    assert_eq!(code(&other.call("get_simulation_state", STATE, &json!({}))), OK);
    assert!(waiting.wait().is_ok());
    assert!(lost.wait().is_err(), "nobody is there to tell it");
    eventually("the steps are done", || stage.host.status("time_ns") == 2_000_000_000);
    assert_eq!(code(&other.call("step_simulation", STEP, &json!({"steps": 1}))), OK);
}

#[test]
fn an_action_is_there_as_a_whole_before_its_first_goal_and_after_its_last() {
    let stage = Stage::with("").paused();
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let seen = |topic: &str, kind: &str| {
        let graph = peer.graph();
        let endpoints = graph["endpoints"].as_array().expect("a list");
        endpoints.iter().filter(|one| one["topic"] == topic && one["type"] == kind).count()
    };
    let whole = || {
        ["send_goal", "get_result", "cancel_goal"].iter().all(|part| {
            let kind = match *part {
                "send_goal" => "simulation_interfaces::action::dds_::SimulateSteps_SendGoal",
                "get_result" => "simulation_interfaces::action::dds_::SimulateSteps_GetResult",
                _ => "action_msgs::srv::dds_::CancelGoal",
            };
            let service = format!("simulate_steps/_action/{part}");
            seen(&format!("rq/{service}Request"), &format!("{kind}_Request_")) == 1
                && seen(&format!("rr/{service}Reply"), &format!("{kind}_Response_")) == 1
        }) && seen(
            "rt/simulate_steps/_action/feedback",
            "simulation_interfaces::action::dds_::SimulateSteps_FeedbackMessage_",
        ) == 1
            && seen("rt/simulate_steps/_action/status", "action_msgs::msg::dds_::GoalStatusArray_") == 1
    };
    eventually("all of the action is there", whole);
    let accepted = peer.call(
        "simulate_steps/_action/send_goal",
        &format!("{STEPS}_SendGoal"),
        &json!({"goal_id": goal(1), "goal": {"steps": 5}}),
    );
    assert_eq!(accepted["accepted"], true);
    // Asked while it runs, or after: the answer comes when it has ended.
    let told = peer.call(
        "simulate_steps/_action/get_result",
        &format!("{STEPS}_GetResult"),
        &json!({"goal_id": goal(1)}),
    );
    assert_eq!((told["status"].as_u64(), code(&told["result"])), (Some(4), OK), "{told}");
    // Somebody who comes late hears how it ended.
    let status = peer.subscribe(
        "rt/simulate_steps/_action/status",
        "action_msgs/msg/GoalStatusArray",
        json!({"transient_local": true, "depth": 1}),
    );
    // It may hear first how it was before.
    while status.next()["status_list"][0]["status"] != 4 {}
    assert!(whole(), "it is still there, once");
}

#[test]
fn a_mapping_can_be_chosen_for_all() {
    let stage = Stage::with("mapping=cyclone").paused();
    let Some(peer) = Peer::start(&stage.domain) else { return };
    assert_eq!(code(&peer.call("get_simulation_state", STATE, &json!({}))), OK);
}

#[test]
fn the_list_of_spawnables_is_that_of_the_generation_that_was_chosen() {
    let older = Stage::with("generation=1").paused();
    let newer = Stage::with("generation=2").paused();
    let ask = |stage: &Stage, response: &str| {
        let fast = FastDds::start(&stage.domain)?;
        let listed = fast.ask_by("get_spawnables", SPAWNABLES, response, &json!({})).wait().expect("a reply");
        assert_eq!(code(&listed), OK);
        Some(listed["spawnables"].as_array().expect("a list").clone())
    };
    let Some(of_older) = ask(&older, "older/GetSpawnables_Response") else { return };
    let of_newer = ask(&newer, "simulation_interfaces/GetSpawnables_Response").expect("as the first");
    assert_eq!(of_older.len(), 2, "{of_older:?}");
    for (older, newer) in of_older.iter().zip(&of_newer) {
        assert!(older["uri"].as_str().is_some_and(|uri| !uri.is_empty()), "{older}");
        assert_eq!(older["uri"], newer["entity_resource"]["uri"]);
        assert_eq!(older["spawn_bounds"], newer["spawn_bounds"]);
    }
}

#[test]
fn services_of_vehicles_and_of_the_host_are_there_like_the_standard_ones() {
    let plugins = r#"<plugin filename="own_type" name="barometer"/>"#;
    let setup = Setup::new().in_real_time().fixtures(&["own_type"]).world(&world(&vehicle("car1", plugins)));
    let stage = Stage::start(setup.args(["--start", "playing"]), "namespace=/sim");
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let response = peer.call("sim/car1/calibrate", TRIGGER, &json!({}));
    assert_eq!(
        (response["success"].clone(), response["message"].clone()),
        (json!(true), json!("0 received"))
    );
    assert_eq!(code(&peer.call("sim/get_entities", ENTITIES, &json!({}))), OK);
    assert_eq!(code(&peer.call("sim/get_status", STATUS, &json!({}))), OK);
}

#[test]
fn a_host_that_quits_answers_first() {
    let stage = Stage::with("").paused();
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let quit = json!({"state": {"state": 3}});
    let kind = "simulation_interfaces/srv/SetSimulationState";
    assert_eq!(code(&peer.call("set_simulation_state", kind, &quit)), OK);
    assert_eq!(stage.host.finish().code(), Some(0));
}

/// A reply whose reader is not known is held back for seconds: none of these is.
#[test]
fn replies_do_not_wait_for_readers_that_are_known() {
    let stage = Stage::with("").paused();
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..300 {
        let begin = bridgehead_host::clock::now();
        fast.ask("get_simulation_state", STATE, &json!({})).wait().expect("an answer");
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    assert!(times[150] < Duration::from_millis(250), "{:?}", times[150]);
}
