//! The standard interfaces of simulators, case by case: each starts a host with the fixture `W1` and asks it, once over
//! HTTP and once over DDS with the bridge for ROS 2. Numbers in names are those of the list of cases.

#![expect(clippy::needless_pass_by_value, reason = "requests are written where they are sent")]

mod caller;
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

use crate::support::{Setup, root};
use caller::Host;
pub(crate) use caller::{Caller, Transport};

/// Makes of each case a test over HTTP and one over DDS.
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
    };
}

cases! {
    state {
        case_01_a_host_with_a_world_is_stopped
        case_02_a_host_without_a_world_says_so
        case_03_a_stopped_run_plays
        case_04_a_playing_run_plays_already
        case_05_a_stopped_run_is_stopped_already
        case_06_a_paused_run_is_paused_already
        case_07_a_stopped_run_is_not_paused
        case_08_time_stands_in_a_pause
        case_09_time_goes_on_from_where_it_stood
        case_10_stopping_takes_what_was_spawned_and_the_time
        case_11_stopping_a_pause_puts_everything_back
        case_12_there_is_no_such_state
        case_13_a_world_is_not_unloaded_by_a_state
        case_14_and_15_without_a_world_nothing_plays_pauses_or_stops
        case_16_quitting_is_answered_and_then_the_process_ends
        quitting_is_answered_in_every_state
        playing_after_a_stop_begins_again
    }
    features {
        case_17_features_are_sorted_known_and_listed_once
        case_18_every_feature_has_its_services_and_every_service_its_features
        case_19_formats_and_generation_are_said
        case_20_a_service_that_is_not_offered_takes_its_features_with_it
        case_21_who_filters_by_boxes_filters_by_spheres
    }
    spawn {
        case_22_spawn_at_a_pose_reads_back_before_any_step
        case_23_a_taken_name_is_refused
        case_24_a_taken_name_becomes_another_where_that_is_allowed
        case_25_without_a_name_that_of_the_model_is_taken
        case_26_without_a_name_each_gets_one_of_its_own
        case_27_names_are_words
        case_28_namespaces_are_words_with_slashes
        case_29_something_has_to_be_spawned
        case_30_a_model_as_text
        case_31_a_text_that_is_none
        case_32_a_file_that_is_not_there_is_named
        case_33_a_format_that_is_not_read
        case_34_a_mesh_that_is_not_there
        case_35_and_36_poses_that_are_none
        case_37_the_frame_of_the_world_has_a_name_or_none
        case_38_an_unknown_frame_is_refused
        case_39_topics_of_an_entity_lie_under_its_namespace
        case_40_spawning_in_a_pause_takes_no_time
        case_41_without_a_world_nothing_is_spawned
        case_42_two_at_once_come_in_order
        case_43_what_is_right_is_spawned_beside_what_is_wrong
        case_44_nothing_to_spawn_is_done_at_once
        what_is_wrong_first_is_said_first
    }
    entities {
        case_45_what_is_deleted_is_gone
        case_46_nobody_of_that_name_is_deleted
        case_47_all_are_listed_once
        case_48_nobody_of_that_name_has_a_state
        case_49_a_state_has_frame_and_time
        case_50_a_pose_that_is_set_is_read
        case_51_a_velocity_is_set_alone
        case_52_nothing_is_set_where_nothing_is_meant
        case_53_a_rotation_that_is_none_is_refused
        case_54_nobody_of_that_name_is_set
        case_55_what_is_static_does_not_move
        case_56_what_is_static_is_placed
        case_57_setting_leaves_playing_and_pause_as_they_are
        case_58_what_hangs_in_the_air_falls
        case_59_states_belong_to_the_names_beside_them
    }
    info {
        case_60_and_61_what_is_said_is_told_and_replaced
        case_62_nobody_of_that_name_is_described
        case_63_and_64_an_expression_is_searched_for
        case_65_an_expression_that_is_none_is_refused
        case_66_categories_are_alternatives
        case_67_tags_are_alternatives_or_demands
        case_68_filters_apply_together
        case_69_a_sphere_holds_what_it_touches
        case_70_a_sphere_has_a_centre_and_a_radius
        case_71_a_box_holds_what_it_touches
        case_72_the_higher_corner_comes_first
        case_73_a_hull_holds_what_it_touches
        case_74_bounds_are_a_box_about_the_link
        case_75_nobody_of_that_name_has_bounds
        regions_are_where_entities_are_now
    }
    reset {
        case_76_what_was_spawned_goes_alone
        case_77_the_state_of_all_goes_back_and_nobody_leaves
        case_78_the_time_goes_back_alone
        case_79_everything_goes_back_and_the_run_is_stopped
        case_80_resets_follow_each_other
        case_81_nothing_is_put_back
        scopes_add_up_and_unknown_ones_are_refused
    }
    step {
        case_82_one_step_is_one_step
        case_83_steps_add_up
        case_84_a_run_that_plays_is_not_stepped
        a_run_that_is_stopped_is_not_stepped
        case_85_a_request_that_says_nothing_is_one_step
        case_86_an_action_tells_of_each_step
        case_87_an_action_fails_where_steps_do
        case_88_a_cancelled_action_leaves_a_pause
        case_89_a_second_goal_is_refused_while_one_runs
        twice_as_many_steps_take_twice_the_time_and_make_the_same_run
    }
    worlds {
        case_90_another_world_takes_the_place_of_one_that_plays
        case_91_and_92_requests_that_name_no_world_leave_the_old_one
        case_93_a_file_that_is_not_there_leaves_the_old_one_playing
        a_world_that_cannot_be_read_leaves_none
        a_world_as_text_with_what_is_not_known
        case_94_without_its_world_there_are_no_entities
        case_95_without_a_world_there_is_no_current_one
        case_96_the_worlds_that_are_listed_can_be_loaded
        case_97_worlds_are_listed_by_their_tags
        case_98_the_models_that_are_listed_can_be_spawned
        case_99_named_poses_have_tags_and_room
    }
    wire {
        case_102_each_caller_gets_its_own_answer
        case_102_steps_of_two_callers_are_all_run
    }
}

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

/// Asks for a state.
#[track_caller]
fn set_state(host: &Caller, state: u64, code: u64) {
    host.expect(code, "set_simulation_state", json!({"state": {"state": state}}));
}

/// Simulated time.
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

/// Names that a filter lets through, sorted.
#[track_caller]
fn entities(host: &Caller, filters: Value) -> Vec<String> {
    let response = host.ok("get_entities", json!({"filters": filters}));
    let names = response["entities"].as_array().unwrap_or_else(|| panic!("no list in {response}"));
    let mut names: Vec<String> = names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect();
    names.sort();
    names
}

/// Names of all, sorted.
#[track_caller]
fn all_entities(host: &Caller) -> Vec<String> {
    entities(host, json!({}))
}

/// State of an entity.
#[track_caller]
fn state_of(host: &Caller, entity: &str) -> Value {
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
fn place_of(host: &Caller, entity: &str) -> [f64; 3] {
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
