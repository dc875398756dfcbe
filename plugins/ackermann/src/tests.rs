//! The car through its C functions: wheel speeds and steering from commands, odometry from wheel angles.

use bridgehead_plugin_api::host::{JointKind, JointState, Level};
use bridgehead_plugin_api::messages::actuator_msgs::Actuators;
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_plugin_api::messages::lgsvl_msgs::{CanBusData, VehicleControlData};
use bridgehead_plugin_api::messages::nav_msgs;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::Ackermann;

const WHEEL_BASE: f64 = 2.0;

fn car() -> TestHostBuilder {
    TestHost::builder()
        .vehicle("car")
        .link("base_link")
        .joint("rl", JointKind::Continuous)
        .joint("rr", JointKind::Continuous)
        .joint("sl", JointKind::Revolute)
        .joint("sr", JointKind::Revolute)
        .params([
            ("left_joint", "rl"),
            ("right_joint", "rr"),
            ("left_steering_joint", "sl"),
            ("right_steering_joint", "sr"),
        ])
        .params([
            ("wheel_base", "2"),
            ("wheel_separation", "1.5"),
            ("kingpin_width", "1.2"),
            ("wheel_radius", "0.5"),
        ])
        .param("steering_limit", 0.6)
}

fn twist(linear: f64, angular: f64) -> Twist {
    Twist { linear: Some(Vector3::new(linear, 0.0, 0.0)), angular: Some(Vector3::new(0.0, 0.0, angular)) }
}

fn started(builder: TestHostBuilder) -> (TestHost, TestModel<Ackermann>) {
    let host = builder.build();
    host.listen("odom");
    host.listen("can_bus");
    (host, TestModel::started(host))
}

fn velocity(host: TestHost, joint: &str) -> f64 {
    host.commanded_velocity(joint).expect("a command")
}

#[test]
fn a_twist_gives_each_wheel_its_own_circle() {
    let (host, mut model) = started(car().param("steer_p_gain", 10));
    host.send("cmd_vel", &twist(1.0, 0.2));
    model.step().expect_done();
    // 5 m about a point on the left: 1 m/s in the middle.
    assert!((velocity(host, "rl") - (5.0 - 0.75) / 5.0 / 0.5).abs() < 1e-9);
    assert!((velocity(host, "rr") - (5.0 + 0.75) / 5.0 / 0.5).abs() < 1e-9);
    assert!((velocity(host, "sl") - 10.0 * (WHEEL_BASE / 4.4).atan()).abs() < 1e-9);
    assert!((velocity(host, "sr") - 10.0 * (WHEEL_BASE / 5.6).atan()).abs() < 1e-9);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_car_stops_when_its_command_expires() {
    let (host, mut model) = started(car());
    host.send("cmd_vel", &twist(1.0, 0.0));
    model.run(501).expect_done();
    assert!((velocity(host, "rl") - 2.0).abs() < 1e-9);
    model.step().expect_done();
    assert_eq!(velocity(host, "rl").to_bits(), 0.0_f64.to_bits());
}

#[test]
fn pedals_accelerate_decelerate_and_never_brake_into_reverse() {
    let (host, mut model) =
        started(car().params([("max_acceleration", "2"), ("min_acceleration", "-4"), ("max_velocity", "3")]));
    let control = |throttle: f32, brake: f32, gear| VehicleControlData {
        acceleration_pct: throttle,
        braking_pct: brake,
        target_wheel_angle: 0.1,
        target_gear: gear,
        ..VehicleControlData::default()
    };
    let mut drive = |message: VehicleControlData, steps: u32| {
        for _ in 0..steps {
            host.send("vehicle_control", &message);
            model.step().expect_done();
        }
        f64::midpoint(velocity(host, "rl"), velocity(host, "rr")) * 0.5
    };
    assert!((drive(control(0.5, 0.0, VehicleControlData::GEAR_DRIVE), 1000) - 1.0).abs() < 1e-6);
    assert!((drive(control(1.0, 0.0, VehicleControlData::GEAR_DRIVE), 2000) - 3.0).abs() < 1e-6);
    assert!((drive(control(0.0, 0.5, VehicleControlData::GEAR_DRIVE), 1000) - 1.0).abs() < 1e-6);
    assert!(drive(control(0.0, 1.0, VehicleControlData::GEAR_DRIVE), 1000).abs() < 1e-9);
    assert!(drive(control(1.0, 0.0, VehicleControlData::GEAR_NEUTRAL), 100).abs() < 1e-9);
    assert!((drive(control(1.0, 0.0, VehicleControlData::GEAR_REVERSE), 500) + 1.0).abs() < 1e-6);
    let bus: CanBusData = host.last("can_bus");
    assert_eq!((bus.throttle_pct, bus.selected_gear), (1.0, CanBusData::GEAR_REVERSE));
    assert!(bus.reverse_gear_active);
}

#[test]
fn expired_pedals_become_a_full_brake() {
    let (host, mut model) = started(car());
    let control = VehicleControlData {
        acceleration_pct: 1.0,
        target_gear: VehicleControlData::GEAR_DRIVE,
        ..VehicleControlData::default()
    };
    host.send("vehicle_control", &control);
    model.run(501).expect_done();
    // Without limits: half a second and one step of full throttle at 3 m/s².
    assert!((velocity(host, "rl") * 0.5 - 1.503).abs() < 1e-9, "{}", velocity(host, "rl"));
    model.run(100).expect_done();
    assert!((velocity(host, "rl") * 0.5 - 1.203).abs() < 1e-9, "{}", velocity(host, "rl"));
    let bus: CanBusData = host.last("can_bus");
    assert_eq!((bus.throttle_pct, bus.brake_pct), (0.0, 1.0));
    model.run(500).expect_done();
    assert_eq!(velocity(host, "rl").to_bits(), 0.0_f64.to_bits());
}

#[test]
fn odometry_and_vehicle_state_follow_the_wheels_and_the_steering() {
    let (host, mut model) = started(car());
    let steer = |host: TestHost, angle: f64| {
        for (joint, side) in [("sl", -1.0), ("sr", 1.0)] {
            let curve = angle.tan() / WHEEL_BASE;
            let position = (angle.tan() / (1.0 + side * curve * 0.6)).atan();
            host.set_joint_state(joint, JointState { position, velocity: 0.0, effort: 0.0 });
        }
    };
    steer(host, 0.3);
    for step in 0..=1000 {
        for (joint, side) in [("rl", -1.0), ("rr", 1.0)] {
            let way = f64::from(step) * 0.003 * (1.0 + side * 0.3_f64.tan() / WHEEL_BASE * 0.75);
            host.set_joint_state(joint, JointState { position: way / 0.5, velocity: 0.0, effort: 0.0 });
        }
        model.step().expect_done();
    }
    let odometry: nav_msgs::Odometry = host.last("odom");
    let twist = odometry.twist.and_then(|twist| twist.twist).expect("a twist");
    assert!((twist.linear.expect("linear").x - 3.0).abs() < 1e-6);
    assert!((twist.angular.expect("angular").z - 3.0 * 0.3_f64.tan() / WHEEL_BASE).abs() < 1e-6);
    let bus: CanBusData = host.last("can_bus");
    assert!((bus.speed_mps - 3.0).abs() < 1e-5 && (bus.steer_pct - 0.5).abs() < 1e-6, "{bus:?}");
    assert_eq!((host.published("can_bus").len(), host.published("odom").len()), (10, 50));
}

#[test]
fn steering_mode_does_not_drive_the_wheels() {
    let (host, mut model) = started(
        TestHost::builder()
            .vehicle("car")
            .link("base_link")
            .joint("sl", JointKind::Revolute)
            .joint("sr", JointKind::Revolute)
            .params([
                ("steering_only", "true"),
                ("left_steering_joint", "sl"),
                ("right_steering_joint", "sr"),
            ]),
    );
    host.send("steer_angle", &Float64 { data: 9.0 });
    model.step().expect_done();
    assert!(velocity(host, "sl") > 0.5 && velocity(host, "sl") > velocity(host, "sr"));
    assert_eq!(host.take_commands().len(), 2);
}

#[test]
fn steering_mode_takes_its_number_of_a_message_for_all_actuators() {
    for (number, sign) in [(0, 1.0), (2, -1.0)] {
        let builder = TestHost::builder()
            .vehicle("car")
            .link("base_link")
            .joint("sl", JointKind::Revolute)
            .joint("sr", JointKind::Revolute)
            .params([
                ("steering_only", "true"),
                ("left_steering_joint", "sl"),
                ("right_steering_joint", "sr"),
            ])
            .param("use_actuator_msg", "true")
            .param("actuator_number", number);
        let (host, mut model) = started(builder);
        host.send("actuators", &Actuators { position: vec![0.2, 0.0, -0.2], ..Actuators::default() });
        model.step().expect_done();
        assert!(velocity(host, "sl") * sign > 0.0, "{number}");
    }
}

#[test]
fn commands_that_are_not_finite_are_ignored_and_a_reset_stops() {
    let (host, mut model) = started(car());
    host.send("cmd_vel", &twist(1.0, 0.0));
    model.step().expect_done();
    for speed in [f64::INFINITY, 1e300, -1e300] {
        host.send("cmd_vel", &twist(speed, 0.0));
        model.step().expect_done();
    }
    assert!((velocity(host, "rl") - 2.0).abs() < 1e-9);
    assert!(host.has_logged(Level::Warn, "ignored a command"));
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_eq!(velocity(host, "rl").to_bits(), 0.0_f64.to_bits());
}
