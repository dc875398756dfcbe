//! What the operating system refuses is an error of the request or of the bridge, and the run goes on.

use serde_json::json;

use super::{await_bridges, served, spawn};
use crate::support::{Served, Setup, free_port, world};

/// Result code of `simulation_interfaces` for an operation that failed.
const OPERATION_FAILED: u64 = 4;

#[track_caller]
fn quit(host: Served) {
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn the_limit_of_open_files_is_raised_and_programs_get_the_original_one() {
    let trigger = "[triggers]\nenable_command_action = true\n\n[[trigger]]\nevent = 'time=0.1'\n\
        action = { name = 'command', command = 'ulimit -n > program; cat /proc/$PPID/limits > host' }\n";
    let setup = Setup::new().world(&world("")).config(trigger).args(["-v", "--duration", "1s"]);
    let finished = setup.limited("-Sn 200").finish().expect_code(0);
    let finished = finished.expect_message(&["files can be open; before: 200"]);
    let read = |name: &str| std::fs::read_to_string(finished.path(name)).expect("written by the program");
    assert_eq!(read("program").trim(), "200");
    let limits = read("host");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("a line");
    let [soft, hard] = [3, 4].map(|word| line.split_whitespace().nth(word).expect("a number"));
    assert!(soft == hard && soft != "200", "{line}");
}

#[test]
fn a_vehicle_for_which_no_descriptors_are_left_is_refused() {
    let bridge = format!("cloisim:127.0.0.1:{}", free_port());
    let host = served(Setup::new().limited("-n 400"), &bridge);
    let mut refused = Vec::new();
    for number in 0..10 {
        let name = format!("car{number}");
        let answer = spawn(&host, &name);
        match answer["result"]["result"].as_u64() {
            Some(1) => await_bridges(&host, &name, 1),
            _ => refused.push(answer),
        }
    }
    assert!((1..10).contains(&refused.len()), "{refused:?}");
    for answer in refused {
        assert_eq!(answer["result"]["result"], OPERATION_FAILED, "{answer}");
        let message = answer["result"]["error_message"].as_str().expect("a text");
        assert!(message.starts_with("[BH-ENT-014] ") && message.contains("of at most 400"), "{message}");
    }
    assert!(host.process_entries("fd") <= 400);
    quit(host);
}
