//! Clients that come and go, some in the middle of a call: nobody else's reply is lost, and nothing of them is kept.
//!
//! They do so for six seconds; or, where the environment variable `BRIDGEHEAD_LONG` is 1, for two minutes, in which steps
//! take as long as they do without them.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, scope, sleep};
use std::time::{Duration, Instant};

use bridgehead_host::clock;
use serde_json::json;

use super::{Domain, Peer};
use crate::support::{Served, Setup, eventually, is_long, root};

const CLIENTS: u64 = 10;
/// Calls of a client before it goes.
const CALLS: u64 = 20;
/// How much more memory the host may hold after many clients than after a few, KiB.
const MEMORY_KIB: u64 = 10_000;

const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const STEP: &str = "simulation_interfaces/srv/StepSimulation";

fn duration() -> Duration {
    Duration::from_secs(if is_long() { 120 } else { 6 })
}

/// A number of `/proc/<pid>/status`.
#[track_caller]
fn of_process(host: &Served, name: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", host.id())).expect("a process");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("a line");
    line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}

/// Open files and sockets of a process.
#[track_caller]
fn files(host: &Served) -> usize {
    fs::read_dir(format!("/proc/{}/fd", host.id())).expect("a process").count()
}

/// Asks for what only this client asks for, and looks that it is what is answered.
fn call(peer: &Peer, name: &str) {
    let response = peer.call("delete_entity", DELETE, &json!({"entity": name}));
    let told = response["result"]["error_message"].as_str().expect("a text");
    assert!(told.contains(&format!("`{name}`")), "{name}: {told}");
}

/// One client after the other until the time is over, each with calls of its own. Gives how many there were.
fn come_and_go(domain: &Domain, slot: u64, until: Instant) -> u64 {
    let mut rounds = 0;
    while clock::now() < until {
        let peer = Peer::start_meek(domain).expect("as the first");
        for number in 0..CALLS {
            call(&peer, &format!("c{slot}_{rounds}_{number}"));
        }
        match (slot, rounds % 2) {
            // Not waited for: the client is killed with the call under way, and with the steps of a run in its pause.
            (0, _) => drop(peer.ask("step_simulation", STEP, &json!({"steps": 200}))),
            (_, 0) => peer.leave(),
            _ => {}
        }
        rounds += 1;
    }
    rounds
}

/// Many of them at a time. Gives how many clients there were.
fn crowd(domain: &Domain, duration: Duration) -> u64 {
    let (until, count) = (clock::now() + duration, AtomicU64::new(0));
    scope(|threads| {
        for slot in 0..CLIENTS {
            let count = &count;
            let body = move || count.fetch_add(come_and_go(domain, slot, until), Ordering::Relaxed);
            Builder::new().name(format!("client {slot}")).spawn_scoped(threads, body).expect("a thread");
        }
    });
    count.into_inner()
}

/// What 99 of 100 steps take at most while something else happens, milliseconds.
#[track_caller]
fn p99_of_steps(host: &Served, meanwhile: impl FnOnce()) -> f64 {
    let change = |state: u64| host.ok("set_simulation_state", json!({"state": {"state": state}}));
    change(1);
    host.ok("reset_statistics", json!({}));
    meanwhile();
    let time = host.step_p99();
    change(2);
    time
}

#[test]
fn clients_come_and_go_and_leave_nothing_behind() {
    if !Peer::is_there() {
        return;
    }
    let domain = Domain::free();
    let worlds = root().join("tests/fixtures/worlds");
    let setup = Setup::new().in_real_time().plugins(&["ros2"]).longer(2 * duration());
    let setup = setup.run(&worlds.join("W1.sdf"));
    let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
    let host = Served::start(setup.args(["--start", "paused"]).bridge(bridge));
    eventually("it is paused", || host.state() == 2);
    let stays = Peer::start(&domain).expect("as the first");
    call(&stays, "before");
    crowd(&domain, Duration::from_secs(1));
    let (memory, threads, open) = (of_process(&host, "VmRSS"), of_process(&host, "Threads"), files(&host));
    let mut count = crowd(&domain, duration() / 2);
    let alone = p99_of_steps(&host, || sleep(Duration::from_secs(2)));
    let among_many = p99_of_steps(&host, || count += crowd(&domain, duration() / 2));
    // Beside other tests these times say nothing.
    assert!(
        !is_long() || among_many < 2.0 * alone + 1.0,
        "99 of 100 steps took {among_many} ms, and {alone} ms without clients"
    );
    assert!(count >= 2 * CLIENTS, "{count} clients");
    let after = of_process(&host, "VmRSS");
    assert!(after < memory + MEMORY_KIB, "{memory} KiB became {after} KiB after {count} clients");
    eventually("no more threads than before", || of_process(&host, "Threads") <= threads);
    eventually("no more files than before", || files(&host) <= open);
    // Who was there all the time is answered as before.
    call(&stays, "after");
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    host.finish().expect_code(0);
}
