//! ROS 2 over Zenoh, beyond the scenarios that hold over each transport (`ros2`): the graph as nodes of `rmw_zenoh` read it,
//! peers that send anything else, and routers that come and go. There are two peers of ours, `tests/it/zenoh/peer` in Python
//! and `native` in Rust, and a client of others, `sdk`.

mod buffers;
mod generations;
mod graph;
mod hostile;
mod load;
mod native;
mod native_client;
pub(crate) mod plain;
mod routers;
mod sdk;

use serde_json::{Value, json};

use crate::ros2::{Domain, Peer, Wire};
use crate::support::{PAUSED, Served, Setup, eventually, worlds};

const CLOCK: &str = "rosgraph_msgs/msg/Clock";
const STATE: &str = "simulation_interfaces/srv/GetSimulationState";

/// A domain with a router, and a peer in it; `None` if the peer cannot run here.
#[track_caller]
fn domain_and_peer() -> Option<(Domain, Peer)> {
    let domain = Domain::over(Wire::Zenoh)?;
    let peer = Peer::start(&domain)?;
    Some((domain, peer))
}

/// A paused run of two vehicles with this bridge for the world and all vehicles.
#[track_caller]
fn two_vehicles(bridge: &str) -> Served {
    let plugins = ["zenoh", "clock", "diff_drive", "imu", "lidar", "joint_state", "logging"];
    let setup = Setup::new().in_real_time().plugins(&plugins).run(&worlds().join("two_vehicles.sdf"));
    let host = Served::start(setup.bridge(format!("*={bridge}")).args(["--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    host
}

/// The endpoints that the peer has discovered.
#[track_caller]
fn endpoints(peer: &Peer) -> Vec<Value> {
    peer.graph()["endpoints"].as_array().expect("a list").clone()
}

/// Fails unless a service answers.
#[track_caller]
fn expect_answer(peer: &Peer) {
    let response = peer.call("get_simulation_state", STATE, &json!({}));
    assert_eq!(response["result"]["result"], 1, "{response}");
}

/// How many messages the run has received on a topic.
#[track_caller]
fn received(host: &Served, topic: &str) -> u64 {
    let topics = host.ok("get_topics", json!({}));
    let topics = topics["topics"].as_array().expect("a list");
    let found = topics.iter().find(|one| one["topic"] == topic).expect("the topic");
    found["published"].as_u64().or_else(|| found["published"].as_str()?.parse().ok()).expect("a number")
}

#[track_caller]
fn quit(host: Served) {
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
