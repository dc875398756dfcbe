//! Tests of the standard interfaces of simulators. `suite` runs the cases of the package `host/conformance`, which apply to
//! every simulator. The others are about what only this host promises: each starts a host with the fixture `W1` and sends it
//! requests, once over HTTP, once over DDS with the bridge for ROS 2, and once over the typed client in Python.

#![expect(clippy::needless_pass_by_value, reason = "requests are written where they are sent")]

mod caller;
mod features;
mod generated;
mod own;
mod reset;
mod spawn;
mod suite;

use serde_json::{Value, json};

use crate::support::{
    FAILED, INCORRECT_STATE, NO_WORLD, NOT_FOUND, PAUSED, PLAYING, QUITTING, STOPPED, Setup, UNSUPPORTED,
    root,
};
use caller::Host;
pub(crate) use caller::{Caller, Transport};

/// Generates for each case a test over HTTP, one over DDS and one with the typed client.
macro_rules! cases {
    ($($file:ident { $($case:ident)* })*) => {
        mod http {
            use super::{Transport, $($file),*};
            $($(
                #[test]
                fn $case() {
                    $file::$case(Transport::Http);
                }
            )*)*
        }

        mod dds {
            use super::{Transport, $($file),*};
            $($(
                #[test]
                fn $case() {
                    if let Some(over) = Transport::dds() {
                        $file::$case(over);
                    }
                }
            )*)*
        }

        mod typed {
            use super::{Transport, $($file),*};
            $($(
                #[test]
                fn $case() {
                    if let Some(over) = Transport::typed() {
                        $file::$case(over);
                    }
                }
            )*)*
        }
    };
}

cases! {
    features {
        features_are_sorted
        features_of_disabled_services_are_not_reported
    }
    spawn {
        a_name_with_a_zero_byte_is_refused
        a_text_without_a_model_is_refused
        the_error_about_a_missing_file_names_it
        the_error_about_a_missing_mesh_names_it
        topics_of_an_entity_are_under_its_namespace
        errors_of_a_spawn_are_checked_in_a_fixed_order
    }
    reset {
        repeated_resets_are_prompt_and_leave_no_threads
        an_empty_world_can_be_reset
        a_complete_reset_returns_to_the_world_of_the_start
        without_a_world_of_the_start_a_complete_reset_keeps_the_loaded_one
    }
    own {
        quitting_is_answered_and_then_the_process_ends
        quitting_is_answered_in_every_state
        a_request_of_the_older_interfaces_sets_pose_and_velocity
        an_expression_with_notation_of_perl_is_refused
        goals_report_each_step_and_their_results_can_be_requested_again
        steps_in_one_or_several_requests_give_the_same_run
        a_load_of_a_missing_file_keeps_the_current_world_playing
    }
    generated {
        every_service_in_every_state_answers_as_the_standard_says
        the_table_contains_every_service_of_the_standard
    }
}

/// Step width of the fixture.
const STEP_NS: i64 = 1_000_000;

/// The path of a file among the fixtures for clients.
fn fixture(name: &str) -> String {
    root().join("tests/fixtures/worlds").join(name).display().to_string()
}

/// A run in real time that finds the models of the fixtures.
fn setup() -> Setup {
    Setup::new().in_real_time().env("BRIDGEHEAD_RESOURCE_PATH", fixture("models"))
}

/// Requests a state and checks the result.
#[track_caller]
fn set_state(host: &Caller, state: u64, code: u64) {
    host.expect(code, "set_simulation_state", json!({"state": {"state": state}}));
}

/// Returns the simulated time.
#[track_caller]
fn time_ns(host: &Caller) -> i64 {
    let response = host.ok("get_status", json!({}));
    response["status"]["time_ns"].as_i64().unwrap_or_else(|| panic!("no time in {response}"))
}

/// Runs steps of a paused simulation.
#[track_caller]
fn step(host: &Caller, steps: u64) {
    host.ok("step_simulation", json!({"steps": steps}));
}

/// Returns the names of the entities that match a filter, sorted.
#[track_caller]
fn entities(host: &Caller, filters: Value) -> Vec<String> {
    let response = host.ok("get_entities", json!({"filters": filters}));
    let names = response["entities"].as_array().unwrap_or_else(|| panic!("no list in {response}"));
    let mut names: Vec<String> = names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect();
    names.sort();
    names
}

/// Returns the names of all entities, sorted.
#[track_caller]
fn all_entities(host: &Caller) -> Vec<String> {
    entities(host, json!({}))
}

/// Returns the state of an entity.
#[track_caller]
fn state_of(host: &Caller, entity: &str) -> Value {
    host.ok("get_entity_state", json!({"entity": entity}))["state"].take()
}

/// Returns x, y and z of a member, by JSON pointer.
#[track_caller]
fn vector(value: &Value, pointer: &str) -> [f64; 3] {
    let vector = value.pointer(pointer).unwrap_or_else(|| panic!("no `{pointer}` in {value}"));
    ["x", "y", "z"].map(|axis| vector[axis].as_f64().unwrap_or_else(|| panic!("no numbers in {vector}")))
}

/// Returns the position of an entity.
#[track_caller]
fn position_of(host: &Caller, entity: &str) -> [f64; 3] {
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
fn spawn_crate(host: &Caller, name: &str, position: [f64; 3]) {
    assert_eq!(host.ok("spawn_entity", a_crate(name, position))["entity_name"], name);
}

/// The same request with a member replaced.
fn with(mut request: Value, name: &str, value: Value) -> Value {
    request[name] = value;
    request
}
