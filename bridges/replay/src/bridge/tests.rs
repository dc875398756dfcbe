//! The bridge in a test host: lockstep, delivery, shutdown.

use std::path::Path;

use bridgehead_plugin_api::host::{Level, Qos};
use bridgehead_plugin_api::messages::std_msgs::{Bool, Float64};
use bridgehead_plugin_api::testing::{TestBridge, TestHost, TestSink};

use super::*;

type Replay = TestBridge<ReplayBridge>;

/// A file with a line for each step.
fn record(directory: &Path, steps: impl IntoIterator<Item = u64>) -> String {
    let path = directory.join("cmd.jsonl");
    let line = |step| {
        format!("{{\"topic\":\"/a\",\"step\":{step},\"stamp\":{step},\"message\":{{\"data\":{step}}}}}\n")
    };
    std::fs::write(&path, steps.into_iter().map(line).collect::<String>()).unwrap();
    path.display().to_string()
}

fn scene() -> (Replay, TestSink) {
    let mut bridge = Replay::create(TestHost::new());
    let sink = bridge.subscribe::<Float64>("/a", Qos::default()).expect("a subscriber");
    (bridge, sink)
}

#[test]
fn a_recording_is_played_at_its_steps_and_releases_the_simulation() {
    let directory = tempfile::tempdir().unwrap();
    let (mut bridge, sink) = scene();
    assert_eq!(bridge.registrations().subscribers(), [ANY_TYPE]);
    bridge.connect(&record(directory.path(), [2, 5])).expect_done();
    let deliveries = sink.wait_deliveries(2);
    let found = deliveries.iter().map(|delivery| (delivery.at_step, delivery.decode::<Float64>().data));
    assert_eq!(found.collect::<Vec<_>>(), [(Some(2), 2.0), (Some(5), 5.0)]);
    assert_eq!(deliveries[1].stamp_ns, Some(5));
    bridge.host().wait_until("the simulation is released", |host| !host.is_held());
    assert_eq!(bridge.status(), BridgeStatus::Connected);
    bridge.disconnect().expect_done();
    assert!(bridge.host().has_logged(Level::Info, "the recording has ended: 2 messages delivered"));
}

#[test]
fn the_simulation_is_held_until_its_messages_are_delivered() {
    let directory = tempfile::tempdir().unwrap();
    let (mut bridge, sink) = scene();
    bridge.connect(&record(directory.path(), [0, 1500, 4000])).expect_done();
    assert_eq!(sink.wait_deliveries(1).len(), 1);
    bridge
        .host()
        .wait_until("steps before the next message run", |host| host.released_through() == Some(1499));
    bridge.host().advance(1499);
    assert_eq!(sink.wait_deliveries(2).len(), 2);
    bridge.host().wait_until("it runs on", |host| host.released_through() == Some(3999));
    assert!(bridge.host().is_held());
    bridge.host().advance(2500);
    assert_eq!(sink.wait_deliveries(3).len(), 3);
    bridge.host().wait_until("the simulation is released", |host| !host.is_held());
}

#[test]
fn an_invalid_recording_stops_and_releases_the_simulation() {
    let directory = tempfile::tempdir().unwrap();
    let mut bridge = Replay::create(TestHost::new());
    let _sink = bridge.subscribe::<Bool>("/a", Qos::default()).expect("a subscriber");
    bridge.connect(&record(directory.path(), [1])).expect_done();
    bridge.wait_status(BridgeStatus::UnexpectedlyDisconnected);
    let (_, outcome) = bridge.end_loops().remove(0);
    let error = outcome.expect_failed();
    assert!(error.text().contains("cmd.jsonl:1: `/a`: message: at `data`"), "{error}");
    assert!(!bridge.host().is_held());
}

#[test]
fn disconnecting_releases_the_simulation() {
    let directory = tempfile::tempdir().unwrap();
    let (mut bridge, _sink) = scene();
    bridge.connect(&record(directory.path(), [9000])).expect_done();
    assert!(bridge.host().is_held());
    bridge.disconnect().expect_done();
    assert!(!bridge.host().is_held());
    assert_eq!(bridge.status(), BridgeStatus::Disconnected);
}

#[test]
fn a_missing_recording_fails_the_connection() {
    let (mut bridge, _sink) = scene();
    let error = bridge.connect("/nowhere/cmd.jsonl").expect_failed();
    assert!(error.text().contains("`/nowhere/cmd.jsonl` cannot be opened"), "{error}");
    assert!(!bridge.host().is_held());
    let error = Replay::validate("cmd.txt").expect_failed();
    assert!(error.text().contains("found `cmd.txt`"), "{error}");
}
