//! Two hundred robots over ROS 2 with the usual limit of open files.

use serde_json::json;

use super::{await_bridges, served, spawn};
use crate::ros2::{Domain, Peer};
use crate::support::Setup;

const ROBOTS: usize = 200;
const IMU: &str = "sensor_msgs/msg/Imu";

#[test]
fn two_hundred_robots_publish_over_ros_with_a_thousand_descriptors() {
    if !Peer::is_available() {
        return;
    }
    let domain = Domain::free();
    let bridge = format!("ros2:domain={};interface=lo", domain.number());
    let host = served(Setup::new().limited("-n 1024"), &bridge);
    let before = host.process_entries("fd");
    for number in 0..ROBOTS {
        let spawned = spawn(&host, &format!("car{number}"));
        assert_eq!(spawned["result"]["result"], 1, "robot {number}: {spawned}");
    }
    let (first, last) = ("car0".to_owned(), format!("car{}", ROBOTS - 1));
    await_bridges(&host, &last, 1);
    println!("{before} descriptors without robots, {} with {ROBOTS}", host.process_entries("fd"));
    println!("{} threads", host.process_entries("task"));
    let peer = Peer::start(&domain).expect("it was available");
    for robot in [first, last] {
        let messages =
            peer.subscribe(&format!("rt/{robot}/imu"), IMU, json!({"reliable": false, "depth": 10}));
        messages.next();
    }
    assert!(host.process_entries("fd") < before + ROBOTS, "less than one descriptor for each robot");
    peer.leave();
    host.ok("quit", json!({}));
    let finished = host.finish();
    finished.expect_code(0);
}
