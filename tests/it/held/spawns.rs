//! Spawns that take long: steps go on, other calls are answered, and the entity appears between two steps.

use std::thread::scope;

use serde_json::{Value, json};

use super::{Gates, INCORRECT_STATE, PAUSED, PLAYING};
use crate::conformance::Transport;
use crate::support::{OK, Served, Setup, eventually, gated_model, world};

/// A request for a model that is held at a gate while it is prepared.
fn guest(name: &str) -> Value {
    json!({
        "name": name,
        "entity_resource": {"resource_string": gated_model(1)},
        "initial_pose": {"pose": {"position": {"x": 0.0, "y": 0.0, "z": 50.0}}},
    })
}

/// A run of a world with gravity and one model.
fn setup(gates: &Gates, start: &str) -> Setup {
    let text = world("<model name='other'><static>true</static><link name='l'/></model>");
    let text = text.replace("<gravity>0 0 0", "<gravity>0 0 -10");
    Setup::new().in_real_time().world(&text).env("XDG_CACHE_HOME", gates.cache()).args(["--start", start])
}

#[expect(clippy::print_stdout, reason = "the output of the test contains the number of steps")]
fn steps_go_on(over: Transport) {
    let gates = Gates::closed(1);
    let host = over.start(setup(&gates, "playing"));
    eventually("the run plays", || host.state() == PLAYING);
    let step = || host.ok("get_status", json!({}))["status"]["step"].as_f64().expect("a number");
    let (steps, answer) = scope(|threads| {
        let client = host.another();
        let spawning = threads.spawn(move || client.call("spawn_entity", guest("guest")));
        gates.wait_for_host();
        let before = step();
        eventually("steps run while the entity is prepared", || step() > before + 100.0);
        host.ok("set_entity_state", json!({"entity": "other", "state": {"pose": {"position": {"x": 1.0}}}}));
        assert_eq!(host.ok("get_entities", json!({}))["entities"], json!(["other"]));
        assert!(!spawning.is_finished(), "the answer comes when the entity is there");
        let steps = step() - before;
        gates.open();
        (steps, spawning.join().expect("an answer"))
    });
    println!("{steps} steps while an entity is prepared, {over:?}");
    assert_eq!(
        (&answer["result"]["result"], &answer["entity_name"]),
        (&json!(OK), &json!("guest")),
        "{answer}"
    );
    assert_eq!(host.ok("get_entities", json!({}))["entities"], json!(["other", "guest"]));
}

#[test]
fn steps_go_on_while_an_entity_is_prepared_over_http() {
    steps_go_on(Transport::Http);
}

#[test]
fn steps_go_on_while_an_entity_is_prepared_over_dds() {
    if let Some(over) = Transport::dds() {
        steps_go_on(over);
    }
}

#[test]
fn the_first_step_after_a_pause_waits_for_the_spawns_requested_in_it() {
    let gates = Gates::closed(1);
    let host = Served::start(setup(&gates, "paused"));
    eventually("the run is paused", || host.state() == PAUSED);
    scope(|threads| {
        let [first, second] = [host.another(), host.another()];
        let spawning = threads.spawn(move || first.call("spawn_entity", guest("guest")));
        gates.wait_for_host();
        let stepping = threads.spawn(move || second.call("step_simulation", json!({"steps": 5})));
        let state = || host.ok("get_status", json!({}))["status"]["state"].clone();
        eventually("the step is requested", || state() == "StepBegin");
        assert_eq!(host.status("step"), 0);
        gates.open();
        for answer in [spawning.join(), stepping.join()] {
            let answer = answer.expect("an answer");
            assert_eq!(answer["result"]["result"], json!(OK), "{answer}");
        }
    });
    assert_eq!(host.status("step"), 5);
    let state = host.ok("get_entity_state", json!({"entity": "guest"}));
    let speed = state["state"]["twist"]["linear"]["z"].as_f64().expect("a number");
    assert!((speed + 0.05).abs() < 1e-6, "it has fallen for five steps of 1 ms: {speed}");
}

#[test]
fn entities_appear_in_the_order_of_their_requests() {
    let gates = Gates::closed(1);
    let host = Served::start(setup(&gates, "paused"));
    eventually("the run is paused", || host.state() == PAUSED);
    let light = |name: &str| json!({"name": name, "entity_resource": {"resource_string": "<model name='m'><link name='l'/></model>"}});
    let answers = scope(|threads| {
        let [first, second, third] = [host.another(), host.another(), host.another()];
        let heavy = threads.spawn(move || first.call("spawn_entity", guest("guest")));
        gates.wait_for_host();
        let same_name = threads.spawn(move || second.call("spawn_entity", light("guest")));
        let batch = json!({"spawn_requests": [light("a"), light("bad name")]});
        let batch = threads.spawn(move || third.call("spawn_entities", batch));
        // Wrong whatever the model is: refused at once.
        assert_eq!(host.call("spawn_entity", light("bad name"))["result"]["result"], json!(102));
        assert!(!heavy.is_finished() && !same_name.is_finished() && !batch.is_finished());
        gates.open();
        [heavy, same_name, batch].map(|one| one.join().expect("an answer"))
    });
    let results = answers.each_ref().map(|answer| answer["result"]["result"].as_u64());
    assert_eq!(results, [Some(OK), Some(101), Some(150)], "{answers:?}");
    assert_eq!(host.ok("get_entities", json!({}))["entities"], json!(["other", "guest", "a"]));
}

#[test]
fn a_spawn_for_a_world_that_is_gone_is_refused() {
    let gates = Gates::closed(1);
    let setup = setup(&gates, "paused");
    let other = setup.file("next.sdf", world("<model name='next'><link name='l'/></model>"));
    let host = Served::start(setup);
    eventually("the run is paused", || host.state() == PAUSED);
    scope(|threads| {
        let client = host.another();
        let spawning = threads.spawn(move || client.call("spawn_entity", guest("guest")));
        gates.wait_for_host();
        let uri = other.display().to_string();
        host.ok("load_world", json!({"world_resource": {"uri": uri}}));
        let answer = spawning.join().expect("an answer, although the gate is closed");
        assert_eq!(answer["result"]["result"], json!(INCORRECT_STATE), "{answer}");
        assert!(answer["result"]["error_message"].to_string().contains("BH-ENT-015"), "{answer}");
    });
    gates.open();
    assert_eq!(host.ok("get_entities", json!({}))["entities"], json!(["next"]));
}
