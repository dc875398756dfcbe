//! Sensors and drives against geometry and kinematics, by what a log of the run says.

use std::f64::consts::PI;
use std::fmt::Write as _;

use crate::support::{Finished, Line, Setup, world, worlds};

/// Commands that hold one speed from the first step to the last, as a peer that sends ten times per second.
fn steady(topic: &str, linear: f64, angular: f64, seconds: u32) -> String {
    (0..seconds * 10).fold(String::new(), |mut text, index| {
        let message = format!("{{\"linear\":{{\"x\":{linear}}},\"angular\":{{\"z\":{angular}}}}}");
        let step = index * 100;
        writeln!(text, "{{\"topic\":\"{topic}\",\"step\":{step},\"message\":{message}}}")
            .expect("a text grows");
        text
    })
}

/// The minimal vehicle with a wall ahead of it and a lidar of one ray that looks at the wall: a measure of where the
/// vehicle is that has nothing to do with its wheels.
fn minimal_vehicle_with_a_wall() -> String {
    let text = std::fs::read_to_string(worlds().join("minimal_vehicle.sdf")).expect("the world");
    let lidar = "<sensor name=\"eye\" type=\"lidar\"><topic>eye</topic><update_rate>10</update_rate>\
        <lidar><scan><horizontal><samples>1</samples></horizontal></scan><range><max>30</max></range></lidar></sensor>";
    let wall = "<model name=\"wall\"><static>true</static><pose>15 0 0 0 0 0</pose><link name=\"l\">\
        <collision name=\"c\"><geometry><box><size>1 20 4</size></box></geometry></collision></link></model>";
    let imu = text.find("<sensor name=\"imu\"").expect("the imu");
    let end = text.find("</world>").expect("the end of the world");
    format!("{}{lidar}{}{wall}{}", &text[..imu], &text[imu..end], &text[end..])
}

/// Drives the minimal vehicle for seven seconds and gives its log.
fn drive(linear: f64, angular: f64) -> Vec<Line> {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "lidar", "logging", "replay"]);
    let commands =
        setup.file("commands.jsonl", steady("/robot/cmd_vel", linear, angular, 7)).display().to_string();
    let setup = setup.world(&minimal_vehicle_with_a_wall()).args(["--duration", "7s"]);
    let setup = setup.bridge("robot=logging:out/run.jsonl").bridge(format!("robot=replay:{commands}"));
    setup.finish().expect_code(0).log("out/run.jsonl")
}

/// The message of a topic that is stamped with this time.
#[track_caller]
fn at<'a>(lines: &'a [Line], topic: &str, seconds: u64) -> &'a Line {
    let stamp = seconds * 1_000_000_000;
    let found = lines.iter().find(|line| line.is_topic(topic) && line["stamp"] == stamp);
    found.unwrap_or_else(|| panic!("no {topic} at {seconds} s"))
}

#[test]
fn a_drive_covers_the_distance_of_its_command() {
    let lines = drive(0.5, 0.0);
    let range = |seconds| at(&lines, "/robot/eye", seconds).number("/message/ranges/0");
    let driven = range(1) - range(6);
    let expected = 0.5 * 5.0;
    assert!((driven / expected - 1.0).abs() < 0.02, "drove {driven} m by the wall, not {expected} m");

    let odometry = |seconds| at(&lines, "/robot/odom", seconds).number("/message/pose/pose/position/x");
    let told = odometry(6) - odometry(1);
    assert!((told / driven - 1.0).abs() < 0.02, "odometry says {told} m, the wall {driven} m");
    let speed = at(&lines, "/robot/odom", 6).number("/message/twist/twist/linear/x");
    assert!((speed - 0.5).abs() < 0.01, "{speed} m/s");
}

#[test]
fn a_drive_turns_at_the_rate_of_its_command() {
    let lines = drive(0.0, 0.8);
    // The imu measures the body, whatever the wheels do.
    let samples = lines.iter().filter(|line| line.is_topic("/robot/imu"));
    let steady = samples.filter(|line| (1_000_000_000..=6_000_000_000).contains(&line.count("stamp")));
    let rates: Vec<f64> = steady.map(|line| line.number("/message/angular_velocity/z")).collect();
    assert_eq!(rates.len(), 501, "a hundred per second");
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    assert!((mean / 0.8 - 1.0).abs() < 0.02, "turned at {mean} rad/s");
}

/// SDF's default (`world.sdf`, element `gravity`), m/s².
const GRAVITY: f64 = 9.8;

#[test]
fn a_vehicle_stands_still_without_commands_and_its_imu_feels_gravity() {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "logging"]);
    let setup = setup.run(&worlds().join("minimal_vehicle.sdf")).args(["--duration", "2s"]);
    let lines = setup.bridge("robot=logging:out/run.jsonl").finish().expect_code(0).log("out/run.jsonl");
    let imu = at(&lines, "/robot/imu", 2);
    assert!((imu.number("/message/linear_acceleration/z") - GRAVITY).abs() < 1e-3, "{imu:?}");
    assert!(imu.number("/message/linear_acceleration/x").abs() < 1e-3, "{imu:?}");
    assert!(imu.number("/message/angular_velocity/z").abs() < 1e-3, "{imu:?}");
    let odometry = at(&lines, "/robot/odom", 2);
    assert!(odometry.number("/message/pose/pose/position/x").abs() < 1e-3, "{odometry:?}");
}

/// A lidar in the origin at this height, among shapes whose distances can be computed by hand.
const HEIGHT: f64 = 0.5;

fn lidar_among_shapes() -> String {
    let shape = |name: &str, pose: &str, geometry: &str| {
        format!(
            "<model name=\"{name}\"><static>true</static><pose>{pose} 0 0 0</pose><link name=\"l\">\
             <collision name=\"c\"><geometry>{geometry}</geometry></collision></link></model>"
        )
    };
    let lidar = format!(
        "<model name=\"rig\"><link name=\"mast\"><pose>0 0 {HEIGHT} 0 0 0</pose>\
         <sensor name=\"lidar\" type=\"gpu_lidar\"><topic>scan</topic><update_rate>10</update_rate><lidar><scan><horizontal>\
         <samples>361</samples><min_angle>-{PI}</min_angle><max_angle>{PI}</max_angle></horizontal></scan>\
         <range><min>0.1</min><max>20</max></range></lidar></sensor></link></model>"
    );
    world(
        &[
            lidar,
            shape("box", "4 0 0.5", "<box><size>2 6 1</size></box>"),
            shape("cylinder", "0 3 0.5", "<cylinder><radius>0.7</radius><length>1</length></cylinder>"),
            shape("sphere", "-3 -1 1.1", "<sphere><radius>1</radius></sphere>"),
        ]
        .concat(),
    )
}

/// Distance along a ray from the origin to a circle, where it meets one.
fn to_circle(angle: f64, centre: (f64, f64), radius: f64) -> Option<f64> {
    let along = centre.0 * angle.cos() + centre.1 * angle.sin();
    let missed_by_squared = centre.0 * centre.0 + centre.1 * centre.1 - along * along;
    let half_chord_squared = radius * radius - missed_by_squared;
    (along > 0.0 && half_chord_squared >= 0.0).then(|| along - half_chord_squared.sqrt())
}

/// Distance to the near face of the box, which covers all that can be seen of it from the origin.
fn to_box(angle: f64) -> Option<f64> {
    let distance = 3.0 / angle.cos();
    (angle.cos() > 0.0 && (distance * angle.sin()).abs() <= 3.0).then_some(distance)
}

/// What geometry says: the nearest of the three, seen in the plane of the scan.
fn expected(angle: f64) -> Option<f64> {
    let sphere_at_height = (1.0_f64 - (1.1 - HEIGHT) * (1.1 - HEIGHT)).sqrt();
    let all =
        [to_box(angle), to_circle(angle, (0.0, 3.0), 0.7), to_circle(angle, (-3.0, -1.0), sphere_at_height)];
    all.into_iter().flatten().min_by(f64::total_cmp)
}

/// Whether the ray passes within a hair of an edge, where rounding decides what it meets.
fn is_at_an_edge(angle: f64) -> bool {
    expected(angle - 1e-6).is_some() != expected(angle + 1e-6).is_some()
}

fn scan(finished: &Finished) -> Line {
    let lines = finished.log("out/run.jsonl");
    at(&lines, "/rig/scan", 1).clone()
}

#[test]
fn a_lidar_measures_distances_to_a_millimetre() {
    let setup = Setup::new().plugins(&["lidar", "logging"]).world(&lidar_among_shapes());
    let finished =
        setup.args(["--duration", "1s"]).bridge("rig=logging:out/run.jsonl").finish().expect_code(0);
    let scan = scan(&finished);
    let ranges = scan["message"]["ranges"].as_array().expect("ranges").clone();
    assert_eq!(ranges.len(), 361);
    let (first, increment) = (scan.number("/message/angle_min"), scan.number("/message/angle_increment"));
    let mut hits = 0;
    for (index, range) in (0_u32..).zip(&ranges) {
        let angle = first + f64::from(index) * increment;
        if is_at_an_edge(angle) {
            continue;
        }
        match (range.as_f64(), expected(angle)) {
            (Some(found), Some(distance)) => {
                assert!((found - distance).abs() < 1e-3, "ray {index}: {found} m, not {distance} m");
                hits += 1;
            }
            (None, None) => {}
            (found, expected) => panic!("ray {index} at {angle} rad: {found:?} ({range}), not {expected:?}"),
        }
    }
    assert!(hits > 120, "only {hits} rays hit something");
}
