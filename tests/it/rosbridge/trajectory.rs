//! Goals of an arm and of its gripper for roslibpy, as MoveIt and other clients of the controllers of ROS send them.

use serde_json::{Value, json};

use super::client::Kind;
use super::stage::Stage;
use crate::support::{Setup, assert_near, worlds};
use crate::trajectories::{
    ABORTED, ACTION, CANCELED, PATH_TOLERANCE_VIOLATED, SUCCEEDED, TYPE, arm, expect_end, goal,
    goal_that_is_too_fast, slow_goal,
};

#[test]
fn roslibpy_moves_an_arm_along_a_trajectory_cancels_one_and_fails_with_one() {
    let stage = Stage::with(arm(), "");
    let Some(client) = stage.client(Kind::Python) else { return };
    let send = |goal: Value, more: Value| {
        let mut command = json!({"action": format!("/{ACTION}"), "type": TYPE, "goal": goal});
        command.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        client.command("goal", command)
    };
    let done = send(goal(), json!({}));
    let result = &done["results"][0];
    assert_eq!(
        (&result["status"], &result["values"]["error_code"]),
        (&json!(SUCCEEDED), &json!(0)),
        "{done}"
    );
    let feedback = done["feedback"].as_array().expect("a list");
    // A client that subscribes late misses the first ones.
    assert!((10..=26).contains(&feedback.len()), "{} reports in 1.2 s", feedback.len());
    assert_eq!(feedback[0]["joint_names"], json!(["shoulder", "elbow"]), "{done}");
    expect_end(&stage.host);
    let cancelled = send(slow_goal(), json!({"cancel_after": 2}));
    assert_eq!(cancelled["results"][0]["status"], CANCELED, "{cancelled}");
    let failed = send(goal_that_is_too_fast(), json!({}));
    let result = &failed["results"][0];
    assert_eq!(result["status"], ABORTED, "{failed}");
    assert_eq!(result["values"]["error_code"], PATH_TOLERANCE_VIOLATED, "{failed}");
    stage.finish();
}

#[test]
fn roslibpy_closes_the_gripper_of_an_arm() {
    let plugins = ["clock", "entities", "joint_control", "joint_state", "logging"];
    let setup = Setup::new().plugins(&plugins).in_real_time().run(&worlds().join("fr3_like.sdf"));
    let stage = Stage::with(setup, "");
    let Some(client) = stage.client(Kind::Python) else { return };
    let command = json!({
        "action": "/fr3_like/fr3_gripper/gripper_cmd",
        "type": "control_msgs/action/GripperCommand",
        "goal": {"command": {"position": 0.012, "max_effort": 20.0}},
    });
    let done = client.command("goal", command);
    let result = &done["results"][0];
    assert_eq!(result["status"], SUCCEEDED, "{done}");
    assert_eq!(result["values"]["reached_goal"], true, "{done}");
    assert_near(result["values"]["position"].as_f64().expect("a number"), 0.012, 0.0101);
    stage.finish();
}
