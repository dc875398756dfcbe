//! Test of a client of large pictures that stops reading: the host continues unaffected.
//!
//! It is stopped for six seconds in all, or for sixty if the environment variable `BRIDGEHEAD_LONG` is 1.

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::peer::{Peer, python};
use super::place::Place;
use crate::support::{Served, Setup, eventually, is_loaded, is_long, is_quiet, world};

/// Pictures of a million bytes, two hundred times a second.
const CAMERA: &str = "<model name='car1'><static>true</static><link name='mast'>\
    <sensor name='big' type='depth_camera'><update_rate>200</update_rate><camera><horizontal_fov>1</horizontal_fov>\
    <image><width>500</width><height>500</height><format>R_FLOAT32</format></image>\
    <clip><near>0.1</near><far>10</far></clip></camera></sensor></link></model>";
/// How much the memory of the host may grow during a stall: a few pictures, which are queued and on their way. Without
/// a bound it would be two hundred pictures in each second. Beside other work more of them wait, in more threads.
fn memory_kib() -> u64 {
    if is_loaded() { 128_000 } else { 48_000 }
}

/// Messages that may wait in the bridge: they can be lost during a measurement that began after they were delivered.
const QUEUED: u64 = 50;
/// Number of rounds with a stopped client, and as many without one.
const ROUNDS: u32 = 3;

/// How long a round with a stopped client lasts.
fn stall() -> Duration {
    Duration::from_secs(if is_long() { 60 } else { 6 }) / ROUNDS
}

/// Measures for this time; returns the 99th percentile of step times, milliseconds, and the largest resident memory.
#[track_caller]
fn measure(host: &Served, time: Duration) -> (f64, u64) {
    const SAMPLES: u32 = 10;
    host.ok("reset_statistics", json!({}));
    let mut most = 0;
    for _ in 0..SAMPLES {
        // Wall time: memory and times of steps are measured in it.
        sleep(time / SAMPLES);
        most = most.max(host.process_status("VmRSS"));
    }
    (host.step_p99(), most)
}

/// Returns the status of the bridge.
#[track_caller]
fn bridge(host: &Served) -> Value {
    let response = host.ok("get_bridges", json!({}));
    let mut bridges = response["bridges"].as_array().expect("a list").iter();
    bridges.find(|bridge| bridge["vehicle"] == "car1").expect("the bridge of the vehicle").clone()
}

/// Returns a counter of [`bridge`].
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
    let lost = |host: &Served| number(&bridge(host), "lost");
    for _ in 0..ROUNDS {
        let mut client = Peer::start(&python, "stalled.py", &[&place.service()]);
        let received = client.receive();
        assert_eq!(received["bytes"], 1_000_028, "{received}");
        let before = lost(&host);
        client.signal(libc::SIGSTOP);
        eventually("the buffers at both ends of the connection are full", || lost(&host) > before);
        let (before, counts) = (host.process_status("VmRSS"), bridge(&host));
        let (step, most) = measure(&host, stall());
        assert!(most < before + memory_kib(), "memory grew from {before} KiB to {most} KiB");
        let since = |name: &str| number(&bridge(&host), name) - number(&counts, name);
        let (delivered, missing) = (since("delivered"), since("lost"));
        // After some seconds the library disconnects a silent client; from then on no message is lost.
        assert!(
            delivered > 20 && missing > delivered / 5 && missing <= delivered + QUEUED,
            "messages lost by a stopped client are counted: {missing} of {delivered}"
        );
        stalled.push(step);
        stamp = host.status("time_ns") / 1_000_000;
        client.signal(libc::SIGCONT);
        expect_fresh(&mut client, stamp);
        drop(client);
        // Messages on their way to the client are still lost after it has ended, and are reported later.
        eventually("no message is lost without a client", || {
            let before = lost(&host);
            let (step, _) = measure(&host, Duration::from_secs(1));
            let has_settled = lost(&host) == before;
            alone.extend(has_settled.then_some(step));
            has_settled
        });
    }
    // Other load on the machine disturbs single rounds, but hardly all of them. If other tests run at the same time,
    // the times are meaningless, so they are compared in long runs on a quiet machine only.
    let (alone, stalled) = (least(&alone), least(&stalled));
    assert!(
        !is_quiet() || stalled < 2.0 * alone + 0.3,
        "99 of 100 steps took {stalled} ms, and {alone} ms without a client"
    );
    assert!(stamp > 0 && bridge(&host)["failure"] == "", "{}", bridge(&host));
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    let finished = host.finish().expect_code(0).expect_message(&["does not read as fast", "BH-CLO-014"]);
    finished.expect_silence("error");
}

/// Checks that a client that reads again soon receives new pictures.
#[track_caller]
fn expect_fresh(client: &mut Peer, since_ms: i64) {
    for _ in 0..20 {
        client.send_line("receive");
        let received = client.receive();
        let stamps = received["stamps"].as_array().expect("a list");
        if stamps.iter().any(|stamp| stamp.as_i64().is_some_and(|stamp| stamp > since_ms)) {
            return;
        }
    }
    panic!("nothing newer than {since_ms} ms is received");
}
