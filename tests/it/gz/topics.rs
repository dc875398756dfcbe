//! Topics in both directions.

use serde_json::json;

use super::tools::{Tools, number};
use crate::support::{PAUSED, PLAYING, Served, Setup, eventually, shared};

#[test]
fn topics_are_listed_with_their_types_and_read() {
    let Some(tools) = Tools::find() else { return };
    let host = tools.host("two_vehicles.sdf", |setup| setup.args(["--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    host.ok("step_simulation", json!({"steps": 100}));
    let expected = [
        "/car1/imu",
        "/car1/odom",
        "/car1/scan",
        "/car2/lidar/points",
        "/clock",
        "/stats",
        "/tf",
        "/world/two_vehicles/clock",
        "/world/two_vehicles/dynamic_pose/info",
        "/world/two_vehicles/pose/info",
        "/world/two_vehicles/stats",
    ];
    // A program lists what has been announced by then.
    eventually("the topics are listed", || {
        let listed = tools.topics();
        expected.iter().all(|name| listed.iter().any(|listed| listed == name))
    });
    let info = tools.topic(&["-i", "-t", "/car1/scan"]);
    assert!(info.contains("tcp://127.0.0.1:") && info.contains("ignition.msgs.LaserScan"), "{info}");
    let statistics = tools.echo("/world/two_vehicles/stats");
    assert!((number(&statistics, "iterations") - 100.0).abs() < 0.5 && statistics.contains("paused: true"));
    let poses = tools.echo("/world/two_vehicles/pose/info");
    let of_car = poses.split("name: ").find(|part| part.starts_with("\"car2\"")).expect("a pose of the car");
    let state = host.ok("get_entity_state", json!({"entity": "car2"}));
    let expected = state["state"]["pose"]["position"]["y"].as_f64().expect("a number");
    assert!((number(of_car, "y") - expected).abs() < 1e-9, "{of_car}");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn a_message_of_ign_topic_drives_a_vehicle() {
    let Some(tools) = Tools::find() else { return };
    let host = tools.host("two_vehicles.sdf", |setup| setup);
    eventually("it plays", || host.state() == PLAYING);
    let x = || {
        let state = host.ok("get_entity_state", json!({"entity": "car1"}));
        state["state"]["pose"]["position"]["x"].as_f64().expect("a number")
    };
    let before = x();
    let twist = ["-t", "/car1/cmd_vel", "-m", "ignition.msgs.Twist", "-p", "linear: {x: 0.5}"];
    // The program may end before ZeroMQ has sent its message.
    let mut sent = 0;
    eventually("it drives", || {
        sent += 1;
        let _ = tools.topic(&twist);
        x() > before + 0.1
    });
    // What another type has is no command; the run is told nothing of it.
    let _ = tools.topic(&["-t", "/car1/cmd_vel", "-m", "ignition.msgs.Double", "-p", "data: 1"]);
    let odometry = tools.echo("/car1/odom");
    assert!(odometry.contains("\"car1/odom\"") && odometry.contains("\"child_frame_id\""), "{odometry}");
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let received = finished.reported("topics", "/car1/cmd_vel")["published"].as_u64().expect("a number");
    assert!((1..=sent).contains(&received), "{received} of {sent}");
}

#[test]
fn a_vehicle_of_an_unmodified_world_of_gazebo_is_driven_by_its_own_names() {
    let (Some(tools), Some(folder)) = (Tools::find(), shared("sdf/gz-worlds")) else { return };
    let plugins = ["gz", "battery", "diff_drive", "entities"];
    let setup = Setup::new().plugins(&plugins).in_real_time().run(&folder.join("linear_battery_demo.sdf"));
    let setup = setup.bridge(tools.bridge()).args(["--names", "gazebo", "--on-loss", "ignore"]);
    let host = Served::start(setup);
    eventually("its topics are listed", || {
        tools.topics().contains(&"/model/vehicle_blue/odometry".to_owned())
    });
    let twist = ["-t", "/model/vehicle_blue/cmd_vel", "-m", "ignition.msgs.Twist", "-p", "linear: {x: 0.5}"];
    eventually("it drives", || {
        let _ = tools.topic(&twist);
        let state = host.ok("get_entity_state", json!({"entity": "vehicle_blue"}));
        state["state"]["pose"]["position"]["x"].as_f64() > Some(0.1)
    });
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn runs_in_two_partitions_do_not_see_each_other_and_in_one_they_do() {
    let Some(tools) = Tools::find() else { return };
    let other = tools.in_partition("another");
    let first = tools.host("two_vehicles.sdf", |setup| setup);
    let second = other.host("empty.sdf", |setup| setup);
    eventually("each is listed in its partition", || {
        tools.topics().contains(&"/world/two_vehicles/stats".to_owned())
            && other.topics().contains(&"/world/empty/stats".to_owned())
    });
    assert!(!tools.topics().iter().any(|name| name.starts_with("/world/empty")));
    assert!(!other.topics().iter().any(|name| name.starts_with("/world/two_vehicles")));
    let third = tools.host("empty.sdf", |setup| setup);
    eventually("both are listed in one partition", || {
        let topics = tools.topics();
        ["/world/two_vehicles/stats", "/world/empty/stats"]
            .iter()
            .all(|name| topics.iter().any(|topic| topic == name))
    });
    for host in [first, second, third] {
        host.ok("quit", json!({}));
        host.finish().expect_code(0);
    }
    // They said that they end.
    assert!(tools.topics().is_empty(), "{:?}", tools.topics());
}

#[test]
fn a_bridge_in_a_process_of_its_own_exchanges_the_same() {
    let Some(tools) = Tools::find() else { return };
    let host = tools.host("two_vehicles.sdf", |setup| setup.args(["--isolate", "gz", "--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    host.ok("step_simulation", json!({"steps": 50}));
    eventually("it is listed", || tools.topics().contains(&"/car1/odom".to_owned()));
    let statistics = tools.echo("/stats");
    assert!((number(&statistics, "iterations") - 50.0).abs() < 0.5, "{statistics}");
    let answer =
        tools.call("/world/two_vehicles/control", ["WorldControl", "Boolean"], "pause: true multi_step: 7");
    assert_eq!(answer, "data: true");
    eventually("it has stepped", || host.status("step") == 57);
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
