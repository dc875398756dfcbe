//! The drive through its C functions.

use bridgehead_plugin_api::host::{JointKind, JointState, Level};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::*;

fn vehicle(mut builder: TestHostBuilder) -> TestHost {
    builder =
        builder.vehicle("crab").link("base").params([("wheel_radius", "0.1"), ("wheel_separation", "0.6")]);
    for path in JOINTS {
        builder = builder.joint(path, JointKind::Continuous).param(path, path);
    }
    builder.param("wheelbase", 0.4).build()
}

fn twist(x: f64, y: f64, turn: f64) -> Twist {
    Twist { linear: Some(Vector3::new(x, y, 0.0)), angular: Some(Vector3::new(0.0, 0.0, turn)) }
}

fn rates(host: TestHost) -> Corners {
    JOINTS.map(|joint| host.commanded_velocity(joint).map_or(f64::NAN, |rate| (rate * 1e9).round() / 1e9))
}

#[test]
fn a_command_turns_each_wheel_and_expires() {
    let host = vehicle(TestHost::builder().param("command_timeout", 0.01));
    let mut model = TestModel::<MecanumDrive>::started(host);
    host.send("cmd_vel", &twist(0.5, 0.2, 0.4));
    model.step().expect_done();
    assert_eq!(rates(host), [1.0, 9.0, 5.0, 5.0]);
    for bad in [twist(f64::NAN, 0.0, 0.0), twist(0.0, f64::INFINITY, 0.0), twist(0.0, 0.0, 1e300)] {
        host.send("cmd_vel", &bad);
        model.step().expect_done();
        assert_eq!(rates(host), [1.0, 9.0, 5.0, 5.0]);
    }
    assert!(host.has_logged(Level::Warn, "ignored a command"));
    model.run(20).expect_done();
    assert_eq!(rates(host), [0.0; 4]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn speeds_are_limited_in_every_direction() {
    let host = vehicle(
        TestHost::builder().params([("max_linear_velocity", "0.1"), ("max_angular_velocity", "0.2")]),
    );
    let mut model = TestModel::<MecanumDrive>::started(host);
    host.send("cmd_vel", &twist(0.0, 9.0, 0.0));
    model.step().expect_done();
    assert_eq!(rates(host), [-1.0, 1.0, 1.0, -1.0]);
    host.send("cmd_vel", &twist(0.0, 0.0, 9.0));
    model.step().expect_done();
    assert_eq!(rates(host), [-1.0, 1.0, -1.0, 1.0]);
}

#[test]
fn odometry_follows_the_wheels_sideways_too() {
    let host = vehicle(TestHost::builder().param("odom_publish_frequency", 0));
    host.listen("odom");
    let mut model = TestModel::<MecanumDrive>::started(host);
    model.step().expect_done();
    for (joint, position) in JOINTS.into_iter().zip([-1.0, 1.0, 1.0, -1.0]) {
        host.set_joint_state(joint, JointState { position, velocity: 0.0, effort: 0.0 });
    }
    model.step().expect_done();
    let odometry = host.last::<Odometry>("odom");
    let position = odometry.pose.and_then(|pose| pose.pose?.position).expect("a position");
    let linear = odometry.twist.and_then(|twist| twist.twist?.linear).expect("a velocity");
    assert!((position.y - 0.1).abs() < 1e-12 && position.x.abs() < 1e-12, "{position:?}");
    assert!((linear.y - 100.0).abs() < 1e-9 && linear.x.abs() < 1e-9, "{linear:?}");
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text) in [("wheel_radius", "0"), ("wheelbase", "-1")] {
        let mut builder = TestHost::builder().vehicle("crab").link("base").param(path, text);
        for path in JOINTS {
            builder = builder.joint(path, JointKind::Continuous).param(path, path);
        }
        let error = TestModel::<MecanumDrive>::create(builder.build()).awake().expect_failed();
        assert!(error.text().contains("expected a number above 0"), "{error}");
    }
}
