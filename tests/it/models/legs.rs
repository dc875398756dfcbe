//! The quadruped: how high it stands, what its feet feel, and poses that it is told.

use serde_json::{Value, json};

use super::{GO2, listen, number, pose, publish, step};
use crate::support::{Served, assert_near};

/// Lengths of thigh and calf, radius of a foot, metres.
const LEG: f64 = 0.213;
const FOOT: f64 = 0.022;

fn stand(host: &Served, thigh: f64, calf: f64) {
    let legs = ["FL", "FR", "RL", "RR"];
    let names: Vec<String> = legs
        .iter()
        .flat_map(|leg| ["hip", "thigh", "calf"].map(|part| format!("{leg}_{part}_joint")))
        .collect();
    let angles: Vec<f64> = legs.iter().flat_map(|_| [0.0, thigh, calf]).collect();
    publish(host, "/go2_like/joint_command", &json!({"name": names, "position": angles}));
}

/// Height of the body with the feet on the ground; a foot is 2 mm before the end of its calf.
fn height(thigh: f64, calf: f64) -> f64 {
    let shin = -(thigh + calf);
    LEG * (thigh.cos() + shin.cos()) + 0.002 * shin.sin() + FOOT
}

#[test]
fn the_quadruped_stands_as_high_as_its_joints_say_and_its_feet_carry_it() {
    let host = GO2.start();
    let feet = ["FL", "FR", "RL", "RR"].map(|leg| format!("/go2_like/{leg}_foot_contact"));
    feet.iter().for_each(|foot| listen(&host, foot));
    step(&host, 2000);
    let at = pose(&host, "go2_like").0;
    assert_near(at[2], height(0.67, -1.3), 1e-4);
    let carried: f64 = feet.iter().map(|foot| load(&super::read(&host, foot))).sum();
    assert_near(carried, 16.087 * 9.8, 0.01);
    stand(&host, 0.9, -1.8);
    step(&host, 2000);
    assert_near(pose(&host, "go2_like").0[2], height(0.9, -1.8), 1e-4);
    stand(&host, 0.67, -1.3);
    step(&host, 2000);
    assert_near(pose(&host, "go2_like").0[2], height(0.67, -1.3), 1e-4);
}

/// The upward force on a foot, newtons.
fn load(message: &Value) -> f64 {
    let states = message["states"].as_array().expect("states");
    states.iter().map(|state| number(&state["total_wrench"]["force"]["z"])).sum()
}
