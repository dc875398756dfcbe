//! What interrupts a load: `quit`, `abort` and signals. The world that was loading never reaches the run.

use std::thread::scope;

use serde_json::json;

use super::{FAILED, GATES, Gates, LOADING, NO_WORLD, gated_run};
use crate::support::{Finished, OK, Served, Setup, eventually, gated_model, vehicle, world};

/// The run was stopped: nothing failed, and no plugin is blamed.
#[track_caller]
fn assert_stopped(finished: Finished, cause: &str) {
    let finished = finished.expect_code(0);
    let result = finished.result();
    assert_eq!((&result["outcome"], &result["exit_code"]), (&json!("stopped"), &json!(0)), "{result:#}");
    assert!(result["cause"].to_string().contains(cause), "{result:#}");
    assert_eq!((&result["errors"], &result["plugins"]), (&json!([]), &json!([])), "{result:#}");
}

#[test]
fn signals_end_a_host_that_loads_a_world() {
    for (signal, name) in [(libc::SIGINT, "SIGINT"), (libc::SIGTERM, "SIGTERM"), (libc::SIGHUP, "SIGHUP")] {
        let gates = Gates::closed(GATES);
        let host = Served::start_loading(gated_run(&gates));
        gates.wait_for_host();
        host.signal(signal);
        // The gates are closed until the host has ended.
        assert_stopped(host.finish(), name);
        gates.open();
    }
}

#[test]
fn quit_ends_a_host_that_loads_a_world() {
    let gates = Gates::closed(GATES);
    let host = Served::start_loading(gated_run(&gates));
    gates.wait_for_host();
    host.ok("quit", json!({}));
    assert_stopped(host.finish(), "quit");
    gates.open();
}

#[test]
fn a_run_that_requires_success_fails_if_its_load_is_interrupted() {
    let gates = Gates::closed(1);
    let host = Served::start_loading(gated_run(&gates).args(["--require-success"]));
    gates.wait_for_host();
    host.signal(libc::SIGTERM);
    host.finish().expect_code(8);
    gates.open();
}

#[test]
fn a_plugin_that_is_still_starting_is_not_blamed_for_a_quit() {
    let plugin =
        "<plugin filename='slow_starter' name='slow'><how>late</how><delay_ms>600000</delay_ms></plugin>";
    let setup = Setup::new().fixtures(&["slow_starter"]).world(&world(&vehicle("car1", plugin)));
    let host = Served::start_loading(setup);
    eventually("the plugin starts", || host.ok("get_status", json!({}))["status"]["state"] == "Start");
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let result = finished.result();
    assert_eq!((&result["outcome"], &result["errors"]), (&json!("stopped"), &json!([])), "{result:#}");
    assert_eq!(finished.reported("plugins", "car1/slow")["failure"], json!(null), "{result:#}");
}

#[test]
fn abort_interrupts_a_load_and_another_world_can_be_loaded() {
    let gates = Gates::closed(GATES);
    let setup = Setup::new();
    let gated = setup.file("gated.sdf", world(&gated_model(GATES))).display().to_string();
    let other = setup.file("other.sdf", world("<model name='other'><link name='l'/></model>"));
    let other = other.display().to_string();
    let host = Served::start_loading(setup.without_world().env("XDG_CACHE_HOME", gates.cache()));
    let load = |uri: &str| json!({"world_resource": {"uri": uri}});
    eventually("no world", || host.state() == NO_WORLD);
    scope(|threads| {
        let client = host.another();
        let loading = threads.spawn(move || client.call("load_world", load(&gated)));
        gates.wait_for_host();
        assert_eq!(host.state(), LOADING);
        host.ok("abort", json!({}));
        let ended = loading.join().expect("an answer");
        assert_eq!(ended["result"]["result"], json!(FAILED), "{ended}");
        assert!(ended["result"]["error_message"].to_string().contains("BH-RES-022"), "{ended}");
    });
    eventually("no world", || host.state() == NO_WORLD);
    assert_eq!(
        host.call("load_world", load(&other))["result"]["result"],
        json!(OK),
        "while the gates are closed"
    );
    gates.open();
    assert_eq!(host.ok("get_current_world", json!({}))["world"]["world_resource"]["uri"], json!(other));
    assert_eq!(
        host.ok("get_entities", json!({}))["entities"],
        json!(["other"]),
        "the first world never comes"
    );
}
