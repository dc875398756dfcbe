//! One long run with every bridge: vehicles come and go, the simulation is reset and paused, clients connect, leave and
//! die, and every port is flooded. At its end the counts at both ends of each connection are equal, and the host uses no more memory, threads
//! and file descriptors than after its first sixth.
//!
//! It lasts half a minute, in which memory is not compared; or an hour, if the environment variable `BRIDGEHEAD_LONG`
//! is 1; or as many seconds as the environment variable `BRIDGEHEAD_SOAK` says.

mod readers;
mod usage;
mod visitors;

use std::io::Write as _;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};

use self::readers::Readers;
use self::usage::Usage;
use self::visitors::Visitors;
use crate::cloisim_peers::{Place, peer_python};
use crate::floods::Ports;
use crate::resources;
use crate::ros2::{Domain, Peer, Wire};
use crate::support::{Finished, OK, PAUSED, PLAYING, Python, Served, Setup, eventually, is_long, world};
use crate::zenoh::plain;

/// The vehicle that stays, with one sensor.
const CORE: &str = "<model name='core'><static>true</static><link name='base'>\
    <sensor name='imu' type='imu'><update_rate>20</update_rate></sensor></link></model>";
const PLUGINS: [&str; 12] = [
    "clock",
    "imu",
    "lidar",
    "velocity_control",
    "cloisim",
    "foxglove",
    "gz",
    "logging",
    "replay",
    "ros2",
    "rosbridge",
    "zenoh",
];
/// Bridges of each vehicle.
const BRIDGES: usize = 9;

/// Messages of a vehicle's sensor before it goes.
const MOMENT: u64 = 10;

const SCOPE_TIME: u64 = 1;
const SCOPE_SPAWNED: u64 = 4;
const SCOPE_ALL: u64 = 255;

/// How long the soak lasts.
fn duration() -> Duration {
    let given = std::env::var("BRIDGEHEAD_SOAK").ok();
    let given = given.map(|text| text.parse().expect("BRIDGEHEAD_SOAK is a number of seconds"));
    Duration::from_secs(given.unwrap_or(if is_long() { 3600 } else { 30 }))
}

/// Starts the host paused at step 0, with every bridge for the world and all vehicles.
fn start(domain: &Domain, zenoh: &Domain, place: &Place, ports: &Ports) -> Served {
    let setup = Setup::new().plugins(&PLUGINS).in_real_time().longer(2 * duration());
    let replay = setup.file("never.jsonl", resources::NEVER_DUE);
    let setup = setup.world(&world(CORE)).args(["--start", "paused"]).bridge("*=logging:out/soak.mcap");
    let setup = setup.bridge(format!("*=replay:{}", replay.display()));
    let setup = ports.bridges().into_iter().fold(setup, Setup::bridge);
    let ros2 = [domain, zenoh].map(|domain| format!("*={}", domain.bridge("sensors=reliable")));
    let setup = ros2.into_iter().fold(setup.bridge(place.bridge("libzmq")), Setup::bridge);
    let plain = plain::bridge(zenoh.endpoint().expect("a router"), "");
    let host = Served::start(setup.bridge(plain));
    eventually("paused", || host.state() == PAUSED);
    host
}

#[track_caller]
fn change(host: &Served, state: u64) {
    host.ok("set_simulation_state", json!({"state": {"state": state}}));
}

/// Spawns a vehicle and waits until its bridges are connected.
#[track_caller]
fn spawn(host: &Served, name: &str) {
    let response = resources::spawn(host, name);
    assert_eq!(response["result"]["result"], OK, "{response}");
    resources::await_bridges(host, name, BRIDGES);
}

/// Returns the number of messages on a topic; 0 if it does not exist.
#[track_caller]
fn published(host: &Served, name: &str) -> u64 {
    let listed = host.ok("get_topics", json!({}));
    let topic = listed["topics"].as_array().expect("a list").iter().find(|topic| topic["topic"] == name);
    topic.map_or(0, |topic| topic["published"].as_u64().expect("a count"))
}

/// Resets in one of the scopes. A complete reset leaves the simulation stopped.
#[track_caller]
fn reset(host: &Served, number: u64) {
    let scope = [SCOPE_TIME, SCOPE_ALL, SCOPE_SPAWNED, SCOPE_TIME | SCOPE_SPAWNED];
    let scope = scope[usize::try_from(number).expect("small") % scope.len()];
    host.ok("reset_simulation", json!({"scope": scope}));
    if host.state() != PLAYING {
        change(host, PLAYING);
    }
}

/// Pauses, runs some steps one by one, and continues.
#[track_caller]
fn pause(host: &Served) {
    change(host, PAUSED);
    for steps in 1..=3 {
        host.ok("step_simulation", json!({"steps": steps}));
    }
    change(host, PLAYING);
}

/// One cycle: a vehicle comes and goes, a client visits it, and time is reset or stopped now and then.
#[track_caller]
fn cycle(host: &Served, visitors: &mut Visitors<'_>, number: u64) {
    let guest = format!("guest{}", number % 3);
    spawn(host, &guest);
    // Counts of a topic go on if its vehicle is spawned again.
    let imu = format!("/{guest}/imu");
    let before = published(host, &imu);
    visitors.visit(host, number, &guest);
    eventually("the vehicle has lived for a moment", || published(host, &imu) >= before + MOMENT);
    match number % 8 {
        3 => pause(host),
        6 => reset(host, number / 8),
        _ => {}
    }
    let still_there = host.call("get_entity_info", json!({"entity": guest}))["result"]["result"] == OK;
    if still_there {
        resources::delete(host, &guest);
    }
}

/// The messages that the logging bridge accepted in all its connections.
#[track_caller]
fn logged(finished: &Finished) -> u64 {
    let result = finished.result();
    let bridges = result["bridges"].as_array().expect("a list").iter();
    let of_log =
        bridges.filter(|bridge| bridge["label"].as_str().is_some_and(|label| label.ends_with("/logging")));
    let mut accepted = 0;
    for bridge in of_log {
        for name in ["dropped", "lost"] {
            assert_eq!(bridge[name], 0, "{name} of {bridge}");
        }
        accepted += bridge["delivered"].as_u64().expect("a count");
    }
    accepted
}

/// The messages in the parts of the log, as the official reader counts them.
#[track_caller]
fn written(finished: &Finished, python: &Python) -> u64 {
    let folder = std::fs::read_dir(finished.path("out")).expect("the output folder");
    let names = folder.map(|entry| entry.expect("a file").path());
    let logs = names.filter(|path| path.extension().is_some_and(|ending| ending == "mcap"));
    let count = |path: std::path::PathBuf| {
        let report = python.run("read_mcap.py", &[path.to_str().expect("UTF-8")]);
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let counts = report["counts"].as_object().expect("counts by topic");
        counts.values().map(|count| count.as_u64().expect("a count")).sum::<u64>()
    };
    logs.map(count).sum()
}

#[test]
fn counts_are_equal_at_both_ends_and_resources_stay_flat() {
    let (Some(clients), Some(mcap)) = (peer_python(), Python::find()) else { return };
    if !Peer::is_available() {
        return;
    }
    let Some(zenoh) = Domain::over(Wire::Zenoh) else { return };
    let (domain, place) = (Domain::free(), Place::new());
    let ports = Ports::free(&place, &domain);
    let host = start(&domain, &zenoh, &place, &ports);
    let ports = ports.with_host(host.address());
    let mut readers = Readers::start(&domain, &place, &clients);
    let mut visitors = Visitors::new([&domain, &zenoh], &place, &ports, &clients);
    let (mut usage, end, began) = (Usage::default(), clock::now() + duration(), clock::now());
    change(&host, PLAYING);
    let mut cycles = 0;
    // Wall time: the soak lasts for a given time.
    while clock::now() < end {
        cycle(&host, &mut visitors, cycles);
        readers.drain();
        usage.add(&host, began.elapsed());
        cycles += 1;
    }
    change(&host, PAUSED);
    let published = readers.expect_all(&host);
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let (logged, written) = (logged(&finished), written(&finished, &mcap));
    assert_eq!(logged, written, "messages that the logging bridge accepted, and messages in its files");
    let growth = usage.expect_flat(duration());
    let summary = format!(
        "soak: {cycles} cycles in {:?}, {written} messages logged, {published} received by each reader; {growth}",
        duration()
    );
    // Shown for tests that pass too; a closed standard error must not fail the test.
    drop(writeln!(std::io::stderr(), "{summary}"));
}
