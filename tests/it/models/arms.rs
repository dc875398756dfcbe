//! Arms: where their joints go, and where the tool is by the closed forms in the files of the models.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use serde_json::{Value, json};

use super::{FR3, Model, UR5E, listen, positions, publish, step};
use crate::support::{PAUSED, Served, assert_all_near, eventually, worlds};

const UR_JOINTS: [&str; 6] = [
    "shoulder_pan_joint",
    "shoulder_lift_joint",
    "elbow_joint",
    "wrist_1_joint",
    "wrist_2_joint",
    "wrist_3_joint",
];

const FR3_JOINTS: [&str; 7] = [
    "fr3_joint1",
    "fr3_joint2",
    "fr3_joint3",
    "fr3_joint4",
    "fr3_joint5",
    "fr3_joint6",
    "fr3_joint7",
];

/// Starts the world with the recorded commands of the arm.
#[track_caller]
fn replayed(model: &Model) -> Served {
    let commands = worlds().join(format!("{}.commands.jsonl", model.name));
    let setup = model.setup().plugins(&["replay"]);
    let setup = setup.bridge(format!("{}=replay:{}", model.name, commands.display()));
    let host = Served::start(setup.args(["--start", "paused", "--speed", "unlimited"]));
    eventually("paused", || host.state() == PAUSED);
    host
}

/// The tool of the UR-like arm in its base, from the closed form in the head comment of its file.
fn tool([q1, q2, q3, q4, q5, _]: [f64; 6]) -> [f64; 3] {
    let (q23, q234) = (q2 + q3, q2 + q3 + q4);
    let along = 0.425 * q2.cos() + 0.3922 * q23.cos() - 0.0997 * q234.sin() + 0.0996 * q234.cos() * q5.sin();
    let across = 0.1333 + 0.0996 * q5.cos();
    let up = 0.1625 - 0.425 * q2.sin() - 0.3922 * q23.sin() - 0.0997 * q234.cos() - 0.0996 * q234.sin() * q5.sin();
    [q1.cos() * along - q1.sin() * across, q1.sin() * along + q1.cos() * across, up]
}

/// Position of a link in the world: along the frames that the model publishes.
#[track_caller]
fn link(host: &Served, model: &Model, link: &str) -> [f64; 3] {
    let state = host.ok("get_entity_state", json!({"entity": format!("{}::{link}", model.name)}));
    super::vector(&state["state"]["pose"]["position"])
}

fn joints<const N: usize>(host: &Served, model: &Model, names: [&str; N]) -> [f64; N] {
    positions(&model.read(host, "joint_states"), names)
}

#[test]
fn the_arm_with_six_axes_holds_follows_trajectories_and_positions() {
    let host = replayed(&UR5E);
    listen(&host, "/ur5e_like/joint_states");
    let expect = |pose: [f64; 6]| {
        assert_all_near(joints(&host, &UR5E, UR_JOINTS), pose, 1e-3);
        let [x, y, z] = tool(joints(&host, &UR5E, UR_JOINTS));
        // The base is 0.6 m up.
        assert_all_near(link(&host, &UR5E, "tool0"), [x, y, z + 0.6], 1e-4);
    };
    step(&host, 3000);
    expect([0.0, -1.57, 0.0, -1.57, 0.0, 0.0]);
    step(&host, 3000);
    expect([0.0, -1.57, 1.57, -1.57, -1.57, 0.0]);
    step(&host, 4000);
    expect([0.5, -1.2, 1.4, -1.77, -1.57, 0.5]);
    let goal = [-0.6, -1.0, 1.2, -1.77, -1.57, 0.8];
    publish(&host, "/ur5e_like/joint_command", &json!({"name": UR_JOINTS, "position": goal}));
    step(&host, 3000);
    expect(goal);
    // A trajectory takes over again.
    let point = json!({"positions": vec![0.0; 6], "velocities": vec![0.0; 6], "time_from_start": {"sec": 2}});
    let trajectory: Value = json!({"joint_names": UR_JOINTS, "points": [point]});
    publish(&host, "/ur5e_like/scaled_joint_trajectory_controller/joint_trajectory", &trajectory);
    step(&host, 5000);
    expect([0.0; 6]);
}

#[test]
fn the_arm_with_seven_axes_takes_a_cube_and_puts_it_into_the_tray() {
    let host = replayed(&FR3);
    listen(&host, "/fr3_like/joint_states");
    step(&host, 3000);
    let ready =
        [0.0, -FRAC_PI_4, 0.0, -3.0 * FRAC_PI_4, 0.0, FRAC_PI_2, FRAC_PI_4];
    assert_all_near(joints(&host, &FR3, FR3_JOINTS), ready, 1e-3);
    // 0.4 m above the ground, and (0.3069, 0.5903) in the base by the closed form of its file.
    assert_all_near(link(&host, &FR3, "fr3_link8"), [0.306_891, 0.0, 0.990_282], 1e-4);
    step(&host, 6000);
    let fingers = joints(&host, &FR3, ["fr3_finger_joint1", "fr3_finger_joint2"]);
    assert_all_near(fingers, [0.025, 0.025], 1e-4);
    let (cube, _) = super::pose(&host, "cube");
    assert_all_near([cube[2]], [0.6], 1e-3);
    step(&host, 8000);
    let (cube, _) = super::pose(&host, "cube");
    assert_all_near(cube, [0.45, 0.35, 0.435], 1e-3);
}
