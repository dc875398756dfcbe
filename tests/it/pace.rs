//! The pace of a run does not depend on its clients: requests that change neither state nor speed leave time alone.
//!
//! Each test compares the simulated time of a host that gets requests with that of an undisturbed host beside it, so
//! that both run on the same busy machine. If the environment variable `BRIDGEHEAD_LONG` is 1, one more test sends
//! 100,000 requests in a minute.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::scope;
use std::time::Duration;

use bridgehead_host::clock;
use serde_json::{Value, json};

use crate::support::{Client, PAUSED, Served, Setup, eventually, is_quiet, vehicle, world};

/// How much simulated time a comparison takes, nanoseconds.
const SPAN_NS: i64 = 2_000_000_000;

/// Requests that change neither state nor speed, by name. The last two are refused in a run.
fn idle_requests() -> [(&'static str, Value); 5] {
    [
        ("get_status", json!({})),
        ("get_entities_states", json!({})),
        ("set_real_time_factor", json!({"factor": 1.0})),
        ("play", json!({})),
        ("step_simulation", json!({"steps": 3})),
    ]
}

#[track_caller]
fn start(state: &str, step_width: &str) -> Served {
    let setup = Setup::new().in_real_time().world(&world(&vehicle("box", "")));
    let setup = setup.config(&format!("[run]\nstep_width = \"{step_width}\"\n"));
    let host = Served::start(setup.args(["--start", state]));
    eventually("the run begins", || host.state() != 0);
    host
}

#[test]
fn requests_that_change_nothing_leave_the_pace_alone() {
    let [host, undisturbed] = ["playing", "playing"].map(|state| start(state, "50ms"));
    for (service, request) in idle_requests() {
        let before = [&host, &undisturbed].map(|host| host.status("time_ns"));
        let now = || [&host, &undisturbed].map(|host| host.status("time_ns"));
        let mut after = before;
        while after[1] - before[1] < SPAN_NS {
            for _ in 0..50 {
                host.post(service, &request);
            }
            after = now();
        }
        let [time, expected] = [0, 1].map(|host| after[host] - before[host]);
        // A late host may catch up 0.5 s.
        assert!(time < expected * 5 / 4 + 600_000_000, "{service}: {time} ns instead of {expected} ns");
        assert!(time > expected * 3 / 4 - 600_000_000, "{service}: {time} ns instead of {expected} ns");
    }
}

#[test]
fn steps_that_clients_count_are_not_paced() {
    let host = start("paused", "1h");
    host.ok("step_simulation", json!({"steps": 20}));
    let hours = |count: i64| count * 3600 * 1_000_000_000;
    assert_eq!(host.status("time_ns"), hours(20));
    // A goal keeps the pace, because its feedback is followed: the next step is due in an hour.
    let (status, goal) = host.post("simulate_steps", &json!({"steps": 1}));
    assert!(status < 300, "{goal}");
    assert_eq!(host.status("time_ns"), hours(20));
    host.ok("pause", json!({}));
    host.ok("resume", json!({}));
    assert_eq!(host.status("time_ns"), hours(20));
}

#[test]
fn a_pause_during_the_wait_for_a_step_takes_effect_before_it() {
    let host = start("paused", "1h");
    for _ in 0..20 {
        host.ok("play", json!({}));
        assert!(host.state() != PAUSED);
        host.ok("pause", json!({}));
        assert_eq!((host.state(), host.status("time_ns")), (PAUSED, 0));
    }
    host.ok("play", json!({}));
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    assert_eq!(finished.result()["steps"], 0);
}

/// Sends a mixture of the requests from many threads until `count` were answered.
fn storm(host: &Client, count: u64) {
    let sent = AtomicU64::new(0);
    scope(|scope| {
        for first in 0..16 {
            let (client, sent) = (host.another(), &sent);
            scope.spawn(move || {
                let requests = idle_requests();
                for (service, request) in requests.iter().cycle().skip(first) {
                    if sent.fetch_add(1, Ordering::Relaxed) >= count {
                        return;
                    }
                    client.post(service, request);
                }
            });
        }
    });
}

#[test]
fn a_hundred_thousand_requests_in_a_minute_leave_the_pace_alone() {
    const BATCHES: u32 = 600;
    if !is_quiet() {
        return;
    }
    let [host, undisturbed] = ["playing", "playing"].map(|state| start(state, "1ms"));
    let (begin, times) = (clock::now(), || [&host, &undisturbed].map(|host| host.status("time_ns")));
    let before = times();
    for batch in 1..=BATCHES {
        storm(&host, 100_000 / u64::from(BATCHES) + 1);
        let due = begin + Duration::from_millis(100) * batch;
        // Wall time: what a pace is of; only in long runs on a quiet machine.
        std::thread::sleep(due.saturating_duration_since(clock::now()));
    }
    let (after, wall) = (times(), begin.elapsed().as_secs_f64());
    let [time, expected] = [0, 1].map(|host| (after[host] - before[host]) as f64 / 1e9);
    assert!(time <= 1.01 * wall, "{time} s in {wall} s");
    assert!(time >= 0.99 * expected, "{time} s; the undisturbed host {expected} s");
}
