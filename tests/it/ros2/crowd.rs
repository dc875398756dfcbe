//! Clients that connect and disconnect, some during a call: no reply to other clients is lost, and no resources are
//! kept.
//!
//! This takes six seconds over each transport; or, if the environment variable `BRIDGEHEAD_LONG` is 1, two minutes, in
//! which steps must not take longer than without clients.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{Builder, scope, sleep};
use std::time::{Duration, Instant};

use bridgehead_host::clock;
use serde_json::json;

use super::wire::over_each_transport;
use super::{Domain, Peer, Wire};
use crate::support::{Served, Setup, eventually, is_long, is_quiet, root};

const CLIENTS: u64 = 10;
/// Calls of a client before it disconnects.
const CALLS: u64 = 20;
/// How much more memory the host may use after many clients than after a few, KiB.
const MEMORY_KIB: u64 = 10_000;

const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const STEP: &str = "simulation_interfaces/srv/StepSimulation";

fn duration() -> Duration {
    Duration::from_secs(if is_long() { 120 } else { 6 })
}

/// Sends a request that only this client sends, and checks that the reply belongs to it.
fn call(peer: &Peer, name: &str) {
    let response = peer.call("delete_entity", DELETE, &json!({"entity": name}));
    let text = response["result"]["error_message"].as_str().expect("a text");
    assert!(text.contains(&format!("`{name}`")), "{name}: {text}");
}

/// Runs one client after the other until the time is over, each with its own calls. Returns their number.
fn come_and_go(domain: &Domain, slot: u64, until: Instant) -> u64 {
    let mut rounds = 0;
    // Wall time: clients come and go for some time.
    while clock::now() < until {
        // Beside other work, clients of low priority would get no processor time at all.
        let peer = if is_quiet() { Peer::start_low_priority(domain) } else { Peer::start(domain) };
        let peer = peer.expect("a peer");
        for number in 0..CALLS {
            call(&peer, &format!("c{slot}_{rounds}_{number}"));
        }
        match (slot, rounds % 2) {
            // Not waited for: the client is killed during the call, whose steps run in the pause.
            (0, _) => drop(peer.ask("step_simulation", STEP, &json!({"steps": 200}))),
            (_, 0) => peer.leave(),
            _ => {}
        }
        rounds += 1;
    }
    rounds
}

/// Runs many such sequences concurrently. Returns the number of clients.
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

/// The 99th percentile of the step times during `meanwhile`, milliseconds.
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

over_each_transport!(many_short_lived_clients_leave_no_resources_behind);

fn many_short_lived_clients_leave_no_resources_behind(wire: Wire) {
    if !Peer::is_available_over(wire) {
        return;
    }
    let Some(domain) = Domain::over(wire) else { return };
    let worlds = root().join("tests/fixtures/worlds");
    let setup = Setup::new().in_real_time().plugins(&[wire.bridge()]).longer(2 * duration());
    let setup = setup.run(&worlds.join("W1.sdf")).args(["--start", "paused"]);
    let host = Served::start(setup.bridge(format!("*={}", domain.bridge(""))));
    eventually("it is paused", || host.state() == 2);
    let staying = Peer::start(&domain).expect("a peer");
    call(&staying, "before");
    crowd(&domain, Duration::from_secs(1));
    let (memory, threads, open) =
        (host.process_status("VmRSS"), host.process_status("Threads"), host.process_entries("fd"));
    let mut count = crowd(&domain, duration() / 2);
    // Wall time: times of steps are measured in it; compared only on a quiet machine.
    let alone = p99_of_steps(&host, || sleep(Duration::from_secs(2)));
    let among_many = p99_of_steps(&host, || count += crowd(&domain, duration() / 2));
    // These times mean nothing if other tests run at the same time.
    assert!(
        !is_quiet() || among_many < 2.0 * alone + 1.0,
        "99 of 100 steps took {among_many} ms, and {alone} ms without clients"
    );
    assert!(count >= 2 * CLIENTS, "{count} clients");
    let after = host.process_status("VmRSS");
    assert!(after < memory + MEMORY_KIB, "{memory} KiB became {after} KiB after {count} clients");
    eventually("no more threads than before", || host.process_status("Threads") <= threads);
    eventually("no more files than before", || host.process_entries("fd") <= open);
    // The client that stayed connected is answered as before.
    call(&staying, "after");
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    host.finish().expect_code(0);
}
