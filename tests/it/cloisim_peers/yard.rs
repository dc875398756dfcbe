//! Tests of the yard with a client of libzmq, also across a restart of the host.

use super::peer::{Peer, proto, python};
use super::place::Place;
use crate::support::{CLOISIM_YARD, Running, Setup, worlds};

/// A host with the yard, in real time.
fn start(place: &Place, backend: &str) -> Running {
    let setup = Setup::new()
        .plugins(CLOISIM_YARD)
        .plugins(&["cloisim"])
        .in_real_time()
        .run(&worlds().join("cloisim_yard.sdf"));
    setup.bridge(place.bridge(backend)).start()
}

#[track_caller]
fn end(host: Running) {
    host.signal(libc::SIGTERM);
    host.finish().expect_code(0).expect_silence("error");
}

/// Runs a client that finds all devices, subscribes to them, sends them requests, drives and resets.
#[track_caller]
fn run_client_in_the_yard(backend: &str) {
    let Some(python) = python() else { return };
    let place = Place::new();
    let host = start(&place, backend);
    let seen = Peer::start(&python, "yard.py", &[&place.service(), &proto()]).finish();
    assert_eq!(seen["ports"], 37, "{seen}");
    end(host);
}

#[test]
fn a_client_of_libzmq_uses_all_devices_of_the_yard() {
    run_client_in_the_yard("libzmq");
}

#[test]
fn a_client_of_libzmq_uses_a_host_with_the_rust_library() {
    run_client_in_the_yard("zeromq");
}

#[track_caller]
fn run_client_across_a_restart(backend: &str) {
    let Some(python) = python() else { return };
    let place = Place::new();
    let first = start(&place, backend);
    let mut client = Peer::start(&python, "restart.py", &[&place.service(), &proto()]);
    client.receive();
    end(first);
    client.send_line("gone");
    client.receive();
    let second = start(&place, backend);
    client.send_line("back");
    let seen = client.finish();
    // Clients reconnect after one second, then after two.
    assert!(seen["gap"].as_f64().is_some_and(|gap| gap < 15.0), "{seen}");
    end(second);
}

#[test]
fn a_client_continues_after_a_restart_of_the_host() {
    run_client_across_a_restart("libzmq");
}

#[test]
fn a_client_continues_after_a_restart_of_a_host_with_the_rust_library() {
    run_client_across_a_restart("zeromq");
}
