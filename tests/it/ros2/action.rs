//! The action `simulate_steps` for ROS clients over each transport, of either DDS stack and of both at once: goals, feedback, status,
//! results that are requested early and late, and cancelling.

use std::thread::{scope, sleep};
use std::time::Duration;

use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{FastDds, Messages, Peer, Pending, Stack, Stage, Wire};
use crate::support::{FAILED, OK, eventually};

const STEPS: &str = "simulation_interfaces/action/SimulateSteps";

// States of goals.
const UNKNOWN: u64 = 0;
const SUCCEEDED: u64 = 4;
const CANCELED: u64 = 5;
const ABORTED: u64 = 6;

// Return codes of cancelling.
const ACCEPTED: u64 = 0;
const UNKNOWN_GOAL: u64 = 2;
const GOAL_TERMINATED: u64 = 3;

/// More steps than any test waits for.
const ENDLESS: u64 = 1_000_000;

/// A client of the action, whose goal ids no other client uses.
struct Client<'a> {
    stack: &'a dyn Stack,
    feedback: Messages,
    status: Messages,
}

impl<'a> Client<'a> {
    #[track_caller]
    fn new(stack: &'a dyn Stack) -> Self {
        let feedback =
            stack.subscribe("/simulate_steps/_action/feedback", &format!("{STEPS}_FeedbackMessage"), false);
        let status =
            stack.subscribe("/simulate_steps/_action/status", "action_msgs/msg/GoalStatusArray", true);
        let client = Client { stack, feedback, status };
        // Readers are discovered in the order in which they were created: when the host has answered this new client,
        // it knows the subscribers too.
        assert_eq!(client.cancel(&client.goal(0))["return_code"], UNKNOWN_GOAL);
        client.await_feedback();
        client
    }

    /// Sends goals of one step until feedback on one arrives: a reader of Cyclone DDS drops what a writer sends before its
    /// first heartbeat, and on a busy machine that is after the first steps.
    #[track_caller]
    fn await_feedback(&self) {
        for goal in (1000..1100).map(|number| self.goal(number)) {
            if !self.send(&goal, 1) {
                continue;
            }
            assert_eq!(codes(&self.ask(&goal).wait().expect("a result")), (SUCCEEDED, OK));
            for _ in 0..50 {
                if self.feedback.next_of_now().is_some() {
                    return;
                }
                // Wall time: the pause between two looks.
                sleep(Duration::from_millis(10));
            }
        }
        panic!("no feedback arrives");
    }

    /// The id of a goal.
    fn goal(&self, number: u32) -> Value {
        let of_stack = self.stack.name().as_bytes()[0];
        json!([&[of_stack; 12][..], &number.to_be_bytes()].concat())
    }

    /// Sends a goal. Returns true if it was accepted.
    #[track_caller]
    fn send(&self, goal: &Value, steps: u64) -> bool {
        let request = json!({"goal_id": {"uuid": goal}, "goal": {"steps": steps}});
        let name = "simulate_steps/_action/send_goal";
        let response = self.stack.call(name, &format!("{STEPS}_SendGoal"), &request);
        response["accepted"].as_bool().expect("a boolean")
    }

    /// Requests the result of a goal, which arrives when the goal has ended.
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

    /// Completed and remaining steps of the next feedback on a goal; feedback on other goals is skipped.
    #[track_caller]
    fn next_feedback(&self, goal: &Value) -> (u64, u64) {
        loop {
            let message = self.feedback.next();
            if message["goal_id"]["uuid"] == *goal {
                let steps = |name: &str| message["feedback"][name].as_u64().expect("a number");
                return (steps("completed_steps"), steps("remaining_steps"));
            }
        }
    }

    /// Reads status messages until a goal is in this state; fails if it was in a later state before.
    #[track_caller]
    fn expect_status(&self, goal: &Value, expected: u64) {
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

/// The status of a goal and the result code of its steps, from the response to [`Client::ask`].
#[track_caller]
fn codes(response: &Value) -> (u64, u64) {
    let number = |pointer: &str| response.pointer(pointer).and_then(Value::as_u64);
    number("/status").zip(number("/result/result/result")).unwrap_or_else(|| panic!("no result: {response}"))
}

/// A goal from its acceptance to a request for its result after its end.
#[track_caller]
fn run_a_goal(stage: &Stage, stack: &dyn Stack) {
    let client = Client::new(stack);
    let (goal, before) = (client.goal(1), stage.host.status("time_ns"));
    assert_eq!(
        codes(&client.ask(&goal).wait().expect("an answer")),
        (UNKNOWN, 2),
        "the goal was not sent yet"
    );
    assert!(client.send(&goal, 50));
    let result = client.ask(&goal);
    let feedback: Vec<_> = (0..50).map(|_| client.next_feedback(&goal)).collect();
    assert_eq!(
        feedback,
        (1..=50).map(|done| (done, 50 - done)).collect::<Vec<_>>(),
        "feedback after each step"
    );
    let result = result.wait().expect("a result");
    assert_eq!(codes(&result), (SUCCEEDED, OK), "{result}");
    assert_eq!(stage.host.status("time_ns") - before, 50 * 1_000_000);
    assert_eq!(client.ask(&goal).wait().expect("a result"), result, "a late request has the same result");
    client.expect_status(&goal, SUCCEEDED);
    assert_eq!(client.cancel(&goal), json!({"return_code": GOAL_TERMINATED, "goals_canceling": []}));
    assert!(!client.send(&goal, 50), "a known goal is rejected");
}

/// A goal that is cancelled while its result is awaited.
#[track_caller]
fn cancel_a_goal(stage: &Stage, stack: &dyn Stack) {
    let client = Client::new(stack);
    let goal = client.goal(2);
    assert!(client.send(&goal, ENDLESS));
    let result = client.ask(&goal);
    assert_eq!(client.next_feedback(&goal), (1, ENDLESS - 1));
    assert!(!client.send(&client.goal(3), 5), "a second goal is rejected");
    let response = client.cancel(&goal);
    assert_eq!(
        (&response["return_code"], &response["goals_canceling"][0]["goal_id"]["uuid"]),
        (&json!(ACCEPTED), &goal)
    );
    let result = result.wait().expect("a result");
    assert_eq!(codes(&result), (CANCELED, OK), "{result}");
    assert_eq!(client.ask(&goal).wait().expect("a result"), result, "a late request has the same result");
    assert_eq!(stage.host.state(), 2);
    client.expect_status(&goal, CANCELED);
    // Feedback on steps before the pause is sent before the result, and none after it.
    let text = result["result"]["result"]["error_message"].as_str().expect("a text");
    let mut done = 1;
    while !text.contains(&format!("after {done} of {ENDLESS}")) {
        done += 1;
        assert_eq!(client.next_feedback(&goal), (done, ENDLESS - done), "{text}");
    }
    assert_eq!(client.feedback.next_of_now(), None);
}

/// A goal in a state in which steps are not allowed.
#[track_caller]
fn fail_a_goal(stage: &Stage, stack: &dyn Stack) {
    let client = Client::new(stack);
    let goal = client.goal(4);
    stage.host.ok("set_simulation_state", json!({"state": {"state": 1}}));
    assert!(client.send(&goal, 5));
    let result = client.ask(&goal).wait().expect("a result");
    assert_eq!(codes(&result), (ABORTED, FAILED), "{result}");
    client.expect_status(&goal, ABORTED);
    stage.host.ok("set_simulation_state", json!({"state": {"state": 2}}));
}

/// All of the above with a client of one stack.
#[track_caller]
pub(crate) fn run_all(stage: &Stage, start: impl Fn() -> Option<Box<dyn Stack>>) {
    // Each part has a new client, which receives nothing from earlier parts.
    for part in [run_a_goal, cancel_a_goal, fail_a_goal] {
        let Some(stack) = start() else { return };
        part(stage, &*stack);
    }
}

over_each_transport!(
    a_client_runs_and_cancels_goals_and_requests_results_late,
    other_clients_receive_every_status_after_a_client_dies,
);

fn a_client_runs_and_cancels_goals_and_requests_results_late(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    run_all(&stage, || Some(Box::new(Peer::start(&stage.domain)?)));
}

#[test]
fn a_fast_dds_client_runs_and_cancels_goals_and_requests_results_late() {
    for options in ["", "mapping=fastdds"] {
        let stage = Stage::with(options).paused();
        run_all(&stage, || Some(Box::new(FastDds::start(&stage.domain)?)));
    }
}

/// Sends goals until `count` of them ran; goals of other clients may run in between.
fn run_goals(client: &Client<'_>, count: usize, steps: u64) {
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
        let feedback: Vec<_> = (0..steps).map(|_| client.next_feedback(&goal)).collect();
        assert_eq!(feedback, (1..=steps).map(|done| (done, steps - done)).collect::<Vec<_>>());
        ran += 1;
    }
}

/// Goals of two stacks at the same time.
#[track_caller]
pub(crate) fn run_goals_at_once(stage: &Stage, stacks: [&dyn Stack; 2]) {
    let clients = stacks.map(Client::new);
    // Any client that knows the goal id may request the result and cancel.
    let [one, other] = &clients;
    let (goal, before) = (one.goal(1), stage.host.status("time_ns"));
    assert!(one.send(&goal, ENDLESS));
    let results = [one.ask(&goal), other.ask(&goal)];
    eventually("some steps are taken", || stage.host.status("time_ns") > before);
    assert!(!other.send(&other.goal(1), 5), "a second goal is rejected");
    assert_eq!(other.cancel(&goal)["return_code"], ACCEPTED);
    let results = results.map(|result| result.wait().expect("a result"));
    assert_eq!((codes(&results[0]), &results[0]), ((CANCELED, OK), &results[1]));
    let before = stage.host.status("time_ns");
    scope(|threads| {
        for client in clients {
            threads.spawn(move || run_goals(&client, 5, 20));
        }
    });
    assert_eq!(stage.host.status("time_ns") - before, 2 * 5 * 20 * 1_000_000);
}

#[test]
fn concurrent_clients_of_both_stacks_receive_the_results_of_their_own_goals() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    run_goals_at_once(&stage, [&cyclone, &fast]);
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients are sent only to them");
}

/// Messages for a dead reader are kept until its lease expires. There must be room for them, or other readers miss
/// messages too.
fn other_clients_receive_every_status_after_a_client_dies(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(dying) = Peer::start(&stage.domain) else { return };
    let staying = Peer::start(&stage.domain).expect("a second peer");
    drop(Client::new(&dying));
    drop(dying);
    let client = Client::new(&staying);
    // Each goal has two states.
    run_goals(&client, 50, 1);
    client.expect_status(&client.goal(59), SUCCEEDED);
    let output = stage.finish().expect_code(0).to_string();
    assert!(!output.contains("do not keep up"), "{output}");
}
