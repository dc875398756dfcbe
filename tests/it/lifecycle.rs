//! Tests of the start and the end of runs, of signals, and of plugins that start late or never.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Served, Setup, vehicle, world, worlds};

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

/// A run with the fixture `slow_starter`.
fn starting(how: &str, delay_ms: u32, timeout: &str) -> Setup {
    let plugin = format!(
        "<plugin filename=\"slow_starter\" name=\"fixture\"><how>{how}</how><delay_ms>{delay_ms}</delay_ms></plugin>"
    );
    let sdf = world(&vehicle("car1", &plugin));
    let setup = Setup::new().fixtures(&["slow_starter"]).world(&sdf).args(["--duration", "0.1s"]);
    setup.config(&format!("[run]\nstart_timeout = \"{timeout}\"\n"))
}

#[test]
fn the_run_waits_for_a_plugin_that_starts_three_seconds_late() {
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
fn a_run_starts_after_the_deadline_without_a_plugin_that_never_reports() {
    let finished =
        starting("never", 0, "500ms").finish().expect_code(0).expect_message(&["car1/fixture", "500ms"]);
    assert_ne!(finished.reported("plugins", "car1/fixture")["failure"], Value::Null);
    assert_eq!(finished.result()["steps"], 100);
}

#[test]
fn a_run_starts_after_the_deadline_without_a_plugin_that_blocks_in_start() {
    let finished =
        starting("blocks", 0, "500ms").finish().expect_code(0).expect_message(&["car1/fixture", "500ms"]);
    assert_ne!(finished.reported("plugins", "car1/fixture")["failure"], Value::Null);
    assert_eq!(finished.result()["steps"], 100);
}

#[test]
fn an_interrupt_ends_a_run_cleanly() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
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
fn a_hangup_that_was_ignored_at_the_start_stays_ignored() {
    let host = Served::start(Setup::new().ignoring("HUP").world(&world("")).in_real_time());
    host.signal(libc::SIGHUP);
    let ignored = status_line(host.id(), "SigIgn");
    assert_eq!(ignored >> (libc::SIGHUP - 1) & 1, 1, "{ignored:x}");
    host.signal(libc::SIGINT);
    let finished = host.finish().expect_code(0);
    assert_eq!(finished.result()["cause"], "signal SIGINT", "{finished}");
}

/// A set of signals of a process, by the name of its line in `/proc`.
fn status_line(id: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("a process of ours");
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    u64::from_str_radix(line.expect("the line").trim(), 16).expect("a set of signals")
}

#[test]
fn a_step_that_does_not_return_is_reported_and_ends_after_a_signal() {
    let plugin = "<plugin filename=\"rogue_model\" name=\"a\"><fault>sample=blocks</fault></plugin>";
    let setup = Setup::new().fixtures(&["rogue_model"]).world(&world(&vehicle("car1", plugin)));
    let mut host = Served::start(setup.config("[run]\ncall_timeout = '1h'\n[watchdog]\ntimeout = '6s'\n"));
    host.wait_for("BH-SIM-240");
    let (status, problem) = host.get("/healthz");
    assert_eq!(
        (status, &problem["code"], &problem["state"]),
        (503, &json!("BH-WEB-014"), &json!("StepSimulator"))
    );
    host.signal(libc::SIGTERM);
    let finished = host.finish().expect_code(16).expect_message(&[
        "BH-SIM-243",
        "SIGTERM",
        "StepSimulator",
        "`sample` of `car1/a`",
    ]);
    let result = finished.result();
    assert_eq!((&result["outcome"], &result["exit_code"]), (&json!("aborted"), &json!(16)));
    assert!(result.to_string().contains("BH-SIM-243"), "{result:#}");
}

#[test]
fn the_summary_and_the_result_describe_the_run() {
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
