//! Tests of the effects of commands: joints and models reach the positions that the worlds' controllers should give
//! them.
//!
//! The world files are unmodified; observers are attached by configuration.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::table::{Row, TABLE};
use super::{Finished, run};
use crate::support::{Line, Setup};

fn row(file: &str) -> &'static Row {
    TABLE.iter().find(|row| row.file == file).expect("a row of the table")
}

/// Runs a world with an observer on each of these models.
fn observed(file: &str, observer: &str, models: &[&str]) -> Option<Finished> {
    let attach = |model: &&str| format!("[[plugin]]\nattach = \"{model}\"\nplugin = \"{observer}\"\n");
    let config: String = models.iter().map(attach).collect();
    run(row(file), |setup: Setup| setup.config(&config))
}

/// Returns the last message on a topic at or before a time in seconds.
fn at(finished: &Finished, topic: &str, seconds: f64) -> Line {
    let lines = finished.log("out/run.jsonl");
    #[expect(clippy::cast_precision_loss, reason = "below 2^53 for four months")]
    let is_before = |line: &Line| line.count("stamp") as f64 <= seconds * 1e9 + 0.5;
    let found = lines.into_iter().rfind(|line| line.is_topic(topic) && is_before(line));
    found.unwrap_or_else(|| panic!("no message on {topic} before {seconds} s\n{finished}"))
}

/// Returns the position of joint `index` at a time.
fn joint(finished: &Finished, model: &str, index: usize, seconds: f64) -> f64 {
    at(finished, &format!("/{model}/joint_states"), seconds).number(&format!("/message/position/{index}"))
}

/// Returns the position of a model at a time.
fn position(finished: &Finished, model: &str, seconds: f64) -> [f64; 3] {
    let line = at(finished, &format!("/{model}/pose"), seconds);
    ["x", "y", "z"].map(|axis| line.number(&format!("/message/pose/position/{axis}")))
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} ± {tolerance}");
}

#[test]
fn joints_turn_with_the_commanded_velocity() {
    let models = ["joint_controller_demo", "joint_controller_demo_2"];
    let Some(finished) = observed("joint_controller.sdf", "joint_state", &models) else { return };
    // The first is a motor: 5 rad/s for two seconds, then -1 rad/s.
    assert_near(joint(&finished, models[0], 0, 2.0), 10.0, 0.05);
    assert_near(joint(&finished, models[0], 0, 10.0), 10.0 - 8.0, 0.1);
    // The second is pushed by a force towards 10 rad/s.
    let turned = joint(&finished, models[1], 0, 10.0) - joint(&finished, models[1], 0, 9.0);
    assert_near(turned, 10.0, 1.0);
}

#[test]
fn a_joint_reaches_the_commanded_position() {
    let model = "joint_position_controller_demo";
    let Some(finished) = observed("joint_position_controller.sdf", "joint_state", &[model]) else { return };
    assert_near(joint(&finished, model, 0, 10.0), -1.0, 0.05);
}

#[test]
fn arms_follow_their_trajectories() {
    let models = ["RR_position_control", "RR_velocity_control", "RR_effort_control"];
    let Some(finished) = observed("joint_trajectory_controller.sdf", "joint_state", &models) else { return };
    assert_near(joint(&finished, models[0], 0, 10.0), -FRAC_PI_2, 0.05);
    assert_near(joint(&finished, models[0], 1, 10.0), 0.0, 0.05);
    let swung = |index| joint(&finished, models[1], index, 2.0) - joint(&finished, models[1], index, 1.5);
    assert_near(swung(0), FRAC_PI_4 * 0.5, 0.05);
    assert_near(swung(1), -FRAC_PI_4 * 0.5, 0.05);
    let pushed = joint(&finished, models[2], 0, 1.5) - joint(&finished, models[2], 0, 1.0);
    assert!(pushed < -0.01, "an effort of -1.3 N m moved the joint by {pushed} rad");
}

#[test]
fn models_move_with_the_commanded_velocity() {
    let models = ["vehicle_blue", "vehicle_green"];
    let Some(finished) = observed("velocity_control.sdf", "model_pose", &models) else { return };
    // Green moves on a circle with a radius of 3 m to the right from the start. Its wheels do not turn: in each step
    // friction reduces the velocity that was set by up to the friction coefficient times g times a millisecond, 1 cm/s.
    let before = position(&finished, models[1], 0.02);
    let [x, y, _] = position(&finished, models[1], 10.0);
    assert_near(x - before[0], 3.0 * 1.0_f64.sin(), 0.15);
    assert_near(y - before[1], -3.0 * (1.0 - 1.0_f64.cos()), 0.15);
    let before = position(&finished, models[0], 1.0);
    let [x, y, _] = position(&finished, models[0], 10.0);
    // Blue moves on a circle with a radius of 5 m to the left for nine seconds.
    assert_near(x - before[0], 5.0 * 0.9_f64.sin(), 0.15);
    assert_near(y - before[1], 5.0 * (1.0 - 0.9_f64.cos()), 0.15);
}

#[test]
fn a_car_drives_to_the_left() {
    let Some(finished) = observed("ackermann_steering.sdf", "model_pose", &["vehicle_blue"]) else { return };
    let (before, after) =
        (position(&finished, "vehicle_blue", 1.0), position(&finished, "vehicle_blue", 10.0));
    let distance = (after[0] - before[0]).hypot(after[1] - before[1]);
    assert!((3.0..4.6).contains(&distance), "{distance} m in nine seconds at 0.5 m/s");
    assert!(after[1] - before[1] > 1.0, "it turned by {} m", after[1] - before[1]);
}

#[test]
fn crates_are_detached_and_attached_again() {
    let Some(finished) = observed("detachable_joint.sdf", "model_pose", &["B1", "B2", "B3"]) else { return };
    // The vehicle does not move. B1 falls when it is detached at 3 s; B3 stays attached.
    let height = |model, seconds| position(&finished, model, seconds)[2];
    assert_near(height("B1", 2.9), height("B3", 2.9), 0.02);
    assert!(height("B1", 9.0) < height("B1", 2.9) - 0.02, "B1 did not fall: {} m", height("B1", 9.0));
    assert_near(height("B3", 9.9), height("B3", 2.9), 0.02);
}

#[test]
fn breadcrumbs_are_spawned_behind_the_vehicle() {
    let Some(finished) = observed("breadcrumbs.sdf", "ground_truth", &["world"]) else { return };
    let detections = at(&finished, "/ground_truth", 10.0);
    let labels: Vec<&str> = detections["message"]["detections"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|detection| detection["label"].as_str())
        .collect();
    assert_eq!(labels, ["vehicle_blue", "B1_0", "B1_1"]);
    assert_eq!(detections.number("/message/detections/1/bbox/size/z"), 0.5);
}

#[test]
fn a_moving_vehicle_drains_its_battery() {
    let Some(finished) = run(row("linear_battery_demo.sdf"), |setup| setup) else { return };
    let charge = |vehicle: &str, seconds| {
        at(&finished, &format!("/{vehicle}/battery/linear_battery/state"), seconds)
            .number("/message/percentage")
    };
    assert_near(charge("vehicle_green", 10.0), 1.0, 1e-6);
    assert_near(charge("vehicle_blue", 0.9), 1.0, 1e-6);
    // 2.1 W at 12.592 V for nine seconds out of 1.2009 A h, less one second, the time constant of the battery.
    let expected = 1.0 - 2.1 / 12.592 * 8.0 / 3600.0 / 1.2009;
    assert_near(charge("vehicle_blue", 10.0), expected, 1e-5);
}

#[test]
fn a_pendulum_joined_to_the_world_swings_and_a_nested_model_stays_above_the_ground() {
    let Some(finished) = observed("world_joint.sdf", "model_pose", &["pendulum"]) else { return };
    // It starts level and is held at its end. With 1 kg and 1 kg m² its first acceleration is m g r / (I + m r²) =
    // 2.3 rad/s².
    let [hinge_y, hinge_z, radius] = [-0.25, 0.5, 0.25_f64];
    let fallen = |seconds| {
        let [_, y, z] = position(&finished, "pendulum", seconds);
        assert_near((y - hinge_y).hypot(z - hinge_z), radius, 1e-3);
        (hinge_z - z).atan2(y - hinge_y)
    };
    let rate = 9.8 * radius / (1.0 + radius * radius);
    assert_near(fallen(0.3), rate * 0.3 * 0.3 / 2.0, 0.002);
    assert!(fallen(1.2) > 1.2, "after 1.2 s it has fallen by {} rad", fallen(1.2));
    let Some(finished) = observed("nested_model.sdf", "model_pose", &["model_00"]) else { return };
    assert!(position(&finished, "model_00", 10.0)[2] > 0.0);
}

#[test]
fn submarines_rise_and_sink_by_their_density() {
    let models = ["submarine", "submarine_buoyant", "submarine_sinking"];
    let Some(finished) = observed("buoyancy.sdf", "model_pose", &models) else { return };
    // With half and one and a half times the density of water: a = g (ρ_w / ρ - 1).
    assert_near(position(&finished, models[1], 10.0)[2], 9.8 * 50.0, 0.3);
    assert_near(position(&finished, models[2], 10.0)[2], -9.8 / 3.0 * 50.0, 0.2);
    // The neutral one stays at its depth, and its propeller drives it.
    let [_, y, z] = position(&finished, models[0], 10.0);
    assert!(y > 10.0 && z.abs() < 1.0, "{y} {z}");
}

#[test]
fn a_joint_force_is_balanced_by_the_damping() {
    let model = "joint_force_example";
    let Some(finished) = observed("apply_joint_force.sdf", "joint_state", &[model]) else { return };
    // 0.001 N m against 0.0001 N m s/rad.
    assert_near(joint(&finished, model, 0, 10.0) - joint(&finished, model, 0, 9.0), 10.0, 0.05);
}

#[test]
fn a_wrench_of_the_file_moves_its_box_until_it_is_cleared() {
    let Some(finished) = observed("apply_link_wrench.sdf", "model_pose", &["box", "cylinder"]) else {
        return;
    };
    let x = |seconds| position(&finished, "box", seconds)[0];
    assert!(x(2.0) < -0.5 && x(2.0) - x(1.0) < x(1.0) - x(0.001), "{} {}", x(1.0), x(2.0));
    assert_near(x(10.0), x(9.0), 0.01);
    assert!(position(&finished, "cylinder", 10.0)[1] > 2.001);
}

#[test]
fn blades_drive_a_plane() {
    let Some(finished) = observed("plane_propeller_demo.sdf", "model_pose", &["propeller_plane"]) else {
        return;
    };
    assert!(position(&finished, "propeller_plane", 10.0)[0].abs() > 5.0);
}

/// A world with steps of four milliseconds.
const TRACKS: Row = Row {
    file: "tracked_vehicle_simple.sdf",
    commands: &[("/simple_tracked/cmd_vel", 1, "{\"linear\":{\"x\":0.5}}")],
    topics: &[],
    unsupported: &[],
};

#[test]
fn a_vehicle_on_tracks_and_flippers_climbs_stairs() {
    let observer = "[[plugin]]\nattach = \"simple_tracked\"\nplugin = \"model_pose\"\n";
    let Some(finished) = run(&TRACKS, |setup: Setup| setup.config(observer)) else { return };
    let before = position(&finished, "simple_tracked", 2.0);
    assert_near(position(&finished, "simple_tracked", 4.0)[0] - before[0], 0.5 * 2.0, 0.03);
    let [x, y, z] = position(&finished, "simple_tracked", 10.0);
    assert!(x > 7.0 && y.abs() < 0.2 && z > 0.8, "{x} {y} {z}");
}
