//! Case 102: several clients at the same time, each of which gets its own answers.

use std::thread::scope;

use serde_json::json;

use super::{Caller, NOT_FOUND, PAUSED, STEP_NS, Transport, a_crate, time_ns};
use crate::support::OK;

/// Number of requests of each client.
const ROUNDS: usize = 20;

pub(super) fn case_102_each_client_gets_its_own_answer(over: Transport) {
    let host = over.host("paused");
    scope(|threads| {
        let accepted = host.another();
        threads.spawn(move || {
            for round in 0..ROUNDS {
                let name = format!("c{round}");
                let response = accepted.ok("spawn_entity", a_crate(&name, [0.0, 0.0, 3.0]));
                assert_eq!(response["entity_name"], json!(name));
                accepted.ok("delete_entity", json!({"entity": name}));
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

pub(super) fn case_102_all_steps_of_two_clients_are_executed(over: Transport) {
    let host = over.host("paused");
    // A request may be refused while the steps of the other client run; a request that is answered with OK must have
    // been executed.
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
