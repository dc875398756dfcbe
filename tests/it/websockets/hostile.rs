//! Ten thousand hostile frames for each server: a client that behaves well receives everything meanwhile, and the log and
//! the memory of the host are bounded.

use std::thread::{Builder, scope};
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;
use tungstenite::Message;

use super::attack::Attacker;
use super::reader::Reader;
use super::server::{Kind, Server};
use super::stage::Stage;
use super::talk::{HARMLESS, Talk};
use crate::support::{Setup, eventually, is_loaded, is_long, worlds};

/// The plugins of the world with two vehicles.
const PLUGINS: &[&str] = &["clock", "diff_drive", "entities", "imu", "joint_state", "lidar"];
/// The clock of the world with two vehicles.
const TOPIC: &str = "/clock";
const TYPE: &str = "rosgraph_msgs/msg/Clock";
const PERIOD_NS: u64 = 20_000_000;
/// Frames for each server.
const FRAMES: usize = 10_000;
/// How much the memory of the host may grow: what waits for clients that do not read, and what the allocator keeps.
const MEMORY_KIB: u64 = 60_000;
/// Most lines, and bytes, of the log.
const LINES: usize = 200;
const BYTES: usize = 100_000;

/// Sends hostile frames to a server.
fn attack(server: Server, talk: &Talk, seed: u64) {
    let mut attacker = Attacker::new(server, talk, seed);
    let mut sent = 0;
    while sent < FRAMES {
        sent += attacker.connect();
    }
}

/// The ids of harmless services of Foxglove.
#[track_caller]
fn harmless_services(server: Server) -> Vec<u32> {
    if server.kind != Kind::Foxglove {
        return Vec::new();
    }
    let mut socket = server.connect();
    loop {
        let Message::Text(text) = socket.read().expect("an announcement") else { continue };
        let event: Value = serde_json::from_str(&text).expect("JSON");
        if event["op"] == "advertiseServices" {
            let services = event["services"].as_array().expect("a list").iter();
            let harmless = services.filter(|service| HARMLESS.iter().any(|name| service["name"] == *name));
            let ids = harmless.filter_map(|service| service["id"].as_u64());
            return ids.map(|id| u32::try_from(id).expect("small")).collect();
        }
    }
}

#[track_caller]
fn expect_service(kind: Kind, witness: Reader, time: Duration) {
    let received = witness.finish();
    let expected = time.as_secs_f64() * 50.0;
    let count = received.stamps.len() as f64;
    assert!(count > 0.5 * expected || is_loaded(), "{kind:?}: {count} of {expected} messages");
    received.expect_complete(PERIOD_NS);
}

/// Sends hostile frames to all servers. Returns what was measured.
#[track_caller]
fn send_hostile_frames(seed: u64) -> String {
    let setup = Setup::new().plugins(PLUGINS).in_real_time();
    let stage = Stage::start(setup.run(&worlds().join("two_vehicles.sdf")), "");
    let kinds = [Kind::Foxglove, Kind::Rosbridge, Kind::Host];
    let witnesses = kinds.map(|kind| (kind, Reader::start(stage.server(kind), TOPIC, TYPE, Duration::ZERO)));
    for (_, witness) in &witnesses {
        eventually("the clock arrives", || witness.count() > 5);
    }
    let (begin, before) = (clock::now(), stage.host.process_status("VmRSS"));
    let talks = kinds.map(|kind| {
        let server = stage.server(kind);
        (server, Talk::new(kind, harmless_services(server)))
    });
    scope(|threads| {
        for (number, (server, talk)) in (1..).zip(&talks) {
            let body = move || attack(*server, talk, seed.wrapping_mul(1000) + number);
            Builder::new().spawn_scoped(threads, body).expect("a thread");
        }
    });
    // Wall time: messages are expected for all of it.
    let (time, peak) = (begin.elapsed(), stage.host.process_status("VmHWM"));
    assert!(peak < before + MEMORY_KIB, "from {before} KiB to {peak} KiB");
    for (kind, witness) in witnesses {
        expect_service(kind, witness, time);
    }
    let output = stage.finish();
    let bytes: usize = output.iter().map(String::len).sum();
    let lines = output.len();
    assert!(lines < LINES && bytes < BYTES, "{lines} lines, {bytes} bytes");
    assert!(!output.iter().any(|line| line.contains("panicked")), "{output:?}");
    format!("{time:?}, {before} to at most {peak} KiB, {lines} lines of {bytes} bytes")
}

#[test]
fn hostile_frames_do_not_affect_other_clients() {
    for seed in 1..=if is_long() { 10 } else { 1 } {
        println!("seed {seed}");
        println!("{}", send_hostile_frames(seed));
    }
}
