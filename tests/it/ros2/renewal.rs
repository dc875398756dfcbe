//! The host moves its endpoints to a new participant once many remote endpoints have come and gone. Clients that stay
//! notice nothing but the new addresses: no call is lost or executed twice, no message is lost or arrives twice, and
//! services, topics and the node are those from before.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::scope;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};

use super::stack::Stack;
use super::{Domain, FastDds, Messages, Peer, topics};
use crate::support::{Served, Setup, eventually, is_long, world};

const IMU: &str = "sensor_msgs/msg/Imu";
const CLOCK: &str = "rosgraph_msgs/msg/Clock";
const STEP: &str = "simulation_interfaces/srv/StepSimulation";
const DELETE: &str = "simulation_interfaces/srv/DeleteEntity";
const CAR: &str = "<model name='car'><static>true</static><link name='base'>\
    <sensor name='imu' type='imu'><update_rate>20</update_rate></sensor></link></model>";
/// Time between two messages of the imu, nanoseconds.
const PERIOD: i64 = 50_000_000;

/// Readers of one visit. Five visits are more than a participant of the host sees depart before it is renewed.
const READERS: u32 = 128;
/// A renewal waits a minute for peers that do not respond, and the next one begins half a minute later.
const LONGEST: Duration = Duration::from_secs(240);
/// `RESULT_OK`.
const OK: u64 = 1;

/// What peers see of an endpoint besides its address.
type Seen = (String, String, String, bool, bool);

/// The participants that write the time, and what peers see of their endpoints.
fn host_in(graph: &Value) -> (BTreeSet<String>, BTreeSet<Seen>) {
    let text = |endpoint: &Value, name: &str| endpoint[name].as_str().expect("a text").to_owned();
    let endpoints = graph["endpoints"].as_array().expect("a list");
    let writes_time = |endpoint: &&Value| endpoint["topic"] == "rt/clock" && endpoint["kind"] == "writer";
    let participants: BTreeSet<_> =
        endpoints.iter().filter(writes_time).map(|endpoint| text(endpoint, "participant")).collect();
    let is_own = |endpoint: &&Value| participants.contains(&text(endpoint, "participant"));
    let seen = endpoints.iter().filter(is_own).map(|endpoint| {
        let is = |name: &str| endpoint[name].as_bool().expect("true or false");
        let [topic, kind, side] = ["topic", "type", "kind"].map(|name| text(endpoint, name));
        (topic, kind, side, is("reliable"), is("transient_local"))
    });
    let seen = seen.collect();
    (participants, seen)
}

/// Lets readers come and go until the host has a new participant, and nothing of the one before is left.
#[track_caller]
fn renew(visitor: &Peer) {
    let (before, seen) = host_in(&visitor.graph());
    let visit = |readers: u32| {
        let visit = json!({"topic": "rt/clock", "type": CLOCK, "readers": readers});
        visitor.tell("visit", visit).wait().expect("readers that are matched");
    };
    (0..5).for_each(|_| visit(READERS));
    let deadline = clock::now() + LONGEST;
    loop {
        let (after, seen_now) = host_in(&visitor.graph());
        if after.len() == 1 && after != before && seen_now == seen {
            return;
        }
        assert!(clock::now() < deadline, "{before:?} became {after:?}");
        // Soon after a renewal, the next one begins with a later departure.
        visit(1);
    }
}

/// Ends the calls, also if the test fails meanwhile.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Calls a service again and again, and expects the response to each call.
#[track_caller]
fn call_until(peer: &dyn Stack, is_over: &AtomicBool) -> u32 {
    let mut calls = 0;
    while !is_over.load(Ordering::Relaxed) {
        calls += 1;
        let name = format!("{} {calls}", peer.name());
        let response = peer.call("delete_entity", DELETE, &json!({"entity": name}));
        let text = response["result"]["error_message"].as_str().expect("a text");
        assert!(text.contains(&format!("`{name}`")), "{name}: {text}");
    }
    calls
}

/// Single steps until it is over. Returns how many.
#[track_caller]
fn step_until(peer: &Peer, is_over: &AtomicBool) -> i64 {
    let mut steps = 0;
    while !is_over.load(Ordering::Relaxed) {
        let response = peer.call("step_simulation", STEP, &json!({"steps": 1}));
        assert_eq!(response["result"]["result"], OK, "{response}");
        steps += 1;
    }
    steps
}

/// Clients that join one after the other, call at once, and leave. Returns how many.
#[track_caller]
fn join_until(domain: &Domain, is_over: &AtomicBool) -> u32 {
    let mut joined = 0;
    while !is_over.load(Ordering::Relaxed) {
        joined += 1;
        let peer = Peer::start(domain).expect("it is available");
        let name = format!("newcomer {joined}");
        let asked = peer.ask("delete_entity", DELETE, &json!({"entity": name})).wait();
        let response = asked.unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = response["result"]["error_message"].as_str().expect("a text");
        assert!(text.contains(&format!("`{name}`")), "{name}: {text}");
    }
    joined
}

/// The stamps of all messages up to this time: each period once, from the first one on.
#[track_caller]
fn expect_all(messages: &Messages, until: i64) {
    let mut last = topics::nanos(&messages.next()["header"]["stamp"]);
    while last + PERIOD <= until {
        let stamp = topics::nanos(&messages.next()["header"]["stamp"]);
        assert_eq!(stamp, last + PERIOD, "after {last} ns, of {until} ns");
        last = stamp;
    }
    assert!(messages.next_of_now().is_none(), "a message more");
}

fn start(domain: &Domain) -> Served {
    let bridge = format!("*=ros2:domain={};interface=lo;sensors=reliable", domain.number());
    let setup = Setup::new().in_real_time().plugins(&["ros2", "imu", "clock"]).world(&world(CAR));
    let host = Served::start(setup.bridge(bridge).args(["--start", "paused"]));
    eventually("it is paused", || host.state() == 2);
    host
}

#[test]
fn clients_of_both_stacks_lose_nothing_while_the_host_gets_a_new_participant() {
    let domain = Domain::free();
    if !Peer::is_available() {
        return;
    }
    let host = start(&domain);
    let [cyclone, visitor] = [(); 2].map(|()| Peer::start(&domain).expect("it is available"));
    let Some(fast) = FastDds::start(&domain) else { return };
    let stacks: [&dyn Stack; 2] = [&cyclone, &fast];
    let messages = stacks.map(|stack| stack.subscribe("/car/imu", IMU, false));
    eventually("the subscribers are matched", || {
        cyclone.call("step_simulation", STEP, &json!({"steps": 50}));
        messages.iter().filter(|messages| messages.next_of_now().is_some()).count() == 2
    });
    eventually("the visitor has discovered the host too", || {
        let [(participants, seen), of_visitor] = [&cyclone, &visitor].map(|peer| host_in(&peer.graph()));
        participants.len() == 1 && of_visitor == (participants, seen)
    });
    for received in &messages {
        while received.next_of_now().is_some() {}
    }
    let before = host.status("step");
    let is_over = AtomicBool::new(false);
    let (steps, calls) = scope(|scope| {
        let steps = scope.spawn(|| step_until(&cyclone, &is_over));
        let calls = stacks.map(|stack| scope.spawn(|| call_until(stack, &is_over)));
        let joined = scope.spawn(|| join_until(&domain, &is_over));
        let over = Over(&is_over);
        (0..if is_long() { 3 } else { 1 }).for_each(|_| renew(&visitor));
        drop(over);
        println!("{} clients have joined", joined.join().expect("all calls are answered"));
        let calls = calls.map(|thread| thread.join().expect("all calls are answered"));
        (steps.join().expect("all steps are answered"), calls)
    });
    assert!(calls.iter().all(|calls| *calls > 10), "{calls:?}");
    assert_eq!(host.status("step"), before + steps, "each call was executed once");
    let until = host.status("time_ns");
    messages.iter().for_each(|messages| expect_all(messages, until));
    assert_eq!(fast.stray(), 0, "replies to Cyclone's clients are sent only to them");
    let late = Peer::start(&domain).expect("it is available");
    late.call("delete_entity", DELETE, &json!({"entity": "late"}));
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
