//! Resets in both directions: a client is told and acknowledges, a client asks and everything begins anew.

use std::time::Duration;

use bridgehead_host::clock;
use prost::Message as _;
use serde_json::json;
use zmq::Socket;

use super::msgs::{Param, WorldStatistics, any};
use super::sensors::forward;
use super::wire::{decode, frame, socket, text};
use super::yard::{Place, Yard};
use crate::support::eventually;

/// The end of a client that is told of resets.
pub(super) struct Told(Socket);

impl Told {
    #[track_caller]
    pub(super) fn by(yard: &Yard) -> Self {
        let port = yard.device("World", "WORLD").port("Control");
        Told(socket(zmq::REP, port, |socket| socket.set_rcvtimeo(10_000)))
    }

    /// Waits until it is told, and says what came of it.
    #[track_caller]
    pub(super) fn acknowledge(&self, result: &str) {
        let question: Param = decode(&self.wait()[8..]);
        let value = question.params["reset_simulation"].value.clone();
        assert_eq!(value, Some(any::Value::BoolValue(true)));
        let answer = Param { params: [("result".to_owned(), text(result))].into(), ..Param::default() };
        self.0.send(frame("", &answer.encode_to_vec()), 0).expect("sent");
    }

    #[track_caller]
    fn wait(&self) -> Vec<u8> {
        self.0.recv_bytes(0).expect("the client is told")
    }

    /// Whether it is left in peace for a while.
    pub(super) fn is_left_alone(&self) -> bool {
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
fn a_client_that_is_there_is_told_once_and_its_word_is_logged() {
    with_both(told_once);
}

fn told_once(mut yard: Yard) {
    let told = Told::by(&yard);
    yard.ok("reset", json!({ "then": "keep" }));
    told.acknowledge("OK(2/2) timeout=0 unavailable=0");
    yard.wait_for("the client has reset: OK(2/2)");
    assert!(told.is_left_alone(), "one reset is told once");
    yard.ok("reset", json!({ "then": "keep" }));
    told.acknowledge("TIMEOUT");
    let line = yard.wait_for("the client was notified of the reset and replied");
    assert!(line.contains("TIMEOUT"), "{line}");
    yard.finish().expect_code(0).expect_message(&["TIMEOUT", "BH-CLO-009"]);
}

#[test]
fn a_client_that_comes_after_a_reset_is_told_then() {
    with_both(told_later);
}

fn told_later(mut yard: Yard) {
    yard.ok("reset", json!({ "then": "keep" }));
    let clock = yard.device("World", "WORLD").hear("Clock");
    // Several tries without anybody there.
    clock.until("a second after it", |clock: &WorldStatistics| seconds(clock) >= 1);
    let told = Told::by(&yard);
    told.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    assert!(told.is_left_alone());
    yard.finish().expect_code(0);
}

#[test]
fn a_client_that_does_not_answer_holds_up_nothing() {
    with_both(told_in_vain);
}

fn told_in_vain(mut yard: Yard) {
    let told = Told::by(&yard);
    let clock = yard.device("World", "WORLD").hear("Clock");
    yard.ok("reset", json!({ "then": "keep" }));
    told.wait();
    clock.until("time goes on", |clock: &WorldStatistics| seconds(clock) >= 2);
    yard.wait_for("did not answer the reset within 5 s");
    // The next reset is told to the next client.
    drop(told);
    let next = Told::by(&yard);
    yard.ok("reset", json!({ "then": "keep" }));
    next.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    yard.finish().expect_code(0).expect_message(&["did not answer the reset", "BH-CLO-009"]);
}

#[test]
fn a_client_resets_the_simulation_and_is_told_of_it_too() {
    let mut yard = Yard::start();
    let told = Told::by(&yard);
    let clock = yard.device("World", "WORLD").hear("Clock");
    let drive = yard.device("robot1", "MICOM").speak("Rx");
    let before = clock.until("two seconds", |clock: &WorldStatistics| {
        drive.say(&forward(0.5));
        seconds(clock) >= 2
    });
    let answer = yard.control(&json!({ "command": "reset" }));
    assert_eq!(answer["result"], "ok", "{answer}");
    assert_eq!(yard.status("reset_epoch"), 1);
    let after = clock.until("time went back", |clock: &WorldStatistics| seconds(clock) < 1);
    assert!(after.iterations < before.iterations);
    told.acknowledge("OK(1/1)");
    yard.wait_for("the client has reset: OK(1/1)");
    // It stands where it began, and goes nowhere: what was commanded is from before.
    clock.until("a second later", |clock: &WorldStatistics| seconds(clock) >= 1);
    let state = yard.ok("get_entity_state", json!({ "entity": "robot1" }));
    let x = state.pointer("/state/pose/position/x").and_then(serde_json::Value::as_f64).expect("a place");
    assert!((x + 2.0).abs() < 0.05, "{x}");
    yard.finish().expect_code(0);
}

#[test]
fn ports_and_devices_stay_over_many_resets() {
    let yard = Yard::start();
    let before = yard.devices();
    let clock = yard.device("World", "WORLD").hear("Clock");
    for epoch in 1..=5 {
        yard.ok("reset", json!({ "then": "keep" }));
        assert_eq!(yard.status("reset_epoch"), epoch);
        assert_eq!(yard.devices(), before, "after reset {epoch}");
    }
    eventually("it plays", || yard.state() == 1);
    let began = clock::now();
    clock.until("the clock is heard on the same connection", |clock: &WorldStatistics| clock.iterations > 50);
    assert!(began.elapsed() < Duration::from_secs(10));
    yard.finish().expect_code(0);
}
