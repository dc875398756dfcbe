//! What the host tells readers that have just joined, as the trace of Cyclone DDS shows it.

use std::fs;

use serde_json::json;
use tempfile::tempdir;

use super::{Domain, Peer};
use crate::support::{Served, Setup, vehicle, world};

/// Messages a second.
const RATE: usize = 20;

/// Messages of eight seconds: a reader is told for five, and a busy machine may make up for a delay of three.
const MAX: usize = 8 * RATE;

/// The number of the newest sample in each heartbeat with the count 0; the counts of `rustdds` begin with 1.
fn first_heartbeats(trace: &str) -> Vec<usize> {
    let numbers =
        trace.lines().filter_map(|line| line.split_once("recv: HEARTBEAT(F#0:1..")?.1.split_once(' '));
    numbers.map(|(number, _)| number.parse().expect("a number")).collect()
}

#[test]
fn a_reader_that_joins_is_told_before_each_sample_what_it_has_missed() {
    let (domain, folder) = (Domain::free(), tempdir().expect("a folder"));
    let trace = folder.path().join("trace.log");
    let Some(peer) = Peer::start_traced(&domain, &trace) else { return };
    let messages = peer.subscribe("rt/car1/imu", "sensor_msgs/msg/Imu", json!({"depth": 1000}));
    let imu = format!(
        "<link name='mast'><sensor name='imu' type='imu'><update_rate>{RATE}</update_rate><topic>imu</topic></sensor></link>"
    );
    let setup = Setup::new().in_real_time().plugins(&["ros2", "imu"]).world(&world(&vehicle("car1", &imu)));
    let host = Served::start(
        setup.bridge(format!("car1=ros2:domain={};interface=lo;sensors=reliable", domain.number())),
    );
    for _ in 0..MAX + 4 * RATE {
        messages.next();
    }
    peer.leave();
    let numbers = first_heartbeats(&fs::read_to_string(&trace).expect("a trace"));
    assert!(numbers.len() >= RATE, "for seconds, not only once: {numbers:?}");
    assert!(
        numbers.is_sorted_by(|one, next| one < next),
        "each names the sample before the next: {numbers:?}"
    );
    let told = numbers[numbers.len() - 1] - numbers[0];
    assert!(told <= MAX, "and not for ever: {numbers:?}");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
