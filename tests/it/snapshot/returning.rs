//! Runs that return to a snapshot while they go on.

use std::fs;
use std::thread::scope;

use serde_json::json;

use super::WORLD;
use crate::http::{Client, wait_for_state};
use crate::support::Setup;

#[test]
fn a_client_returns_a_paused_run_to_a_snapshot_as_often_as_it_likes() {
    let setup = Setup::new().world(WORLD).args(["--hash-log", "hashes.txt", "--http", "127.0.0.1:0"]);
    let mut running = setup.args(["--start", "paused"]).start();
    let client = Client::of(&mut running);
    wait_for_state(&client, "Pause");
    let ok = |service: &str, request| {
        let answer = client.call(service, &request);
        assert_eq!(answer["result"]["result"], 1, "{service}: {answer}");
    };
    ok("step_simulation", json!({ "steps": 1000 }));
    ok("save_snapshot", json!({ "path": "at_1s.snapshot" }));
    for _ in 0..3 {
        ok("step_simulation", json!({ "steps": 500 }));
        ok("restore_snapshot", json!({ "path": "at_1s.snapshot" }));
        let status = client.call("get_status", &json!({}));
        assert_eq!((&status["status"]["step"], &status["status"]["state"]), (&json!(1000), &json!("Pause")));
    }
    ok("quit", json!({}));
    let finished = running.finish().expect_code(0);
    let text = fs::read_to_string(finished.path("hashes.txt")).expect("a hash log");
    let lines: Vec<&str> = text.lines().collect();
    let rounds: Vec<&[&str]> = lines[1000..].chunks(500).collect();
    assert_eq!((lines.len(), rounds.len()), (2500, 3));
    assert!(rounds.iter().all(|round| round == &rounds[0]), "the rounds differ");
}

#[test]
fn a_snapshot_that_does_not_fit_leaves_a_paused_run_as_it_is() {
    let setup = Setup::new().world(WORLD).args(["--http", "127.0.0.1:0", "--start", "paused"]);
    let mut running = setup.start();
    let client = Client::of(&mut running);
    wait_for_state(&client, "Pause");
    let refused = |path: &str, parts: &[&str]| {
        let answer = client.post("/api/restore_snapshot", json!({ "path": path }).to_string()).json();
        let text = answer["result"]["error_message"].as_str().expect("a text");
        assert_ne!(answer["result"]["result"], 1, "{answer}");
        parts.iter().for_each(|part| assert!(text.contains(part), "{text} lacks {part}"));
    };
    client.call("step_simulation", &json!({ "steps": 10 }));
    client.call("save_snapshot", &json!({ "path": "s.snapshot" }));
    refused("absent.snapshot", &["BH-SIM-220", "absent.snapshot"]);
    refused("../s.snapshot", &["BH-RES-045"]);
    client.call("step_simulation", &json!({ "steps": 5 }));
    client.call("delete_entity", &json!({ "entity": "pendulum" }));
    refused("s.snapshot", &["BH-SIM-221", "`pendulum` was deleted after it was taken"]);
    let status = client.call("get_status", &json!({}));
    assert_eq!((&status["status"]["step"], &status["status"]["reset_epoch"]), (&json!(15), &json!(0)));
    client.call("resume", &json!({}));
    refused("s.snapshot", &["BH-CTL-018", "pause it first"]);
    client.call("quit", &json!({}));
    running.finish().expect_code(0);
}

#[test]
fn restores_of_several_clients_do_not_take_the_snapshots_of_each_other() {
    let setup = Setup::new().world(WORLD).args(["--http", "127.0.0.1:0", "--start", "paused"]);
    let mut running = setup.start();
    let client = Client::of(&mut running);
    wait_for_state(&client, "Pause");
    client.call("step_simulation", &json!({ "steps": 100 }));
    client.call("save_snapshot", &json!({ "path": "s.snapshot" }));
    let restore = || {
        let client = Client::at(client.address);
        for _ in 0..50 {
            let answer =
                client.post("/api/restore_snapshot", json!({ "path": "s.snapshot" }).to_string()).json();
            let result = &answer["result"];
            let text = result["error_message"].as_str().expect("a text");
            // Another restore waits, or is being carried out.
            let is_busy = text.contains("BH-SIM-227") || text.contains("BH-CTL-018");
            assert!(result["result"] == 1 || is_busy, "{answer}");
            let status = client.call("get_status", &json!({}));
            assert_eq!(status["status"]["step"], 100, "a reset went to the beginning");
        }
    };
    scope(|scope| (0..4).for_each(|_| drop(scope.spawn(restore))));
    client.call("quit", &json!({}));
    running.finish().expect_code(0);
}
