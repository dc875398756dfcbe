//! Worlds and robots as other projects publish them, each with the value that its file states. The files are beside the
//! repository; the kinds of their faults have generated tests where they are read.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Finished, Line, Setup, assert_near, shared};

/// The folder of the files.
#[track_caller]
fn folder() -> Option<PathBuf> {
    shared("repro/field")
}

/// Plugins that the files use.
const PLUGINS: &[&str] = &[
    "camera",
    "clock",
    "entities",
    "environment",
    "imu",
    "joint_control",
    "joint_state",
    "lidar",
    "logging",
    "navsat",
    "replay",
];

/// Runs a file for a time with these further arguments, and records every message.
fn run(file: &str, duration: &str, more: &[&str]) -> Option<Finished> {
    let setup = Setup::new().plugins(PLUGINS).run(&folder()?.join(file));
    let setup = setup.args(["--duration", duration]).bridge("*=logging:out/run.jsonl");
    Some(more.iter().fold(setup, |setup, argument| setup.arg(argument)).finish())
}

/// An observer of the poses of a model, as a configuration.
fn observer(model: &str) -> String {
    format!("[[plugin]]\nattach = \"{model}\"\nplugin = \"model_pose\"\n")
}

fn run_with(file: &str, duration: &str, config: &str) -> Option<Finished> {
    let setup = Setup::new().plugins(PLUGINS).run(&folder()?.join(file)).config(config);
    Some(setup.args(["--duration", duration]).bridge("*=logging:out/run.jsonl").finish())
}

fn last(finished: &Finished, topic: &str) -> Line {
    let line = finished.log("out/run.jsonl").into_iter().rfind(|line| line.is_topic(topic));
    line.unwrap_or_else(|| panic!("no message on {topic}\n{finished}"))
}

fn ranges(finished: &Finished, topic: &str) -> Vec<Value> {
    last(finished, topic).0.pointer("/message/ranges").and_then(Value::as_array).expect("ranges").clone()
}

fn height(finished: &Finished, model: &str) -> f64 {
    last(finished, &format!("/{model}/pose")).number("/message/pose/position/z")
}

fn topics(finished: &Finished) -> Vec<String> {
    let result = finished.result();
    let topics = result["topics"].as_array().expect("topics").iter();
    topics.filter_map(|topic| topic["name"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_mesh_whose_scene_and_node_share_an_id_has_its_shape() {
    let Some(finished) = run_with("same_id.sdf", "2s", &observer("ball")) else { return };
    let finished = finished.expect_code(0);
    assert_near(ranges(&finished, "/eye/scan")[0].as_f64().expect("a range"), 2.5, 1e-6);
    assert_near(height(&finished, "ball"), 0.6, 1e-3);
}

#[test]
fn messages_have_the_frames_that_their_sensors_name() {
    let Some(finished) = run("frame_id.sdf", "0.5s", &[]) else { return };
    let finished = finished.expect_code(0);
    for (topic, frame) in
        [("scan", "base_scan"), ("imu", "imu_link"), ("fix", "gps_link"), ("alt", "alt_link")]
    {
        let line = last(&finished, &format!("/robot/{topic}"));
        assert_eq!(line.0.pointer("/message/header/frame_id"), Some(&Value::from(frame)), "{line:?}");
    }
    finished.expect_silence("BH-PLG-090");
}

#[test]
fn a_range_sensor_sees_past_the_housing_that_a_fixed_joint_holds() {
    let Some(finished) = run("lidar_in_fixed_housing.sdf", "0.5s", &[]) else { return };
    let ranges = ranges(&finished.expect_code(0), "/robot/ir");
    assert_near(ranges[1].as_f64().expect("a range"), 0.15, 1e-6);
}

#[test]
fn a_number_of_samples_may_be_written_as_a_decimal() {
    let Some(finished) = run("samples_as_decimal.sdf", "0.5s", &[]) else { return };
    assert_eq!(ranges(&finished.expect_code(0), "/robot/scan").len(), 3);
}

#[test]
fn a_placeholder_is_no_topic() {
    let Some(finished) = run("default_topic.sdf", "0.5s", &[]) else { return };
    let topics = topics(&finished.expect_code(0));
    let imus: Vec<&String> = topics.iter().filter(|name| name.contains("imu")).collect();
    assert!(imus.len() == 2 && !topics.iter().any(|name| name.contains("__default")), "{topics:?}");
}

#[test]
fn the_ground_of_gazebo_classic_holds_a_box() {
    let Some(finished) = run_with("classic.world", "2s", &observer("box")) else { return };
    assert_near(height(&finished.expect_code(0), "box"), 0.5, 1e-3);
}

#[test]
fn a_world_without_its_floor_is_no_success() {
    let Some(finished) = run("lost_floor.sdf", "0.5s", &[]) else { return };
    let finished = finished.expect_code(9);
    let result = finished.result();
    assert_eq!(result["outcome"], "failure", "{finished}");
    assert!(result["errors"].to_string().contains("floor.dae"), "{finished}");
    let Some(finished) = run("lost_floor.sdf", "0.5s", &["--on-loss", "ignore"]) else { return };
    let finished = finished.expect_code(0);
    assert!(finished.result()["errors"].to_string().contains("floor.dae"), "{finished}");
}

#[test]
fn the_moments_of_a_static_model_do_not_matter() {
    let Some(folder) = folder() else { return };
    let file = folder.join("static_zero_inertia.sdf");
    let setup = || Setup::new().plugins(PLUGINS);
    drop(setup().arg("check").arg(&file).finish().expect_code(0).expect_message(&[": OK"]));
    drop(
        setup()
            .args(["world", "check"])
            .arg(&file)
            .finish()
            .expect_code(0)
            .expect_message(&["0 errors, 0 warnings"]),
    );
}

#[test]
fn an_include_in_place_of_a_model_is_the_included_model() {
    let Some(folder) = folder() else { return };
    let setup = Setup::new().args(["world", "print", "--json"]).arg(folder.join("root_include.sdf"));
    let finished = setup.env("GZ_SIM_RESOURCE_PATH", folder.join("models")).finish().expect_code(0);
    let reading: Value = serde_json::from_str(&finished.stdout()).expect("JSON");
    assert_eq!(reading["model"]["name"], "alias", "{finished}");
}

#[test]
fn the_pose_publisher_publishes_what_gazebo_does() {
    let Some(finished) = run("pose_publisher.sdf", "0.5s", &["--names", "gazebo"]) else { return };
    let finished = finished.expect_code(0);
    let children = |topic: &str| -> Vec<String> {
        let line = last(&finished, topic);
        let transforms = line.0.pointer("/message/transforms").and_then(Value::as_array).expect("transforms");
        transforms
            .iter()
            .map(|one| format!("{} {}", one["header"]["frame_id"], one["child_frame_id"]))
            .collect()
    };
    assert_eq!(
        children("/model/robot/pose_static"),
        ["\"robot\" \"robot/chassis\"", "\"robot\" \"robot/mast\""]
    );
    assert_eq!(children("/model/robot/pose"), [""; 0]);
    assert_eq!(children("/tf"), ["\"odom\" \"robot\""]);
}

#[test]
fn without_the_names_of_gazebo_a_robot_has_one_parent() {
    let Some(finished) = run("pose_publisher.sdf", "0.5s", &[]) else { return };
    let finished = finished.expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let mut parents: Vec<String> = lines
        .iter()
        .filter(|line| line.is_topic("/tf"))
        .flat_map(|line| line["message"]["transforms"].as_array().cloned().unwrap_or_default())
        .filter(|one| one["child_frame_id"] == "robot")
        .map(|one| one["header"]["frame_id"].to_string())
        .collect();
    parents.sort();
    parents.dedup();
    assert_eq!(parents, ["\"odom\""]);
}

#[test]
fn an_imu_reports_its_heading_against_custom_axes() {
    let Some(finished) = run("imu_reference.sdf", "0.5s", &[]) else { return };
    let finished = finished.expect_code(0);
    for (topic, expected) in [("enu", 1.0), ("plain", 1.0), ("custom", 0.6)] {
        let [w, _, _, z] = last(&finished, &format!("/robot/{topic}")).quaternion("/message/orientation");
        assert_near(2.0 * z.atan2(w), expected, 1e-9);
    }
}

#[test]
fn of_two_middle_rings_the_upper_one_is_the_scan() {
    let Some(finished) = run("rings.sdf", "0.5s", &[]) else { return };
    let ranges = ranges(&finished.expect_code(0), "/m/scan");
    assert!(ranges.len() == 4 && ranges.iter().all(|range| range.as_f64().is_none()), "{ranges:?}");
}

#[test]
fn one_message_drives_each_joint_by_its_number() {
    let Some(folder) = folder() else { return };
    let setup = Setup::new().plugins(PLUGINS);
    let command =
        "{\"topic\":\"/rover/command/motor_speed\",\"step\":10,\"message\":{\"velocity\":[2,-3]}}\n";
    let commands = setup.file("commands.jsonl", command).display().to_string();
    let setup = setup.run(&folder.join("actuators.sdf")).args(["--duration", "1s"]);
    let setup = setup.bridge("*=logging:out/run.jsonl").bridge(format!("rover=replay:{commands}"));
    let finished = setup.finish().expect_code(0);
    let velocity =
        |joint: usize| last(&finished, "/rover/joint_states").number(&format!("/message/velocity/{joint}"));
    let names = last(&finished, "/rover/joint_states").0["message"]["name"].clone();
    let index = |name: &str| {
        names.as_array().expect("names").iter().position(|found| found == name).expect("the joint")
    };
    assert_near(velocity(index("left")), -3.0, 1e-6);
    assert_near(velocity(index("right")), 2.0, 1e-6);
    finished.expect_silence("BH-PLG-090");
}

#[test]
fn cameras_have_the_topics_of_gazebo() {
    let Some(finished) = run("camera_topics.sdf", "0.5s", &["--names", "gazebo"]) else { return };
    let topics = topics(&finished.expect_code(0));
    for topic in [
        "/world/w/model/m/link/l/sensor/cam/image",
        "/world/w/model/m/link/l/sensor/cam/camera_info",
        "/front",
        "/camera_info",
    ] {
        assert!(topics.iter().any(|found| found == topic), "{topic}: {topics:?}");
    }
}
