//! A client of large pictures that stops reading: the host goes on as if it were not there.
//!
//! It is stopped for six seconds in all, or for sixty where the environment variable `BRIDGEHEAD_LONG` is 1.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::peer::{Peer, python};
use super::place::Place;
use crate::support::{Served, Setup, eventually, is_long, world};

/// Pictures of a million bytes, two hundred times a second.
const CAMERA: &str = "<model name='car1'><static>true</static><link name='mast'>\
    <sensor name='big' type='depth_camera'><update_rate>200</update_rate><camera><horizontal_fov>1</horizontal_fov>\
    <image><width>500</width><height>500</height><format>R_FLOAT32</format></image>\
    <clip><near>0.1</near><far>10</far></clip></camera></sensor></link></model>";
/// How much more memory the host may hold at any moment of a stall than at its begin: a few pictures, which are queued
/// and on their way. Without a bound it would be two hundred in each second.
const MEMORY_KIB: u64 = 48_000;
/// Rounds with a stopped client, and as many without.
const ROUNDS: u32 = 3;

/// How long a round with a stopped client lasts.
fn stall() -> Duration {
    Duration::from_secs(if is_long() { 60 } else { 6 }) / ROUNDS
}

#[track_caller]
fn resident_kib(host: &Served) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", host.id())).expect("a process");
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
    line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}

/// What 99 of 100 steps took at most within this time, milliseconds; and the most memory in it.
#[track_caller]
fn measure(host: &Served, time: Duration) -> (f64, u64) {
    const LOOKS: u32 = 10;
    host.ok("reset_statistics", json!({}));
    let mut most = 0;
    for _ in 0..LOOKS {
        sleep(time / LOOKS);
        most = most.max(resident_kib(host));
    }
    (host.step_p99(), most)
}

/// What the host says of the bridge.
#[track_caller]
fn bridge(host: &Served) -> Value {
    let response = host.ok("get_bridges", json!({}));
    let mut bridges = response["bridges"].as_array().expect("a list").iter();
    bridges.find(|bridge| bridge["vehicle"] == "car1").expect("the bridge of the vehicle").clone()
}

/// A count of [`bridge`].
#[track_caller]
fn number(bridge: &Value, name: &str) -> u64 {
    bridge[name].as_u64().unwrap_or_else(|| panic!("no {name} in {bridge}"))
}

fn least(figures: &[f64]) -> f64 {
    figures.iter().copied().fold(f64::INFINITY, f64::min)
}

#[test]
fn a_client_that_stops_reading_costs_neither_memory_nor_time() {
    let Some(python) = python() else { return };
    let place = Place::new();
    let setup = Setup::new().plugins(&["cloisim"]).fixtures(&["big_picture"]).in_real_time();
    let host = Served::start(setup.world(&world(CAMERA)).bridge(place.bridge("libzmq")));
    let (mut alone, mut stalled) = (Vec::new(), Vec::new());
    let mut stamp = 0;
    let dropped = |host: &Served| number(&bridge(host), "dropped");
    for _ in 0..ROUNDS {
        let mut client = Peer::start(&python, "stalled.py", &[&place.service()]);
        let heard = client.hear();
        assert_eq!(heard["bytes"], 1_000_028, "{heard}");
        let lost = dropped(&host);
        client.signal(libc::SIGSTOP);
        eventually("its side of the connection and ours are full", || dropped(&host) > lost);
        let (before, counts) = (resident_kib(&host), bridge(&host));
        let (step, most) = measure(&host, stall());
        assert!(most < before + MEMORY_KIB, "{before} KiB became {most} KiB");
        let since = |name: &str| number(&bridge(&host), name) - number(&counts, name);
        let (given, lost) = (since("delivered"), since("dropped"));
        // After some seconds the library gives up a client that is silent; from then on nobody loses anything.
        assert!(given > 20 && lost > given / 5, "what a stopped client loses is counted: {lost} of {given}");
        stalled.push(step);
        stamp = host.status("time_ns") / 1_000_000;
        client.signal(libc::SIGCONT);
        expect_fresh(&mut client, stamp);
        drop(client);
        let lost = dropped(&host);
        alone.push(measure(&host, Duration::from_secs(1)).0);
        assert_eq!(dropped(&host), lost, "nobody is there to lose anything");
    }
    // What else the machine does disturbs single rounds, hardly all of them. Beside other tests it says nothing.
    let (alone, stalled) = (least(&alone), least(&stalled));
    assert!(
        !is_long() || stalled < 2.0 * alone + 0.3,
        "99 of 100 steps took {stalled} ms, and {alone} ms without a client"
    );
    assert!(stamp > 0 && bridge(&host)["failure"] == "", "{}", bridge(&host));
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    let finished = host.finish().expect_code(0).expect_message(&["does not read as fast", "BH-CLO-014"]);
    finished.expect_silence("error");
}

/// A client that reads again soon hears what is new.
#[track_caller]
fn expect_fresh(client: &mut Peer, since_ms: i64) {
    for _ in 0..20 {
        client.tell("hear");
        let heard = client.hear();
        let stamps = heard["stamps"].as_array().expect("a list");
        if stamps.iter().any(|stamp| stamp.as_i64().is_some_and(|stamp| stamp > since_ms)) {
            return;
        }
    }
    panic!("nothing newer than {since_ms} ms is heard");
}
