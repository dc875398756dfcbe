//! The yard through the eyes of a client of libzmq, and such a client when the host goes and comes back.

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

/// Lets a client find, hear, ask, drive and reset everything.
#[track_caller]
fn live_in_the_yard(backend: &str) {
    let Some(python) = python() else { return };
    let place = Place::new();
    let host = start(&place, backend);
    let seen = Peer::start(&python, "yard.py", &[&place.service(), &proto()]).finish();
    assert_eq!(seen["ports"], 37, "{seen}");
    end(host);
}

#[test]
fn a_client_of_libzmq_finds_hears_asks_and_drives_the_yard() {
    live_in_the_yard("libzmq");
}

#[test]
fn a_client_of_libzmq_meets_the_library_in_rust() {
    live_in_the_yard("zeromq");
}

#[track_caller]
fn outlive_a_host(backend: &str) {
    let Some(python) = python() else { return };
    let place = Place::new();
    let first = start(&place, backend);
    let mut client = Peer::start(&python, "restart.py", &[&place.service(), &proto()]);
    client.hear();
    end(first);
    client.tell("gone");
    client.hear();
    let second = start(&place, backend);
    client.tell("back");
    let seen = client.finish();
    // Clients try again after one second, then after two.
    assert!(seen["gap"].as_f64().is_some_and(|gap| gap < 15.0), "{seen}");
    end(second);
}

#[test]
fn a_client_hears_and_asks_on_when_the_host_comes_back() {
    outlive_a_host("libzmq");
}

#[test]
fn a_client_hears_and_asks_on_when_a_host_with_the_library_in_rust_comes_back() {
    outlive_a_host("zeromq");
}
