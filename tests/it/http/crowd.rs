//! Many clients at a time.

use std::thread::Builder;

use super::{started, wait_for_state};
use crate::support::Setup;

#[test]
fn a_hundred_clients_see_whole_steps_and_time_that_only_rises() {
    let (running, client) = started(Setup::new(), &[]);
    wait_for_state(&client, "StepBegin");
    let body = move |client: super::client::Client| {
        let mut last = 0;
        for _ in 0..20 {
            let states = client.get_in_turn("/api/get_entities_states").expect(200);
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
            assert_eq!(stamps[0], stamps[1], "both of one step");
            assert!(stamps[0] >= last, "{} after {last}", stamps[0]);
            last = stamps[0];
        }
    };
    let clients: Vec<_> = (0..100)
        .map(|_| {
            // Connections of their own, closed in between: a hundred are more than there may be at a time.
            let client = client.apart();
            Builder::new().spawn(move || body(client)).expect("a thread")
        })
        .collect();
    for thread in clients {
        thread.join().expect("every answer was right");
    }
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}
