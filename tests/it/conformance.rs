//! Tests of the standard interfaces of simulators, case by case: each starts a host with the fixture `W1` and sends it
//! requests, once over HTTP, once over DDS with the bridge for ROS 2, and once over the typed client in Python. Numbers in
//! names are those of the list of cases.

#![expect(clippy::needless_pass_by_value, reason = "requests are written where they are sent")]

mod caller;
mod entities;
mod features;
mod generated;
mod info;
mod reset;
mod spawn;
mod state;
mod step;
mod wire;
mod worlds;

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
    state {
        case_01_a_host_with_a_world_is_stopped
        case_02_a_host_without_a_world_reports_no_world
        case_03_a_stopped_run_can_play
        case_04_a_playing_run_is_already_playing
        case_05_a_stopped_run_is_already_stopped
        case_06_a_paused_run_is_already_paused
        case_07_a_stopped_run_cannot_be_paused
        case_08_time_does_not_advance_in_a_pause
        case_09_time_continues_from_the_pause
        case_10_stopping_removes_spawned_entities_and_resets_the_time
        case_11_stopping_a_paused_run_restores_the_initial_state
        case_12_an_unknown_state_is_refused
        case_13_setting_a_state_cannot_unload_a_world
        case_14_and_15_without_a_world_playing_pausing_and_stopping_are_refused
        without_a_world_the_state_no_world_is_reached_already
        case_16_quitting_is_answered_and_then_the_process_ends
        quitting_is_answered_in_every_state
        playing_after_a_stop_starts_from_the_beginning
    }
    features {
        case_17_features_are_sorted_known_and_listed_once
        case_18_every_feature_has_its_services_and_every_service_its_features
        case_19_spawn_formats_and_custom_info_are_reported
        case_20_features_of_disabled_services_are_not_reported
        case_21_bounds_filters_support_spheres
    }
    spawn {
        case_22_the_pose_of_a_spawned_entity_reads_back_before_any_step
        case_23_a_taken_name_is_refused
        case_24_a_taken_name_is_changed_if_renaming_is_allowed
        case_25_without_a_name_the_name_of_the_model_is_used
        case_26_without_names_and_with_renaming_each_entity_gets_a_unique_name
        a_model_without_a_name_gets_a_generated_one_if_renaming_is_allowed
        case_27_invalid_names_are_refused
        case_28_invalid_namespaces_are_refused
        case_29_a_request_without_a_resource_is_refused
        case_30_a_model_is_spawned_from_text
        case_31_an_invalid_text_is_refused
        case_32_the_error_about_a_missing_file_names_it
        case_33_an_unsupported_format_is_refused
        case_34_a_missing_mesh_is_refused
        case_35_and_36_invalid_poses_are_refused
        case_37_an_empty_frame_means_the_world
        case_38_an_unknown_frame_is_refused
        case_39_topics_of_an_entity_are_under_its_namespace
        case_40_spawning_in_a_pause_takes_no_time
        case_41_without_a_world_spawning_is_refused
        case_42_results_of_several_spawns_are_in_the_order_of_the_requests
        case_43_valid_requests_are_spawned_beside_an_invalid_one
        case_44_an_empty_list_of_spawns_succeeds
        errors_of_a_spawn_are_checked_in_a_fixed_order
    }
    entities {
        case_45_a_deleted_entity_no_longer_exists
        case_46_an_unknown_entity_cannot_be_deleted
        case_47_each_entity_is_listed_once
        case_48_an_unknown_entity_has_no_state
        case_49_a_state_has_a_frame_and_a_stamp
        case_50_a_pose_that_was_set_reads_back
        a_state_that_was_read_can_be_written_back
        case_51_a_velocity_is_set_without_the_pose
        case_52_without_flags_nothing_is_set
        case_53_an_invalid_pose_is_refused
        case_54_the_state_of_an_unknown_entity_cannot_be_set
        case_55_a_static_entity_cannot_get_a_velocity
        case_56_a_static_entity_can_be_placed
        case_57_setting_an_entity_state_does_not_change_the_simulation_state
        case_58_an_entity_in_the_air_falls
        case_59_states_are_in_the_order_of_the_names
    }
    info {
        case_60_and_61_entity_info_reads_back_and_is_replaced
        case_62_an_unknown_entity_has_no_info
        case_63_and_64_a_filter_is_a_regular_expression
        case_65_an_invalid_expression_is_refused
        an_expression_with_notation_of_perl_is_refused
        case_66_categories_are_alternatives
        case_67_tags_match_any_or_all
        case_68_filters_are_combined
        case_69_a_sphere_selects_entities_that_it_touches
        case_70_a_sphere_without_a_radius_is_refused
        case_71_a_box_selects_entities_that_it_touches
        case_72_a_box_needs_the_upper_corner_first
        case_73_a_convex_hull_selects_entities_that_it_touches
        case_74_bounds_are_a_box_in_the_frame_of_the_link
        case_75_an_unknown_entity_has_no_bounds
        regions_use_the_current_poses_of_entities
    }
    reset {
        case_76_a_reset_of_spawned_entities_changes_nothing_else
        case_77_a_reset_of_the_state_keeps_spawned_entities
        case_78_a_reset_of_the_time_changes_nothing_else
        case_79_a_complete_reset_stops_the_run
        case_80_repeated_resets_are_prompt_and_leave_no_threads
        case_81_an_empty_world_can_be_reset
        scopes_can_be_combined_and_unknown_ones_are_refused
        a_complete_reset_returns_to_the_world_of_the_start
        without_a_world_of_the_start_a_complete_reset_keeps_the_loaded_one
    }
    step {
        case_82_one_step_advances_time_by_one_step_width
        case_83_steps_add_up
        case_84_a_playing_run_cannot_be_stepped
        a_stopped_run_cannot_be_stepped
        case_85_an_empty_request_is_one_step
        case_86_an_action_reports_each_step
        case_87_an_action_fails_while_the_run_plays
        case_88_a_cancelled_action_leaves_the_run_paused
        case_89_a_second_goal_is_refused_while_one_runs
        steps_in_one_or_several_requests_give_the_same_run
    }
    worlds {
        case_90_a_load_replaces_a_playing_world
        case_91_and_92_a_load_without_a_valid_resource_keeps_the_current_world
        case_93_a_load_of_a_missing_file_keeps_the_current_world_playing
        a_load_of_an_unreadable_world_leaves_no_world
        a_world_from_text_with_unsupported_elements_is_loaded_if_allowed
        case_94_after_an_unload_requests_for_entities_are_refused
        case_95_without_a_world_there_is_no_current_world
        case_96_listed_worlds_can_be_loaded
        a_missing_source_of_worlds_fails_the_request_unless_it_may_continue
        case_97_worlds_are_filtered_by_their_tags
        case_98_listed_models_can_be_spawned
        case_99_named_poses_have_tags_and_bounds
    }
    generated {
        every_service_in_every_state_answers_as_the_standard_says
        the_table_contains_every_service_of_the_standard
    }
    wire {
        case_102_each_client_gets_its_own_answer
        case_102_all_steps_of_two_clients_are_executed
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
