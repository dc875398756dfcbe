//! Memory stays flat while vehicles with bridges are spawned and deleted.

use std::io::Write as _;

use super::{NEVER_DUE, await_bridges, delete, served, spawn};
use crate::ros2::Domain;
use crate::support::{Setup, free_port, is_long, slope};

/// Largest growth for each spawned and deleted vehicle, kilobytes. In a short run the heap still fills its first pages.
fn most_kb() -> f64 {
    if is_long() { 1.0 } else { 2.0 }
}

/// Returns how many vehicles come and go, and how many of them before memory is compared. A participant of ROS 2 needs
/// some three megabytes; two more than at the start are open for a moment when the second one is replaced, after some
/// ninety vehicles.
fn cycles() -> (usize, usize) {
    if is_long() { (500, 100) } else { (200, 100) }
}

/// Spawns and deletes vehicles with a bridge, and fails if memory then grows by more than [`most_kb`] for each.
#[track_caller]
fn expect_flat(setup: Setup, bridge: &str) {
    let (cycles, unsettled) = cycles();
    let host = served(setup, bridge);
    let mut memory = Vec::with_capacity(cycles);
    for _ in 0..cycles {
        assert_eq!(spawn(&host, "car")["result"]["result"], 1);
        await_bridges(&host, "car", 1);
        delete(&host, "car");
        memory.push(host.anonymous_kib());
    }
    let settled = &memory[unsettled..];
    let grown = slope(settled);
    // Shown for tests that pass too; a closed standard error must not fail the test.
    drop(writeln!(std::io::stderr(), "{bridge}: {grown:.2} KB for each vehicle"));
    assert!(grown < most_kb(), "memory grows by {grown:.2} KB for each vehicle: {memory:?}");
    host.ok("quit", serde_json::json!({}));
    host.finish().expect_code(0);
}

#[test]
fn vehicles_that_come_and_go_with_the_cloisim_bridge_leave_no_memory() {
    expect_flat(Setup::new(), &format!("cloisim:127.0.0.1:{}", free_port()));
}

#[test]
fn vehicles_that_come_and_go_with_the_logging_bridge_leave_no_memory() {
    expect_flat(Setup::new(), "logging:all.mcap");
}

#[test]
fn vehicles_that_come_and_go_with_the_ros2_bridge_leave_no_memory() {
    let domain = Domain::free();
    let bridge = format!("ros2:domain={};interface=lo", domain.number());
    expect_flat(Setup::new(), &bridge);
}

#[test]
fn vehicles_that_come_and_go_with_the_replay_bridge_leave_no_memory() {
    let setup = Setup::new();
    let recording = setup.file("never.jsonl", NEVER_DUE);
    expect_flat(setup, &format!("replay:{}", recording.display()));
}
