//! Tests with Gazebo's own worlds, unmodified: published topics, numbers of messages, and names that are reported as
//! unsupported.
//!
//! The worlds are not part of the project: they are in the folder `shared/sdf/gz-worlds` beside it. If that folder is
//! absent, these tests print a message and pass.

mod cameras;
mod effects;
mod every;
mod gaps;
mod noise;
mod table;

use std::path::PathBuf;

use crate::support::{Finished, Setup, shared};

use table::{Row, SECONDS, TABLE};

/// The model plugins of the project, and two bridges.
const PLUGINS: &[&str] = &[
    "ackermann",
    "actor",
    "aero",
    "battery",
    "camera",
    "clock",
    "comms",
    "contact",
    "diff_drive",
    "dvl",
    "elevator",
    "entities",
    "environment",
    "external_force",
    "force_torque",
    "imu",
    "joint_control",
    "joint_state",
    "lidar",
    "logging",
    "marine",
    "mecanum_drive",
    "navsat",
    "replay",
    "sonar",
    "traction",
    "triggered_publisher",
    "velocity_control",
    "world_edit",
];

/// Returns the folder of Gazebo's worlds. Without it the tests are skipped.
#[track_caller]
fn folder() -> Option<PathBuf> {
    shared("sdf/gz-worlds")
}

/// Runs a row of the table with the additions of `change`.
fn run(row: &Row, change: impl FnOnce(Setup) -> Setup) -> Option<Finished> {
    let world = folder()?.join(row.file);
    let setup = Setup::new().plugins(PLUGINS);
    let commands = setup.file("commands.jsonl", row.commands());
    // Some have models on Fuel, which are not on this machine.
    let setup = change(setup.run(&world)).args(["--on-loss", "ignore"]);
    let setup = setup.arg("--duration").arg(format!("{SECONDS}s"));
    let setup = setup.bridge("*=logging:out/run.jsonl");
    let setup = if row.commands.is_empty() {
        setup
    } else {
        setup.bridge(format!("*=replay:{}", commands.display()))
    };
    Some(setup.finish().expect_code(0))
}

/// Returns the topics of a run with the number of their messages, except those that the host publishes.
fn counts(finished: &Finished) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for line in finished.log("out/run.jsonl") {
        let topic = line.text("topic");
        if topic.is_empty() || topic == "/tf_static" || topic.ends_with("visual_markers") {
            continue;
        }
        match counts.iter_mut().find(|(known, _)| known == topic) {
            Some((_, count)) => *count += 1,
            None => counts.push((topic.to_owned(), 1)),
        }
    }
    counts.sort();
    counts
}

#[test]
fn topics_counts_and_unsupported_names_equal_the_table() {
    for row in TABLE {
        let Some(finished) = run(row, |setup| setup) else { return };
        let counts = counts(&finished);
        let topics: Vec<&str> = counts.iter().map(|(topic, _)| topic.as_str()).collect();
        let expected: Vec<&str> = row.topics.iter().map(|(topic, _)| *topic).collect();
        assert_eq!(topics, expected, "{}: {counts:?}\n{finished}", row.file);
        for ((topic, count), (_, expected)) in counts.iter().zip(row.topics) {
            assert!(
                count.abs_diff(*expected) <= 1,
                "{}: {count} messages on {topic}, expected {expected}",
                row.file
            );
        }
        let result = finished.result();
        let unsupported = result["unsupported"].as_array().expect("a list of unsupported names");
        let names: Vec<&str> =
            unsupported.iter().map(|name| name["name"].as_str().unwrap_or_default()).collect();
        assert_eq!(names, row.unsupported, "{}", row.file);
        assert_eq!(result["steps"], 1000 * SECONDS, "{}", row.file);
    }
}
