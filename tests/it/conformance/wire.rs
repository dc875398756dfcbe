//! Case 102: callers at the same time, each with an answer of its own.

use std::thread::scope;

use serde_json::json;

use super::{Caller, NOT_FOUND, PAUSED, STEP_NS, Transport, a_crate, time_ns};
use crate::support::OK;

/// Requests of each caller.
const ROUNDS: usize = 20;

pub(super) fn case_102_each_caller_gets_its_own_answer(over: Transport) {
    let host = over.host("paused");
    scope(|threads| {
        let coming = host.another();
        threads.spawn(move || {
            for round in 0..ROUNDS {
                let name = format!("c{round}");
                let response = coming.ok("spawn_entity", a_crate(&name, [0.0, 0.0, 3.0]));
                assert_eq!(response["entity_name"], json!(name));
                coming.ok("delete_entity", json!({"entity": name}));
            }
        });
        let refused = host.another();
        threads.spawn(move || {
            for round in 0..ROUNDS {
                let name = format!("nobody_{round}");
                let response = refused.expect(NOT_FOUND, "delete_entity", json!({"entity": name}));
                assert!(response["result"]["error_message"].to_string().contains(&name), "{response}");
            }
        });
    });
}

pub(super) fn case_102_steps_of_two_callers_are_all_run(over: Transport) {
    let host = over.host("paused");
    // Who comes while the steps of the other run may be told so; who is told that they ran must not be wrong.
    let run = |client: &Caller, steps: u64| {
        let ran =
            |_: &usize| match client.call("step_simulation", json!({"steps": steps}))["result"]["result"]
                .as_u64()
            {
                Some(OK) => true,
                Some(super::FAILED) => false,
                other => panic!("{other:?}"),
            };
        steps * (0..ROUNDS).filter(ran).count() as u64
    };
    let clients = [host.another(), host.another()];
    let (one, other) = scope(|threads| {
        let [first, second] = &clients;
        let (one, other) = (threads.spawn(|| run(first, 3)), threads.spawn(|| run(second, 5)));
        (one.join().expect("every answer"), other.join().expect("every answer"))
    });
    assert_eq!(time_ns(&host), i64::try_from(one + other).expect("few") * STEP_NS);
    assert_eq!(host.state(), PAUSED);
    assert!(one > 0 && other > 0, "{one} and {other}");
}
