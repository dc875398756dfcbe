//! The goals of an arm that both clients send, over DDS and over rosbridge, and where its joints must be after them.

use serde_json::{Value, json};

use crate::support::{Served, Setup, assert_near, root};

pub(crate) const ACTION: &str = "arm/arm_controller/follow_joint_trajectory";
pub(crate) const TYPE: &str = "control_msgs/action/FollowJointTrajectory";

// States of goals.
pub(crate) const SUCCEEDED: u64 = 4;
pub(crate) const CANCELED: u64 = 5;
pub(crate) const ABORTED: u64 = 6;

/// The error code of a goal whose joints were too far from their way.
pub(crate) const PATH_TOLERANCE_VIOLATED: i64 = -4;

/// Where the joints are after [`goal`], rad.
const END: [f64; 2] = [-0.8, 1.1];

/// A world with the arm, in real time.
pub(crate) fn arm() -> Setup {
    let file = root().join("tests/fixtures/trajectories/arm.sdf");
    Setup::new().plugins(&["joint_control", "joint_state"]).in_real_time().run(&file)
}

fn point(positions: [f64; 2], velocities: [f64; 2], milliseconds: u32) -> Value {
    json!({
        "positions": positions,
        "velocities": velocities,
        "time_from_start": {"sec": milliseconds / 1000, "nanosec": milliseconds % 1000 * 1_000_000},
    })
}

/// A goal through a point that the joints pass in motion, within tolerances of a milliradian at its end.
pub(crate) fn goal() -> Value {
    let tolerance = |name: &str| json!({"name": name, "position": 0.001, "velocity": 0.01});
    json!({
        "trajectory": {
            // Not in the order of the model.
            "joint_names": ["elbow", "shoulder"],
            "points": [point([0.4, -0.6], [0.5, -0.5], 600), point([END[1], END[0]], [0.0, 0.0], 1200)],
        },
        "goal_tolerance": [tolerance("shoulder"), tolerance("elbow")],
        "goal_time_tolerance": {"sec": 1, "nanosec": 0},
    })
}

/// A goal that takes ten seconds.
pub(crate) fn slow_goal() -> Value {
    let points = [point([0.0, 0.0], [0.0, 0.0], 10_000)];
    json!({"trajectory": {"joint_names": ["shoulder", "elbow"], "points": points}})
}

/// A goal that no joint can follow, and does not allow them to be late.
pub(crate) fn goal_that_is_too_fast() -> Value {
    let points = [point([2.0, 0.0], [0.0, 0.0], 100)];
    json!({
        "trajectory": {"joint_names": ["shoulder", "elbow"], "points": points},
        "path_tolerance": [{"name": "shoulder", "position": 0.05}],
    })
}

/// Positions of shoulder and elbow.
#[track_caller]
pub(crate) fn positions(host: &Served) -> [f64; 2] {
    let read = host.ok("read_topic", json!({"topic": "/arm/joint_states"}));
    let states: Value = serde_json::from_str(read["json"].as_str().expect("a text")).expect("JSON");
    assert_eq!(states["name"], json!(["shoulder", "elbow"]), "{states}");
    [0, 1].map(|joint| states["position"][joint].as_f64().expect("a number"))
}

/// The arm is where [`goal`] ends.
#[track_caller]
pub(crate) fn expect_end(host: &Served) {
    // The subscription of the first reading begins with it.
    host.ok("read_topic", json!({"topic": "/arm/joint_states"}));
    crate::support::eventually("its states are published", || {
        !host.ok("read_topic", json!({"topic": "/arm/joint_states"}))["json"]
            .as_str()
            .unwrap_or("")
            .is_empty()
    });
    for (position, end) in positions(host).into_iter().zip(END) {
        assert_near(position, end, 1e-3);
    }
}
