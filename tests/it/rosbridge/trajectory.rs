//! Goals of an arm for roslibpy, as MoveIt and other clients of `joint_trajectory_controller` send them.

use serde_json::{Value, json};

use super::client::Kind;
use super::stage::Stage;
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
