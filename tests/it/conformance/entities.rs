//! Cases 45 to 59: entities are deleted, listed, read and set.

use serde_json::{Value, json};

use super::{
    Caller, FAILED, NOT_FOUND, PAUSED, PLAYING, STEP_NS, Transport, all_entities, pose, position_of,
    spawn_crate, state_of, step, time_ns, vector, xyz,
};
use crate::support::{assert_all_near, assert_near};

const INVALID_POSE: u64 = 101;

/// A request of the newer interfaces, whose flags choose the parts of the state to set.
fn setting(entity: &str, state: Value, [set_pose, set_twist]: [bool; 2]) -> Value {
    let mut request = json!({"entity": entity, "state": state, "set_acceleration": false});
    (request["set_pose"], request["set_twist"]) = (set_pose.into(), set_twist.into());
    request
}

fn posed(position: [f64; 3]) -> Value {
    json!({"pose": pose(position)})
}

fn moving(linear: [f64; 3]) -> Value {
    json!({"twist": {"linear": xyz(linear)}})
}

#[track_caller]
fn velocity_of(host: &Caller, entity: &str) -> [f64; 3] {
    vector(&state_of(host, entity), "/twist/linear")
}

pub(super) fn case_45_a_deleted_entity_no_longer_exists(over: Transport) {
    let host = over.host("stopped");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    host.ok("delete_entity", json!({"entity": "c1"}));
    assert_eq!(all_entities(&host), ["box_a", "box_b", "ground", "wall"]);
    host.expect(NOT_FOUND, "delete_entity", json!({"entity": "c1"}));
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
}

pub(super) fn case_46_an_unknown_entity_cannot_be_deleted(over: Transport) {
    over.host("stopped").expect(NOT_FOUND, "delete_entity", json!({"entity": "nope"}));
}

pub(super) fn case_47_each_entity_is_listed_once(over: Transport) {
    let host = over.host("stopped");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    assert_eq!(all_entities(&host), ["box_a", "box_b", "c1", "ground", "wall"]);
}

pub(super) fn case_48_an_unknown_entity_has_no_state(over: Transport) {
    over.host("stopped").expect(NOT_FOUND, "get_entity_state", json!({"entity": "nope"}));
}

pub(super) fn case_49_a_state_has_a_frame_and_a_stamp(over: Transport) {
    let host = over.host("paused");
    step(&host, 7);
    let state = state_of(&host, "box_a");
    assert_eq!(state["header"]["frame_id"], "world");
    let stamp = &state["header"]["stamp"];
    assert_eq!((&stamp["sec"], stamp["nanosec"].as_i64()), (&json!(0), Some(7 * STEP_NS)));
    assert_eq!(time_ns(&host), 7 * STEP_NS);
}

pub(super) fn case_50_a_pose_that_was_set_reads_back(over: Transport) {
    let host = over.host("paused");
    host.ok("set_entity_state", setting("box_a", posed([-2.0, 1.0, 0.5]), [true, false]));
    assert_all_near(position_of(&host, "box_a"), [-2.0, 1.0, 0.5], 1e-3);
    assert_all_near(velocity_of(&host, "box_a"), [0.0; 3], 1e-9);
}

pub(super) fn a_state_that_was_read_can_be_written_back(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 10.0]);
    step(&host, 10);
    let read = state_of(&host, "c1");
    let mut request = setting("c1", read.clone(), [true, true]);
    request["set_acceleration"] = true.into();
    host.ok("set_entity_state", request);
    assert_all_near(position_of(&host, "c1"), vector(&read, "/pose/position"), 1e-12);
    assert_all_near(velocity_of(&host, "c1"), vector(&read, "/twist/linear"), 1e-9);
}

pub(super) fn case_51_a_velocity_is_set_without_the_pose(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 10.0]);
    host.ok("set_entity_state", setting("c1", moving([1.0, 0.0, 0.0]), [false, true]));
    assert_all_near(position_of(&host, "c1"), [0.0, 0.0, 10.0], 1e-9);
    step(&host, 10);
    assert_near(velocity_of(&host, "c1")[0], 1.0, 0.01);
    assert_near(position_of(&host, "c1")[0], 0.01, 0.001);
}

pub(super) fn case_52_without_flags_nothing_is_set(over: Transport) {
    let host = over.host("paused");
    let before = state_of(&host, "box_a");
    let state = json!({"pose": pose([9.0; 3]), "twist": {"linear": xyz([1.0; 3])}});
    host.ok("set_entity_state", setting("box_a", state.clone(), [false, false]));
    assert_eq!(state_of(&host, "box_a"), before);
    // The older interfaces have no flags: pose and velocity are set.
    host.ok("set_entity_state", json!({"entity": "box_a", "state": state}));
    assert_all_near(position_of(&host, "box_a"), [9.0; 3], 1e-9);
    assert_all_near(velocity_of(&host, "box_a"), [1.0; 3], 1e-9);
}

pub(super) fn case_53_an_invalid_pose_is_refused(over: Transport) {
    let host = over.host("paused");
    let before = state_of(&host, "box_a");
    let zero = json!({"pose": {"position": xyz([3.0; 3]), "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}}});
    let nan = json!({"pose": {"position": {"x": "NaN"}}});
    for state in [zero, nan] {
        host.expect(INVALID_POSE, "set_entity_state", setting("box_a", state, [true, false]));
        assert_eq!(state_of(&host, "box_a"), before);
    }
}

pub(super) fn case_54_the_state_of_an_unknown_entity_cannot_be_set(over: Transport) {
    let request = setting("nope", posed([0.0; 3]), [true, true]);
    over.host("paused").expect(NOT_FOUND, "set_entity_state", request);
}

pub(super) fn case_55_a_static_entity_cannot_get_a_velocity(over: Transport) {
    let host = over.host("paused");
    let before = state_of(&host, "wall");
    let state = json!({"pose": pose([0.0, 5.0, 1.0]), "twist": {"linear": xyz([1.0, 0.0, 0.0])}});
    host.expect(FAILED, "set_entity_state", setting("wall", state, [true, true]));
    assert_eq!(state_of(&host, "wall"), before);
}

pub(super) fn case_56_a_static_entity_can_be_placed(over: Transport) {
    let host = over.host("paused");
    let state = json!({"pose": pose([0.0, 5.0, 1.0]), "twist": {}});
    host.ok("set_entity_state", setting("wall", state, [true, true]));
    assert_all_near(position_of(&host, "wall"), [0.0, 5.0, 1.0], 1e-9);
}

pub(super) fn case_57_setting_an_entity_state_does_not_change_the_simulation_state(over: Transport) {
    for (start, number) in [("playing", PLAYING), ("paused", PAUSED)] {
        let host = over.host(start);
        host.ok("set_entity_state", setting("box_a", posed([-2.0, 1.0, 0.5]), [true, true]));
        assert_eq!(host.state(), number);
    }
}

pub(super) fn case_58_an_entity_in_the_air_falls(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [0.0, 0.0, 20.0]);
    step(&host, 10);
    let expected = -9.81 * 10.0 * 0.001;
    assert_near(velocity_of(&host, "c1")[2], expected, 0.05 * expected.abs());
}

pub(super) fn case_59_states_are_in_the_order_of_the_names(over: Transport) {
    let host = over.host("paused");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    let response = host.ok("get_entities_states", json!({}));
    let (names, states) = (&response["entities"], &response["states"]);
    assert_eq!(*names, host.ok("get_entities", json!({}))["entities"]);
    let (names, states) = (names.as_array().expect("names"), states.as_array().expect("states"));
    assert_eq!((names.len(), states.len()), (5, 5));
    for (name, state) in names.iter().zip(states) {
        assert_eq!(*state, state_of(&host, name.as_str().expect("a name")), "{name}");
    }
    let some = host.ok("get_entities_states", json!({"filters": {"filter": "^box_"}}));
    assert_eq!((&some["entities"][1], some["states"].as_array().map(Vec::len)), (&json!("box_b"), Some(2)));
}
