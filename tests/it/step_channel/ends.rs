//! Runs that end while a client of the step channel steps them, and sockets that cannot be opened.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixListener;

use super::client::{
    Channel, HAS_ENDED, HAS_FAILED, HAS_SUCCEEDED, IS_CUT_SHORT, IS_RESET, PAUSED, STEP, connect, step_body,
    with_channel,
};
use crate::support::{Setup, worlds};

fn pole(config: &str) -> Setup {
    let setup = Setup::new().plugins(&["joint_control"]).run(&worlds().join("cart_pole.sdf"));
    with_channel(setup.config(config))
}

#[test]
fn a_trigger_that_ends_the_run_is_reported_with_its_outcome() {
    for (action, outcome, code) in [("succeed", HAS_SUCCEEDED, 0), ("fail", HAS_FAILED, 9)] {
        let config = format!("[[trigger]]\nevent = \"time=0.025\"\naction = \"{action}\"\n");
        let mut running = pole(&config).start();
        let mut channel = connect(&mut running);
        channel.declare(&["time"]);
        let state = channel.step(4, &[]);
        assert_eq!((state.step, state.flags), (4, 0));
        let state = channel.step(4, &[]);
        assert_eq!((state.step, state.flags), (5, HAS_ENDED | outcome | IS_CUT_SHORT));
        assert!((state.values[0] - 0.025).abs() < 1e-12, "the last observation");
        channel.expect_closed();
        running.finish().expect_code(code);
    }
}

#[test]
fn a_host_that_stays_begins_another_episode_after_the_end() {
    let config =
        "[run]\nkeep_alive = true\n[[trigger]]\nevent = \"time=0.025\"\naction = \"fail\"\nsticky = true\n";
    let mut running = pole(config).start();
    let mut channel = connect(&mut running);
    channel.declare(&["time", "joint cart_pole::hinge position"]);
    for _ in 0..3 {
        let state = channel.step(10, &[]);
        assert_eq!((state.step, state.flags & (HAS_ENDED | HAS_FAILED)), (5, HAS_ENDED | HAS_FAILED));
        let text = channel.error(STEP, &step_body(1, &[]));
        assert!(text.starts_with("[BH-STP-032] ") && text.contains("stopped"), "{text}");
        let reset = channel.state(super::RESET, b"");
        assert_eq!((reset.step, reset.state, reset.flags), (0, PAUSED, IS_RESET));
    }
}

#[test]
fn the_end_of_steps_and_of_the_process_close_the_connection() {
    let mut running = pole("[run]\nsteps = 10\n").start();
    let mut channel = connect(&mut running);
    channel.declare(&["time"]);
    let state = channel.step(20, &[]);
    assert_eq!((state.step, state.flags), (10, HAS_ENDED | IS_CUT_SHORT), "stopped without a verdict");
    channel.expect_closed();
    running.finish().expect_code(0);
}

#[test]
fn a_stale_socket_is_replaced_and_a_live_one_or_a_file_ends_the_start() {
    let setup = pole("");
    let path = setup.path("steps");
    drop(UnixListener::bind(&path).expect("a socket"));
    let mut running = setup.start();
    let channel = connect(&mut running);
    assert!(fs::symlink_metadata(&path).expect("a socket").file_type().is_socket());

    let second = Setup::new().plugins(&["joint_control"]).run(&worlds().join("cart_pole.sdf"));
    let refused = second.arg("--step-channel").arg(&path).finish().expect_code(1);
    refused.expect_message(&["error[BH-STP-001]: the step channel"]);
    drop(channel);
    let mut channel = Channel::open(&path).expect("the first host serves on");
    channel.declare(&["time"]);
    assert_eq!(channel.step(1, &[]).step, 1);

    let third = Setup::new().run(&worlds().join("empty.sdf"));
    let file = third.file("notes", "text");
    let refused = third.arg("--step-channel").arg(&file).finish().expect_code(1);
    refused.expect_message(&["error[BH-STP-002]"]);
}
