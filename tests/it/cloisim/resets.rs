//! Tests of resets in both directions: a client is notified and acknowledges, and a client requests a reset.

use std::time::Duration;

use prost::Message as _;
use serde_json::json;
use zmq::Socket;

use super::msgs::{Micom, Param, WorldStatistics, any};
use super::restarts::speed;
use super::sensors::forward;
use super::wire::{decode, frame, socket, text};
use super::yard::{Place, Yard};
use crate::support::{eventually, prompt};

/// The socket on which a client is notified of resets.
pub(super) struct ResetListener(Socket);

impl ResetListener {
    #[track_caller]
    pub(super) fn connect(yard: &Yard) -> Self {
        let port = yard.device("World", "WORLD").port("Control");
        ResetListener(socket(zmq::REP, port, |socket| socket.set_rcvtimeo(10_000)))
    }

    /// Waits for the notification and replies with this result.
    #[track_caller]
    pub(super) fn acknowledge(&self, result: &str) {
        let notification: Param = decode(&self.wait()[8..]);
        let value = notification.params["reset_simulation"].value.clone();
        assert_eq!(value, Some(any::Value::BoolValue(true)));
        let answer = Param { params: [("result".to_owned(), text(result))].into(), ..Param::default() };
        self.0.send(frame("", &answer.encode_to_vec()), 0).expect("sent");
    }

    /// Returns true if a notification arrives within six seconds; the host waits five for an answer.
    fn is_notified(&self) -> bool {
        self.0.poll(zmq::POLLIN, 6000).expect("a poll") > 0
    }

    #[track_caller]
    fn wait(&self) -> Vec<u8> {
        self.0.recv_bytes(0).expect("the client is notified")
    }

    /// Returns true if no notification arrives within 1.5 s.
    pub(super) fn receives_nothing(&self) -> bool {
        self.0.poll(zmq::POLLIN, 1500).expect("a poll") == 0
    }
}

fn seconds(clock: &WorldStatistics) -> i64 {
    clock.sim_time.as_ref().expect("a time").sec
}

/// Runs a test with both libraries.
fn with_both(test: impl Fn(Yard)) {
    for options in ["", ";backend=zeromq"] {
        test(Yard::start_at(&Place::new().with(options)));
    }
}

#[test]
fn a_connected_client_is_notified_once_and_its_reply_is_logged() {
    with_both(notifies_once);
}

fn notifies_once(mut yard: Yard) {
    let listener = ResetListener::connect(&yard);
    yard.ok("reset", json!({ "then": "keep" }));
    listener.acknowledge("OK(2/2) timeout=0 unavailable=0");
    yard.wait_for("the client has reset: OK(2/2)");
    assert!(listener.receives_nothing(), "one reset is notified once");
    yard.ok("reset", json!({ "then": "keep" }));
    listener.acknowledge("TIMEOUT");
    let line = yard.wait_for("the client was notified of the reset and replied");
    assert!(line.contains("TIMEOUT"), "{line}");
    yard.finish().expect_code(0).expect_message(&["TIMEOUT", "BH-CLO-009"]);
}

#[test]
fn a_client_that_connects_after_a_reset_is_notified_then() {
    with_both(notifies_later);
}

fn notifies_later(mut yard: Yard) {
    yard.ok("reset", json!({ "then": "keep" }));
    let clock = yard.device("World", "WORLD").subscriber("Clock");
    // The bridge tries several times while no client is connected.
    clock.until("a second after the reset", |clock: &WorldStatistics| seconds(clock) >= 1);
    let listener = ResetListener::connect(&yard);
    listener.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    assert!(listener.receives_nothing());
    yard.finish().expect_code(0);
}

#[test]
fn a_client_that_does_not_answer_does_not_delay_the_run() {
    with_both(continues_without_an_answer);
}

fn continues_without_an_answer(mut yard: Yard) {
    let listener = ResetListener::connect(&yard);
    let clock = yard.device("World", "WORLD").subscriber("Clock");
    yard.ok("reset", json!({ "then": "keep" }));
    listener.wait();
    clock.until("time advances", |clock: &WorldStatistics| seconds(clock) >= 2);
    yard.wait_for("did not answer the reset within 5 s");
    // The next client is notified of the next reset.
    drop(listener);
    let next = ResetListener::connect(&yard);
    // Until the host has learnt that the first client is gone, a notification may go to it.
    let mut resets = (0..5).map(|_| yard.ok("reset", json!({ "then": "keep" })));
    assert!(resets.any(|_| next.is_notified()), "the next client is not notified");
    drop(resets);
    next.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    yard.finish().expect_code(0).expect_message(&["did not answer the reset", "BH-CLO-009"]);
}

#[test]
fn a_client_that_resets_the_simulation_is_also_notified() {
    let mut yard = Yard::start();
    let listener = ResetListener::connect(&yard);
    let clock = yard.device("World", "WORLD").subscriber("Clock");
    let drive = yard.device("robot1", "MICOM").publisher("Rx");
    let before = clock.until("two seconds", |clock: &WorldStatistics| {
        drive.send(&forward(0.5));
        seconds(clock) >= 2
    });
    // Commands arrive in their order: once the last one drives, none of them is on its way.
    let board = yard.device("robot1", "MICOM").subscriber("Tx");
    drive.send(&forward(0.25));
    board.until("the last command drives", |board: &Micom| (speed(board) - 0.25).abs() < 0.01);
    let answer = yard.control(&json!({ "command": "reset" }));
    assert_eq!(answer["result"], "ok", "{answer}");
    assert_eq!(yard.status("reset_epoch"), 1);
    let after = clock.until("time went back", |clock: &WorldStatistics| seconds(clock) < 1);
    assert!(after.iterations < before.iterations);
    listener.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    // The robot stays at its initial position: the command is from before the reset.
    clock.until("a second later", |clock: &WorldStatistics| seconds(clock) >= 1);
    let state = yard.ok("get_entity_state", json!({ "entity": "robot1" }));
    let x = state.pointer("/state/pose/position/x").and_then(serde_json::Value::as_f64).expect("a place");
    assert!((x + 2.0).abs() < 0.05, "{x}");
    yard.finish().expect_code(0);
}

#[test]
fn ports_and_devices_stay_the_same_after_many_resets() {
    let yard = Yard::start();
    let before = yard.devices();
    let clock = yard.device("World", "WORLD").subscriber("Clock");
    for epoch in 1..=5 {
        yard.ok("reset", json!({ "then": "keep" }));
        assert_eq!(yard.status("reset_epoch"), epoch);
        assert_eq!(yard.devices(), before, "after reset {epoch}");
    }
    eventually("it plays", || yard.state() == 1);
    // Wall time: a client gives up before the deadline of `until`.
    prompt("the clock is received", Duration::from_secs(10), || {
        clock.until("the clock is received on the same connection", |clock: &WorldStatistics| {
            clock.iterations > 50
        })
    });
    yard.finish().expect_code(0);
}
