//! Differential drives: the commanded motion, the true motion, and the odometry of the wheels.

use std::f64::consts::{PI, TAU};
use std::fmt::Write as _;

use super::{GRAVITY, heavy_world};
use crate::support::{Line, Setup, assert_near, at};

/// The shape of the robot's wheels.
#[derive(Clone, Copy, Debug)]
enum Wheel {
    /// A cylinder of 20 mm width, with contact along a short line.
    Thin,
    /// A sphere, with contact in a point.
    Sphere,
    /// A cylinder of 200 mm width, whose contact line is half as long as the axle.
    Wide,
}

/// Metres.
const RADIUS: f64 = 0.1;
const SEPARATION: f64 = 0.4;

/// Kilograms of chassis and wheels.
const ROBOT_MASS: f64 = 6.0;

impl Wheel {
    /// Metres; 0 for a contact in a point.
    fn width(self) -> f64 {
        match self {
            Wheel::Thin => 0.02,
            Wheel::Sphere => 0.0,
            Wheel::Wide => 0.2,
        }
    }

    fn geometry(self) -> String {
        match self {
            Wheel::Sphere => format!("<sphere><radius>{RADIUS}</radius></sphere>"),
            Wheel::Thin | Wheel::Wide => {
                let width = self.width();
                format!("<cylinder><radius>{RADIUS}</radius><length>{width}</length></cylinder>")
            }
        }
    }

    fn link_and_joint(self, side: &str, y: f64) -> String {
        format!(
            "<link name='{side}'><pose>0 {y} {RADIUS} {} 0 0</pose><inertial><mass>0.5</mass>
            <inertia><ixx>0.002</ixx><iyy>0.002</iyy><izz>0.0025</izz></inertia></inertial>
            <collision name='tread'><geometry>{}</geometry></collision></link>
            <joint name='{side}_axle' type='revolute'><parent>chassis</parent><child>{side}</child>
            <axis><xyz>0 0 1</xyz></axis></joint>",
            -PI / 2.0,
            self.geometry()
        )
    }
}

/// A robot on two such wheels and two casters without friction, which publishes its true pose ten times per second.
fn robot(wheel: Wheel, max_torque: Option<f64>) -> String {
    let limit =
        max_torque.map(|torque| format!("<max_wheel_torque>{torque}</max_wheel_torque>")).unwrap_or_default();
    let caster = |name: &str, x: f64| {
        format!(
            "<collision name='{name}'><pose>{x} 0 -0.069 0 0 0</pose><geometry><sphere><radius>0.05</radius></sphere></geometry>
            <surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface></collision>"
        )
    };
    heavy_world(&format!(
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry>
        </collision></link></model>
        <model name='rig'><link name='chassis'><pose>0 0 0.12 0 0 0</pose><inertial><mass>5</mass>
        <inertia><ixx>0.04</ixx><iyy>0.11</iyy><izz>0.14</izz></inertia></inertial>{}{}</link>{}{}
        <plugin filename='diff_drive' name='drive'><left_joint>left_axle</left_joint><right_joint>right_axle</right_joint>
        <wheel_separation>{SEPARATION}</wheel_separation><wheel_radius>{RADIUS}</wheel_radius>{limit}</plugin>
        <plugin filename='model_pose' name='truth'><update_frequency>10</update_frequency></plugin></model>",
        caster("front", 0.2),
        caster("rear", -0.2),
        wheel.link_and_joint("left", SEPARATION / 2.0),
        wheel.link_and_joint("right", -SEPARATION / 2.0),
    ))
}

/// Drives for the given time with one command, in m/s and rad/s, and returns the log.
fn drive(wheel: Wheel, speed: [f64; 2], seconds: u32) -> Vec<Line> {
    drive_with_torque(wheel, speed, seconds, None)
}

/// The same with a limit of the torque at each wheel, N m.
fn drive_with_torque(
    wheel: Wheel,
    [linear, angular]: [f64; 2],
    seconds: u32,
    max_torque: Option<f64>,
) -> Vec<Line> {
    let setup = Setup::new().plugins(&["diff_drive", "entities", "logging", "replay"]);
    let commands = (0..seconds * 10).fold(String::new(), |mut text, index| {
        let message = format!("{{\"linear\":{{\"x\":{linear}}},\"angular\":{{\"z\":{angular}}}}}");
        writeln!(text, "{{\"topic\":\"/rig/cmd_vel\",\"step\":{},\"message\":{message}}}", index * 100)
            .expect("a line");
        text
    });
    let commands = setup.file("commands.jsonl", commands).display().to_string();
    let setup =
        setup.world(&robot(wheel, max_torque)).args(["--strict", "--duration", &format!("{seconds}s")]);
    let setup = setup.bridge("rig=logging:out/run.jsonl").bridge(format!("rig=replay:{commands}"));
    setup.finish().expect_code(0).log("out/run.jsonl")
}

/// x, y and yaw.
fn planar(line: &Line, pose: &str) -> [f64; 3] {
    let [x, y, _] = line.vector(&format!("{pose}/position"));
    let [qw, qx, qy, qz] = line.quaternion(&format!("{pose}/orientation"));
    [x, y, (2.0 * (qw * qz + qx * qy)).atan2(1.0 - 2.0 * (qy * qy + qz * qz))]
}

/// The true pose of the robot.
fn truth(lines: &[Line], milliseconds: u64) -> [f64; 3] {
    planar(at(lines, "/rig/pose", milliseconds), "/message/pose")
}

/// Its pose by the odometry of the wheels.
fn odometry(lines: &[Line], milliseconds: u64) -> [f64; 3] {
    planar(at(lines, "/rig/odom", milliseconds), "/message/pose/pose")
}

/// The smaller angle from one pose to the next.
fn turn([_, _, from]: [f64; 3], [_, _, to]: [f64; 3]) -> f64 {
    (to - from + PI).rem_euclid(TAU) - PI
}

fn distance([ax, ay, _]: [f64; 3], [bx, by, _]: [f64; 3]) -> f64 {
    (bx - ax).hypot(by - ay)
}

/// m/s of the straight drive.
const STRAIGHT: f64 = 0.5;

#[test]
fn a_straight_drive_covers_the_distance_of_its_command() {
    for wheel in [Wheel::Thin, Wheel::Sphere, Wheel::Wide] {
        let lines = drive(wheel, [STRAIGHT, 0.0], 6);
        let (from, to) = (truth(&lines, 1000), truth(&lines, 6000));
        let expected = STRAIGHT * 5.0;
        assert_near(distance(from, to), expected, 0.02 * expected);
        assert_near(to[1], 0.0, 0.02 * expected);
        let reported = distance(odometry(&lines, 1000), odometry(&lines, 6000));
        assert_near(reported, distance(from, to), 0.02 * expected);
        let speed = at(&lines, "/rig/odom", 6000).number("/message/twist/twist/linear/x");
        assert_near(speed, STRAIGHT, 0.02 * STRAIGHT);
    }
}

/// m/s and rad/s of the circle, which has a radius of one metre.
const CIRCLE: [f64; 2] = [0.5, 0.5];

/// Radius of the circle, from the chord of a second, and rad/s, of the poses from `place`.
fn circle(lines: &[Line], place: fn(&[Line], u64) -> [f64; 3]) -> [f64; 2] {
    let seconds = 1..12_u64;
    let turns =
        seconds.clone().map(|second| turn(place(lines, second * 1000), place(lines, second * 1000 + 1000)));
    let chords =
        seconds.map(|second| distance(place(lines, second * 1000), place(lines, second * 1000 + 1000)));
    let rate = turns.sum::<f64>() / 11.0;
    let chord = chords.sum::<f64>() / 11.0;
    [chord / 2.0 / (rate / 2.0).sin(), rate]
}

#[test]
fn a_circle_has_the_radius_of_its_command() {
    for wheel in [Wheel::Thin, Wheel::Sphere, Wheel::Wide] {
        let lines = drive(wheel, CIRCLE, 12);
        let [radius, rate] = circle(&lines, truth);
        let [reported_radius, reported_rate] = circle(&lines, odometry);
        assert_near(radius, CIRCLE[0] / CIRCLE[1], 0.03);
        assert_near(rate, CIRCLE[1], 0.03 * CIRCLE[1]);
        assert_near(reported_radius, radius, 0.03);
        assert_near(reported_rate, rate, 0.03 * CIRCLE[1]);
    }
}

/// rad/s on the spot.
const SPOT: f64 = 0.8;

/// Mean rate from the first second to the end.
fn rate_on_the_spot(lines: &[Line]) -> f64 {
    let turns =
        (1..6_u64).map(|second| turn(truth(lines, second * 1000), truth(lines, second * 1000 + 1000)));
    turns.sum::<f64>() / 5.0
}

#[test]
fn a_turn_on_the_spot_has_the_rate_of_its_command() {
    for wheel in [Wheel::Thin, Wheel::Sphere, Wheel::Wide] {
        let lines = drive(wheel, [0.0, SPOT], 6);
        assert_near(rate_on_the_spot(&lines), SPOT, 0.02 * SPOT);
        assert_near(distance(truth(&lines, 1000), truth(&lines, 6000)), 0.0, 0.02);
    }
}

/// A wheel that touches along a line of length `w` scrubs when the robot turns: its two ends slide forwards and
/// backwards, each under half of the load N, so each wheel resists with µ N w / 2. To overcome both at the separation
/// s, the wheels push with µ N w / s at the ground, each with the torque µ N w r / s. A weaker motor does not turn the
/// robot at all, and a stronger one turns it at the commanded rate.
#[test]
fn wide_wheels_turn_on_the_spot_only_with_the_torque_that_scrubbing_takes() {
    // Friction 1 is SDF's default.
    let load = ROBOT_MASS * GRAVITY / 2.0;
    let torque = load * Wheel::Wide.width() * RADIUS / SEPARATION;
    let rate = |wheel, torque| rate_on_the_spot(&drive_with_torque(wheel, [0.0, SPOT], 6, Some(torque)));
    assert_near(rate(Wheel::Wide, 0.9 * torque), 0.0, 0.02 * SPOT);
    assert_near(rate(Wheel::Wide, 1.1 * torque), SPOT, 0.02 * SPOT);
    assert_near(rate(Wheel::Thin, 0.9 * torque), SPOT, 0.02 * SPOT);
}
