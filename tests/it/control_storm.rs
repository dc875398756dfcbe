//! Tests with many requests: a thousand resets, repeated spawning, a hundred clients at once, and readers of a run that
//! does not wait for them.
//!
//! The hundred clients send requests for five seconds, or for sixty if the environment variable `BRIDGEHEAD_LONG` is 1.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::scope;
use std::time::{Duration, Instant};

use bridgehead_host::clock;
use serde_json::{Value, json};

use crate::support::{Client, OK, PAUSED, Served, Setup, eventually, is_long, root, world};

/// How much the memory of the process may grow between a few requests and many, KiB.
const MEMORY_KIB: u64 = 10_000;

fn setup() -> Setup {
    Setup::new().env("BRIDGEHEAD_RESOURCE_PATH", root().join("tests/fixtures/worlds/models"))
}

/// A world with boxes that fall onto the ground and roll.
fn tumbling() -> String {
    let text = fs::read_to_string(root().join("tests/fixtures/worlds/W1.sdf")).expect("a world");
    text.replace("<pose>0 0 0.5 0 0 0</pose>", "<pose>4.4 0.2 1.6 0.3 0.2 0.1</pose>")
}

#[track_caller]
fn start(setup: Setup, state: &str, number: u64) -> Served {
    let host = Served::start(setup.args(["--start", state]));
    eventually(state, || host.state() == number);
    host
}

/// Returns a number from `/proc/<pid>/status`.
#[track_caller]
fn of_process(host: &Served, name: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/status", host.id())).expect("a process");
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("a line");
    line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}

#[track_caller]
fn names(host: &Client) -> BTreeSet<String> {
    let response = host.ok("get_entities", json!({}));
    let names = response["entities"].as_array().expect("a list").iter();
    names.map(|name| name.as_str().expect("a name").to_owned()).collect()
}

fn spawn_request(name: &str, z: f64) -> Value {
    json!({
        "name": name,
        "entity_resource": {"uri": "model://crate"},
        "initial_pose": {"pose": {"position": {"x": 2.0, "y": 0.0, "z": z}}},
    })
}

#[test]
fn after_each_of_a_thousand_resets_the_run_is_the_same() {
    const RESETS: usize = 1000;
    const STEPS: usize = 100;
    let setup = setup().plugins(&["clock"]);
    let hashes = setup.path("hashes");
    let setup = setup.world(&tumbling()).arg("--hash-log").arg(&hashes);
    let setup = setup.config("[control]\npause_from_stopped = true\n");
    let host = start(setup, "stopped", 0);
    let mut memory = 0;
    for round in 0..RESETS {
        host.ok("reset_simulation", json!({"scope": 255}));
        host.ok("set_simulation_state", json!({"state": {"state": PAUSED}}));
        host.ok("step_simulation", json!({"steps": STEPS}));
        if round == 100 {
            memory = of_process(&host, "VmRSS");
        }
    }
    let after = of_process(&host, "VmRSS");
    assert!(after < memory + MEMORY_KIB, "memory grew from {memory} KiB to {after} KiB");
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    let finished = host.finish().expect_code(0);

    let text = fs::read_to_string(finished.path("hashes")).expect("the hash log");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), RESETS * STEPS);
    let (first, others) = lines.split_at(STEPS);
    assert_ne!(first[0].rsplit(' ').next(), first[STEPS - 1].rsplit(' ').next(), "something moves");
    for (round, other) in others.chunks(STEPS).enumerate() {
        assert_eq!(first, other, "run {}", round + 2);
    }
}

#[test]
fn spawning_deleting_and_resetting_leaks_no_memory_or_threads() {
    const CYCLES: usize = 200;
    let setup = setup().plugins(&["clock", "imu"]).run(&root().join("tests/fixtures/worlds/W1.sdf"));
    let host = start(setup.config("[control]\npause_from_stopped = true\n"), "paused", PAUSED);
    let imu = "<sdf version='1.11'><model name='r'><link name='l'><sensor name='imu' type='imu'>\
        <update_rate>1000</update_rate></sensor></link></model></sdf>";
    let before = names(&host);
    let (mut memory, mut threads) = (0, 0);
    for cycle in 0..CYCLES {
        host.ok("spawn_entity", spawn_request("c1", 3.0));
        host.ok("spawn_entity", spawn_request("c2", 5.0));
        host.ok("spawn_entity", json!({"name": "r", "entity_resource": {"resource_string": imu}}));
        host.ok("step_simulation", json!({"steps": 3}));
        host.ok("delete_entity", json!({"entity": "c1"}));
        if cycle % 2 == 0 {
            host.ok("delete_entity", json!({"entity": "r"}));
        }
        host.ok("step_simulation", json!({"steps": 3}));
        host.ok("reset_simulation", json!({"scope": if cycle % 3 == 0 { 255 } else { 7 }}));
        assert_eq!(names(&host), before);
        if cycle % 3 == 0 {
            host.ok("set_simulation_state", json!({"state": {"state": PAUSED}}));
        }
        if cycle == CYCLES / 4 {
            (memory, threads) = (of_process(&host, "VmRSS"), of_process(&host, "Threads"));
        }
    }
    let after = of_process(&host, "VmRSS");
    assert!(after < memory + MEMORY_KIB, "memory grew from {memory} KiB to {after} KiB");
    eventually("no more threads than before", || of_process(&host, "Threads") <= threads);
}

/// How long the hundred clients send requests.
fn duration() -> Duration {
    Duration::from_secs(if is_long() { 60 } else { 5 })
}

/// Returns the request of one client in one round: a different service each time, with names of this client.
fn request(client: usize, round: usize) -> (&'static str, Value) {
    let name = format!("c{client}");
    match (client + round) % 16 {
        0 => ("spawn_entity", spawn_request(&name, 2.0 + client as f64)),
        1 => ("get_entity_state", json!({"entity": name})),
        2 => ("delete_entity", json!({"entity": name})),
        3 => ("get_entities", json!({"filters": {"filter": "^box"}})),
        4 => ("get_entities_states", json!({})),
        5 => ("step_simulation", json!({"steps": 2})),
        6 => ("get_entity_bounds", json!({"entity": "box_a"})),
        7 => ("set_entity_state", json!({"entity": "box_b", "state": {"pose": {"position": {"z": 3.0}}}})),
        8 => ("set_simulation_state", json!({"state": {"state": 1 + client % 2}})),
        9 => ("get_statistics", json!({})),
        10 => ("get_topics", json!({})),
        11 => ("set_entity_info", json!({"entity": "wall", "info": {"description": name, "tags": [name]}})),
        12 => ("get_available_worlds", json!({})),
        13 => ("get_status", json!({})),
        14 if client == 0 => ("reset_simulation", json!({"scope": 4})),
        14 => ("get_named_poses", json!({})),
        _ => ("get_simulation_state", json!({})),
    }
}

/// Runs a hundred clients for this time. Returns how many requests were answered, and how many of them with OK.
fn storm(host: &Served, duration: Duration) -> (u64, u64) {
    let (answered, good) = (AtomicU64::new(0), AtomicU64::new(0));
    let until: Instant = clock::now() + duration;
    scope(|threads| {
        for client in 0..100 {
            let (caller, answered, good) = (host.another(), &answered, &good);
            threads.spawn(move || {
                for round in 0.. {
                    // Wall time: requests are sent for some time.
                    if clock::now() >= until {
                        break;
                    }
                    let (service, request) = request(client, round);
                    let response = caller.call(service, request.clone());
                    let result = response["result"]["result"].as_u64();
                    // Refusals are expected, because all clients work on one world; incomplete answers are not.
                    assert!(matches!(result, Some(1..=4 | 101..=103)), "{service} {request}: {response}");
                    answered.fetch_add(1, Ordering::Relaxed);
                    good.fetch_add(u64::from(result == Some(OK)), Ordering::Relaxed);
                }
            });
        }
    });
    (answered.into_inner(), good.into_inner())
}

#[test]
fn a_hundred_clients_are_all_answered_and_leak_no_memory() {
    let setup = setup().plugins(&["clock"]).run(&root().join("tests/fixtures/worlds/W1.sdf"));
    let host = start(setup.config("[http]\nconnections = 200\n"), "playing", 1);
    storm(&host, Duration::from_secs(2));
    let memory = of_process(&host, "VmRSS");
    let (answered, good) = storm(&host, duration());
    let after = of_process(&host, "VmRSS");
    assert!(answered > 1000 && good > answered / 2, "{good} of {answered} were OK");
    assert!(after < memory + MEMORY_KIB, "memory grew from {memory} KiB to {after} KiB");
    host.ok("set_simulation_state", json!({"state": {"state": 3}}));
    host.finish().expect_code(0);
}

#[test]
fn a_client_never_reads_half_a_step() {
    // At least so many reads, and as many more as it takes to meet so many steps: on a busy machine the host steps rarely.
    const READS: usize = 5_000;
    const MOMENTS: usize = 500;
    let body = |name: &str, y: f64| {
        format!(
            "<model name='{name}'><pose>0 {y} 0 0 0 0</pose><link name='l'><inertial><mass>1</mass></inertial></link></model>"
        )
    };
    let setup = Setup::new().world(&world(&format!("{}{}", body("left", 1.0), body("right", -1.0))));
    let host = start(setup, "paused", PAUSED);
    for name in ["left", "right"] {
        host.ok(
            "set_entity_state",
            json!({"entity": name, "state": {"twist": {"linear": {"x": 1.0}}}, "set_twist": true}),
        );
    }
    host.ok("set_simulation_state", json!({"state": {"state": 1}}));
    let (mut last, mut moments, mut reads) = (0.0, 0, 0);
    while reads < READS || (moments < MOMENTS && reads < 20 * READS) {
        reads += 1;
        let response = host.ok("get_entities_states", json!({}));
        let states = response["states"].as_array().expect("a list");
        let [left, right] = [0, 1].map(|index| &states[index]["pose"]["position"]["x"]);
        assert_eq!(left, right, "both states are from one step: {response}");
        let [stamp, other] = [0, 1].map(|index| &states[index]["header"]["stamp"]);
        assert_eq!(stamp, other);
        let time =
            stamp["sec"].as_f64().expect("a number") + stamp["nanosec"].as_f64().expect("a number") * 1e-9;
        // At one metre per second the position equals the time if both are from one step.
        let position = left.as_f64().expect("a number");
        assert!((position - time).abs() < 0.5e-3, "{position} m at {time} s");
        assert!(time >= last, "{time} s after {last} s");
        moments += usize::from(time > last);
        last = time;
    }
    assert!(
        moments >= MOMENTS,
        "the run continued: {moments} different times in {reads} reads, up to {last} s"
    );
}
