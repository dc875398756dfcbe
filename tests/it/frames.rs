//! Frames of sensors: each has one parent, and hangs with the others in the tree of its vehicle's odometry.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::{Finished, Served, Setup, world};

const PLUGINS: &[&str] = &["camera", "clock", "diff_drive", "entities", "imu", "lidar", "logging"];

/// A vehicle with two wheels, a mast and sensors. `drive` is more of its drive, `plugins` are more plugins of it.
fn vehicle(name: &str, drive: &str, plugins: &str) -> String {
    let wheel = |side: &str, y: f64| {
        format!(
            "<link name='{side}'><pose>0 {y} 0 0 0 0</pose></link><joint name='{side}_axle' type='revolute'>\
             <parent>chassis</parent><child>{side}</child><axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let rays = "<lidar><scan><horizontal><samples>4</samples><min_angle>-1</min_angle><max_angle>1</max_angle>\
                </horizontal></scan><range><min>0.1</min><max>9</max></range></lidar>";
    format!(
        "<model name='{name}'><link name='chassis'><sensor name='imu' type='imu'/></link>
         <link name='mast'><pose>0 0 1 0 0 0</pose>
           <sensor name='lidar' type='gpu_lidar'><topic>scan</topic><update_rate>50</update_rate>{rays}</sensor>
           <sensor name='eye' type='camera'><topic>image</topic><update_rate>20</update_rate><camera>
             <image><width>4</width><height>4</height></image></camera></sensor></link>
         <joint name='mast_joint' type='fixed'><parent>chassis</parent><child>mast</child></joint>{}{}
         <plugin filename='diff_drive' name='drive'><left_joint>left_axle</left_joint>
           <right_joint>right_axle</right_joint><wheel_separation>0.4</wheel_separation>
           <wheel_radius>0.1</wheel_radius>{drive}</plugin>{plugins}</model>",
        wheel("left", 0.2),
        wheel("right", -0.2)
    )
}

/// Runs the vehicle `bot` for a short while, and records what it publishes.
fn run(drive: &str, plugins: &str) -> Finished {
    let setup = Setup::new().plugins(PLUGINS).world(&world(&vehicle("bot", drive, plugins)));
    setup.bridge("bot=logging:out/run.jsonl").args(["--duration", "0.3s"]).finish().expect_code(0)
}

/// The parents of each frame that is in a transform.
fn parents(finished: &Finished) -> BTreeMap<String, BTreeSet<String>> {
    let mut parents: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in finished.log("out/run.jsonl") {
        if line.is_topic("/tf") || line.is_topic("/tf_static") {
            for transform in line["message"]["transforms"].as_array().into_iter().flatten() {
                let text = |pointer: &str| {
                    transform.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
                };
                parents.entry(text("/child_frame_id")).or_default().insert(text("/header/frame_id"));
            }
        }
    }
    parents
}

/// The frames of all messages of sensors.
fn frames_of_sensors(finished: &Finished) -> BTreeSet<String> {
    let lines = finished.log("out/run.jsonl");
    let topics = ["/bot/imu", "/bot/scan", "/bot/image/image_raw/compressed"];
    let frames = topics.map(|topic| lines.iter().find(|line| line.is_topic(topic)));
    let text = |line: &crate::support::Line| {
        line["message"]["header"]["frame_id"].as_str().unwrap_or_default().to_owned()
    };
    frames.map(|line| text(line.expect("a message of each sensor"))).into()
}

/// Checks that each frame has one parent, and that those of sensors hang below `root`.
#[track_caller]
fn expect_tree(finished: &Finished, root: &str) {
    let parents = parents(finished);
    for (child, all) in &parents {
        assert_eq!(all.len(), 1, "{child} has the parents {all:?}");
    }
    for frame in frames_of_sensors(finished) {
        let above = |frame: &String| parents.get(frame)?.first().cloned();
        let path: Vec<String> = std::iter::successors(Some(frame), above).take(10).collect();
        assert_eq!(path.last().map(String::as_str), Some(root), "{path:?} of {parents:?}");
    }
}

#[test]
fn frames_of_sensors_hang_in_the_tree_of_the_odometry() {
    expect_tree(&run("", ""), "bot/odom");
    let named = "<frame_id>odom</frame_id><child_frame_id>base_link</child_frame_id>";
    expect_tree(&run(named, ""), "odom");
}

#[test]
fn a_plugin_that_publishes_frames_gives_no_second_parent() {
    let mast = "<plugin filename='link_transforms' name='frames'>
        <static_link parent_frame_id='chassis'>mast</static_link></plugin>";
    expect_tree(&run("", mast), "bot/odom");
    let poses = "<plugin filename='model_pose' name='poses'><update_frequency>30</update_frequency></plugin>";
    expect_tree(&run("<publish_tf>false</publish_tf>", poses), "world");
}

#[test]
fn a_late_bridge_gets_the_frames_of_all_publishers() {
    let mast = "<plugin filename='link_transforms' name='frames'>
        <static_link parent_frame_id='chassis'>mast</static_link></plugin>";
    let sdf = world(&vehicle("bot", "", mast));
    let host = Served::start(Setup::new().plugins(PLUGINS).world(&sdf).args(["--start", "paused"]));
    host.ok("step_simulation", json!({"steps": 100}));
    host.ok("connect_bridge", json!({"vehicle": "bot", "bridge": "logging", "connection": "run.jsonl"}));
    host.ok("step_simulation", json!({"steps": 100}));
    host.ok("quit", json!({}));
    expect_tree(&host.finish().expect_code(0), "bot/odom");
}
