//! The imu at rest and in a known rotation.

use super::rotation::{Matrix, from_quaternion, from_rpy, into_turned, product};
use super::{GRAVITY, heavy_world, log_of_rig};
use crate::support::{Line, Setup, assert_all_near, assert_near, at, worlds};

#[test]
fn an_imu_at_rest_measures_gravity_upwards() {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "logging"]);
    let setup = setup.run(&worlds().join("minimal_vehicle.sdf")).args(["--duration", "2s"]);
    let lines = setup.bridge("robot=logging:out/run.jsonl").finish().expect_code(0).log("out/run.jsonl");
    let imu = at(&lines, "/robot/imu", 2000);
    assert_all_near(imu.vector("/message/linear_acceleration"), [0.0, 0.0, GRAVITY], 1e-3);
    assert_all_near(imu.vector("/message/angular_velocity"), [0.0; 3], 1e-3);
    let odometry = at(&lines, "/robot/odom", 2000);
    assert_near(odometry.number("/message/pose/pose/position/x"), 0.0, 1e-3);
}

/// rad/s about the vertical.
const SPIN: f64 = 2.0;
/// Metres from the axis, along x of the rotor.
const ARM: f64 = 0.3;
/// Roll, pitch and yaw of the sensor on the rotor.
const MOUNT: [f64; 3] = [0.5, -0.2, 0.4];

/// A rotor that a motor turns about the vertical, with a tilted imu at a distance from the axis.
fn carousel() -> Vec<Line> {
    let [roll, pitch, yaw] = MOUNT;
    let inertial =
        "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";
    let rig = format!(
        "<model name='rig'><link name='base'>{inertial}</link>
        <joint name='hold' type='fixed'><parent>world</parent><child>base</child></joint>
        <link name='rotor'><pose>0 0 1 0 0 0</pose>{inertial}
        <sensor name='imu' type='imu'><pose>{ARM} 0 0 {roll} {pitch} {yaw}</pose><update_rate>100</update_rate></sensor></link>
        <joint name='spin' type='revolute'><parent>base</parent><child>rotor</child><axis><xyz>0 0 1</xyz></axis></joint>
        <plugin filename='joint_velocity' name='motor'><joint_name>spin</joint_name>
        <initial_velocity>{SPIN}</initial_velocity></plugin></model>"
    );
    log_of_rig(&heavy_world(&rig), &["imu", "joint_control"], "3s")
}

#[test]
fn a_rotating_imu_measures_in_its_own_axes() {
    let lines = carousel();
    let mount = from_rpy(MOUNT);
    for milliseconds in [500, 1230, 3000] {
        let imu = at(&lines, "/rig/imu", milliseconds);
        let angular = into_turned(mount, [0.0, 0.0, SPIN]);
        assert_all_near(imu.vector("/message/angular_velocity"), angular, 1e-6);
        // The mean over a step is that of half a step ago: it is turned back by a thousandth.
        let specific = into_turned(mount, [-SPIN * SPIN * ARM, 0.0, GRAVITY]);
        assert_all_near(imu.vector("/message/linear_acceleration"), specific, 2e-3);
    }
}

#[test]
fn the_orientation_of_an_imu_is_that_of_the_sensor_in_the_world() {
    let lines = carousel();
    for (milliseconds, seconds) in [(500, 0.5), (3000, 3.0)] {
        let imu = at(&lines, "/rig/imu", milliseconds);
        let turned = product(from_rpy([0.0, 0.0, SPIN * seconds]), from_rpy(MOUNT));
        let found: Matrix = from_quaternion(imu.quaternion("/message/orientation"));
        // The motor gets its command in the first step and turns from the second on.
        for (found, expected) in found.into_iter().zip(turned) {
            assert_all_near(found, expected, 2.0 * SPIN * 0.001);
        }
    }
}
