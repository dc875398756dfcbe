//! Tests of the arm and the car of `worlds/`, driven by their recorded commands: the log of the run is compared with
//! statics, kinematics and the geometry of steering.

use std::f64::consts::PI;

use crate::support::{Line, Setup, assert_near, at, worlds};

/// Replays `<vehicle>.commands.jsonl` to the vehicle of the world `<vehicle>.sdf` and returns its log.
fn play(vehicle: &str, plugins: &[&str], duration: &str) -> Vec<Line> {
    let commands = worlds().join(format!("{vehicle}.commands.jsonl"));
    let setup = Setup::new().plugins(&["clock", "joint_state", "logging", "replay"]).plugins(plugins);
    let setup =
        setup.run(&worlds().join(format!("{vehicle}.sdf"))).args(["--strict", "--duration", duration]);
    let setup = setup.bridge(format!("{vehicle}=logging:out/run.jsonl"));
    let setup = setup.bridge(format!("{vehicle}=replay:{}", commands.display()));
    setup.finish().expect_code(0).log("out/run.jsonl")
}

fn arm() -> Vec<Line> {
    play("arm", &["entities", "joint_control"], "9s")
}

/// Returns a quantity of the joint states: turn, shoulder, elbow.
fn joints(lines: &[Line], quantity: &str, milliseconds: u64) -> [f64; 3] {
    let states = at(lines, "/arm/joint_states", milliseconds);
    [0, 1, 2].map(|joint| states.number(&format!("/message/{quantity}/{joint}")))
}

#[test]
fn an_arm_reaches_its_goal_at_the_given_time() {
    let lines = arm();
    let (upright, first, second) = ([0.0; 3], [1.0, 0.7, 1.2], [-1.2, 0.9, 0.6]);
    for (from, goal, milliseconds) in [(upright, first, 2500), (first, second, 7000)] {
        for ((found, goal), from) in joints(&lines, "position", milliseconds).into_iter().zip(goal).zip(from)
        {
            assert_near(found, goal, 0.01 * f64::abs(goal - from));
        }
    }
    let progress: Vec<f64> = lines
        .iter()
        .filter(|line| line.is_topic("/arm/joint_trajectory_progress"))
        .map(|line| line.number("/message/data"))
        .collect();
    // The first trajectory has twenty points, the second one thirty.
    assert_eq!(progress.len(), 50, "{progress:?}");
    assert_eq!([progress[19], progress[49]], [1.0; 2]);
    assert_near(progress[20], 1.0 / 30.0, 1e-6);
}

/// SDF's default (`world.sdf`, element `gravity`), m/s².
const GRAVITY: f64 = 9.8;

#[test]
fn efforts_of_an_arm_bear_its_weight_and_its_tool_pose_agrees_with_the_angles() {
    let lines = arm();
    let [turn, shoulder, elbow] = joints(&lines, "position", 4000);
    let (upper, fore) = (shoulder.sin(), (shoulder + elbow).sin());
    // Masses times the horizontal distances of their centres: forearm and tool about the elbow, all about the shoulder.
    let at_elbow = (1.5 * 0.175 + 0.5 * 0.375) * fore;
    let at_shoulder = 2.5 * 0.2 * upper + (1.5 + 0.5) * 0.4 * upper + at_elbow;
    let efforts = joints(&lines, "effort", 4000);
    for (found, torque) in efforts.into_iter().zip([0.0, -at_shoulder * GRAVITY, -at_elbow * GRAVITY]) {
        assert_near(found, torque, 0.01);
    }

    let out = 0.4 * upper + 0.4 * fore;
    let up = 0.4 + 0.4 * shoulder.cos() + 0.4 * (shoulder + elbow).cos();
    let transforms = at(&lines, "/tf", 4000)["message"]["transforms"].as_array().expect("a list").clone();
    let tool = transforms.into_iter().find(|transform| transform["child_frame_id"] == "arm/tool");
    let tool = Line(tool.expect("the tool"));
    for (axis, expected) in [("x", out * turn.cos()), ("y", out * turn.sin()), ("z", up)] {
        assert_near(tool.number(&format!("/transform/translation/{axis}")), expected, 1e-3);
    }
}

/// The wheel base of `car.sdf` and the steering angle of the pedal commands, metres and radians.
const WHEEL_BASE: f64 = 2.6;
const PEDAL_STEERING: f64 = 0.26;

fn car() -> Vec<Line> {
    play("car", &["ackermann", "imu", "lidar", "navsat"], "26s")
}

/// Returns the position of the car by satellite, metres to the east and north of the origin of `car.sdf` on WGS 84.
fn gnss_position(lines: &[Line], milliseconds: u64) -> [f64; 2] {
    let (equator, flattening) = (6_378_137.0_f64, 1.0 / 298.257_223_563);
    let eccentricity_squared = flattening * (2.0 - flattening);
    let (latitude, longitude) = (50.1_f64.to_radians(), 8.7_f64.to_radians());
    let root = (1.0 - eccentricity_squared * latitude.sin().powi(2)).sqrt();
    let (meridian, normal) = (equator * (1.0 - eccentricity_squared) / root.powi(3), equator / root);
    let fix = at(lines, "/car/fix", milliseconds);
    let radians = |name: &str| fix.number(&format!("/message/{name}")).to_radians();
    let height = fix.number("/message/altitude");
    let east = (radians("longitude") - longitude) * (normal + height) * latitude.cos();
    [east, (radians("latitude") - latitude) * (meridian + height)]
}

fn distance([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> f64 {
    (bx - ax).hypot(by - ay)
}

/// Returns the radius of the circle through three points.
fn radius(points: [[f64; 2]; 3]) -> f64 {
    let [a, b, c] = points;
    let twice_area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    distance(a, b) * distance(b, c) * distance(c, a) / (2.0 * twice_area.abs())
}

/// Returns the mean yaw rate in two seconds, measured by the IMU, rad/s.
fn yaw_rate(lines: &[Line], from_ms: u64) -> f64 {
    let rates = (0..200).map(|index| at(lines, "/car/imu", from_ms + 10 * index));
    rates.map(|imu| imu.number("/message/angular_velocity/z")).sum::<f64>() / 200.0
}

#[test]
fn a_car_drives_the_circle_of_its_twist() {
    let lines = car();
    // 0.3 rad/s at 3 m/s.
    assert_near(radius([6000, 9000, 12_000].map(|time| gnss_position(&lines, time))), 10.0, 0.3);
    assert_near(yaw_rate(&lines, 8000), 0.3, 0.009);

    let reported = [6000, 12_000].map(|time| {
        let odometry = at(&lines, "/car/odom", time);
        ["x", "y"].map(|axis| odometry.number(&format!("/message/pose/pose/position/{axis}")))
    });
    let driven = distance(gnss_position(&lines, 6000), gnss_position(&lines, 12_000));
    assert_near(distance(reported[0], reported[1]), driven, 0.03 * driven);
}

#[test]
fn a_car_drives_the_circle_of_its_wheel_angle_and_brakes() {
    let lines = car();
    let expected = WHEEL_BASE / PEDAL_STEERING.tan();
    assert_near(
        radius([18_000, 20_000, 22_000].map(|time| gnss_position(&lines, time))),
        expected,
        0.03 * expected,
    );
    let can_bus = at(&lines, "/car/can_bus", 20_000);
    // 3 m/s, and then two seconds with a quarter of 3 m/s².
    let speed = can_bus.number("/message/speed_mps");
    assert_near(speed, 4.5, 0.045);
    assert_near(can_bus.number("/message/steer_pct"), -PEDAL_STEERING / 0.6, 0.01);
    assert_near(yaw_rate(&lines, 19_000), -speed / expected, 0.03 * speed / expected);

    let brake = |time| at(&lines, "/car/can_bus", time).number("/message/brake_pct");
    // Half braking from 22.1 s to 25 s; full braking half a second after the last command.
    assert_eq!((brake(22_000), brake(23_000), brake(26_000)), (0.0, 0.5, 1.0));
    assert_near(distance(gnss_position(&lines, 24_500), gnss_position(&lines, 26_000)), 0.0, 0.01);
}

#[test]
fn the_lidar_of_a_car_measures_the_building_beside_it() {
    let lines = car();
    let scan = at(&lines, "/car/scan", 100);
    let [first, increment] =
        ["angle_min", "angle_increment"].map(|name| scan.number(&format!("/message/{name}")));
    // The ray to the left, at the start.
    let index = ((PI / 2.0 - first) / increment).round();
    assert_near(scan.number(&format!("/message/ranges/{index}")), 50.0, 0.05);
}
