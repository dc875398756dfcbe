//! The action `simulate_steps` as clients of ROS see it, of one stack of DDS, of another, and of both at once: goals,
//! feedback, status, results that are asked for early and late, and cancelling.

use std::thread::scope;

use serde_json::{Value, json};

use super::calls::FAILED;
use super::{FastDds, Heard, Peer, Pending, Stack, Stage};
use crate::support::{OK, eventually};

const STEPS: &str = "simulation_interfaces/action/SimulateSteps";

// States of goals.
const UNKNOWN: u64 = 0;
const SUCCEEDED: u64 = 4;
const CANCELED: u64 = 5;
const ABORTED: u64 = 6;

// Answers to who cancels.
const ACCEPTED: u64 = 0;
const UNKNOWN_GOAL: u64 = 2;
const GOAL_TERMINATED: u64 = 3;

/// More steps than a test waits for.
const ENDLESS: u64 = 1_000_000;

/// A client of the action, whose goals nobody else's are.
struct Client<'a> {
    stack: &'a dyn Stack,
    feedback: Heard,
    status: Heard,
}

impl<'a> Client<'a> {
    #[track_caller]
    fn new(stack: &'a dyn Stack) -> Self {
        let feedback =
            stack.subscribe("rt/simulate_steps/_action/feedback", &format!("{STEPS}_FeedbackMessage"), false);
        let status =
            stack.subscribe("rt/simulate_steps/_action/status", "action_msgs/msg/GoalStatusArray", true);
        let client = Client { stack, feedback, status };
        // Readers are discovered in the order they were made: once the host has answered a client that is new now,
        // it knows the subscribers too.
        assert_eq!(client.cancel(&client.goal(0))["return_code"], UNKNOWN_GOAL);
        client
    }

    /// Name of a goal.
    fn goal(&self, number: u32) -> Value {
        let of_stack = self.stack.name().as_bytes()[0];
        json!([&[of_stack; 12][..], &number.to_be_bytes()].concat())
    }

    /// Sends a goal, and gives whether it is accepted.
    #[track_caller]
    fn send(&self, goal: &Value, steps: u64) -> bool {
        let request = json!({"goal_id": {"uuid": goal}, "goal": {"steps": steps}});
        let name = "simulate_steps/_action/send_goal";
        let told = self.stack.call(name, &format!("{STEPS}_SendGoal"), &request);
        told["accepted"].as_bool().expect("yes or no")
    }

    /// Asks for the result of a goal, which comes when it has ended.
    #[track_caller]
    fn ask(&self, goal: &Value) -> Pending {
        let request = json!({"goal_id": {"uuid": goal}});
        self.stack.ask("simulate_steps/_action/get_result", &format!("{STEPS}_GetResult"), &request)
    }

    #[track_caller]
    fn cancel(&self, goal: &Value) -> Value {
        let request = json!({"goal_info": {"goal_id": {"uuid": goal}}});
        self.stack.call("simulate_steps/_action/cancel_goal", "action_msgs/srv/CancelGoal", &request)
    }

    /// Completed and remaining steps of the next feedback on a goal; those of other goals are left out.
    #[track_caller]
    fn next_of(&self, goal: &Value) -> (u64, u64) {
        loop {
            let told = self.feedback.next();
            if told["goal_id"]["uuid"] == *goal {
                let steps = |name: &str| told["feedback"][name].as_u64().expect("a number");
                return (steps("completed_steps"), steps("remaining_steps"));
            }
        }
    }

    /// Listens until a goal is said to be in this state; fails where it was in a later one before.
    #[track_caller]
    fn hears_status(&self, goal: &Value, expected: u64) {
        let mut last = UNKNOWN;
        while last != expected {
            let message = self.status.next();
            let list = message["status_list"].as_array().expect("a list");
            let of_goal = list.iter().find(|one| one["goal_info"]["goal_id"]["uuid"] == *goal);
            let Some(status) = of_goal.and_then(|one| one["status"].as_u64()) else { continue };
            assert!((last..=expected).contains(&status), "{status} after {last}: {message}");
            last = status;
        }
    }
}

/// State of a goal and the result of its steps, as [`Client::ask`] has them.
#[track_caller]
fn codes(told: &Value) -> (u64, u64) {
    let number = |pointer: &str| told.pointer(pointer).and_then(Value::as_u64);
    number("/status").zip(number("/result/result/result")).unwrap_or_else(|| panic!("no result: {told}"))
}

/// A goal from its acceptance to who asks for its result when it has long ended.
#[track_caller]
fn runs_a_goal(stage: &Stage, stack: &dyn Stack) {
    let client = Client::new(stack);
    let (goal, before) = (client.goal(1), stage.host.status("time_ns"));
    assert_eq!(codes(&client.ask(&goal).wait().expect("an answer")), (UNKNOWN, 2), "nobody sent it yet");
    assert!(client.send(&goal, 50));
    let result = client.ask(&goal);
    let heard: Vec<_> = (0..50).map(|_| client.next_of(&goal)).collect();
    assert_eq!(heard, (1..=50).map(|done| (done, 50 - done)).collect::<Vec<_>>(), "after each step");
    let result = result.wait().expect("a result");
    assert_eq!(codes(&result), (SUCCEEDED, OK), "{result}");
    assert_eq!(stage.host.status("time_ns") - before, 50 * 1_000_000);
    assert_eq!(client.ask(&goal).wait().expect("a result"), result, "for who asks late");
    client.hears_status(&goal, SUCCEEDED);
    assert_eq!(client.cancel(&goal), json!({"return_code": GOAL_TERMINATED, "goals_canceling": []}));
    assert!(!client.send(&goal, 50), "it was there before");
}

/// A goal that is cancelled by who waits for its result.
#[track_caller]
fn cancels_a_goal(stage: &Stage, stack: &dyn Stack) {
    let client = Client::new(stack);
    let goal = client.goal(2);
    assert!(client.send(&goal, ENDLESS));
    let result = client.ask(&goal);
    assert_eq!(client.next_of(&goal), (1, ENDLESS - 1));
    assert!(!client.send(&client.goal(3), 5), "one runs");
    let told = client.cancel(&goal);
    assert_eq!(
        (&told["return_code"], &told["goals_canceling"][0]["goal_id"]["uuid"]),
        (&json!(ACCEPTED), &goal)
    );
    let result = result.wait().expect("a result");
    assert_eq!(codes(&result), (CANCELED, OK), "{result}");
    assert_eq!(client.ask(&goal).wait().expect("a result"), result, "for who asks late");
    assert_eq!(stage.host.state(), 2);
    client.hears_status(&goal, CANCELED);
    // Steps before the pause are told of before the result, and none comes after it.
    let text = result["result"]["result"]["error_message"].as_str().expect("a text");
    let mut done = 1;
    while !text.contains(&format!("after {done} of {ENDLESS}")) {
        done += 1;
        assert_eq!(client.next_of(&goal), (done, ENDLESS - done), "{text}");
    }
    assert_eq!(client.feedback.next_of_now(), None);
}

/// A goal where no steps can be asked for.
#[track_caller]
fn fails_a_goal(stage: &Stage, stack: &dyn Stack) {
    let client = Client::new(stack);
    let goal = client.goal(4);
    stage.host.ok("set_simulation_state", json!({"state": {"state": 1}}));
    assert!(client.send(&goal, 5));
    let result = client.ask(&goal).wait().expect("a result");
    assert_eq!(codes(&result), (ABORTED, FAILED), "{result}");
    client.hears_status(&goal, ABORTED);
    stage.host.ok("set_simulation_state", json!({"state": {"state": 2}}));
}

/// All of that with the client of one stack.
#[track_caller]
fn goes_through(stage: &Stage, start: impl Fn() -> Option<Box<dyn Stack>>) {
    // One after the other: a client of its own for each hears nothing of what was before.
    for part in [runs_a_goal, cancels_a_goal, fails_a_goal] {
        let Some(stack) = start() else { return };
        part(stage, &*stack);
    }
}

#[test]
fn a_client_of_cyclone_runs_cancels_and_asks_late() {
    let stage = Stage::with("").paused();
    goes_through(&stage, || Some(Box::new(Peer::start(&stage.domain)?)));
}

#[test]
fn a_client_of_fast_dds_runs_cancels_and_asks_late() {
    for options in ["", "mapping=fastdds"] {
        let stage = Stage::with(options).paused();
        goes_through(&stage, || Some(Box::new(FastDds::start(&stage.domain)?)));
    }
}

/// Sends goals until so many ran; others run theirs between.
fn runs_goals(client: &Client<'_>, count: usize, steps: u64) {
    let mut ran = 0;
    for number in 10.. {
        let goal = client.goal(number);
        if ran == count {
            return;
        }
        if !client.send(&goal, steps) {
            continue;
        }
        let result = client.ask(&goal).wait().expect("a result");
        assert_eq!(codes(&result), (SUCCEEDED, OK), "{result}");
        let heard: Vec<_> = (0..steps).map(|_| client.next_of(&goal)).collect();
        assert_eq!(heard, (1..=steps).map(|done| (done, steps - done)).collect::<Vec<_>>());
        ran += 1;
    }
}

#[test]
fn clients_of_both_stacks_run_goals_at_once_and_each_hears_of_its_own() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    let clients = [Client::new(&cyclone), Client::new(&fast)];
    // Any client may ask for a result and cancel: what counts is the name of the goal.
    let [one, other] = &clients;
    let goal = one.goal(1);
    assert!(one.send(&goal, ENDLESS));
    let results = [one.ask(&goal), other.ask(&goal)];
    eventually("some steps", || stage.host.status("time_ns") > 0);
    assert!(!other.send(&other.goal(1), 5), "one runs");
    assert_eq!(other.cancel(&goal)["return_code"], ACCEPTED);
    let results = results.map(|result| result.wait().expect("a result"));
    assert_eq!((codes(&results[0]), &results[0]), ((CANCELED, OK), &results[1]));
    let before = stage.host.status("time_ns");
    scope(|threads| {
        for client in clients {
            threads.spawn(move || runs_goals(&client, 5, 20));
        }
    });
    assert_eq!(stage.host.status("time_ns") - before, 2 * 5 * 20 * 1_000_000);
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients went there alone");
}

/// What a dead reader has missed is kept until it counts as gone. There must be room for that, or the others miss it too.
#[test]
fn a_client_that_dies_takes_no_status_from_the_others() {
    let stage = Stage::with("").paused();
    let Some(doomed) = Peer::start(&stage.domain) else { return };
    let stays = Peer::start(&stage.domain).expect("as the first");
    drop(Client::new(&doomed));
    drop(doomed);
    let client = Client::new(&stays);
    // Two states each.
    runs_goals(&client, 50, 1);
    client.hears_status(&client.goal(59), SUCCEEDED);
    let told = stage.finish().expect_code(0).to_string();
    assert!(!told.contains("do not keep up"), "{told}");
}
