//! Clients that break the rules of the step channel, come together or go away: the host answers, and others are served.

use std::io::Write as _;

use serde_json::json;

use super::client::{
    CLOSE, Channel, DECLARE, IS_CUT_SHORT, STEP, connect, expect_closed, frame, greeting, raw, read_greeting,
    step_body, with_channel,
};
use crate::http::{Client, wait_for_state};
use crate::support::{Setup, eventually, worlds};

fn pole() -> Setup {
    let setup = Setup::new().plugins(&["joint_control"]).run(&worlds().join("cart_pole.sdf"));
    with_channel(setup.args(["--http", "127.0.0.1:0"]))
}

#[test]
fn bytes_that_are_no_protocol_are_refused_and_the_next_client_is_served() {
    let mut running = pole().start();
    let good = connect(&mut running);
    let path = running.path("steps");
    drop(good);

    let mut other = raw(&path);
    other.write_all(b"GET /api/get_status HTTP/1.1\r\n\r\n").expect("sent");
    assert!(read_greeting(&mut other).starts_with("[BH-STP-011] "));
    expect_closed(&mut other);

    let mut later = raw(&path);
    later.write_all(&greeting(b"BHSTEPS\0", 2)).expect("sent");
    let text = read_greeting(&mut later);
    assert!(text.starts_with("[BH-STP-012] ") && text.contains("has version 2"), "{text}");
    expect_closed(&mut later);

    for (bytes, code) in [
        ([u32::MAX.to_le_bytes(), STEP.to_le_bytes()].concat(), "[BH-STP-013] "),
        ([0_u32.to_le_bytes(), 99_u32.to_le_bytes()].concat(), "[BH-STP-014] "),
        ([16_u32.to_le_bytes(), 0_u32.to_le_bytes()].concat(), "[BH-STP-014] "),
    ] {
        let mut channel = Channel::open(&path).expect("a greeting");
        channel.stream.write_all(&bytes).expect("sent");
        let (kind, body) = channel.answer();
        let text = String::from_utf8(body).expect("a text");
        assert!(kind == 0 && text.starts_with(code), "{text}");
        channel.expect_closed();
    }

    // Parts of a greeting and of frames, from clients that go away in the middle.
    for bytes in [
        greeting(b"BHSTEPS\0", 1)[..7].to_vec(),
        [greeting(b"BHSTEPS\0", 1), vec![3, 0, 0]].concat(),
        [greeting(b"BHSTEPS\0", 1), frame(DECLARE, b"time")[..10].to_vec()].concat(),
        [greeting(b"BHSTEPS\0", 1), frame(STEP, &step_body(1, &[]))[..15].to_vec()].concat(),
        Vec::new(),
    ] {
        raw(&path).write_all(&bytes).expect("sent");
    }
    let mut channel = Channel::open(&path).expect("a greeting");
    assert!(channel.error(STEP, b"").starts_with("[BH-STP-015] "));
    channel.declare(&["time"]);
    assert_eq!(channel.step(3, &[]).step, 3);
    running.signal(libc::SIGTERM);
    running.finish().expect_code(0);
}

#[test]
fn requests_in_pieces_and_several_at_once_are_answered_in_order() {
    let mut running = pole().start();
    let mut channel = connect(&mut running);
    let bytes = frame(DECLARE, b"time");
    for byte in bytes {
        channel.stream.write_all(&[byte]).expect("sent");
    }
    assert_eq!(channel.answer().0, DECLARE);
    let three =
        [frame(STEP, &step_body(1, &[])), frame(STEP, &step_body(2, &[])), frame(CLOSE, b"")].concat();
    channel.stream.write_all(&three).expect("sent");
    let steps = [channel.answer(), channel.answer()].map(|(kind, body)| {
        assert_eq!(kind, STEP);
        body[8]
    });
    assert_eq!(steps, [1, 3]);
    assert_eq!(channel.answer(), (CLOSE, Vec::new()));
    channel.expect_closed();
}

#[test]
fn one_client_at_a_time_and_a_silent_connection_keeps_nobody_out() {
    let mut running = pole().start();
    let mut first = connect(&mut running);
    let path = running.path("steps");
    first.declare(&["time"]);
    for _ in 0..3 {
        let refused = Channel::open(&path).map(drop).expect_err("there is one");
        assert!(refused.starts_with("[BH-STP-010] "), "{refused}");
        assert_eq!(first.step(1, &[]).flags, 0, "the first one goes on");
    }
    drop(first);
    let mut silent = raw(&path);
    let mut second = Channel::open(&path).expect("the first has left");
    second.declare(&["time"]);
    assert_eq!(second.step(1, &[]).step, 4, "the state stays");
    expect_closed(&mut silent);
}

#[test]
fn the_steps_of_a_client_that_goes_away_end_and_http_serves_meanwhile() {
    let mut running = pole().start();
    let http = Client::of(&mut running);
    wait_for_state(&http, "Pause");
    let path = running.path("steps");
    let mut channel = Channel::open(&path).expect("a greeting");
    channel.declare(&["time"]);
    channel.stream.write_all(&frame(STEP, &step_body(u32::MAX, &[]))).expect("sent");
    let steps = || http.call("get_status", &json!({}))["status"]["step"].as_u64().expect("a number");
    eventually("steps", || steps() > 100);
    drop(channel);
    wait_for_state(&http, "Pause");
    let mut next = Channel::open(&path).expect("the former has left");
    next.declare(&["time"]);
    let before = steps();
    assert_eq!(next.step(5, &[]).step, before + 5);

    // A pause that somebody else requests cuts steps short, and is no error.
    next.stream.write_all(&frame(STEP, &step_body(u32::MAX, &[]))).expect("sent");
    eventually("steps", || steps() > before + 100);
    http.call("pause", &json!({}));
    let (kind, body) = next.answer();
    assert_eq!((kind, u32::from(body[24])), (STEP, IS_CUT_SHORT));
}

#[test]
fn a_run_that_plays_gives_observations_but_no_steps() {
    let mut running = pole().start();
    let http = Client::of(&mut running);
    wait_for_state(&http, "Pause");
    let mut channel = Channel::open(&running.path("steps")).expect("a greeting");
    channel.declare(&["time"]);
    http.call("resume", &json!({}));
    let text = channel.error(STEP, &step_body(1, &[]));
    assert!(
        text.starts_with("[BH-STP-032] a step needs a paused simulation, and this one is playing"),
        "{text}"
    );
    eventually("time passes", || channel.step(0, &[]).values[0] > 0.1);
    let reset = channel.state(super::RESET, b"");
    assert_eq!((reset.state, reset.step), (super::PAUSED, 0), "a reset pauses");
    assert_eq!(channel.step(2, &[]).step, 2);
}
