//! A host that gets numbers, names and paths beyond all bounds: it answers each with a documented code and continues.

mod numbers;
mod paths;
mod texts;

use std::fs;

use serde_json::{Value, json};

use crate::support::{Client, Served, Setup, eventually, root, worlds};

/// A vehicle with a drive, a model that is moved by its velocity, a box and a road.
fn yard() -> String {
    let text = fs::read_to_string(worlds().join("minimal_vehicle.sdf")).expect("a world");
    let more = "<model name='drone'><pose>0 50 9 0 0 0</pose><link name='body'><inertial><mass>1</mass></inertial></link>\
                <plugin filename='velocity_control' name='motion'><initial_angular>0 0 1</initial_angular></plugin></model>\
                <model name='crate'><pose>9 9 3 0 0 0</pose><link name='body'><collision name='c'><geometry><box>\
                <size>1 1 1</size></box></geometry></collision></link></model>\
                <road name='lane'><width>3</width><point>0 0 0</point></road></world>";
    assert!(text.contains("</world>"), "{text}");
    text.replacen("</world>", more, 1)
}

/// Starts the yard, playing, and waits until its plugins have started: a topic exists only after that.
#[track_caller]
fn start() -> Served {
    let setup = Setup::new().plugins(&["diff_drive", "imu", "clock", "velocity_control"]).world(&yard());
    let host = Served::start(setup);
    play(&host);
    eventually("the first step", || host.status("step") > 0);
    host
}

/// Sets the run playing, whatever an earlier request did.
#[track_caller]
fn play(host: &Client) {
    eventually("playing", || {
        let response = host.call("set_simulation_state", json!({"state": {"state": 1}}));
        response["result"]["result"] == 1 || host.state() == 1
    });
}

/// Checks that the run makes further steps without errors, at a speed that lets it.
#[track_caller]
fn expect_progress(host: &Client, after: &str) {
    host.ok("set_real_time_factor", json!({"factor": -1.0}));
    play(host);
    let before = (host.status("reset_epoch"), host.status("step"));
    eventually(after, || (host.status("reset_epoch"), host.status("step")) > before);
    let status = host.ok("get_status", json!({}));
    // A trigger that cannot compare or publish a message is reported; nothing else is.
    let errors = status["status"]["errors"].as_array().expect("a list");
    let is_of_trigger = |error: &Value| {
        let codes = ["[BH-TRG-031]", "[BH-TRG-032]"];
        error.as_str().is_some_and(|text| codes.iter().any(|code| text.starts_with(code)))
    };
    assert!(errors.iter().all(is_of_trigger), "after {after}: {errors:?}");
}

/// Ends the run, and checks that nothing panicked.
#[track_caller]
fn end(host: Served) {
    host.call("quit", json!({}));
    let finished = host.finish().expect_code(0);
    finished.expect_silence("thread");
    assert_eq!(finished.result()["outcome"], "stopped");
}

/// Returns true if `docs/errors.md` documents a code.
fn is_documented(code: &str) -> bool {
    let page = fs::read_to_string(root().join("docs/errors.md")).expect("the page of codes");
    code.starts_with("BH-") && page.contains(&format!("| {code} |"))
}

/// Returns the message of a result; fails unless it is a refusal with a documented code.
#[track_caller]
fn refusal<'a>(answer: &'a Value, what: &str) -> &'a str {
    let result = &answer["result"];
    assert!(result["result"].as_u64().is_some_and(|code| code > 1), "{what}: {answer}");
    let text = result["error_message"].as_str().expect("a message");
    assert!(text.get(1..11).is_some_and(is_documented), "{what}: {answer}");
    text
}
