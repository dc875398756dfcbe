//! Runs whose topics have the names of Gazebo: commands and data over HTTP and from ROS 2, the clock, and names that do
//! not change without the option.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

use crate::ros2::{Domain, Peer};
use crate::support::{Finished, Served, Setup, eventually, worlds};

/// The plugins of the world, and a clock, which the world does not name.
const PLUGINS: &[&str] = &["clock", "diff_drive", "environment", "imu", "joint_state", "logging"];

/// The smallest vehicle of this project, as a world of Gazebo: its drive has the name of Gazebo's, one sensor names its
/// topic, and another does not.
fn world() -> String {
    let own = fs::read_to_string(worlds().join("minimal_vehicle.sdf")).expect("the world");
    let clock = own.find("<plugin filename=\"clock\"").expect("a clock");
    let behind = own[clock..].find("</plugin>").expect("its end") + clock + "</plugin>".len();
    let without_clock = format!("{}{}", &own[..clock], &own[behind..]);
    let systems = "<plugin filename=\"gz-sim-diff-drive-system\" name=\"gz::sim::systems::DiffDrive\">";
    let states = "<plugin filename=\"gz-sim-joint-state-publisher-system\" name=\"states\"/>\n    </model>";
    let sensors = "<sensor name=\"imu\" type=\"imu\"><topic>attitude</topic>";
    let height =
        "<sensor name=\"height\" type=\"altimeter\"><update_rate>10</update_rate></sensor>\n      </link>";
    without_clock
        .replace("<plugin filename=\"diff_drive\" name=\"drive\">", systems)
        .replace("<sensor name=\"imu\" type=\"imu\">", sensors)
        .replacen(
            "</link>\n\n      <!-- The axis of a cylinder",
            &format!("{height}\n\n      <!-- The axis of a cylinder"),
            1,
        )
        .replacen("</plugin>\n    </model>", &format!("</plugin>\n{states}"), 1)
}

fn topics(finished: &Finished) -> BTreeSet<String> {
    let result = finished.result();
    let topics = result["topics"].as_array().expect("a list").clone();
    topics.iter().filter_map(|topic| topic["name"].as_str()).map(str::to_owned).collect()
}

#[track_caller]
fn expect_topics(finished: &Finished, expected: &[&str]) {
    let found = topics(finished);
    let found: Vec<&str> =
        found.iter().map(String::as_str).filter(|name| !name.contains("visual_markers")).collect();
    assert_eq!(found, expected, "{finished}");
}

#[test]
fn topics_have_the_names_of_gazebo() {
    let setup = Setup::new().plugins(PLUGINS).world(&world());
    let finished = setup.args(["--names", "gazebo", "--duration", "1s"]).bridge("*=logging:out/run.jsonl");
    let finished = finished.finish().expect_code(0);
    expect_topics(
        &finished,
        &[
            "/attitude",
            "/clock",
            "/model/robot/cmd_vel",
            "/model/robot/odometry",
            "/model/robot/tf",
            "/tf_static",
            "/world/minimal/model/robot/joint_state",
            "/world/minimal/model/robot/link/chassis/sensor/height/altimeter",
        ],
    );
    let clocks = finished.log("out/run.jsonl").iter().filter(|line| line.text("topic") == "/clock").count();
    assert!(clocks > 0, "the clock runs\n{finished}");
}

#[test]
fn names_do_not_change_without_the_option() {
    let setup = Setup::new().plugins(PLUGINS).world(&world()).args(["--duration", "1s"]);
    expect_topics(
        &setup.finish().expect_code(0),
        &[
            "/robot/altimeter",
            "/robot/attitude",
            "/robot/cmd_vel",
            "/robot/joint_states",
            "/robot/odom",
            "/tf",
            "/tf_static",
        ],
    );
}

#[test]
fn a_world_of_this_project_keeps_its_names() {
    let run = |style: &str| {
        let setup = Setup::new().plugins(PLUGINS).run(&worlds().join("minimal_vehicle.sdf"));
        topics(&setup.args(["--names", style, "--duration", "0.2s"]).finish().expect_code(0))
    };
    let (own, gazebo) = (run("bridgehead"), run("gazebo"));
    // Sensors are the same elements in both.
    let other: Vec<_> = own.symmetric_difference(&gazebo).collect();
    assert_eq!(other, ["/robot/imu", "/world/minimal/model/robot/link/chassis/sensor/imu/imu"]);
}

#[test]
fn spawned_vehicles_and_a_world_with_a_clock_follow_the_style() {
    let setup = Setup::new().plugins(PLUGINS).world(&world());
    let host = Served::start(setup.config("[names]\nstyle = \"gazebo\"\n[run]\nspeed = \"unlimited\"\n"));
    let model = world();
    let begin = model.find("<model name=\"robot\">").expect("a model");
    let end = model.rfind("</model>").expect("its end") + "</model>".len();
    let text = format!("<sdf version=\"1.9\">{}</sdf>", &model[begin..end]);
    let request = json!({"name": "second", "entity_resource": {"resource_string": text}, "initial_pose": {"pose": {"position": {"y": 3.0}}}});
    host.ok("spawn_entity", request);
    let listed = || host.ok("get_topics", json!({})).to_string();
    eventually("the topics of the spawned vehicle", || listed().contains("/model/second/cmd_vel"));
    host.ok("quit", json!({}));
    drop(host.finish());
}

#[test]
fn a_gazebo_world_is_driven_over_http() {
    let setup = Setup::new().plugins(PLUGINS).world(&world());
    let host = Served::start(setup.args(["--names", "gazebo"]));
    let drive = json!({"topic": "/model/robot/cmd_vel", "json": r#"{"linear": {"x": 0.4}}"#});
    let place =
        || host.ok("get_entity_state", json!({"entity": "robot"}))["state"]["pose"]["position"]["x"].as_f64();
    eventually("the robot drives", || {
        drop(host.post("publish_message", &drive));
        place().is_some_and(|x| x > 0.2)
    });
    // The services of the world have the names of Gazebo, and answer as those of `ros_gz_bridge`.
    let does = |service: &str, request: serde_json::Value| {
        host.call(&format!("world/minimal/{service}"), request)["success"].clone()
    };
    assert_eq!(does("control", json!({"world_control": {"pause": true, "multi_step": 3}})), true);
    let moved = json!({"entity": {"name": "robot", "type": 2}, "pose": {"position": {"x": 7.0}}});
    assert_eq!(does("set_pose", moved), true);
    // The pose of the model is computed from that of its link, which has turned by rounding on the way.
    let is_there = |x: f64| (x - 7.0).abs() < 1e-9;
    assert!(place().is_some_and(is_there), "{:?}: the world is paused", place());
    let sdf = "<sdf version='1.9'><model name='box'><static>true</static><link name='l'/></model></sdf>";
    assert_eq!(does("create", json!({"entity_factory": {"sdf": sdf, "name": "second"}})), true);
    assert_eq!(does("remove", json!({"entity": {"name": "second"}})), true);
    assert_eq!(does("remove", json!({"entity": {"name": "second"}})), false, "it is gone");
    // They come again with the world.
    host.ok("reload_world", json!({}));
    let pause = json!({"world_control": {"pause": true}});
    eventually("the services of the new world", || {
        host.post("world/minimal/control", &pause).1["success"] == true
    });
    let listed = host.get("/api").1.to_string();
    assert!(
        listed.contains("world/minimal/set_pose") && listed.contains("ros_gz_interfaces/srv/SetEntityPose")
    );
    host.ok("quit", json!({}));
    drop(host.finish());
}

#[test]
fn a_gazebo_world_is_driven_from_ros_2() {
    let domain = Domain::free();
    let Some(peer) = Peer::start(&domain) else { return };
    let odometry = peer.subscribe("rt/model/robot/odometry", "nav_msgs/msg/Odometry", json!({"depth": 1}));
    let setup = Setup::new().in_real_time().plugins(PLUGINS).plugins(&["ros2"]).world(&world());
    let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
    let _host = Served::start(setup.args(["--names", "gazebo"]).bridge(bridge));
    let command = json!({"linear": {"x": 0.4}});
    eventually("the robot drives", || {
        peer.publish("rt/model/robot/cmd_vel", "geometry_msgs/msg/Twist", &command, json!({}));
        let mut last = odometry.next();
        while let Some(next) = odometry.next_of_now() {
            last = next;
        }
        last.pointer("/twist/twist/linear/x")
            .and_then(serde_json::Value::as_f64)
            .is_some_and(|x| (x - 0.4).abs() < 0.02)
    });
    let request = json!({"entity": {"name": "robot"}, "pose": {"position": {"x": 7.0}}});
    let service = "world/minimal/set_pose";
    let response = peer.call(service, "ros_gz_interfaces/srv/SetEntityPose", &request);
    assert_eq!(response["success"], true, "{response}");
}
