//! Drives, with the pose that their commands lead to, by kinematics and in DART.

use serde_json::json;

use super::{CREATE3, HUSKY, Model, RACECAR, TURTLEBOT3, pose, started, step};
use crate::support::{Served, Setup, assert_near, worlds};

/// Where the models are in DART; the first words of `tests/dart_reference.py` explain the lines.
const DART: &str = include_str!("dart.txt");

/// A command that lasts, and the limits that its drive has.
struct Drive {
    model: Model,
    topic: &'static str,
    /// m/s, rad/s.
    command: [f64; 2],
    /// m/s², rad/s².
    limits: [f64; 2],
    tenths: u64,
}

/// Sends a command ten times per second, so that it does not expire.
fn command(host: &Served, topic: &str, [linear, angular]: [f64; 2], tenths: u64) {
    let message = json!({"linear": {"x": linear}, "angular": {"z": angular}}).to_string();
    for _ in 0..tenths {
        host.ok("publish_message", json!({"topic": topic, "json": message}));
        step(host, 100);
    }
}

/// Where a vehicle is that reaches its speeds with constant accelerations, and moves without slip: x, y, yaw.
fn kinematics([linear, angular]: [f64; 2], limits: [f64; 2], seconds: f64) -> [f64; 3] {
    const PARTS: u32 = 100_000;
    let width = seconds / f64::from(PARTS);
    let [mut x, mut y, mut yaw] = [0.0; 3];
    for part in 0..PARTS {
        let time = (f64::from(part) + 0.5) * width;
        let speed = linear.signum() * linear.abs().min(limits[0] * time);
        let rate = angular.signum() * angular.abs().min(limits[1] * time);
        let middle: f64 = yaw + rate * width / 2.0;
        x += speed * middle.cos() * width;
        y += speed * middle.sin() * width;
        yaw += rate * width;
    }
    [x, y, yaw]
}

#[test]
fn drives_follow_their_commands_as_kinematics_say() {
    let drives = [
        (TURTLEBOT3, "cmd_vel", [1.0, 12.5], vec![([0.2, 0.0], 60), ([0.0, 1.0], 30), ([0.2, 0.5], 50)]),
        (CREATE3, "cmd_vel", [0.9, 7.725], vec![([0.2, 0.0], 60), ([0.0, 1.0], 30), ([0.2, 0.5], 50)]),
        (HUSKY, "platform/cmd_vel", [1.0, 1.0], vec![([0.5, 0.0], 70)]),
        (RACECAR, "cmd_vel", [4.0, 100.0], vec![([1.0, 0.0], 40)]),
    ];
    for (model, topic, limits, commands) in drives {
        for (command, tenths) in commands {
            follow(&Drive { model: Model { ..model }, topic, command, limits, tenths });
        }
    }
}

#[track_caller]
fn follow(drive: &Drive) {
    let Drive { model, topic, command: wanted, limits, tenths } = drive;
    let host = model.start();
    let (begin, yaw) = pose(&host, model.name);
    command(&host, &format!("/{}/{topic}", model.name), *wanted, *tenths);
    let (end, end_yaw) = pose(&host, model.name);
    #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
    let [x, y, turn] = kinematics(*wanted, *limits, *tenths as f64 / 10.0);
    // In the frame in which the model began.
    let (sine, cosine) = yaw.sin_cos();
    let expected = [begin[0] + cosine * x - sine * y, begin[1] + sine * x + cosine * y];
    let off = (end[0] - expected[0]).hypot(end[1] - expected[1]);
    let way = x.hypot(y).max(0.1);
    assert!(off < 0.01 * way, "{} {wanted:?}: {end:?} instead of {expected:?}", model.name);
    let turned = (end_yaw - yaw - turn).rem_euclid(std::f64::consts::TAU);
    let error = turned.min(std::f64::consts::TAU - turned);
    assert!(error < 0.01 * turn.abs().max(0.1), "{} {wanted:?}: {error} rad off {turn}", model.name);
    let [x_in_dart, turn_in_dart] = in_dart(model.name, *wanted, *tenths);
    let error = (turned - (turn_in_dart - turn)).rem_euclid(std::f64::consts::TAU);
    let error = error.min(std::f64::consts::TAU - error);
    assert!(
        error < 0.01 * turn_in_dart.abs().max(0.1),
        "{} {wanted:?}: {error} rad off {turn_in_dart} of DART",
        model.name
    );
    if wanted[1] == 0.0 {
        let straight = cosine * (end[0] - begin[0]) + sine * (end[1] - begin[1]);
        assert_near(straight, x_in_dart, 0.01 * x_in_dart);
    }
}

/// The way ahead in metres and the turn in radians of a drive in DART.
#[track_caller]
fn in_dart(model: &str, [linear, angular]: [f64; 2], tenths: u64) -> [f64; 2] {
    #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
    let seconds = tenths as f64 / 10.0;
    let begin = format!("{model} {linear:.1} {angular:.1} {seconds:.1} ");
    let rest = DART.lines().find_map(|line| line.strip_prefix(&begin));
    let rest = rest.unwrap_or_else(|| panic!("DART has no `{begin}`"));
    let numbers: Vec<f64> = rest.split(' ').map(|word| word.parse().expect("a number")).collect();
    [numbers[0], numbers[2]]
}

/// A skid-steered robot turns by sliding. With the slip that its model has, forces in proportion to the speed of sliding,
/// the turn is slower than that of wheels in one place by 1 + (L² + w²) / B²: L between the axles, w the width of a wheel,
/// B between the sides. The drive multiplies B by 1.875 for it.
#[test]
fn the_skid_steered_robot_turns_as_its_slip_says() {
    let (length, width, base): (f64, f64, f64) = (0.512, 0.1143, 0.555);
    let multiplier = 1.0 + (length * length + width * width) / (base * base);
    let host = HUSKY.start();
    command(&host, "/husky_like/platform/cmd_vel", [0.0, 0.5], 20);
    let (_, before) = pose(&host, HUSKY.name);
    command(&host, "/husky_like/platform/cmd_vel", [0.0, 0.5], 20);
    let (_, after) = pose(&host, HUSKY.name);
    let rate = 0.5 * 1.875 / multiplier;
    assert_near((after - before).rem_euclid(std::f64::consts::TAU) / 2.0, rate, 0.005 * rate);
    super::listen(&host, "/husky_like/sensors/imu_0/data");
    command(&host, "/husky_like/platform/cmd_vel", [0.0, 0.5], 1);
    let measured = HUSKY.read(&host, "sensors/imu_0/data");
    assert_near(super::number(&measured["angular_velocity"]["z"]), rate, 0.005 * rate);
}

/// The car on an open plane: the circle of its steering angle, and the angles and speeds of its wheels.
#[test]
fn the_car_turns_as_its_steering_says() {
    let (wheelbase, angle, speed): (f64, f64, f64) = (0.3302, 0.3, 1.0);
    let rate = speed * angle.tan() / wheelbase;
    let setup = Setup::new().plugins(super::PLUGINS);
    let text = format!(
        "<sdf version='1.9'><world name='plane'><model name='ground'><static>true</static><link name='l'>\
         <collision name='c'><geometry><plane><normal>0 0 1</normal></plane></geometry><surface><friction><ode>\
         <mu>2</mu><mu2>2</mu2></ode></friction></surface></collision></link></model>\
         <include><uri>{}</uri></include></world></sdf>",
        worlds().join("models/racecar_like/model.sdf").display()
    );
    let host = started(setup.world(&text));
    command(&host, "/racecar_like/cmd_vel", [speed, rate], 20);
    let (begin, before) = pose(&host, RACECAR.name);
    command(&host, "/racecar_like/cmd_vel", [speed, rate], 20);
    let (end, after) = pose(&host, RACECAR.name);
    let turned = (after - before).rem_euclid(std::f64::consts::TAU);
    assert_near(turned, 2.0 * rate, 0.01 * 2.0 * rate);
    // Of the turn that kinematics say, the share that DART has on another circle, after a ramp of 4 m/s².
    let [_, turn_in_dart] = in_dart(RACECAR.name, [1.0, 0.9], 40);
    let way = 4.0 - 0.5 * 1.0 / 4.0;
    assert_near(turned / (2.0 * rate), turn_in_dart / (0.9 * way), 0.01);
    let chord = (end[0] - begin[0]).hypot(end[1] - begin[1]);
    let radius = wheelbase / angle.tan();
    assert_near(chord, 2.0 * radius * (turned / 2.0).sin().abs(), 0.01 * radius);
}
