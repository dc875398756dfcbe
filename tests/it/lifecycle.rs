//! Start, end, signals, and plugins that misbehave on the way.

use serde_json::{Value, json};

use crate::support::{Setup, vehicle, world, worlds};

#[test]
fn every_world_of_ours_passes_a_strict_run() {
    let plugins = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging"];
    for name in ["empty", "minimal_vehicle", "two_vehicles"] {
        let setup = Setup::new().plugins(&plugins).run(&worlds().join(format!("{name}.sdf")));
        let finished = setup.args(["--duration", "0.1s", "--strict"]).finish().expect_code(0);
        assert_eq!(finished.result()["errors"], json!([]), "{name}\n{finished}");
        finished.expect_silence("warning");
    }
}

/// A run of the fixture that starts slowly.
fn starting(how: &str, delay_ms: u32, timeout: &str) -> Setup {
    let plugin = format!(
        "<plugin filename=\"slow_starter\" name=\"fixture\"><how>{how}</how><delay_ms>{delay_ms}</delay_ms></plugin>"
    );
    let sdf = world(&vehicle("car1", &plugin));
    let setup = Setup::new().fixtures(&["slow_starter"]).world(&sdf).args(["--duration", "0.1s"]);
    setup.config(&format!("[run]\nstart_timeout = \"{timeout}\"\n"))
}

#[test]
fn a_plugin_that_starts_three_seconds_late_is_waited_for() {
    let finished = starting("late", 3000, "60s").finish().expect_code(0);
    assert_eq!(finished.reported("plugins", "car1/fixture")["failure"], Value::Null);
    assert_eq!(finished.result()["steps"], 100);
    finished.expect_message(&["0 of 1", "car1/fixture"]);
}

#[test]
fn a_plugin_that_fails_its_late_start_is_reported() {
    let finished = starting("fails", 50, "60s").finish().expect_code(0);
    finished.expect_message(&["car1/fixture", "the warm-up failed"]);
}

#[test]
fn a_plugin_that_never_reports_is_left_behind_after_the_deadline() {
    let finished =
        starting("never", 0, "500ms").finish().expect_code(0).expect_message(&["car1/fixture", "500ms"]);
    assert_ne!(finished.reported("plugins", "car1/fixture")["failure"], Value::Null);
    assert_eq!(finished.result()["steps"], 100);
}

#[test]
fn a_plugin_that_blocks_in_start_is_left_behind_after_the_deadline() {
    let finished =
        starting("blocks", 0, "500ms").finish().expect_code(0).expect_message(&["car1/fixture", "500ms"]);
    assert_ne!(finished.reported("plugins", "car1/fixture")["failure"], Value::Null);
    assert_eq!(finished.result()["steps"], 100);
}

#[test]
fn an_interrupt_ends_a_run_cleanly() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let setup = Setup::new().plugins(&["clock", "logging"]).in_real_time();
        let mut running = setup
            .run(&worlds().join("empty.sdf"))
            .bridge("world=logging:clock.jsonl")
            .bridge("world=logging:-")
            .start();
        running.wait_for("/clock");
        running.signal(signal);
        let finished = running.finish().expect_code(0);
        assert_eq!(finished.result()["outcome"], "stopped");
        assert!(!finished.log("clock.jsonl").is_empty(), "the log is complete and readable");
    }
}

#[test]
fn the_summary_says_what_a_run_was() {
    let setup = Setup::new().plugins(&["clock", "logging"]).run(&worlds().join("empty.sdf"));
    let finished =
        setup.bridge("world=logging:clock.jsonl").args(["--duration", "2s"]).finish().expect_code(0);
    let finished = finished.expect_message(&["stopped"]).expect_message(&["/clock"]);
    let result = finished.result();
    assert_eq!(result["steps"], 2000);
    assert_eq!(result["world"], "empty");
    let clock = finished.reported("topics", "/clock");
    assert_eq!(clock["published"], 20, "ten per second\n{result:#}");
    assert_eq!(clock["dropped"], 0);
}
