//! Arms: where their joints go, what they carry, and where a cube is that one of them has moved.

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

const FR3_JOINTS: [&str; 7] =
    ["fr3_joint1", "fr3_joint2", "fr3_joint3", "fr3_joint4", "fr3_joint5", "fr3_joint6", "fr3_joint7"];

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

fn joints<const N: usize>(host: &Served, model: &Model, names: [&str; N]) -> [f64; N] {
    positions(&model.read(host, "joint_states"), names)
}

#[test]
fn the_arm_with_six_axes_holds_follows_trajectories_and_positions() {
    let host = replayed(&UR5E);
    listen(&host, "/ur5e_like/joint_states");
    let expect = |pose: [f64; 6]| assert_all_near(joints(&host, &UR5E, UR_JOINTS), pose, 1e-3);
    step(&host, 3000);
    expect([0.0, -1.57, 0.0, -1.57, 0.0, 0.0]);
    step(&host, 3000);
    expect([0.0, -1.57, 1.57, -1.57, -1.57, 0.0]);
    step(&host, 4000);
    expect([0.5, -1.2, 1.4, -1.77, -1.57, 0.5]);
    let goal = [-0.6, -1.0, 1.2, -1.77, -1.57, 0.8];
    publish(&host, "/ur5e_like/joint_command", &json!({"name": UR_JOINTS, "position": goal}));
    step(&host, 5000);
    expect(goal);
    // What gravity asks of the joints in this pose, N m: the masses of the file times their distances from the axes.
    let states = UR5E.read(&host, "joint_states");
    let efforts: [f64; 6] = std::array::from_fn(|joint| {
        let place =
            states["name"].as_array().expect("names").iter().position(|name| name == UR_JOINTS[joint]);
        super::number(&states["effort"][place.expect("a joint")])
    });
    assert_all_near(efforts, [0.0, -42.1771, -19.8760, -1.8228, 0.0, 0.0], 0.01);
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
    let ready = [0.0, -FRAC_PI_4, 0.0, -3.0 * FRAC_PI_4, 0.0, FRAC_PI_2, FRAC_PI_4];
    assert_all_near(joints(&host, &FR3, FR3_JOINTS), ready, 1e-3);
    step(&host, 6000);
    let fingers = joints(&host, &FR3, ["fr3_finger_joint1", "fr3_finger_joint2"]);
    assert_all_near(fingers, [0.025, 0.025], 1e-4);
    let (cube, _) = super::pose(&host, "cube");
    assert_all_near([cube[2]], [0.6], 1e-3);
    step(&host, 8000);
    let (cube, _) = super::pose(&host, "cube");
    assert_all_near(cube, [0.45, 0.35, 0.435], 1e-3);
}
