//! Peers that come, change and die, and other processes with the same names.

use serde_json::json;

use super::peer::Place;
use super::tools::Tools;
use crate::support::{PAUSED, Served, Setup, eventually, worlds};

const COMMANDS: &str = "/car1/cmd_vel";
const FORWARD: &str = "linear { x: 0.1 }";

#[track_caller]
fn host(bridge: String) -> Served {
    let plugins = ["gz", "clock", "imu", "lidar", "diff_drive", "joint_state", "logging"];
    let setup = Setup::new().plugins(&plugins).run(&worlds().join("two_vehicles.sdf")).bridge(bridge);
    let host = Served::start(setup.args(["--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    host
}

/// How many commands the run has received.
fn received(host: &Served) -> u64 {
    let topics = host.ok("get_topics", json!({}));
    let topics = topics["topics"].as_array().expect("a list");
    let topic = topics.iter().find(|topic| topic["topic"] == COMMANDS).expect("the topic");
    topic["published"].as_u64().or_else(|| topic["published"].as_str()?.parse().ok()).expect("a number")
}

/// Messages reach the run in its steps.
#[track_caller]
fn grows(host: &Served, what: &str) {
    let before = received(host);
    eventually(what, || {
        host.ok("step_simulation", json!({"steps": 1}));
        received(host) > before + 2
    });
}

#[test]
fn a_peer_is_received_whenever_it_comes_and_whatever_it_was_before() {
    let Some(place) = Place::find() else { return };
    let before = place.peer();
    before.repeat(COMMANDS, "Twist", FORWARD);
    let host = host(place.bridge());
    grows(&host, "a peer that was there before the run is received");
    // It is killed, and says nothing of its end.
    drop(before);
    let during = place.peer();
    during.repeat(COMMANDS, "Twist", FORWARD);
    grows(&host, "a peer that comes later is received");
    during.stop(COMMANDS);
    during.repeat(COMMANDS, "Double", "data: 1");
    // Others are received beside what is of another type, of which nothing is.
    let witness = place.peer();
    witness.repeat(COMMANDS, "Twist", FORWARD);
    grows(&host, "another peer is received");
    drop(witness);
    during.stop(COMMANDS);
    let mut last = received(&host);
    eventually("what was on its way has arrived", || {
        host.ok("step_simulation", json!({"steps": 100}));
        std::mem::replace(&mut last, received(&host)) == last
    });
    during.repeat(COMMANDS, "Twist", FORWARD);
    grows(&host, "it is received again with the right type");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn a_run_that_is_killed_is_no_longer_listed_and_its_successor_is() {
    let Some(tools) = Tools::find() else { return };
    let listed = |tools: &Tools| tools.topics().contains(&"/car1/odom".to_owned());
    let first = host(tools.bridge());
    eventually("it is listed", || listed(&tools));
    let run = first.id();
    // First the process that would report its end.
    first.signal(libc::SIGKILL);
    // SAFETY: a process of this test.
    assert_eq!(unsafe { libc::kill(run.cast_signed(), libc::SIGKILL) }, 0);
    eventually("it is listed no longer", || !listed(&tools));
    let second = host(tools.bridge());
    eventually("its successor is listed", || listed(&tools));
    second.ok("quit", json!({}));
    second.finish().expect_code(0);
}

#[test]
fn another_process_with_the_same_names_is_reported_once() {
    let Some(tools) = Tools::find() else { return };
    let hosts = [host(tools.bridge()), host(tools.bridge())];
    eventually("both publish", || tools.topic(&["-i", "-t", "/car1/odom"]).matches("tcp://").count() == 2);
    for host in hosts {
        host.ok("quit", json!({}));
        let finished = host.finish().expect_code(0);
        let reports = finished.messages().iter().filter(|message| message.contains("BH-GZT-007")).count();
        assert_eq!(reports, 1, "{finished}");
    }
}
