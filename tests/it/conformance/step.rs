//! Cases 82 to 89: steps of a paused simulation, as a service and as an action.

use serde_json::{Value, json};

use super::{
    Caller, FAILED, INCORRECT_STATE, PAUSED, PLAYING, STEP_NS, STOPPED, Transport, setup, spawn_crate,
    state_of, step, time_ns,
};
use crate::support::{OK, eventually};

// Status codes of goals in `action_msgs`.
const SUCCEEDED: u64 = 4;
const CANCELED: u64 = 5;
const ABORTED: u64 = 6;

/// Sends a goal and returns its id, or `None` if it is refused.
#[track_caller]
fn send(host: &Caller, steps: u64) -> Option<Value> {
    host.send_goal(json!({"steps": steps}))
}

pub(super) fn case_82_one_step_advances_time_by_one_step_width(over: Transport) {
    let host = over.host("paused");
    step(&host, 1);
    assert_eq!((time_ns(&host), host.state()), (STEP_NS, PAUSED));
}

pub(super) fn case_83_steps_add_up(over: Transport) {
    let host = over.host("paused");
    for (steps, sum) in [(5, 5), (10, 15), (0, 15), (30, 45)] {
        step(&host, steps);
        assert_eq!((time_ns(&host), host.state()), (sum * STEP_NS, PAUSED));
    }
}

pub(super) fn case_84_a_playing_run_cannot_be_stepped(over: Transport) {
    let host = over.host("playing");
    host.expect(FAILED, "step_simulation", json!({"steps": 1}));
    assert_eq!(host.state(), PLAYING);
}

pub(super) fn a_stopped_run_cannot_be_stepped(over: Transport) {
    let stopped = over.host("stopped");
    stopped.expect(FAILED, "step_simulation", json!({"steps": 1}));
    assert_eq!((time_ns(&stopped), stopped.state()), (0, STOPPED));
    let host = over.without_world();
    let response = host.call("step_simulation", json!({}));
    assert!(
        [INCORRECT_STATE, FAILED].contains(&response["result"]["result"].as_u64().expect("a number")),
        "{response}"
    );
}

pub(super) fn case_85_an_empty_request_is_one_step(over: Transport) {
    let host = over.host("paused");
    host.ok("step_simulation", json!({}));
    assert_eq!(time_ns(&host), STEP_NS);
}

pub(super) fn case_86_an_action_reports_each_step(over: Transport) {
    let host = over.host("paused");
    let mut feedback = host.feedback();
    let goal = send(&host, 20).expect("accepted");
    let end = host.end_of(&goal);
    assert_eq!((&end["status_code"], &end["result"]["result"]), (&json!(SUCCEEDED), &json!(OK)), "{end}");
    assert_eq!((time_ns(&host), host.state()), (20 * STEP_NS, PAUSED));
    let mut completed = Vec::new();
    while completed.last() != Some(&20) {
        let (of_goal, done, left) = feedback.next();
        assert_eq!(of_goal, goal);
        assert_eq!(done + left, 20);
        completed.push(done);
    }
    assert_eq!(completed, (1..=20).collect::<Vec<u64>>(), "one feedback message after each step");
    // The result can be requested again later.
    assert_eq!(host.end_of(&goal), end);
}

pub(super) fn case_87_an_action_fails_while_the_run_plays(over: Transport) {
    let host = over.host("playing");
    let goal = send(&host, 20).expect("accepted");
    let end = host.end_of(&goal);
    assert_eq!((&end["status_code"], &end["result"]["result"]), (&json!(ABORTED), &json!(FAILED)), "{end}");
    assert_eq!(host.state(), PLAYING);
}

pub(super) fn case_88_a_cancelled_action_leaves_the_run_paused(over: Transport) {
    let host = over.host("paused");
    let goal = send(&host, 1_000_000).expect("accepted");
    eventually("some steps", || time_ns(&host) > 0);
    host.cancel(&goal);
    let end = host.end_of(&goal);
    assert_eq!((&end["status_code"], &end["result"]["result"]), (&json!(CANCELED), &json!(OK)), "{end}");
    assert_eq!(host.state(), PAUSED);
    let at = time_ns(&host);
    step(&host, 1);
    assert_eq!((time_ns(&host), host.state()), (at + STEP_NS, PAUSED));
}

pub(super) fn case_89_a_second_goal_is_refused_while_one_runs(over: Transport) {
    let host = over.host("paused");
    let first = send(&host, 1_000_000).expect("accepted");
    eventually("some steps", || time_ns(&host) > 0);
    assert_eq!(send(&host, 5), None);
    host.cancel(&first);
    host.end_of(&first);
    let third = send(&host, 5).expect("accepted again");
    assert_eq!(host.end_of(&third)["status_code"], SUCCEEDED);
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
