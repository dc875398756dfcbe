//! Topics of the run for ROS users: received with the usual QoS profiles, with commands, complete, and removed with the
//! bridge.
//!
//! Two tests are about DDS: only there are the settings of subscribers compared with those of publishers, and the counter of
//! large messages is written for it; that for Zenoh is in `zenoh::load`.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{Domain, Messages, Peer, Seen, Wire};
use crate::support::{
    Python, Served, Setup, assert_near, eventually, is_loaded, root, vehicle, world, worlds,
};

const CLOCK: &str = "rosgraph_msgs/msg/Clock";
const TF: &str = "tf2_msgs/msg/TFMessage";

/// The settings of a subscriber of sensor data.
fn sensor_data() -> Value {
    json!({"reliable": false, "depth": 100})
}

/// For a reliable reader that loses nothing if its process is not scheduled for a while.
fn deep() -> Value {
    json!({"depth": 1000})
}

fn latched() -> Value {
    json!({"transient_local": true, "depth": 1})
}

/// A stamp in nanoseconds.
#[track_caller]
pub(crate) fn nanos(stamp: &Value) -> i64 {
    let number = |name: &str| stamp[name].as_i64().unwrap_or_else(|| panic!("no {name} in {stamp}"));
    number("sec") * 1_000_000_000 + number("nanosec")
}

#[track_caller]
pub(crate) fn number(message: &Value, pointer: &str) -> f64 {
    let found = message.pointer(pointer).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no {pointer} in {message}"))
}

/// The intervals between twenty successive messages in simulated time.
#[track_caller]
fn periods(messages: &Messages, stamp: impl Fn(&Value) -> i64) -> Vec<i64> {
    let stamps: Vec<i64> = (0..20).map(|_| stamp(&messages.next())).collect();
    stamps.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Fails unless messages of a reliable topic arrive at their rate without loss.
#[track_caller]
pub(crate) fn expect_period(messages: &Messages, period_ns: i64, stamp: impl Fn(&Value) -> i64) {
    let found = periods(messages, stamp);
    assert!(found.iter().all(|found| *found == period_ns), "{period_ns} ns expected, {found:?} found");
}

/// Fails unless samples of sensors arrive at their rate; on a busy machine some may be lost.
#[track_caller]
pub(crate) fn expect_samples(messages: &Messages, period_ns: i64, stamp: impl Fn(&Value) -> i64) {
    let mut found = periods(messages, stamp);
    assert!(
        found.iter().all(|found| *found > 0 && *found % period_ns == 0),
        "{period_ns} ns expected, {found:?} found"
    );
    found.sort_unstable();
    assert_eq!(found[found.len() / 2], period_ns, "{found:?}");
}

pub(crate) fn of_header(message: &Value) -> i64 {
    nanos(&message["header"]["stamp"])
}

/// The demo world in real time, with the bridge for the world and all vehicles.
pub(crate) fn two_vehicles(domain: &Domain, options: &str) -> Served {
    let setup = Setup::new().in_real_time().plugins(&[
        "ros2",
        "zenoh",
        "clock",
        "diff_drive",
        "imu",
        "lidar",
        "joint_state",
        "logging",
    ]);
    let bridge = format!("*={}", domain.bridge(options));
    Served::start(setup.run(&worlds().join("two_vehicles.sdf")).bridge(bridge))
}

over_each_transport!(
    sensor_topics_arrive_with_their_rates_and_values,
    commands_with_and_without_a_stamp_move_the_vehicles,
    late_subscribers_receive_latched_messages,
    the_clock_is_published_without_a_clock_plugin_and_before_a_world_is_loaded,
    a_clock_plugin_shows_the_new_time_after_a_reset_that_no_step_follows,
    a_disconnected_bridge_disappears_and_can_connect_again,
    topics_and_the_node_have_the_names_of_the_connection_string,
);

fn sensor_topics_arrive_with_their_rates_and_values(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let clock = peer.subscribe("/clock", CLOCK, sensor_data());
    let scan = peer.subscribe("/car1/scan", "sensor_msgs/msg/LaserScan", sensor_data());
    let imu = peer.subscribe("/car2/imu", "sensor_msgs/msg/Imu", sensor_data());
    let joints = peer.subscribe("/car1/joint_states", "sensor_msgs/msg/JointState", deep());
    let tf = peer.subscribe("/tf", TF, json!({"depth": 100}));
    let _host = two_vehicles(&domain, "");
    expect_samples(&clock, 20_000_000, |message| nanos(&message["clock"]));
    expect_samples(&imu, 5_000_000, of_header);
    expect_samples(&scan, 100_000_000, of_header);
    expect_period(&joints, 20_000_000, of_header);
    assert_near(number(&imu.next(), "/linear_acceleration/z"), 9.8, 0.05);
    let scan = scan.next();
    assert_eq!(
        (scan["ranges"].as_array().map(Vec::len), &scan["header"]["frame_id"]),
        (Some(360), &json!("car1/chassis/lidar"))
    );
    let names = &joints.next()["name"];
    assert_eq!(names, &json!(["left_axle", "right_axle"]));
    // Both vehicles publish on one topic.
    let mut children = BTreeSet::new();
    while children.len() < 2 {
        let message = tf.next();
        children.insert(message["transforms"][0]["child_frame_id"].as_str().expect("a frame").to_owned());
    }
    assert!(children.contains("car1/chassis") && children.contains("car2/chassis"), "{children:?}");
}

fn commands_with_and_without_a_stamp_move_the_vehicles(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let places = ["car1", "car2"]
        .map(|car| peer.subscribe(&format!("/{car}/odom"), "nav_msgs/msg/Odometry", json!({"depth": 1})));
    let _host = two_vehicles(&domain, "");
    let velocity = json!({"linear": {"x": 0.5}});
    let commands = [
        ("/car1/cmd_vel", "geometry_msgs/msg/Twist", velocity.clone()),
        ("/car2/cmd_vel", "geometry_msgs/msg/TwistStamped", json!({"twist": velocity})),
    ];
    for ((topic, kind, message), place) in commands.iter().zip(&places) {
        let speed = || {
            peer.publish(topic, kind, message, json!({}));
            let mut last = place.next();
            while let Some(next) = place.next_of_now() {
                last = next;
            }
            number(&last, "/twist/twist/linear/x")
        };
        eventually(&format!("{topic} drives"), || (speed() - 0.5).abs() < 0.02);
    }
}

fn late_subscribers_receive_latched_messages(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(early) = Peer::start(&domain) else { return };
    let frames = "<plugin filename='link_transforms' name='frames'>\
        <static_link parent_frame_id='base'>body</static_link></plugin>";
    let setup = Setup::new().in_real_time().plugins(&[wire.bridge(), "entities"]);
    let urdf = "<robot name='arm'><link name='base'><inertial><mass value='1'/>\
        <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";
    let file = setup.file("arm.urdf", urdf);
    let include = format!("<include><uri>{}</uri></include>", file.display());
    let body = ["car1", "car2"].map(|car| vehicle(car, frames)).concat();
    let bridge = domain.bridge("");
    let setup = setup.world(&world(&(body + &include)));
    let setup = ["world", "car1", "car2", "arm"]
        .iter()
        .fold(setup, |setup, of| setup.bridge(format!("{of}={bridge}")));
    let _host = Served::start(setup);
    let expect_latched = |peer: &Peer| {
        let statics = peer.subscribe("/tf_static", TF, json!({"transient_local": true, "depth": 10}));
        let both = [statics.next(), statics.next()];
        let mut children: Vec<_> =
            both.iter().map(|message| message["transforms"][0]["child_frame_id"].clone()).collect();
        children.sort_by_key(Value::to_string);
        assert_eq!(children, [json!("car1/body"), json!("car2/body")]);
        let description = peer.subscribe("/arm/robot_description", "std_msgs/msg/String", latched());
        assert_eq!(description.next()["data"], json!(urdf));
    };
    expect_latched(&early);
    expect_latched(&Peer::start(&domain).expect("a second peer"));
}

fn the_clock_is_published_without_a_clock_plugin_and_before_a_world_is_loaded(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let clock = peer.subscribe("/clock", CLOCK, json!({"depth": 100}));
    let setup = Setup::new().in_real_time().plugins(&[wire.bridge()]);
    let file = setup.file("w.sdf", world(""));
    let host = Served::start(domain.attach_by_environment(setup.without_world(), "world"));
    assert_eq!(nanos(&clock.next()["clock"]), 0);
    host.ok("load_world", json!({"world_resource": {"uri": file.display().to_string()}}));
    host.ok("set_simulation_state", json!({"state": {"state": 1}}));
    let mut before = 0;
    for _ in 0..50 {
        let now = nanos(&clock.next()["clock"]);
        assert!(now >= before, "{now} after {before}");
        before = now;
    }
    assert!(before > 0);
}

fn a_clock_plugin_shows_the_new_time_after_a_reset_that_no_step_follows(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let clock = peer.subscribe("/clock", CLOCK, json!({"reliable": false, "depth": 1000}));
    let bridge = format!("*={}", domain.bridge(""));
    let setup =
        Setup::new().in_real_time().plugins(&[wire.bridge(), "clock"]).run(&worlds().join("empty.sdf"));
    let host = Served::start(setup.bridge(bridge).args(["--start", "paused"]));
    eventually("it is paused", || host.state() == 2);
    for (scope, state) in [(1, 2), (255, 0)] {
        host.ok("play", json!({}));
        while nanos(&clock.next()["clock"]) == 0 {}
        if state == 2 {
            host.ok("pause", json!({}));
        }
        host.ok("reset_simulation", json!({"scope": scope}));
        assert_eq!(host.state(), state);
        // Messages from before the reset may still be on their way; none follows that of the reset.
        while nanos(&clock.next()["clock"]) != 0 {}
    }
}

fn a_disconnected_bridge_disappears_and_can_connect_again(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let host = two_vehicles(&domain, "");
    let sees = |topics: &[&str], gone: &[&str]| {
        let seen = Seen::by(&peer, wire);
        topics.iter().all(|topic| seen.has_topic(topic)) && !gone.iter().any(|topic| seen.has_topic(topic))
    };
    eventually("all topics exist", || sees(&["/car1/scan", "/car2/odom", "/clock"], &[]));
    let owners: BTreeSet<String> =
        Seen::by(&peer, wire).publishers().into_iter().map(|(_, owner)| owner).collect();
    assert_eq!(owners.len(), 1, "the world and both vehicles are one node: {owners:?}");
    let label = |of: &str| json!({"label": format!("{of}/{}", wire.bridge())});
    host.ok("disconnect_bridge", label("car1"));
    eventually("car1 is gone", || sees(&["/car2/odom", "/clock"], &["/car1/scan"]));
    for of in ["car2", "world"] {
        host.ok("disconnect_bridge", label(of));
    }
    eventually("nobody is left", || Seen::by(&peer, wire).is_empty());
    let scan = peer.subscribe("/car1/scan", "sensor_msgs/msg/LaserScan", sensor_data());
    let connection = domain.connection("");
    let request = json!({"vehicle": "car1", "bridge": wire.bridge(), "connection": connection});
    host.ok("connect_bridge", request);
    expect_samples(&scan, 100_000_000, of_header);
}

fn topics_and_the_node_have_the_names_of_the_connection_string(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    let options = "namespace=/sim;node=/sim/host;remap=/car1/scan:=/scan,/car2/*:=second/*";
    let _host = two_vehicles(&domain, options);
    let expected = ["/scan", "/sim/car1/odom", "/sim/second/odom", "/clock", "/tf"];
    eventually("the topics have their names", || {
        let seen = Seen::by(&peer, wire);
        expected.iter().all(|topic| seen.has_topic(topic))
    });
    assert_eq!(Seen::by(&peer, wire).node(&peer), (json!("/sim"), json!("host")));
}

#[test]
fn a_subscriber_with_incompatible_settings_is_logged_and_can_be_served_by_an_option() {
    let domain = Domain::free();
    let Some(peer) = Peer::start(&domain) else { return };
    let scan = peer.subscribe("/car1/scan", "sensor_msgs/msg/LaserScan", deep());
    let mut host = two_vehicles(&domain, "");
    let line = host.wait_for("[BH-ROS-009]");
    assert!(line.contains("rt/car1/scan") && line.contains("sensors=reliable"), "{line}");
    drop(host);
    let _host = two_vehicles(&domain, "sensors=reliable");
    expect_period(&scan, 100_000_000, of_header);
}

#[test]
fn a_megabyte_thirty_times_a_second_arrives_without_loss() {
    let domain = Domain::free();
    let Some(python) = Python::with("cyclonedds.domain") else { return };
    let texts = root().join("plugin-api/messages/tests/golden");
    let mut command = python.script("ros2/peer/stream.py");
    command.args([&domain.number().to_string(), "rt/camera/points", "90", "true"]).arg(texts);
    let mut counter = command.stdout(Stdio::piped()).spawn().expect("python starts");
    let mut lines = BufReader::new(counter.stdout.take().expect("piped")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert_eq!(line(), "ready");
    // A bridge that gets a third of a processor cannot send more.
    let rate_hz = if is_loaded() { 10 } else { 30 };
    let plugin = format!(
        "<plugin filename='cloud' name='cloud'><bytes>1000000</bytes><update_rate>{rate_hz}</update_rate>\
        <reliable>true</reliable></plugin>"
    );
    let setup = Setup::new().in_real_time().plugins(&["ros2"]).fixtures(&["cloud"]);
    let bridge = format!("camera=ros2:domain={};interface=lo", domain.number());
    let host = Served::start(setup.world(&world(&vehicle("camera", &plugin))).bridge(bridge));
    let found: Value = serde_json::from_str(&line()).expect("JSON");
    assert!(counter.wait().expect("our child").success());
    assert!(found["received"].as_u64().is_some_and(|received| received >= 90), "{found}");
    assert_eq!(
        (&found["missing"], &found["torn"], &found["bytes"]),
        (&json!([]), &json!(0), &json!(1_000_000)),
        "{found}"
    );
    drop(host);
}
