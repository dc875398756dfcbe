//! Tests of one log of all vehicles while vehicles are spawned and deleted: equal commands give equal bytes, and the
//! log is in the order of its steps.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{Finished, Line, Served, Setup, eventually, world};

/// A vehicle with a sensor, and a shape that makes it publish a latched message.
fn robot(name: &str) -> String {
    format!(
        "<model name='{name}'><link name='body'><visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry>
        </visual><sensor name='imu' type='imu'><update_rate>500</update_rate></sensor></link></model>"
    )
}

fn spawn(host: &Served, name: &str) {
    let resource = format!("<sdf version='1.9'>{}</sdf>", robot(name));
    host.ok(
        "spawn_entity",
        json!({"name": name, "entity_resource": {"uri": "", "resource_string": resource}}),
    );
}

fn delete(host: &Served, name: &str) {
    host.ok("delete_entity", json!({"entity": name}));
}

fn step(host: &Served, steps: u64) {
    host.ok("step_simulation", json!({"steps": steps}));
}

/// Runs with the same commands in the same pauses, as fast as the client can send them.
fn run() -> Finished {
    let setup = Setup::new().plugins(&["clock", "imu", "logging"]);
    let world = world(&format!("<plugin filename='clock' name='clock'/>{}{}", robot("b"), robot("d")));
    let setup = setup.world(&world).args(["--start", "paused"]).bridge("*=logging:out/run.jsonl");
    let host = Served::start(setup);
    eventually("paused", || host.status("step") == 0 && host.state() == 2);
    spawn(&host, "e");
    step(&host, 10);
    spawn(&host, "c");
    step(&host, 7);
    delete(&host, "d");
    spawn(&host, "a");
    step(&host, 1);
    delete(&host, "c");
    spawn(&host, "d");
    spawn(&host, "c");
    delete(&host, "b");
    step(&host, 12);
    delete(&host, "a");
    host.ok("quit", json!({}));
    host.finish().expect_code(0)
}

#[test]
fn equal_commands_give_equal_bytes_and_every_latched_message_once() {
    let runs: Vec<Finished> = (0..5).map(|_| run()).collect();
    let text = |finished: &Finished| fs::read_to_string(finished.path("out/run.jsonl")).expect("the log");
    let first = text(&runs[0]);
    for other in &runs[1..] {
        assert!(text(other) == first, "two runs differ:\n{first}\n---\n{}", text(other));
    }
    let lines = runs[0].log("out/run.jsonl");
    let steps: Vec<u64> = lines.iter().map(|line| line.count("step")).collect();
    assert!(steps.is_sorted(), "messages are in the order of the run: {steps:?}");
    let is_scene = |line: &&Line| line["type"] == "visualization_msgs/msg/MarkerArray";
    let mut scenes: Vec<(&str, u64)> =
        lines.iter().filter(is_scene).map(|line| (line.text("vehicle"), line.count("step"))).collect();
    scenes.sort_unstable();
    let count = |vehicle: &str| scenes.iter().filter(|(owner, _)| *owner == vehicle).count();
    assert_eq!(["a", "b", "c", "d", "e"].map(count), [1, 1, 2, 2, 1], "{scenes:?}");
    expect_playable(&runs[0].path("out/run.jsonl"));
}

/// Fails if the replay bridge refuses a recording.
fn expect_playable(recording: &Path) {
    let setup = Setup::new().plugins(&["imu", "replay"]).world(&world(&robot("b")));
    let finished = setup
        .bridge(format!("b=replay:{}", recording.display()))
        .args(["--duration", "0.1s"])
        .finish()
        .expect_code(0);
    let failure = finished.reported("bridges", "b/replay");
    assert!(failure["failure"].is_null(), "{failure}\n{finished}");
}

#[test]
fn a_vehicle_that_is_spawned_while_steps_run_does_not_disorder_the_log() {
    let setup = Setup::new().plugins(&["clock", "imu", "logging"]);
    let world = world(&format!("<plugin filename='clock' name='clock'/>{}", robot("b")));
    let host = Served::start(setup.world(&world).bridge("*=logging:out/run.jsonl"));
    eventually("it runs", || host.status("step") > 10);
    for _ in 0..10 {
        spawn(&host, "a");
        let step = host.status("step");
        eventually("some steps have run", || host.status("step") > step + 50);
        delete(&host, "a");
    }
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let steps: Vec<u64> = finished.log("out/run.jsonl").iter().map(|line| line.count("step")).collect();
    assert!(steps.is_sorted(), "messages are in the order of the run");
    expect_playable(&finished.path("out/run.jsonl"));
}
