//! Tests of the bridge with a client of CLOiSim: it finds robots, subscribes to them and drives them step by step as
//! `cloisim_ros` does, with the library that `cloisim_ros` is built with. The real host runs the yard of `worlds/`.
//!
//! [`wire`] and [`discovery`] are the client. [`yard`] starts the host. [`TYPES`] has a test for every device type
//! that the bridge serves; the other files test what happens between the two: resets, restarts, invalid input and
//! changes of the world.

mod answers;
mod boards;
mod cameras;
mod commands;
mod discovery;
mod elevators;
mod garbage;
mod nested;
mod picture;
mod resets;
mod restarts;
mod sensors;
mod wire;
mod worlds;
mod yard;

use std::collections::BTreeSet;
use std::fs;

use bridgehead_bridge_cloisim::msgs;

use crate::support::root;
use yard::{Place, Yard};

/// Checks that a device type is served as a client expects it.
type Check = fn(&Yard);

/// Every device type, in an order in which no check disturbs the next one: those that drive come last.
const TYPES: &[(&str, Check)] = &[
    ("WORLD", boards::world),
    ("GROUNDTRUTH", boards::ground_truth),
    ("LASER", sensors::laser),
    ("IMU", sensors::imu),
    ("GPS", sensors::gps),
    ("LOGICALCAMERA", sensors::logical_camera),
    ("DEPTHCAMERA", sensors::depth_camera),
    ("CAMERA", sensors::camera),
    ("SEGMENTCAMERA", cameras::segment_camera),
    ("MULTICAMERA", cameras::multi_camera),
    ("REALSENSE", cameras::real_sense),
    ("IR", sensors::ir),
    ("SONAR", sensors::sonar),
    ("CONTACT", sensors::contact),
    ("ELEVATOR", elevators::elevator),
    ("ACTOR", elevators::actor),
    ("JOINTCONTROL", boards::joint_control),
    ("MICOM", boards::micom),
];

/// Checks all types against one host.
fn check_all(options: &str) {
    let yard = Yard::start_at(&Place::new().with(options));
    for (name, check) in TYPES {
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&yard)));
        assert!(outcome.is_ok(), "{name}: see above");
    }
    yard.finish().expect_code(0);
}

#[test]
fn every_type_is_served_as_clients_expect() {
    check_all("");
}

#[test]
fn every_type_is_also_served_with_the_rust_library() {
    check_all(";backend=zeromq");
}

/// Returns the types in the table of the bridge's README.
fn documented() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("bridges/cloisim/README.md")).expect("a README");
    let section = text.split("\n## Devices\n").nth(1).expect("a section about devices");
    let rows = section.split("\n## ").next().unwrap_or_default().lines();
    let cells = rows.filter(|row| row.starts_with("| `")).filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.map(str::to_owned).collect()
}

/// Returns the types in the bridge's source.
fn implemented() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("bridges/cloisim/src/device.rs")).expect("a source");
    let arms = text.lines().filter_map(|line| line.trim().strip_prefix("Kind::")?.split_once(" => \""));
    arms.filter_map(|(_, name)| name.strip_suffix("\",")).map(str::to_owned).collect()
}

#[test]
fn every_type_of_the_bridge_is_tested_and_documented() {
    let tested: BTreeSet<String> = TYPES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(tested.len(), TYPES.len(), "every type occurs once in the table");
    assert_eq!(tested, implemented());
    assert_eq!(tested, documented());
}
