//! Tests of the logging bridge: third-party tools read its files, and it handles a full disk, existing files and paths
//! outside of the output folder.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::support::{Finished, Line, Python, Setup, read_gz_lines, vehicle, world, worlds};

/// All plugins of the demo world.
const PLUGINS: [&str; 7] = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging", "replay"];

/// A run of the demo world for two seconds.
fn demo() -> Setup {
    Setup::new().plugins(&PLUGINS).run(&worlds().join("two_vehicles.sdf")).args(["--duration", "2s"])
}

/// Returns the number of messages of each topic.
fn counts(lines: &[Line]) -> BTreeMap<String, u64> {
    lines.iter().fold(BTreeMap::new(), |mut counts, line| {
        *counts.entry(line.text("topic").to_owned()).or_default() += 1;
        counts
    })
}

#[test]
fn the_official_mcap_reader_decodes_every_message_with_the_schemas_of_the_file() {
    let Some(python) = Python::find() else { return };
    let finished =
        demo().bridge("*=logging:out/run.mcap").bridge("*=logging:out/run.jsonl").finish().expect_code(0);
    let report = python.run("read_mcap.py", &[finished.path("out/run.mcap").to_str().expect("UTF-8")]);
    let report: Value = serde_json::from_str(&report).expect("JSON");

    let lines = finished.log("out/run.jsonl");
    let found: BTreeMap<String, u64> =
        serde_json::from_value(report["counts"].clone()).expect("counts by topic");
    assert_eq!(found, counts(&lines), "both files contain the same messages");
    assert_eq!(report["schemas"]["/car1/scan"], "bridgehead.sensor_msgs.v1.LaserScan");
    assert_eq!(report["schemas"]["/clock"], "bridgehead.rosgraph_msgs.v1.Clock");
    let ranges = &lines.iter().find(|line| line.is_topic("/car1/scan")).expect("a scan")["message"]["ranges"];
    assert_eq!(report["first_scan_length"], ranges.as_array().expect("a list").len());
}

#[test]
fn the_log_contains_all_messages_of_the_demo() {
    let finished = demo().bridge("*=logging:out/run.jsonl").finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let counts = counts(&lines);
    for (topic, count) in [
        ("/car1/scan", 20),
        ("/car1/scan/points", 20),
        ("/car1/imu", 200),
        ("/car1/joint_states", 100),
        ("/car1/odom", 100),
        ("/car2/lidar", 10),
        ("/car2/imu", 400),
        ("/car2/odom", 40),
        ("/clock", 100),
    ] {
        assert_eq!(counts.get(topic), Some(&count), "{topic} in {counts:?}");
    }
    let result = finished.result();
    let topics = result["topics"].as_array().expect("topics");
    assert!(topics.iter().all(|topic| topic["dropped"] == 0), "lossless by default: {result:#}");

    let steps: Vec<u64> = lines.iter().map(|line| line.count("step")).collect();
    assert!(steps.is_sorted(), "messages are in the order of the run");
}

#[test]
fn the_scene_is_written_once_so_that_a_viewer_can_show_it() {
    let finished = demo().bridge("*=logging:out/run.jsonl").finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let scenes: Vec<&Line> =
        lines.iter().filter(|line| line["type"] == "visualization_msgs/msg/MarkerArray").collect();
    let mut owners: Vec<&str> = scenes.iter().map(|line| line.text("vehicle")).collect();
    owners.sort_unstable();
    assert_eq!(owners, ["", "car1", "car2"]);
    let world = scenes.iter().find(|line| line.text("vehicle").is_empty()).expect("the world's scene");
    assert_eq!(
        world["message"]["markers"].as_array().map(Vec::len),
        Some(4),
        "ground, crate, column and boulder"
    );
}

#[test]
fn text_and_compressed_files_contain_the_same_messages() {
    let setup = demo().bridge("car1=logging:out/a.jsonl").bridge("car1=logging:out/b.jsonl.gz");
    let finished = setup.bridge("car1=logging:out/c.txt;topics=/car1/odom").finish().expect_code(0);
    let plain = finished.log("out/a.jsonl");
    assert_eq!(plain, read_gz_lines(&finished.path("out/b.jsonl.gz")));

    let text = fs::read_to_string(finished.path("out/c.txt")).expect("the text file");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("nav_msgs/msg/Odometry /car1/odom"));
    let message: Value = serde_json::from_str(lines.next().expect("a second line")).expect("JSON");
    let first = plain.iter().find(|line| line.is_topic("/car1/odom")).expect("an odometry");
    assert_eq!(message, first["message"]);
    assert_eq!(text.lines().count(), 2 * 100);
}

/// Runs the empty world with one logging bridge.
fn clock_into(setup: Setup, connection: &str) -> Finished {
    let setup =
        setup.plugins(&["clock", "logging"]).run(&worlds().join("empty.sdf")).args(["--duration", "1s"]);
    setup.bridge(format!("world=logging:{connection}")).finish()
}

#[test]
fn standard_output_contains_only_messages() {
    let finished = clock_into(Setup::new(), "-;topics=/clock").expect_code(0);
    let output = finished.stdout();
    assert_eq!(output.lines().count(), 10);
    for line in output.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(line["topic"], "/clock");
    }
}

#[test]
fn an_existing_file_is_kept_unless_overwriting_is_allowed() {
    let setup = Setup::new();
    setup.file("out/clock.jsonl", "precious\n");
    let finished = clock_into(setup, "out/clock.jsonl");
    assert_eq!(fs::read_to_string(finished.path("out/clock.jsonl")).expect("the file"), "precious\n");
    finished.expect_message(&["BH-BRG-", "out/clock.jsonl", "overwrite"]);

    let setup = Setup::new();
    setup.file("out/clock.jsonl", "worthless\n");
    let finished = clock_into(setup, "out/clock.jsonl;overwrite=true").expect_code(0);
    assert!(finished.log("out/clock.jsonl").len() >= 10);
}

#[test]
fn a_full_disk_is_reported_and_the_run_continues() {
    let setup = Setup::new();
    // A device on which every write fails with "no space left", under a name that the bridge accepts.
    std::os::unix::fs::symlink("/dev/full", setup.path("out/full.jsonl")).expect("a link");
    let finished = clock_into(setup, "out/full.jsonl;overwrite=true").expect_code(0);
    let finished = finished.expect_message(&["BH-BRG-", "full.jsonl", "No space left"]);
    assert_eq!(finished.result()["steps"], 1000);
    assert_ne!(finished.reported("bridges", "world/logging")["failure"], Value::Null);
}

#[test]
fn flushed_messages_survive_a_kill() {
    let setup = Setup::new().plugins(&["clock", "logging"]).in_real_time();
    let setup = setup.run(&worlds().join("empty.sdf")).bridge("world=logging:out/clock.jsonl");
    let mut running = setup.bridge("world=logging:-;topics=/clock").start();
    // Two and a half simulated seconds, in real time: more than two flushes.
    running.wait_for("\"stamp\":2500000000");
    running.signal(libc::SIGKILL);
    let finished = running.finish();
    assert_eq!(finished.signal(), Some(libc::SIGKILL));
    let text = fs::read_to_string(finished.path("out/clock.jsonl")).expect("the file");
    let whole = text.lines().filter(|line| serde_json::from_str::<Value>(line).is_ok()).count();
    assert!(whole >= 10, "the file contains at least the first second: {text}");
}

#[test]
fn a_log_named_by_a_world_stays_inside_the_output_folder() {
    let with_log = |connection: &str| {
        world(&vehicle(
            "car1",
            &format!(
                "<plugin filename=\"logging\" name=\"log\"><connection>{connection}</connection></plugin>"
            ),
        ))
    };
    let run = |connection: &str| {
        Setup::new().plugins(&["logging"]).world(&with_log(connection)).args(["--duration", "0.1s"]).finish()
    };
    let finished = run("car1.jsonl").expect_code(0);
    assert!(finished.path("out/car1.jsonl").is_file(), "{finished}");
    for outside in ["../car1.jsonl", "/tmp/bridgehead-outside.jsonl"] {
        let finished = run(outside).expect_message(&["BH-BRG-111", outside]);
        assert!(!finished.path("car1.jsonl").exists());
    }
}

#[test]
fn a_pipe_without_a_reader_does_not_hold_the_run() {
    let setup = Setup::new();
    fs::create_dir_all(setup.path("out")).expect("a folder");
    let pipe = setup.path("out/pipe.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success(), "{made}");
    let finished = clock_into(setup, "out/pipe.jsonl;overwrite=true").expect_code(0);
    let finished = finished.expect_message(&["BH-BRG-113", "pipe.jsonl", "no program reads from this pipe"]);
    assert_eq!(finished.result()["steps"], 1000);
}
