//! The standard interfaces of simulators, case by case: each test starts a host with the fixture `W1` and asks it over
//! HTTP, as a client of `simulation_interfaces` does over its bridge. Numbers in names are those of the list of cases.

#![expect(clippy::needless_pass_by_value, reason = "requests are written where they are sent")]

mod entities;
mod features;
mod info;
mod reset;
mod spawn;
mod state;
mod step;
mod wire;
mod worlds;

use serde_json::{Value, json};

use crate::support::{Client, Served, Setup, root};

// States.
const STOPPED: u64 = 0;
const PLAYING: u64 = 1;
const PAUSED: u64 = 2;
const QUITTING: u64 = 3;
const NO_WORLD: u64 = 4;

// Results that every service may have.
const UNSUPPORTED: u64 = 0;
const NOT_FOUND: u64 = 2;
const INCORRECT_STATE: u64 = 3;
const FAILED: u64 = 4;

/// Width of a step of the fixture.
const STEP_NS: i64 = 1_000_000;

/// The path of a file among the fixtures for clients.
fn fixture(name: &str) -> String {
    root().join("tests/fixtures/worlds").join(name).display().to_string()
}

/// A run in real time that finds the models of the fixtures.
fn setup() -> Setup {
    Setup::new().in_real_time().env("BRIDGEHEAD_RESOURCE_PATH", fixture("models"))
}

/// The world W1, in a state that `--start` takes.
#[track_caller]
fn host(start: &str) -> Served {
    Served::start(setup().run(fixture("W1.sdf").as_ref()).args(["--start", start])).awaited(start)
}

/// A host that has no world yet.
#[track_caller]
fn without_world() -> Served {
    Served::start(setup().without_world())
}

impl Served {
    /// Waits until the host is in a state that `--start` takes: it can be asked while the world is still loading.
    #[track_caller]
    fn awaited(self, start: &str) -> Self {
        let number = match start {
            "stopped" => STOPPED,
            "playing" => PLAYING,
            _ => PAUSED,
        };
        crate::support::eventually(start, || self.state() == number);
        self
    }
}

/// Asks for a state.
#[track_caller]
fn set_state(host: &Client, state: u64, code: u64) {
    host.expect(code, "set_simulation_state", json!({"state": {"state": state}}));
}

/// Simulated time.
#[track_caller]
fn time_ns(host: &Client) -> i64 {
    host.status("time_ns")
}

/// Runs steps of a paused simulation.
#[track_caller]
fn step(host: &Client, steps: u64) {
    host.ok("step_simulation", json!({"steps": steps}));
}

/// Names that a filter lets through, sorted.
#[track_caller]
fn entities(host: &Client, filters: Value) -> Vec<String> {
    let response = host.ok("get_entities", json!({"filters": filters}));
    let names = response["entities"].as_array().unwrap_or_else(|| panic!("no list in {response}"));
    let mut names: Vec<String> = names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect();
    names.sort();
    names
}

/// Names of all, sorted.
#[track_caller]
fn all_entities(host: &Client) -> Vec<String> {
    entities(host, json!({}))
}

/// State of an entity.
#[track_caller]
fn state_of(host: &Client, entity: &str) -> Value {
    host.ok("get_entity_state", json!({"entity": entity}))["state"].take()
}

/// x, y and z of a member, by JSON pointer.
#[track_caller]
fn vector(value: &Value, pointer: &str) -> [f64; 3] {
    let vector = value.pointer(pointer).unwrap_or_else(|| panic!("no `{pointer}` in {value}"));
    ["x", "y", "z"].map(|axis| vector[axis].as_f64().unwrap_or_else(|| panic!("no numbers in {vector}")))
}

/// Where an entity is.
#[track_caller]
fn place_of(host: &Client, entity: &str) -> [f64; 3] {
    vector(&state_of(host, entity), "/pose/position")
}

fn xyz([x, y, z]: [f64; 3]) -> Value {
    json!({"x": x, "y": y, "z": z})
}

fn pose(position: [f64; 3]) -> Value {
    json!({"position": xyz(position), "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}})
}

/// A request to spawn the model `crate` of the fixtures.
fn a_crate(name: &str, position: [f64; 3]) -> Value {
    json!({
        "name": name,
        "allow_renaming": false,
        "entity_resource": {"uri": "model://crate"},
        "initial_pose": {"pose": pose(position)},
    })
}

/// Spawns the model `crate` of the fixtures.
#[track_caller]
fn spawn_crate(host: &Client, name: &str, position: [f64; 3]) {
    assert_eq!(host.ok("spawn_entity", a_crate(name, position))["entity_name"], name);
}

/// The same request with a member replaced.
fn with(mut request: Value, name: &str, value: Value) -> Value {
    request[name] = value;
    request
}
