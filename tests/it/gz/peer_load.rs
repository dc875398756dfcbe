//! Big messages and many calls between a run and Gazebo's own library.

use std::thread::sleep;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::json;

use super::peer::{Peer, Place};
use crate::support::{PAUSED, Served, Setup, eventually, is_quiet, vehicle, world};

/// Point clouds of a million bytes, a hundred times per simulated second.
const CLOUDS: &str =
    "<plugin filename='cloud' name='cloud'><bytes>1000000</bytes><update_rate>100</update_rate></plugin>";
const TOPIC: &str = "/car1/points";
/// Steps from one cloud to the next.
const STEPS: u64 = 10;
/// How many clouds are sent after the peer has received the first one.
const COUNT: u64 = 300;
/// Least time between two of them.
const PERIOD: Duration = Duration::from_millis(10);
/// How many may be on their way: the bridge and ZeroMQ hold more for a peer that is slower than the run.
const WINDOW: u64 = 16;

/// Publishes one cloud.
fn step(host: &Served) {
    host.ok("step_simulation", json!({"steps": STEPS}));
}

fn received(peer: &Peer) -> f64 {
    peer.counted(TOPIC, 0)["received"].as_f64().expect("a number")
}

#[test]
fn no_message_of_a_million_bytes_is_lost_at_a_hundred_per_second() {
    let Some(place) = Place::find() else { return };
    // At full speed, so that a cloud does not take longer than a period.
    let setup = Setup::new().plugins(&["gz"]).fixtures(&["cloud"]);
    let setup = setup.world(&world(&vehicle("car1", CLOUDS))).bridge(place.bridge());
    let host = Served::start(setup.args(["--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    let peer = place.peer();
    peer.count(TOPIC);
    let mut sent = 0;
    eventually("the peer is connected", || {
        step(&host);
        sent += 1;
        received(&peer) > 0.0
    });
    let begin = clock::now();
    for number in 1..=COUNT {
        step(&host);
        peer.counted(TOPIC, (sent + number).saturating_sub(WINDOW));
        // Wall time: the rate that is tried is one of the wall clock; nothing that is checked depends on it.
        let due = begin + PERIOD * u32::try_from(number).expect("small");
        sleep(due.saturating_duration_since(clock::now()));
    }
    let counted = peer.counted(TOPIC, sent + COUNT);
    let rate = COUNT as f64 / begin.elapsed().as_secs_f64();
    println!("clouds of a million bytes: {rate:.1} per second: {counted}");
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let number = |name: &str| counted[name].as_f64().expect("a number");
    assert_eq!(counted["last"], finished.reported("topics", TOPIC)["published"].as_f64().expect("a number"));
    assert!(number("received") > COUNT as f64, "{counted}");
    assert_eq!((number("lost"), number("unordered"), number("wrong")), (0.0, 0.0, 0.0), "{counted}");
    assert_eq!(number("bytes"), number("received") * 1e6);
}

#[test]
fn thousands_of_calls_of_the_run_and_of_a_peer_are_answered() {
    let Some(place) = Place::find() else { return };
    let setup = Setup::new().plugins(&["gz"]).in_real_time().world(&world(""));
    let host = Served::start(setup.bridge(place.bridge()));
    let (caller, other) = (place.peer(), place.peer());
    other.serve("/other", "other");
    let services = ["/other", "/gazebo/worlds", "/other/control", "/world/test/control"];
    let timed = caller.time_calls(&services, 500);
    assert_eq!(timed["answers"], json!(["data: \"other\"", "data: \"test\"", "data: true", "data: true"]));
    println!("medians of 500 calls of {services:?} in microseconds: {}", timed["medians_us"]);
    // No answer waits for a period of the bridge.
    let median = |at: usize| timed["medians_us"][at].as_f64().expect("a number");
    assert!(median(3) < 5.0 * median(2) || !is_quiet(), "{timed}");
    assert_eq!(host.state(), PAUSED);
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
