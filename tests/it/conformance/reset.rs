//! Cases 76 to 81: resets of single scopes and of everything.

use std::fs;
use std::time::Duration;

use serde_json::json;

use super::{
    Caller, Host, INCORRECT_STATE, NO_WORLD, PAUSED, STEP_NS, STOPPED, Transport, UNSUPPORTED, all_entities,
    fixture, pose, position_of, setup, spawn_crate, state_of, step, time_ns, vector, xyz,
};
use crate::support::{assert_all_near, eventually, prompt};

const DEFAULT: u64 = 0;
const TIME: u64 = 1;
const STATE: u64 = 2;
const SPAWNED: u64 = 4;
const ALL: u64 = 255;

#[track_caller]
fn reset(host: &Caller, scope: u64) {
    host.ok("reset_simulation", json!({"scope": scope}));
}

/// Places an entity and sets it in motion.
#[track_caller]
fn disturb(host: &Caller, entity: &str, position: [f64; 3]) {
    let state = json!({"pose": pose(position), "twist": {"linear": xyz([0.0, 0.0, 1.0])}});
    host.ok("set_entity_state", json!({"entity": entity, "state": state}));
}

pub(super) fn case_76_a_reset_of_spawned_entities_changes_nothing_else(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 3.0]);
    spawn_crate(&host, "c2", [0.0, 0.0, 6.0]);
    disturb(&host, "box_a", [-2.0, 1.0, 3.0]);
    step(&host, 5);
    let moved = position_of(&host, "box_a");
    reset(&host, SPAWNED);
    assert_eq!(all_entities(&host), ["box_a", "box_b", "ground", "wall"]);
    assert_eq!(position_of(&host, "box_a"), moved);
    assert_eq!((time_ns(&host), host.state()), (5 * STEP_NS, PAUSED));
}

pub(super) fn case_77_a_reset_of_the_state_keeps_spawned_entities(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 3.0]);
    disturb(&host, "box_a", [-2.0, 1.0, 3.0]);
    disturb(&host, "c1", [0.0, 4.0, 8.0]);
    step(&host, 5);
    reset(&host, STATE);
    for (entity, position) in [("box_a", [0.0, 0.0, 0.5]), ("c1", [0.0, 0.0, 3.0])] {
        let state = state_of(&host, entity);
        assert_all_near(vector(&state, "/pose/position"), position, 1e-9);
        assert_all_near(vector(&state, "/twist/linear"), [0.0; 3], 1e-9);
        assert_all_near(vector(&state, "/twist/angular"), [0.0; 3], 1e-9);
    }
    assert_eq!((time_ns(&host), host.state()), (5 * STEP_NS, PAUSED));
}

pub(super) fn case_78_a_reset_of_the_time_changes_nothing_else(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 3.0]);
    step(&host, 5);
    let (crate_at, box_at) = (position_of(&host, "c1"), position_of(&host, "box_a"));
    reset(&host, TIME);
    assert_eq!((time_ns(&host), host.state()), (0, PAUSED));
    assert_eq!((position_of(&host, "c1"), position_of(&host, "box_a")), (crate_at, box_at));
    step(&host, 5);
    assert_eq!(time_ns(&host), 5 * STEP_NS);
}

pub(super) fn case_79_a_complete_reset_stops_the_run(over: Transport) {
    for scope in [DEFAULT, ALL] {
        let host = over.host("playing");
        spawn_crate(&host, "c1", [0.0, 0.0, 3.0]);
        disturb(&host, "box_a", [-2.0, 1.0, 3.0]);
        eventually("time advances", || time_ns(&host) > 0);
        reset(&host, scope);
        assert_eq!((host.state(), time_ns(&host)), (STOPPED, 0));
        assert_eq!(all_entities(&host), ["box_a", "box_b", "ground", "wall"]);
        assert_all_near(position_of(&host, "box_a"), [0.0, 0.0, 0.5], 1e-9);
    }
}

/// Returns the number of threads of the host.
#[track_caller]
fn threads(host: &Host) -> usize {
    fs::read_dir(format!("/proc/{}/task", host.id())).expect("a process").count()
}

pub(super) fn case_80_repeated_resets_are_prompt_and_leave_no_threads(over: Transport) {
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

pub(super) fn case_81_an_empty_world_can_be_reset(over: Transport) {
    let empty = "<sdf version='1.11'><world name='empty'/></sdf>";
    let host = over.start(setup().world(empty).args(["--start", "stopped"])).wait_for_state("stopped");
    reset(&host, ALL);
    assert!(all_entities(&host).is_empty());
}

pub(super) fn scopes_can_be_combined_and_unknown_ones_are_refused(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 3.0]);
    disturb(&host, "box_a", [-2.0, 1.0, 3.0]);
    step(&host, 5);
    host.expect(UNSUPPORTED, "reset_simulation", json!({"scope": 8}));
    assert_eq!(all_entities(&host).len(), 5, "a refused reset has no effect");
    reset(&host, TIME | SPAWNED);
    assert_eq!((time_ns(&host), all_entities(&host).len()), (0, 4));
    assert!(position_of(&host, "box_a")[0] < -1.0, "the state was not in the scope");
    step(&host, 5);
    reset(&host, STATE | SPAWNED);
    assert_all_near(position_of(&host, "box_a"), [0.0, 0.0, 0.5], 1e-9);
    assert_eq!(time_ns(&host), 5 * STEP_NS);
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
