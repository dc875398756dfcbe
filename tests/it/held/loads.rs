//! What is answered and what is refused while a world loads, for every service of the table, over HTTP and DDS.

use std::time::{Duration, Instant};

use bridgehead_host::clock;
use bridgehead_host::control::entries;
use bridgehead_plugin_api::messages::ServiceKind;
use serde_json::{Value, json};

use super::{FAILED, GATES, Gates, INCORRECT_STATE, LOADING, PAUSED, gated_run};
use crate::conformance::{Caller, Transport};
use crate::support::{LONGEST, OK, Served, eventually, gated_model, is_loaded, state_of, with_result};

/// Number of reads while the gates are closed.
const READS: usize = 1000;
/// Bound of the 99th percentile of their times: a read waits for no load. The test prints the percentile.
const PROMPT: Duration = Duration::from_secs(5);
/// `STATUS_ABORTED` of `action_msgs`.
const ABORTED: u64 = 6;
/// `INCORRECT_TRANSITION` of `set_simulation_state`.
const INCORRECT_TRANSITION: u64 = 103;

/// A request that would change the run if it were accepted.
fn request(service: &str) -> Value {
    match service {
        "set_simulation_state" => json!({"state": {"state": super::PLAYING}}),
        "set_real_time_factor" => json!({"factor": 0.25}),
        "delete_entity" => json!({"entity": "gated"}),
        "spawn_entity" => json!({"name": "guest", "entity_resource": {"resource_string": gated_model(1)}}),
        "add_triggers" => json!({"json": r#"{"event": "time=0", "action": "fail"}"#}),
        "step_simulation" => json!({"steps": 5}),
        _ => json!({}),
    }
}

/// The result of a command while a world loads.
fn refusal(service: &str) -> u64 {
    match service {
        "set_simulation_state" => INCORRECT_TRANSITION,
        "step_simulation" => FAILED,
        _ => INCORRECT_STATE,
    }
}

/// Reads by every service that only reads, in turn, until there were enough. Prints the percentile of their times.
#[track_caller]
#[expect(clippy::print_stdout, reason = "the output of the test contains the times")]
fn read_often(caller: &Caller, over: Transport) {
    let services = entries()
        .into_iter()
        .filter(|entry| entry.is_answered_while_loading() && entry.declared.kind == ServiceKind::Service);
    let names: Vec<&str> = services.map(|entry| entry.declared.name).collect();
    assert!(names.len() > 15, "{names:?}");
    // Over DDS, the first call of a service waits until the host is discovered.
    names.iter().for_each(|name| drop(caller.call(name, json!({}))));
    let mut times: Vec<Duration> =
        names.iter().cycle().take(READS).map(|name| time_of(caller, name)).collect();
    times.sort();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!(
        "{READS} reads while a world loads, {over:?}: p50 {:?}, p99 {:?}, max {:?}",
        at(50),
        at(99),
        at(100)
    );
    assert!(at(99) < PROMPT || is_loaded(), "p99 {:?}", at(99));
}

#[track_caller]
fn time_of(caller: &Caller, service: &str) -> Duration {
    let began: Instant = clock::now();
    let answer = caller.call(service, json!({}));
    assert!(answer.is_object(), "{service}: {answer}");
    // Wall time: readers wait for a load if they are held up, and are answered too.
    clock::now().saturating_duration_since(began)
}

/// Sends one request of every service that does more than read, except those that end the load.
#[track_caller]
fn command_all(caller: &Caller) {
    let mut refused = Vec::new();
    for entry in entries().iter().filter(|entry| !entry.is_answered_while_loading()) {
        let service = entry.declared.name;
        if entry.declared.kind == ServiceKind::Service && !matches!(service, "abort" | "quit") {
            let answer = caller.call(service, request(service));
            with_result(refusal(service), service, &request(service), answer);
            refused.push(service);
        }
    }
    assert!(refused.len() > 25, "{refused:?}");
    let goal = caller.send_goal(json!({"steps": 3})).expect("a goal is accepted, then aborted");
    let end = caller.end_of(&goal);
    assert_eq!((&end["status_code"], &end["result"]["result"]), (&json!(ABORTED), &json!(FAILED)), "{end}");
}

fn while_a_world_loads(over: Transport) {
    let gates = Gates::closed(GATES);
    let host = over.start(gated_run(&gates));
    gates.wait_for_host();
    let state = host.call("get_simulation_state", json!({}));
    assert_eq!((state_of(&state), &state["result"]["result"]), (LOADING, &json!(OK)));
    let features = host.call("get_simulator_features", json!({}));
    assert!(!features["features"]["features"].as_array().expect("a list").is_empty(), "{features}");
    assert_eq!(host.ok("get_status", json!({}))["status"]["state"], "Loading");
    command_all(&host);
    read_often(&host, over);
    assert_eq!(host.state(), LOADING, "the gates were closed all the time");

    gates.open();
    eventually("the world is there", || host.state() == PAUSED);
    let status = host.ok("get_status", json!({}))["status"].take();
    let number = |name: &str| status[name].as_f64().unwrap_or_else(|| panic!("no `{name}` in {status}"));
    assert_eq!((number("step"), number("reset_epoch")), (0.0, 0.0), "nothing ran");
    assert_eq!(number("target_real_time_factor"), 0.0, "still unlimited");
    assert_eq!(host.ok("get_entities", json!({}))["entities"], json!(["gated"]));
    assert_eq!(host.ok("get_triggers", json!({}))["triggers"], json!([]));
    assert_eq!(host.ok("get_current_world", json!({}))["world"]["name"], "test");
    host.ok("step_simulation", json!({"steps": 2}));
    assert_eq!(
        host.ok("get_status", json!({}))["status"]["step"].as_f64(),
        Some(2.0),
        "no other steps are left"
    );
}

#[test]
fn readers_are_answered_and_commands_refused_over_http() {
    while_a_world_loads(Transport::Http);
}

#[test]
fn readers_are_answered_and_commands_refused_over_dds() {
    if let Some(over) = Transport::dds() {
        while_a_world_loads(over);
    }
}

#[test]
fn the_host_is_healthy_during_a_load_of_more_than_five_seconds() {
    const TIME: Duration = Duration::from_secs(7);
    assert!(TIME < LONGEST);
    let gates = Gates::closed(1);
    let setup = gated_run(&gates);
    let host = Served::start_loading(setup);
    gates.wait_for_host();
    let began = clock::now();
    // Wall time: a host is unhealthy if its loop is late for seconds.
    while clock::now().saturating_duration_since(began) < TIME {
        assert_eq!(
            host.status_of("/healthz"),
            200,
            "after {:?}",
            clock::now().saturating_duration_since(began)
        );
        assert_eq!(host.status_of("/metrics"), 200);
    }
    assert_eq!(host.state(), LOADING);
    gates.open();
    eventually("the world is there", || host.state() == PAUSED);
}
