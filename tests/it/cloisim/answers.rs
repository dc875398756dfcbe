//! How fast a client is answered, in runs that leave the host no rest and in pauses; what keeps it alive; and the
//! envelopes of its requests.

use std::time::Duration;

use bridgehead_host::clock;
use serde_json::Value;

use super::discovery::{DEVICE_LIST, Discovery, PATIENCE};
use super::msgs::{Any, Param, WorldStatistics};
use super::wire::{ANSWER, Asker, Ear, decode, frame, question, socket};
use super::yard::Yard;

/// Number of the state as `simulation_interfaces` has it.
pub(super) const PLAYING: u64 = 1;
pub(super) const PAUSED: u64 = 2;

/// Every port of every device: the text that tags are made of, and the port.
#[track_caller]
pub(super) fn ports(yard: &Yard) -> Vec<(String, u16)> {
    let answer = yard.control(&serde_json::json!({ "command": "port_list" }));
    let list = answer["result"].as_object().expect("an object");
    let port = |value: &Value| value.as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
    list.iter().map(|(key, value)| (key.clone(), port(value))).collect()
}

/// The ports whose key ends with one of these.
#[track_caller]
pub(super) fn ports_of(yard: &Yard, ends: &[&str]) -> Vec<(String, u16)> {
    let wanted = |(key, _): &(String, u16)| ends.iter().any(|end| key.ends_with(end));
    ports(yard).into_iter().filter(wanted).collect()
}

/// Half of the times are shorter.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Asks everything often. A client forgives an answer that is late once; what is usual has to be far from that.
#[track_caller]
fn assert_prompt(yard: &Yard) {
    let mut discovery = Discovery::connect(yard.service(), "/control").expect("a connection");
    let found = (0..20).filter_map(|_| discovery.poll(DEVICE_LIST)).map(|(_, time)| time);
    let found: Vec<Duration> = found.collect();
    assert!(found.len() >= 18, "{} of 20 answers in time", found.len());
    let usual = median(found);
    assert!(usual < PATIENCE / 3, "discovery takes {usual:?}");
    let mut times = Vec::new();
    for (key, port) in ports_of(yard, &["Info"]) {
        let asker = Asker::on(port, &key);
        asker.ask::<Param>("request_ros2");
        for _ in 0..10 {
            times.extend(asker.try_ask(&question("request_ros2", Any::default())).map(|(_, time)| time));
        }
    }
    assert!(times.len() >= 100, "{} answers in time", times.len());
    let usual = median(times);
    assert!(usual < ANSWER / 5, "answers take {usual:?}");
}

#[test]
fn answers_are_prompt_while_the_simulation_runs_as_fast_as_it_can() {
    let yard = Yard::unthrottled();
    assert_prompt(&yard);
    yard.finish().expect_code(0);
}

#[test]
fn a_pause_is_answered_and_heard_as_well() {
    let yard = Yard::start();
    yard.set_state(PAUSED);
    assert_prompt(&yard);
    for (key, port) in ports_of(&yard, &["Data", "Tx", "Tf", "Clock"]) {
        let ear = Ear::on(port, &key);
        let began = clock::now();
        (0..2).for_each(|_| drop(ear.next_bytes()));
        let time = began.elapsed();
        assert!(time < Duration::from_secs(6), "{key}: two signs of life in {time:?}");
    }
    let clock = yard.device("World", "WORLD").hear("Clock");
    let [first, later] = [(); 2].map(|()| clock.until("a pause", |clock: &WorldStatistics| clock.paused));
    assert_eq!(first.sim_time, later.sim_time, "it stands");
    yard.set_state(PLAYING);
    clock.until("time goes on", |clock: &WorldStatistics| {
        !clock.paused && clock.iterations > later.iterations
    });
    yard.finish().expect_code(0);
}

#[test]
fn envelopes_of_requests_come_back() {
    let yard = Yard::start();
    let device = yard.device("robot1", "LASER");
    let dealer = socket(zmq::DEALER, device.port("Info"), |socket| socket.set_rcvtimeo(5000));
    let request = frame("robot1anythingInfo", &question("request_ros2", Any::default()));
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
    // A request that nobody waits for any more does not stand in the way of the next one.
    let asker = device.ask();
    for _ in 0..5 {
        let gone = socket(zmq::REQ, device.port("Info"), |_| Ok(()));
        gone.send(request.clone(), 0).expect("sent");
        drop(gone);
        asker.ask::<Param>("request_transform");
    }
    yard.finish().expect_code(0);
}
