//! All services of `simulation_interfaces` over each transport, with requests that succeed and requests that fail, from either DDS
//! stack and from both at once.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::scope;

use super::names::{SERVICES, snake};
use super::wire::over_each_transport;
use super::{FastDds, Peer, Stack, Stage, Wire};
use crate::service_calls::{Call, in_any_state, of_all, own};
use crate::support::OK;

/// Services that accept every well-formed request; malformed requests are tested in `garbled`.
const NEVER_REFUSE: [&str; 3] = ["get_simulation_state", "get_simulator_features", "get_spawnables"];
/// Rounds of requests of each stack in the concurrent test.
const ROUNDS: usize = 5;

fn all(caller: &str) -> Vec<Call> {
    [own(caller), of_all()].into_iter().flatten().collect()
}

#[test]
fn the_table_has_successful_and_failing_requests_for_every_service() {
    let mut codes: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for call in all("caller") {
        codes.entry(call.service).or_default().push(call.code);
    }
    let called: BTreeSet<String> = codes.keys().map(|name| (*name).to_owned()).collect();
    assert_eq!(called, SERVICES.iter().map(|name| snake(name)).collect());
    for (service, codes) in codes {
        assert!(codes.contains(&OK), "{service} has no successful request");
        let is_refused = codes.iter().any(|code| *code != OK);
        assert_eq!(is_refused, !NEVER_REFUSE.contains(&service), "{service} {codes:?}");
    }
}

/// Makes all calls from one stack.
#[track_caller]
pub(crate) fn make_all(stack: &dyn Stack) {
    for call in all(stack.name()) {
        call.make(stack);
    }
}

over_each_transport!(every_service_works_for_a_client);

fn every_service_works_for_a_client(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    make_all(&peer);
}

#[test]
fn every_service_works_for_a_fast_dds_client() {
    for options in ["", "mapping=fastdds"] {
        let stage = Stage::with(options).paused();
        let Some(fast) = FastDds::start(&stage.domain) else { return };
        make_all(&fast);
        assert_eq!(fast.stray(), 0);
    }
}

/// Makes all calls from two stacks at the same time.
#[track_caller]
pub(crate) fn make_all_at_once(one: &dyn Stack, other: &dyn Stack) {
    ask_at_once([one, other]);
    change_during_requests(one, other);
    change_during_requests(other, one);
}

/// Sends requests of each stack on its own thread, about its own entities.
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

/// Sends the requests that affect all callers from one stack, while the other sends requests: one at least with each of
/// them, however slow the machine is.
fn change_during_requests(one: &dyn Stack, other: &dyn Stack) {
    let mut number = 0;
    for change in of_all() {
        scope(|threads| {
            let changing = threads.spawn(|| change.make(one));
            loop {
                number += 1;
                in_any_state(&format!("{}_{number}", other.name())).make(other);
                if changing.is_finished() {
                    break;
                }
            }
            changing.join().expect("the response is as expected");
        });
    }
}

#[test]
fn every_service_works_for_concurrent_clients_of_both_stacks() {
    let stage = Stage::with("").paused();
    let Some(cyclone) = Peer::start(&stage.domain) else { return };
    let Some(fast) = FastDds::start(&stage.domain) else { return };
    make_all_at_once(&cyclone, &fast);
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients are sent only to them");
}
