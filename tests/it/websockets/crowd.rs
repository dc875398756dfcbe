//! A hundred clients that come at once, subscribe to everything, and disappear: nothing of them remains, and another client
//! receives everything.

use std::sync::Barrier;
use std::thread::{Builder, scope, sleep};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::Message;

use super::reader::Reader;
use super::server::{Kind, Server, Socket, send};
use super::stage::Stage;
use crate::support::{Setup, eventually, is_loaded, worlds};

/// The plugins of the world with two vehicles.
const PLUGINS: &[&str] = &["clock", "diff_drive", "entities", "imu", "joint_state", "lidar"];
/// Messages of a sensor, two hundred times a second.
const TOPIC: &str = "/car2/imu";
const TYPE: &str = "sensor_msgs/msg/Imu";
const PERIOD_NS: u64 = 5_000_000;
const CLIENTS: usize = 100;
const CYCLES: usize = 8;
/// Rounds of so many cycles, of which one must not grow.
const ROUNDS: usize = 3;
/// How long the clients stay.
const STAY: Duration = Duration::from_millis(500);
/// How much the memory of the host may grow from one half of the cycles to the other. The lowest value of each half is
/// compared, because the allocator keeps up to 10 MiB for some cycles: a single block at the end of a heap pins it.
const MEMORY_KIB: u32 = 4096;

/// The topics of the run with their types.
#[track_caller]
fn topics(stage: &Stage) -> Vec<(String, String)> {
    let list = stage.host.ok("get_topics", json!({}))["topics"].clone();
    let list = list.as_array().expect("a list").iter();
    let text = |topic: &Value, member: &str| topic[member].as_str().expect("a text").to_owned();
    list.map(|topic| (text(topic, "topic"), text(topic, "type"))).collect()
}

/// Subscribes to all topics and waits for the first messages.
#[track_caller]
fn subscribe_to_all(server: Server, socket: &mut Socket, topics: &[(String, String)]) {
    match server.kind {
        Kind::Foxglove => subscribe_to_channels(socket),
        Kind::Rosbridge | Kind::Host => {
            for (topic, kind) in topics {
                send(socket, &json!({"op": "subscribe", "topic": topic, "type": kind}));
            }
        }
    }
    let is_message = |message: &Message| match message {
        Message::Text(text) => text.contains("\"publish\""),
        Message::Binary(bytes) => bytes.first() == Some(&1),
        _ => false,
    };
    let mut received = 0;
    while received < 10 {
        received += usize::from(is_message(&socket.read().expect("a message")));
    }
}

#[track_caller]
fn subscribe_to_channels(socket: &mut Socket) {
    let channels = loop {
        let Message::Text(text) = socket.read().expect("an announcement") else { continue };
        let event: Value = serde_json::from_str(&text).expect("JSON");
        if event["op"] == "advertise" {
            break event["channels"].as_array().expect("a list").clone();
        }
    };
    let subscriptions: Vec<Value> =
        (1..).zip(&channels).map(|(id, channel)| json!({"id": id, "channelId": channel["id"]})).collect();
    send(socket, &json!({"op": "subscribe", "subscriptions": subscriptions}));
}

/// A hundred clients connect at the same time, stay for a moment, and end without a word.
#[track_caller]
fn visit(server: Server, topics: &[(String, String)]) {
    let all_there = Barrier::new(CLIENTS);
    scope(|threads| {
        for _ in 0..CLIENTS {
            let body = || {
                all_there.wait();
                let mut socket = server.connect();
                subscribe_to_all(server, &mut socket, topics);
                // Wall time: the clients stay for some time.
                sleep(STAY);
            };
            Builder::new().spawn_scoped(threads, body).expect("a thread");
        }
    });
}

#[track_caller]
fn come_and_go(kind: Kind) -> String {
    let setup = Setup::new().plugins(PLUGINS).in_real_time();
    let stage = Stage::start(setup.run(&worlds().join("two_vehicles.sdf")), "clients=150");
    let server = stage.server(kind);
    let witness = Reader::start(server, TOPIC, TYPE, Duration::ZERO);
    eventually("messages arrive", || witness.count() > 5);
    let topics = topics(&stage);
    assert!(topics.len() > 5, "{topics:?}");
    let descriptors = stage.host.process_entries("fd");
    let mut memory = Vec::new();
    // What leaks grows in every round; what the allocator keeps grows in the first ones.
    let is_flat = (0..ROUNDS).any(|_| {
        let from = memory.len();
        for _ in 0..CYCLES {
            visit(server, &topics);
            eventually("the descriptors are closed", || stage.host.process_entries("fd") <= descriptors);
            memory.push(stage.host.anonymous_kib());
        }
        let (early, late) = memory[from..].split_at(CYCLES / 2);
        let growth = late.iter().min().expect("cycles").saturating_sub(*early.iter().min().expect("cycles"));
        growth < MEMORY_KIB
    });
    assert!(is_flat, "{memory:?} KiB");
    let received = witness.finish();
    if !is_loaded() {
        received.expect_complete(PERIOD_NS);
    }
    stage.finish();
    format!("{} topics, {descriptors} descriptors, {memory:?} KiB, {:?}", topics.len(), received.longest_wait)
}

#[test]
fn a_crowd_of_clients_of_foxglove_leaves_nothing_behind() {
    println!("{}", come_and_go(Kind::Foxglove));
}

#[test]
fn a_crowd_of_clients_of_rosbridge_leaves_nothing_behind() {
    println!("{}", come_and_go(Kind::Rosbridge));
}
