//! Goals of an arm for a client over each transport, as MoveIt and other clients of `joint_trajectory_controller` send them.

use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{Peer, Stack, Stage, Wire};
use crate::trajectories::{
    ABORTED, ACTION, CANCELED, PATH_TOLERANCE_VIOLATED, SUCCEEDED, TYPE, arm, expect_end, goal,
    goal_that_is_too_fast, slow_goal,
};

/// A client of the action.
struct Client(Peer);

impl Client {
    fn id(number: u8) -> Value {
        json!({"uuid": vec![number; 16]})
    }

    /// Sends a goal, which must be accepted.
    #[track_caller]
    fn send(&self, number: u8, goal: &Value) {
        let request = json!({"goal_id": Client::id(number), "goal": goal});
        let response = self.call("send_goal", &format!("{TYPE}_SendGoal"), &request);
        assert_eq!(response["accepted"], true, "{response}");
    }

    /// Waits for status and error code of a goal.
    #[track_caller]
    fn result(&self, number: u8) -> (u64, i64) {
        let request = json!({"goal_id": Client::id(number)});
        let response = self.call("get_result", &format!("{TYPE}_GetResult"), &request);
        let status = response["status"].as_u64();
        let code = response["result"]["error_code"].as_i64();
        status.zip(code).unwrap_or_else(|| panic!("no result: {response}"))
    }

    #[track_caller]
    fn call(&self, part: &str, ros_type: &str, request: &Value) -> Value {
        Stack::call(&self.0, &format!("{ACTION}/_action/{part}"), ros_type, request)
    }
}

over_each_transport!(a_client_moves_an_arm_along_a_trajectory_cancels_one_and_fails_with_one);

fn a_client_moves_an_arm_along_a_trajectory_cancels_one_and_fails_with_one(wire: Wire) {
    let Some(stage) = Stage::start_over(wire, arm(), "") else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let status = Stack::subscribe(
        &peer,
        &format!("/{ACTION}/_action/status"),
        "action_msgs/msg/GoalStatusArray",
        true,
    );
    let client = Client(peer);
    client.send(1, &goal());
    assert_eq!(client.result(1), (SUCCEEDED, 0));
    expect_end(&stage.host);
    client.send(2, &slow_goal());
    let cancel = json!({"goal_info": {"goal_id": Client::id(2)}});
    let response = client.call("cancel_goal", "action_msgs/srv/CancelGoal", &cancel);
    assert_eq!(
        (&response["return_code"], response["goals_canceling"].as_array().map(Vec::len)),
        (&json!(0), Some(1))
    );
    assert_eq!(client.result(2).0, CANCELED);
    client.send(3, &goal_that_is_too_fast());
    assert_eq!(client.result(3), (ABORTED, PATH_TOLERANCE_VIOLATED));
    let states = |message: &Value| {
        let list = message["status_list"].as_array().expect("a list");
        list.iter().map(|goal| goal["status"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    // The host publishes each change; the last one has all goals.
    while states(&status.next()) != [SUCCEEDED, CANCELED, ABORTED] {}
    stage.finish();
}
