//! The force-torque sensor, compared with statics.

use super::rotation::{from_rpy, into_turned};
use super::{GRAVITY, heavy_world, log_of_rig};
use crate::support::{assert_all_near, at};

/// Kilograms.
const MASS: f64 = 2.0;
/// Metres from the joint to the centre of mass, in world axes.
const REACH: [f64; 3] = [0.5, -0.2, -0.3];
/// Roll, pitch and yaw of the hanging link in the world.
const TURN: [f64; 3] = [0.3, -0.6, 1.0];

/// Force and torque that the sensor measures after a second at a joint of this type, which holds the mass.
fn wrench(joint: &str, sensor: &str) -> [[f64; 3]; 2] {
    let [x, y, z] = into_turned(from_rpy(TURN), REACH);
    let [roll, pitch, yaw] = TURN;
    let inertia = "<inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.015</izz></inertia>";
    let rig = format!(
        "<model name='rig'><link name='ceiling'><inertial><mass>1</mass>{inertia}</inertial></link>
        <joint name='hold' type='fixed'><parent>world</parent><child>ceiling</child></joint>
        <link name='load'><pose>0 0 -0.1 {roll} {pitch} {yaw}</pose>
        <inertial><pose>{x} {y} {z} 0 0 0</pose><mass>{MASS}</mass>{inertia}</inertial></link>
        <joint name='hook' type='{joint}'><parent>ceiling</parent><child>load</child>
        <axis><xyz expressed_in='__model__'>0 0 1</xyz></axis>
        <sensor name='scales' type='force_torque'><topic>wrench</topic><update_rate>10</update_rate>
        <force_torque>{sensor}</force_torque></sensor></joint></model>"
    );
    let lines = log_of_rig(&heavy_world(&rig), &["force_torque"], "1s");
    let message = at(&lines, "/rig/wrench", 1000);
    [message.vector("/message/wrench/force"), message.vector("/message/wrench/torque")]
}

/// The weight of the load and its moment about the joint, in world axes.
fn weight() -> [[f64; 3]; 2] {
    let [x, y, _] = REACH;
    let newtons = -MASS * GRAVITY;
    [[0.0, 0.0, newtons], [y * newtons, -x * newtons, 0.0]]
}

#[test]
fn a_hanging_load_pulls_with_its_weight_in_the_axes_of_the_child() {
    let expected = weight().map(|vector| into_turned(from_rpy(TURN), vector));
    let found = wrench("fixed", "");
    assert_all_near(found[0], expected[0], 1e-3 * MASS * GRAVITY);
    assert_all_near(found[1], expected[1], 1e-3 * MASS * GRAVITY);
}

#[test]
fn the_parent_exerts_the_opposite_wrench_in_its_own_axes() {
    let expected = weight().map(|vector| vector.map(|component| -component));
    let settings = "<frame>parent</frame><measure_direction>parent_to_child</measure_direction>";
    let found = wrench("fixed", settings);
    assert_all_near(found[0], expected[0], 1e-3 * MASS * GRAVITY);
    assert_all_near(found[1], expected[1], 1e-3 * MASS * GRAVITY);
}

/// About the vertical the load is balanced, so a hinge there holds it as a fixed joint does.
#[test]
fn a_hinge_about_the_vertical_bears_the_same_load() {
    let expected = weight().map(|vector| into_turned(from_rpy(TURN), vector));
    let found = wrench("revolute", "");
    assert_all_near(found[0], expected[0], 1e-3 * MASS * GRAVITY);
    assert_all_near(found[1], expected[1], 1e-3 * MASS * GRAVITY);
}
