//! The drive through its C functions: wheel speeds from commands, odometry from wheel angles.

use std::f64::consts::{FRAC_PI_2, PI};

use bridgehead_plugin_api::host::{JointKind, JointState, Level};
use bridgehead_plugin_api::messages::geometry_msgs::Quaternion;
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::sensor_msgs::Imu;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::DiffDrive;

/// Metres.
const SEPARATION: f64 = 0.5;
/// Metres.
const RADIUS: f64 = 0.1;

fn vehicle() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car1")
        .link("base_footprint")
        .link("base_link")
        .joint("left", JointKind::Continuous)
        .joint("right", JointKind::Revolute)
        .joint("mount", JointKind::Fixed)
        .params([("wheel_separation", "0.5"), ("wheel_radius", "0.1")])
}

fn drive() -> TestHostBuilder {
    vehicle().params([("left_joint", "left"), ("right_joint", "right")])
}

fn started(host: TestHost) -> TestModel<DiffDrive> {
    host.listen("odom");
    host.listen("/tf");
    TestModel::started(host)
}

fn twist(linear: f64, angular: f64) -> Twist {
    Twist { linear: Some(Vector3::new(linear, 0.0, 0.0)), angular: Some(Vector3::new(0.0, 0.0, angular)) }
}

/// Returns the wheel speeds, rad/s.
fn wheel_speeds(host: TestHost) -> [f64; 2] {
    ["left", "right"].map(|joint| host.commanded_velocity(joint).expect("a command"))
}

#[track_caller]
fn assert_close<const N: usize>(found: [f64; N], expected: [f64; N]) {
    let distance = (0..N).map(|index| (found[index] - expected[index]).abs()).fold(0.0, f64::max);
    assert!(distance < 1e-9, "{found:?} is not {expected:?}");
}

/// Turns the wheels so that the vehicle has driven `arc` metres and turned by `turn` radians in total.
fn roll(host: TestHost, arc: f64, turn: f64) {
    let side = turn * SEPARATION / 2.0;
    for (joint, way) in [("left", arc - side), ("right", arc + side)] {
        host.set_joint_state(joint, JointState { position: way / RADIUS, velocity: 0.0, effort: 0.0 });
    }
}

/// Returns x, y and heading of the last odometry.
fn pose(host: TestHost) -> [f64; 3] {
    let pose = host.last::<Odometry>("odom").pose.and_then(|pose| pose.pose).expect("pose");
    let (position, orientation) = (pose.position.expect("position"), pose.orientation.expect("orientation"));
    [position.x, position.y, 2.0 * orientation.z.atan2(orientation.w)]
}

#[test]
fn a_twist_becomes_two_wheel_speeds() {
    let host = drive().build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(1.0, 0.8));
    model.step().expect_done();
    assert_close(
        wheel_speeds(host),
        [(1.0 - 0.8 * SEPARATION / 2.0) / RADIUS, (1.0 + 0.8 * SEPARATION / 2.0) / RADIUS],
    );
}

#[test]
fn only_the_newest_command_of_a_step_applies() {
    let host = drive().build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(1.0, 0.0));
    host.send("cmd_vel", &twist(-2.0, 0.0));
    model.step().expect_done();
    assert_close(wheel_speeds(host), [-20.0, -20.0]);
}

#[test]
fn several_wheels_on_a_side_share_speed_and_torque_limit() {
    let host = vehicle()
        .joint("left_rear", JointKind::Continuous)
        .params([("left_joint[0]", "left"), ("left_joint[1]", "left_rear"), ("right_joint", "right")])
        .param("max_wheel_torque", 7.5)
        .build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(0.5, 0.0));
    model.step().expect_done();
    let joints = ["left", "left_rear", "right"].map(|name| host.joint(name).id);
    let expected = joints.map(|joint| TestCommand::JointVelocity { joint, velocity: 5.0, max_effort: 7.5 });
    assert_eq!(host.take_commands(), expected);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_vehicle_stands_without_commands_and_stops_when_they_expire() {
    let host = drive().build();
    let mut model = started(host);
    model.step().expect_done();
    assert_close(wheel_speeds(host), [0.0, 0.0]);
    host.send("cmd_vel", &twist(1.0, 0.0));
    model.run(501).expect_done();
    assert_close(wheel_speeds(host), [10.0, 10.0]);
    model.step().expect_done();
    assert_close(wheel_speeds(host), [0.0, 0.0]);
}

#[test]
fn a_command_without_timeout_does_not_expire() {
    let host = drive().param("command_timeout", 0).build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(1.0, 0.0));
    model.run(5000).expect_done();
    assert_close(wheel_speeds(host), [10.0, 10.0]);
}

#[test]
fn a_command_that_is_not_finite_is_ignored_with_one_warning() {
    let host = drive().build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(1.0, 0.0));
    model.step().expect_done();
    for (linear, angular) in [(f64::NAN, f64::INFINITY), (1e300, 0.0), (0.0, -1e300)] {
        host.send("cmd_vel", &twist(linear, angular));
        model.step().expect_done();
    }
    assert_close(wheel_speeds(host), [10.0, 10.0]);
    let warnings = host.log_lines().into_iter().filter(|line| line.level == Level::Warn).count();
    assert_eq!(warnings, 1);
    assert!(host.has_logged(Level::Warn, "ignored a command of NaN m/s and inf rad/s"));
}

#[test]
fn speed_and_acceleration_are_limited() {
    let host = drive()
        .params([
            ("max_velocity", "9"),
            ("max_linear_velocity", "1"),
            ("min_linear_velocity", "-0.5"),
            ("max_acceleration", "100"),
        ])
        .build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(3.0, 0.0));
    model.step().expect_done();
    assert_close(wheel_speeds(host), [1.0, 1.0]);
    model.run(20).expect_done();
    assert_close(wheel_speeds(host), [10.0, 10.0]);
    host.send("cmd_vel", &twist(-3.0, 0.0));
    model.run(20).expect_done();
    assert_close(wheel_speeds(host), [-5.0, -5.0]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_straight_drive_is_a_straight_line() {
    let host = drive().build();
    let mut model = started(host);
    for step in 1..=1000 {
        roll(host, f64::from(step) * 0.002, 0.0);
        model.step().expect_done();
    }
    assert_close(pose(host), [2.0, 0.0, 0.0]);
    let odometry: Odometry = host.last("odom");
    let twist = odometry.twist.and_then(|twist| twist.twist).expect("twist");
    assert_close([twist.linear.expect("linear").x, twist.angular.expect("angular").z], [2.0, 0.0]);
    assert_eq!(host.published("odom").len(), 50);
}

#[test]
fn an_arc_ends_at_its_geometric_end() {
    let host = drive().build();
    let mut model = started(host);
    for step in 1..=1000 {
        let part = f64::from(step) / 1000.0;
        roll(host, part * 3.0 * FRAC_PI_2, part * FRAC_PI_2);
        model.step().expect_done();
    }
    assert_close(pose(host), [3.0, 3.0, FRAC_PI_2]);
}

#[test]
fn turning_on_the_spot_does_not_move() {
    let host = drive().build();
    let mut model = started(host);
    for step in 1..=1000 {
        roll(host, 0.0, -PI / 2.0 * f64::from(step) / 1000.0);
        model.step().expect_done();
    }
    assert_close(pose(host), [0.0, 0.0, -PI / 2.0]);
}

#[test]
fn frames_are_from_the_odometry_frame_to_the_base_link() {
    let host = drive().build();
    let mut model = started(host);
    roll(host, 0.3, 0.0);
    model.run(20).expect_done();
    let odometry: Odometry = host.last("odom");
    let header = odometry.header.expect("header");
    assert_eq!((header.frame_id.as_str(), odometry.child_frame_id.as_str()), ("car1/odom", "car1/base_link"));
    assert_eq!(header.stamp_nanos(), 20_000_000);

    let transforms = host.last::<TfMessage>("/tf").transforms;
    let [transform] = transforms.as_slice() else { panic!("one transform, not {transforms:?}") };
    assert_eq!(transform.header.as_ref().expect("header").frame_id, "car1/odom");
    assert_eq!(transform.child_frame_id, "car1/base_link");
    let translation = transform.transform.as_ref().and_then(|transform| transform.translation.as_ref());
    assert_close([translation.expect("translation").x], [0.3]);
}

#[test]
fn topics_and_frames_can_be_chosen_and_transforms_disabled() {
    let host = drive()
        .params([("topic", "/drive"), ("odom_topic", "wheels/odom"), ("publish_tf", "false")])
        .params([("frame_id", "map"), ("child_frame_id", "robot"), ("odom_publish_frequency", "0")])
        .build();
    host.listen("wheels/odom");
    let mut model = TestModel::<DiffDrive>::started(host);
    model.run(3).expect_done();
    assert_eq!(host.subscribed_topics(), ["/drive"]);
    let topics: Vec<String> = host.topics().into_iter().map(|topic| topic.name).collect();
    assert_eq!(topics, ["/car1/wheels/odom"]);
    let all = host.decoded::<Odometry>("wheels/odom");
    assert_eq!(all.len(), 3);
    assert_eq!(
        (all[0].header.as_ref().expect("header").frame_id.as_str(), all[0].child_frame_id.as_str()),
        ("map", "robot")
    );
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_reset_clears_the_odometry_and_the_command() {
    let host = drive().build();
    let mut model = started(host);
    host.send("cmd_vel", &twist(1.0, 0.0));
    roll(host, 5.0, 1.0);
    model.run(20).expect_done();
    assert!((pose(host)[2] - 1.0).abs() < 1e-9);
    roll(host, 0.0, 0.0);
    model.reset(ResetScope::ALL).expect_done();
    model.run(20).expect_done();
    assert_close(pose(host), [0.0; 3]);
    assert_close(wheel_speeds(host), [0.0, 0.0]);
}

#[test]
fn the_first_step_counts() {
    let host = drive().param("odom_publish_frequency", 0).build();
    let mut model = started(host);
    roll(host, 0.25, 0.0);
    model.step().expect_done();
    assert_close(pose(host), [0.25, 0.0, 0.0]);
}

/// Returns why `awake` refuses the vehicle with one more parameter.
fn refusal(host: TestHostBuilder) -> String {
    TestModel::<DiffDrive>::create(host.build()).awake().expect_failed().text().to_owned()
}

#[test]
fn invalid_parameters_are_refused() {
    let missing = refusal(vehicle().param("left_joint", "left"));
    assert!(missing.starts_with("parameter `right_joint` is missing"), "{missing}");

    let unknown = refusal(vehicle().params([("left_joint", "left"), ("right_joint", "wheel")]));
    let text = "parameter `right_joint[0]`: the model has no joint `wheel`; it has: left, right, mount";
    assert_eq!(unknown, text);

    let fixed = refusal(vehicle().params([("left_joint", "left"), ("right_joint", "mount")]));
    assert!(
        fixed.ends_with("is `mount`; expected a joint that turns about one axis (revolute or continuous)"),
        "{fixed}"
    );

    let limit = refusal(drive().param("max_linear_velocity", -1));
    assert!(limit.ends_with("`max_linear_velocity` is `-1`; expected 0 or more"), "{limit}");

    let timeout = refusal(drive().param("command_timeout", -1));
    assert!(timeout.ends_with("is `-1`; expected seconds, or 0 for commands that never expire"), "{timeout}");

    let torque = refusal(drive().param("max_wheel_torque", 0));
    assert!(torque.ends_with("`max_wheel_torque` is `0`; expected a number above 0"), "{torque}");
}

/// A sample of an imu with that heading and yaw rate.
fn imu(heading: f64, rate: f64) -> Imu {
    let (z, w) = (heading / 2.0).sin_cos();
    Imu {
        orientation: Some(Quaternion { x: 0.0, y: 0.0, z, w }),
        angular_velocity: Some(Vector3::new(0.0, 0.0, rate)),
        ..Imu::default()
    }
}

#[test]
fn an_imu_gives_the_heading_if_wheels_slip() {
    let host = drive().params([("imu_topic", "imu"), ("odom_publish_frequency", "0")]).build();
    let mut model = started(host);
    host.send("imu", &imu(1.0, 0.0));
    model.step().expect_done();
    assert_close(pose(host), [0.0, 0.0, 0.0]);
    // The wheels turn it by 0.3; the imu reports 0.2 with the next step.
    roll(host, 0.0, 0.3);
    host.send("imu", &imu(1.2, 0.7));
    model.step().expect_done();
    assert_close(pose(host), [0.0, 0.0, 0.3]);
    roll(host, 1.0, 0.3);
    model.step().expect_done();
    assert_close(pose(host), [0.2_f64.cos(), 0.2_f64.sin(), 0.2]);
    let twist = host.last::<Odometry>("odom").twist.and_then(|twist| twist.twist).expect("twist");
    assert_close([twist.linear.expect("linear").x, twist.angular.expect("angular").z], [1000.0, 0.7]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn an_imu_is_used_from_its_first_sample_after_a_reset_and_not_without_orientation() {
    let host = drive().params([("imu_topic", "imu"), ("odom_publish_frequency", "0")]).build();
    let mut model = started(host);
    host.send("imu", &imu(1.0, 0.0));
    model.step().expect_done();
    host.send("imu", &imu(2.0, 0.5));
    model.reset(ResetScope::ALL).expect_done();
    let mut heading = |sample: Imu| {
        host.send("imu", &sample);
        model.run(2).expect_done();
        pose(host)[2]
    };
    assert_close([heading(imu(-3.0, 0.0))], [0.0]);
    assert_close([heading(imu(-2.5, 0.0))], [0.5]);
    // Beyond half a circle the heading continues.
    assert_close([heading(imu(-0.5, 0.0)), heading(imu(1.0, 0.0))], [2.5, 4.0]);
    let mut blind = imu(0.0, 0.0);
    blind.orientation_covariance = vec![-1.0; 9];
    assert_close([heading(blind)], [4.0]);
}
