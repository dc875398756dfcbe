//! Tests of answers to a client: their latency in unthrottled runs and in pauses, messages that keep the client alive,
//! and the envelopes of its requests.

use std::time::Duration;

use serde_json::Value;

use super::discovery::{DEVICE_LIST, Discovery, POLL_TIMEOUT};
use super::msgs::{Any, Param, WorldStatistics};
use super::wire::{ANSWER_TIMEOUT, Requester, Subscriber, decode, frame, request, socket};
use super::yard::Yard;
use crate::support::{PAUSED, PLAYING, is_loaded, prompt};

/// Returns every port of every device: the text that its tag is computed from, and the port.
#[track_caller]
pub(super) fn ports(yard: &Yard) -> Vec<(String, u16)> {
    let answer = yard.control(&serde_json::json!({ "command": "port_list" }));
    let list = answer["result"].as_object().expect("an object");
    let port = |value: &Value| value.as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    list.iter().map(|(key, value)| (key.clone(), port(value))).collect()
}

/// Returns the ports whose key ends with one of these texts.
#[track_caller]
pub(super) fn ports_of(yard: &Yard, ends: &[&str]) -> Vec<(String, u16)> {
    let wanted = |(key, _): &(String, u16)| ends.iter().any(|end| key.ends_with(end));
    ports(yard).into_iter().filter(wanted).collect()
}

/// Returns the median of the times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Sends every kind of request often. A client tolerates one late answer; the median has to be far below its limit.
#[track_caller]
fn assert_prompt(yard: &Yard) {
    let mut discovery = Discovery::connect(yard.service(), "/control").expect("a connection");
    let found = (0..20).filter_map(|_| discovery.poll(DEVICE_LIST)).map(|(_, time)| time);
    let found: Vec<Duration> = found.collect();
    assert!(found.len() >= 18, "{} of 20 answers in time", found.len());
    let median_time = median(found);
    assert!(median_time < POLL_TIMEOUT / 3 || is_loaded(), "discovery takes {median_time:?}");
    let mut times = Vec::new();
    for (key, port) in ports_of(yard, &["Info"]) {
        let requester = Requester::on(port, &key);
        requester.ask::<Param>("request_ros2");
        for _ in 0..10 {
            times.extend(requester.try_ask(&request("request_ros2", Any::default())).map(|(_, time)| time));
        }
    }
    assert!(times.len() >= 100, "{} answers in time", times.len());
    let median_time = median(times);
    assert!(median_time < ANSWER_TIMEOUT / 5 || is_loaded(), "answers take {median_time:?}");
}

#[test]
fn answers_are_prompt_while_the_simulation_runs_unthrottled() {
    let yard = Yard::unthrottled();
    assert_prompt(&yard);
    yard.finish().expect_code(0);
}

#[test]
fn requests_are_answered_and_data_is_sent_during_a_pause() {
    let yard = Yard::start();
    yard.set_state(PAUSED);
    assert_prompt(&yard);
    let ports = ports_of(&yard, &["Data", "Tx", "Tf", "Clock"]);
    let subscribers: Vec<Subscriber> = ports.iter().map(|(key, port)| Subscriber::on(*port, key)).collect();
    assert!(subscribers.len() > 10, "{ports:?}");
    // Wall time: ports repeat their messages in a period of wall time.
    prompt("two keep-alive messages of every port", Duration::from_secs(6), || {
        for subscriber in &subscribers {
            (0..2).for_each(|_| drop(subscriber.next_bytes()));
        }
    });
    let clock = yard.device("World", "WORLD").subscriber("Clock");
    let [first, later] = [(); 2].map(|()| clock.until("a pause", |clock: &WorldStatistics| clock.paused));
    assert_eq!(first.sim_time, later.sim_time, "time does not advance during a pause");
    yard.set_state(PLAYING);
    clock.until("time advances", |clock: &WorldStatistics| {
        !clock.paused && clock.iterations > later.iterations
    });
    yard.finish().expect_code(0);
}

#[test]
fn answers_have_the_envelopes_of_their_requests() {
    let yard = Yard::start();
    let device = yard.device("robot1", "LASER");
    let dealer = socket(zmq::DEALER, device.port("Info"), |socket| socket.set_rcvtimeo(5000));
    let request = frame("robot1anythingInfo", &request("request_ros2", Any::default()));
    // Two at once, numbered as `ZMQ_REQ_CORRELATE` does.
    for id in [1_u32, 2] {
        let parts = [id.to_le_bytes().to_vec(), Vec::new(), request.clone()];
        dealer.send_multipart(parts, 0).expect("sent");
    }
    for id in [1_u32, 2] {
        let parts = dealer.recv_multipart(0).expect("an answer");
        assert_eq!(parts.len(), 3);
        assert_eq!((parts[0].as_slice(), parts[1].len()), (&id.to_le_bytes()[..], 0));
        let answer: Param = decode(&parts[2][8..]);
        assert!(answer.params.contains_key("ros2"), "{answer:?}");
    }
    // A request whose sender has disconnected does not block the next one.
    let requester = device.requester();
    for _ in 0..5 {
        let abandoned = socket(zmq::REQ, device.port("Info"), |_| Ok(()));
        abandoned.send(request.clone(), 0).expect("sent");
        drop(abandoned);
        requester.ask::<Param>("request_transform");
    }
    yard.finish().expect_code(0);
}
