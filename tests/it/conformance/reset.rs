//! Resets: repeated ones, that of an empty world, and the world to which a complete one returns.

use std::fs;
use std::time::Duration;

use serde_json::json;

use super::{
    Caller, Host, INCORRECT_STATE, NO_WORLD, STOPPED, Transport, all_entities, fixture, setup, time_ns,
};
use crate::support::{eventually, prompt};

const DEFAULT: u64 = 0;
const TIME: u64 = 1;
const STATE: u64 = 2;
const SPAWNED: u64 = 4;
const ALL: u64 = 255;

#[track_caller]
fn reset(host: &Caller, scope: u64) {
    host.ok("reset_simulation", json!({"scope": scope}));
}

/// Returns the number of threads of the host.
#[track_caller]
fn threads(host: &Host) -> usize {
    fs::read_dir(format!("/proc/{}/task", host.id())).expect("a process").count()
}

pub(super) fn repeated_resets_are_prompt_and_leave_no_threads(over: Transport) {
    let setup = setup().plugins(&["clock", "imu"]).run(fixture("W1.sdf").as_ref());
    let host = over.start(setup.args(["--start", "stopped"])).wait_for_state("stopped");
    let mut first = None;
    for _ in 0..5 {
        // Wall time: the case demands it.
        prompt("a reset", Duration::from_secs(5), || reset(&host, ALL));
        assert_eq!((host.state(), time_ns(&host)), (STOPPED, 0));
        let most = *first.get_or_insert_with(|| threads(&host));
        // Threads that serve a single request may not have ended yet.
        eventually("no more threads than after the first", || threads(&host) <= most);
    }
}

pub(super) fn an_empty_world_can_be_reset(over: Transport) {
    let empty = "<sdf version='1.11'><world name='empty'/></sdf>";
    let host = over.start(setup().world(empty).args(["--start", "stopped"])).wait_for_state("stopped");
    reset(&host, ALL);
    assert!(all_entities(&host).is_empty());
}

#[track_caller]
fn load(host: &Caller, file: &str) {
    host.ok("load_world", json!({"world_resource": {"uri": fixture(file)}}));
}

pub(super) fn a_complete_reset_returns_to_the_world_of_the_start(over: Transport) {
    let host = over.host("playing");
    for scope in [DEFAULT, ALL] {
        load(&host, "W2.sdf");
        assert_eq!(all_entities(&host), ["ground", "rock"]);
        for partial in [TIME, STATE, SPAWNED] {
            reset(&host, partial);
        }
        assert_eq!(all_entities(&host), ["ground", "rock"], "a partial reset keeps the world");
        reset(&host, scope);
        assert_eq!(all_entities(&host), ["box_a", "box_b", "ground", "wall"]);
        assert_eq!((host.state(), time_ns(&host)), (STOPPED, 0));
    }
    host.ok("unload_world", json!({}));
    host.expect(INCORRECT_STATE, "reset_simulation", json!({"scope": TIME}));
    reset(&host, ALL);
    assert_eq!((all_entities(&host).len(), host.state()), (4, STOPPED));
}

pub(super) fn without_a_world_of_the_start_a_complete_reset_keeps_the_loaded_one(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    host.expect(INCORRECT_STATE, "reset_simulation", json!({"scope": ALL}));
    load(&host, "W2.sdf");
    reset(&host, ALL);
    assert_eq!((all_entities(&host), host.state()), (vec!["ground".to_owned(), "rock".to_owned()], STOPPED));
}
