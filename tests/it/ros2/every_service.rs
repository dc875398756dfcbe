//! All services of `simulation_interfaces` over DDS, each for what it is for and for what it refuses: asked by one stack
//! of DDS, by another, and by both at once.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::scope;

use super::calls::{Call, in_any_state, of_all, own};
use super::names::{SERVICES, snake};
use super::{FastDds, Peer, Stack, Stage};
use crate::support::OK;

/// Services that refuse nothing that is a request of theirs; what they refuse is no request (`garbled`).
const NEVER_REFUSE: [&str; 3] = ["get_simulation_state", "get_simulator_features", "get_spawnables"];
/// How often each asks while both do.
const ROUNDS: usize = 5;

fn all(caller: &str) -> Vec<Call> {
    [own(caller), of_all()].into_iter().flatten().collect()
}

#[test]
fn each_is_asked_for_what_it_does_and_for_what_it_does_not() {
    let mut codes: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for call in all("nobody") {
        codes.entry(call.service).or_default().push(call.code);
    }
    let called: BTreeSet<String> = codes.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(called, SERVICES.iter().map(|name| snake(name)).collect());
    for (service, codes) in codes {
        assert!(codes.contains(&OK), "{service} is never asked for what it does");
        let is_refused = codes.iter().any(|code| *code != OK);
        assert_eq!(is_refused, !NEVER_REFUSE.contains(&service), "{service} {codes:?}");
    }
}

#[track_caller]
fn make_all(stack: &dyn Stack) {
    for call in all(stack.name()) {
        call.make(stack);
    }
}

#[test]
fn each_does_so_for_a_client_of_cyclone() {
    let stage = Stage::with("").paused();
    let Some(peer) = Peer::start(&stage.domain) else { return };
    make_all(&peer);
}

#[test]
fn each_does_so_for_a_client_of_fast_dds() {
    for options in ["", "mapping=fastdds"] {
        let stage = Stage::with(options).paused();
        let Some(fast) = FastDds::start(&stage.domain) else { return };
        make_all(&fast);
        assert_eq!(fast.stray(), 0);
    }
}

/// Each on a thread of its own, with entities of its own.
fn ask_at_once(stacks: [&dyn Stack; 2]) {
    scope(|threads| {
        for stack in stacks {
            let body = move || {
                for round in 0..ROUNDS {
                    for call in own(&format!("{}{round}", stack.name())) {
                        call.make(stack);
                    }
                }
            };
            threads.spawn(body);
        }
    });
}

/// One goes through what changes the world of both, and the other asks all the while.
fn change_beside(one: &dyn Stack, other: &dyn Stack) {
    scope(|threads| {
        let changing = threads.spawn(|| of_all().iter().for_each(|call| call.make(one)));
        let mut count = 0;
        while !changing.is_finished() {
            count += 1;
            in_any_state(&format!("{}_{count}", other.name())).make(other);
        }
        changing.join().expect("all is as it must be");
        assert!(count > 10, "{} was answered {count} times", other.name());
    });
}

#[test]
fn each_does_so_for_clients_of_both_at_once() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    ask_at_once([&cyclone, &fast]);
    change_beside(&cyclone, &fast);
    change_beside(&fast, &cyclone);
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients went there alone");
}
