//! Test of many clients at the same time.

use std::thread::Builder;

use super::{started, wait_for_state};
use crate::support::Setup;

#[test]
fn a_hundred_clients_read_complete_steps_and_increasing_times() {
    let (running, client) = started(Setup::new(), &[]);
    wait_for_state(&client, "StepBegin");
    let body = move |client: super::client::Client| {
        let mut last = 0;
        for _ in 0..20 {
            let states = client.get_with_retries("/api/get_entities_states").expect(200);
            let stamps: Vec<u64> = states["states"]
                .as_array()
                .expect("states")
                .iter()
                .map(|state| {
                    let stamp = &state["header"]["stamp"];
                    stamp["sec"].as_u64().expect("s") * 1_000_000_000 + stamp["nanosec"].as_u64().expect("ns")
                })
                .collect();
            assert_eq!(stamps.len(), 2);
            assert_eq!(stamps[0], stamps[1], "both states are from one step");
            assert!(stamps[0] >= last, "{} after {last}", stamps[0]);
            last = stamps[0];
        }
    };
    let clients: Vec<_> = (0..100)
        .map(|_| {
            // Each client closes its connections in between: a hundred are more than the limit.
            let client = client.without_keep_alive();
            Builder::new().spawn(move || body(client)).expect("a thread")
        })
        .collect();
    for thread in clients {
        thread.join().expect("a client without a failed check");
    }
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}
