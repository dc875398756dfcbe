//! First contact: clients that start before, with and after the host get the time and a response to their first call.
//!
//! Each start is another race of discovery. There are six of them, or two hundred if the environment variable
//! `BRIDGEHEAD_LONG` is 1.

use serde_json::json;

use super::wire::over_each_transport;
use super::{Domain, Peer, Wire};
use crate::support::{Served, Setup, is_long};

const STATE: &str = "simulation_interfaces/srv/GetSimulationState";
const CLOCK: &str = "rosgraph_msgs/msg/Clock";

fn starts() -> u32 {
    if is_long() { 200 } else { 6 }
}

/// A client and what it asked for.
struct Contact {
    peer: Peer,
    clock: super::Messages,
    response: super::Pending,
}

impl Contact {
    /// Starts a client that subscribes and calls at once, whether there is a host or not.
    fn begin(domain: &Domain) -> Option<Self> {
        let peer = Peer::start(domain)?;
        let clock = peer.subscribe("/clock", CLOCK, json!({}));
        let response = peer.ask("get_simulation_state", STATE, &json!({}));
        Some(Contact { peer, clock, response })
    }

    #[track_caller]
    fn expect_both(self, what: &str) {
        let response = self.response.wait();
        assert!(response.is_ok(), "{what}: the first call got {response:?}");
        let time = self.clock.next();
        assert!(time["clock"]["sec"].is_number(), "{what}: {time}");
        drop(self.peer);
    }
}

over_each_transport!(the_first_call_of_every_client_is_answered_and_the_time_arrives);

fn the_first_call_of_every_client_is_answered_and_the_time_arrives(wire: Wire) {
    for number in 0..starts() {
        let Some(domain) = Domain::over(wire) else { return };
        let Some(early) = Contact::begin(&domain) else { return };
        let bridge = format!("*={}", domain.bridge(""));
        let host = Served::start(Setup::new().plugins(&[wire.bridge()]).without_world().bridge(bridge));
        let late = Contact::begin(&domain).expect("there was a peer before");
        early.expect_both(&format!("start {number}, client before the host"));
        late.expect_both(&format!("start {number}, client after the host"));
        host.ok("quit", json!({}));
        host.finish().expect_code(0);
    }
}
