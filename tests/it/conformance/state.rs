//! Cases 1 to 16: states and the allowed transitions between them.

use std::thread::sleep;
use std::time::Duration;

use super::{
    NO_WORLD, PAUSED, PLAYING, QUITTING, STEP_NS, STOPPED, Transport, all_entities, position_of, set_state,
    spawn_crate, step, time_ns,
};
use crate::support::{OK, assert_all_near, eventually, prompt};

const ALREADY_IN_TARGET_STATE: u64 = 101;
const INCORRECT_TRANSITION: u64 = 103;

pub(super) fn case_01_a_host_with_a_world_is_stopped(over: Transport) {
    assert_eq!(over.host("stopped").state(), STOPPED);
}

pub(super) fn case_02_a_host_without_a_world_reports_no_world(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
}

pub(super) fn case_03_a_stopped_run_can_play(over: Transport) {
    let host = over.host("stopped");
    set_state(&host, PLAYING, OK);
    assert_eq!(host.state(), PLAYING);
}

pub(super) fn case_04_a_playing_run_is_already_playing(over: Transport) {
    let host = over.host("playing");
    set_state(&host, PLAYING, ALREADY_IN_TARGET_STATE);
    assert_eq!(host.state(), PLAYING);
}

pub(super) fn case_05_a_stopped_run_is_already_stopped(over: Transport) {
    let host = over.host("stopped");
    set_state(&host, STOPPED, ALREADY_IN_TARGET_STATE);
    assert_eq!(host.state(), STOPPED);
}

pub(super) fn case_06_a_paused_run_is_already_paused(over: Transport) {
    let host = over.host("paused");
    set_state(&host, PAUSED, ALREADY_IN_TARGET_STATE);
    assert_eq!(host.state(), PAUSED);
}

pub(super) fn case_07_a_stopped_run_cannot_be_paused(over: Transport) {
    let host = over.host("stopped");
    set_state(&host, PAUSED, INCORRECT_TRANSITION);
    assert_eq!(host.state(), STOPPED);
}

pub(super) fn case_08_time_does_not_advance_in_a_pause(over: Transport) {
    let host = over.host("playing");
    set_state(&host, PAUSED, OK);
    let at = time_ns(&host);
    // Wall time: the case checks that nothing happens.
    sleep(Duration::from_millis(500));
    assert_eq!((host.state(), time_ns(&host)), (PAUSED, at));
}

pub(super) fn case_09_time_continues_from_the_pause(over: Transport) {
    let host = over.host("paused");
    step(&host, 1000);
    let at = time_ns(&host);
    assert_eq!(at, 1000 * STEP_NS);
    set_state(&host, PLAYING, OK);
    let first = time_ns(&host);
    assert!(first >= at, "{first} after {at}");
    eventually("time advances", || time_ns(&host) > first);
}

pub(super) fn case_10_stopping_removes_spawned_entities_and_resets_the_time(over: Transport) {
    let host = over.host("playing");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    eventually("time advances", || time_ns(&host) > 0);
    set_state(&host, STOPPED, OK);
    assert_eq!(host.state(), STOPPED);
    assert_eq!(all_entities(&host), ["box_a", "box_b", "ground", "wall"]);
    assert_eq!(time_ns(&host), 0);
}

pub(super) fn case_11_stopping_a_paused_run_restores_the_initial_state(over: Transport) {
    let host = over.host("paused");
    let state = serde_json::json!({"pose": super::pose([-2.0, 1.0, 3.0])});
    host.ok("set_entity_state", serde_json::json!({"entity": "box_a", "state": state}));
    step(&host, 10);
    set_state(&host, STOPPED, OK);
    assert_eq!(host.state(), STOPPED);
    assert_all_near(position_of(&host, "box_a"), [0.0, 0.0, 0.5], 1e-9);
}

pub(super) fn case_12_an_unknown_state_is_refused(over: Transport) {
    for (start, state) in [("stopped", STOPPED), ("playing", PLAYING), ("paused", PAUSED)] {
        let host = over.host(start);
        set_state(&host, 200, INCORRECT_TRANSITION);
        assert_eq!(host.state(), state);
    }
}

pub(super) fn case_13_setting_a_state_cannot_unload_a_world(over: Transport) {
    let host = over.host("stopped");
    for state in [NO_WORLD, 5] {
        set_state(&host, state, INCORRECT_TRANSITION);
        assert_eq!(host.state(), STOPPED);
    }
}

pub(super) fn case_14_and_15_without_a_world_playing_pausing_and_stopping_are_refused(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    for state in [PLAYING, STOPPED, PAUSED] {
        set_state(&host, state, INCORRECT_TRANSITION);
        assert_eq!(host.state(), NO_WORLD);
    }
}

pub(super) fn without_a_world_the_state_no_world_is_reached_already(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    set_state(&host, NO_WORLD, ALREADY_IN_TARGET_STATE);
    assert_eq!(host.state(), NO_WORLD);
}

pub(super) fn case_16_quitting_is_answered_and_then_the_process_ends(over: Transport) {
    let host = over.host("playing");
    set_state(&host, QUITTING, OK);
    // Wall time: the case demands that it ends soon.
    prompt("the end", Duration::from_secs(5), || host.finish().expect_code(0));
}

pub(super) fn quitting_is_answered_in_every_state(over: Transport) {
    for start in ["stopped", "paused"] {
        let host = over.host(start);
        set_state(&host, QUITTING, OK);
        host.finish().expect_code(0);
    }
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    set_state(&host, QUITTING, OK);
    host.finish().expect_code(0);
}

pub(super) fn playing_after_a_stop_starts_from_the_beginning(over: Transport) {
    let host = over.host("playing");
    for _ in 0..3 {
        eventually("time advances", || time_ns(&host) > 0);
        set_state(&host, STOPPED, OK);
        assert_eq!(time_ns(&host), 0);
        set_state(&host, PLAYING, OK);
        assert_eq!(host.state(), PLAYING);
    }
}
