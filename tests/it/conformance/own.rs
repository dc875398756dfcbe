//! What only this host promises: how it ends, older requests, the notation of filters, goals, and the bits of a run.

use std::time::Duration;

use serde_json::json;

use super::{
    FAILED, NO_WORLD, PLAYING, QUITTING, STEP_NS, Transport, entities, pose, position_of, set_state, setup,
    spawn_crate, state_of, step, time_ns, vector, xyz,
};
use crate::support::{OK, assert_all_near, eventually, prompt};

// Status codes of goals in `action_msgs`.
const SUCCEEDED: u64 = 4;
const CANCELED: u64 = 5;
/// The result of `load_world` for a file that does not exist.
const MISSING_ASSETS: u64 = 104;

pub(super) fn quitting_is_answered_and_then_the_process_ends(over: Transport) {
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

pub(super) fn a_request_of_the_older_interfaces_sets_pose_and_velocity(over: Transport) {
    let host = over.host("paused");
    let state = json!({"pose": pose([9.0; 3]), "twist": {"linear": xyz([1.0; 3])}});
    host.ok("set_entity_state", json!({"entity": "box_a", "state": state}));
    assert_all_near(position_of(&host, "box_a"), [9.0; 3], 1e-9);
    assert_all_near(vector(&state_of(&host, "box_a"), "/twist/linear"), [1.0; 3], 1e-9);
}

pub(super) fn an_expression_with_notation_of_perl_is_refused(over: Transport) {
    let host = over.host("stopped");
    for filter in [r"\d", r"\w+", r"\bbox", "(?:box)", "(?i)BOX", ".*?"] {
        for service in ["get_entities", "get_entities_states"] {
            let response = host.expect(FAILED, service, json!({"filters": {"filter": filter}}));
            assert_eq!(response["entities"], json!([]));
        }
    }
    assert_eq!(entities(&host, json!({"filter": r"^box_a$|^wal{2}$"})), ["box_a", "wall"]);
}

pub(super) fn goals_report_each_step_and_their_results_can_be_requested_again(over: Transport) {
    let host = over.host("paused");
    let mut feedback = host.feedback();
    let goal = host.send_goal(json!({"steps": 20})).expect("accepted");
    let end = host.end_of(&goal);
    assert_eq!((&end["status_code"], &end["result"]["result"]), (&json!(SUCCEEDED), &json!(OK)), "{end}");
    for done in 1..=20 {
        assert_eq!(feedback.next(), (goal.clone(), done, 20 - done));
    }
    assert_eq!(host.end_of(&goal), end);
    let goal = host.send_goal(json!({"steps": 1_000_000})).expect("accepted");
    host.cancel(&goal);
    assert_eq!(host.end_of(&goal)["status_code"], CANCELED);
}

pub(super) fn steps_in_one_or_several_requests_give_the_same_run(over: Transport) {
    let run = |parts: &[u64]| {
        let setup = setup().run(super::fixture("W1.sdf").as_ref()).args(["--start", "paused"]);
        let host = over.start(setup.args(["--speed", "unlimited"])).wait_for_state("paused");
        spawn_crate(&host, "c1", [0.2, 0.0, 3.0]);
        parts.iter().for_each(|steps| step(&host, *steps));
        (time_ns(&host), state_of(&host, "c1"))
    };
    let (half, whole, in_parts) = (run(&[500]), run(&[1000]), run(&[1, 499, 500]));
    assert_eq!((half.0, whole.0), (500 * STEP_NS, 1000 * STEP_NS));
    assert_eq!(whole, in_parts);
    assert_ne!(half.1["pose"], whole.1["pose"]);
}

pub(super) fn a_load_of_a_missing_file_keeps_the_current_world_playing(over: Transport) {
    let host = over.host("playing");
    let request = json!({"world_resource": {"uri": "/no/such/hall.sdf"}});
    let response = host.expect(MISSING_ASSETS, "load_world", request);
    assert!(response["result"]["error_message"].to_string().contains("/no/such/hall.sdf"), "{response}");
    let current = host.ok("get_current_world", json!({}));
    assert_eq!((&current["world"]["name"], host.state()), (&json!("W1"), PLAYING));
}
