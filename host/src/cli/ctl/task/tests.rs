//! Every command against the request it makes, and every request against the declared type of its service.

use std::collections::BTreeSet;

use bridgehead_plugin_api::messages::{JsonPlan, declared_services};
use clap::FromArgMatches as _;

use super::*;
use crate::cli::args::{Arguments, Command};
use crate::cli::ctl::table::{COMMANDS, command_of};

mod lines;

fn task_of(words: &[&str]) -> Result<Task, CtlError> {
    let words = ["bridgehead", "ctl"].iter().chain(words);
    let matches = crate::cli::command().try_get_matches_from(words).expect("understood");
    let Command::Ctl(ctl) = Arguments::from_arg_matches(&matches).expect("understood").command else {
        panic!("no ctl")
    };
    task(&ctl.command)
}

fn call_of(words: &[&str]) -> Call {
    match task_of(words).expect("a task") {
        Task::Call(call) => call,
        Task::Steps(steps) => call("simulate_steps", json!({"steps": steps})),
        other => panic!("{other:?}"),
    }
}

/// Command lines, separated by `|`, with their service and request.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn cases() -> Vec<(&'static str, &'static str, Value)> {
    let reason = || json!({"reason": "why not"});
    let origin = json!({"x": 0.0, "y": 0.0, "z": 0.0});
    let straight = json!({"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0});
    let place = json!({"position": {"x": 1.0, "y": 2.0, "z": -3.0}, "orientation": straight});
    let any = json!({"tags": [], "filter_mode": 0});
    vec![
        ("features", "get_simulator_features", json!({})),
        ("state", "get_simulation_state", json!({})),
        ("state|car1", "get_entity_state", json!({"entity": "car1"})),
        ("state|--set|paused", "set_simulation_state", json!({"state": {"state": 2}})),
        ("step", "step_simulation", json!({"steps": 1})),
        ("step|18446744073709551615", "step_simulation", json!({"steps": u64::MAX})),
        ("steps|10", "simulate_steps", json!({"steps": 10})),
        ("reset", "reset", json!({"scope": 0, "then": "", "reason": ""})),
        (
            "reset|--scope|time, spawned|--then|play|--reason|r",
            "reset",
            json!({"scope": 5, "then": "play", "reason": "r"}),
        ),
        ("reset|--standard|--scope|state", "reset_simulation", json!({"scope": 2})),
        ("play|--reason|why not", "play", reason()),
        ("pause|--reason|why not", "pause", reason()),
        ("resume|--reason|why not", "resume", reason()),
        ("stop|--reason|why not", "stop", reason()),
        ("halt|--reason|why not", "halt", reason()),
        ("succeed|--reason|why not", "succeed", reason()),
        ("fail|--reason|why not", "fail", reason()),
        ("abort|--reason|why not", "abort", reason()),
        ("quit|--reason|why not", "quit", reason()),
        ("quit", "quit", json!({"reason": ""})),
        ("entities", "get_entities", json!({"filters": {"filter": "", "categories": [], "tags": any}})),
        (
            "entities|--filter|^car|--category|robot|--category|static|--tag|a|--tag|b|--all-tags|--sphere|0 0 0 2",
            "get_entities",
            json!({"filters": {
                "filter": "^car",
                "categories": [{"category": 1}, {"category": 5}],
                "tags": {"tags": ["a", "b"], "filter_mode": 1},
                "bounds": {"type": 3, "points": [origin, {"x": 2.0, "y": 0.0, "z": 0.0}]},
            }}),
        ),
        (
            "states|--box|-1 -1 0 1 1 2",
            "get_entities_states",
            json!({"filters": {
                "filter": "",
                "categories": [],
                "tags": any,
                "bounds": {"type": 1, "points": [{"x": 1.0, "y": 1.0, "z": 2.0}, {"x": -1.0, "y": -1.0, "z": 0.0}]},
            }}),
        ),
        (
            "set-state|car1|--pose|1 2 -3|--frame|box",
            "set_entity_state",
            json!({
                "entity": "car1",
                "state": {"header": {"frame_id": "box"}, "pose": place},
                "set_pose": true, "set_twist": false, "set_acceleration": false,
            }),
        ),
        (
            "set-state|car1|--twist|1 0 0 0 0 -2|--acceleration|0 0 0",
            "set_entity_state",
            json!({
                "entity": "car1",
                "state": {
                    "header": {"frame_id": ""},
                    "twist": {"linear": {"x": 1.0, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": -2.0}},
                    "acceleration": {"linear": origin, "angular": origin},
                },
                "set_pose": false, "set_twist": true, "set_acceleration": true,
            }),
        ),
        ("info|car1", "get_entity_info", json!({"entity": "car1"})),
        (
            "set-info|car1|--category|human|--description|a man|--tag|x",
            "set_entity_info",
            json!({"entity": "car1", "info": {"category": {"category": 2}, "description": "a man", "tags": ["x"]}}),
        ),
        ("bounds|car1", "get_entity_bounds", json!({"entity": "car1"})),
        (
            "spawn|model://box",
            "spawn_entity",
            json!({
                "name": "", "allow_renaming": false,
                "entity_resource": {"uri": "model://box", "resource_string": ""},
                "entity_namespace": "",
                "initial_pose": {"header": {"frame_id": ""}, "pose": {"position": origin, "orientation": straight}},
            }),
        ),
        (
            "spawn|--string|FILE|--name|b|--rename|--namespace|n|--pose|1 2 -3 0 0 0|--frame|f",
            "spawn_entity",
            json!({
                "name": "b", "allow_renaming": true,
                "entity_resource": {"uri": "", "resource_string": "[{\"name\": \"a\"}]"},
                "entity_namespace": "n",
                "initial_pose": {"header": {"frame_id": "f"}, "pose": place},
            }),
        ),
        ("spawn-all|FILE", "spawn_entities", json!({"spawn_requests": [{"name": "a"}]})),
        ("delete|car1", "delete_entity", json!({"entity": "car1"})),
        ("spawnables|--source|d", "get_spawnables", json!({"sources": ["d"]})),
        ("poses|--tag|t", "get_named_poses", json!({"tags": {"tags": ["t"], "filter_mode": 0}})),
        ("pose-bounds|start", "get_named_pose_bounds", json!({"name": "start"})),
        ("world", "get_current_world", json!({})),
        (
            "worlds|--source|d|--continue-on-error",
            "get_available_worlds",
            json!({"additional_sources": ["d"], "filter": any, "continue_on_error": true}),
        ),
        (
            "load|w.sdf|--fail-on-unsupported",
            "load_world",
            json!({
                "world_resource": {"uri": "w.sdf", "resource_string": ""},
                "fail_on_unsupported_element": true,
                "ignore_missing_or_unsupported_assets": false,
            }),
        ),
        (
            "load|--string|FILE|--ignore-missing-assets",
            "load_world",
            json!({
                "world_resource": {"uri": "", "resource_string": "[{\"name\": \"a\"}]"},
                "fail_on_unsupported_element": false,
                "ignore_missing_or_unsupported_assets": true,
            }),
        ),
        ("unload", "unload_world", json!({})),
        ("reload", "reload_world", json!({})),
        ("snapshot|s.snap", "save_snapshot", json!({"path": "s.snap", "overwrite": false})),
        ("restore|s.snap", "restore_snapshot", json!({"path": "s.snap"})),
        ("save|w.sdf|--overwrite", "save_world", json!({"path": "w.sdf", "overwrite": true})),
        ("camera|1 2 -3", "set_gui_camera", json!({"pose": place})),
        (
            "road|main|0 0 0, 1 2 -3",
            "set_road",
            json!({"road": "main", "points": [origin, {"x": 1.0, "y": 2.0, "z": -3.0}]}),
        ),
        ("status", "get_status", json!({})),
        ("stats", "get_statistics", json!({})),
        ("stats|--reset", "reset_statistics", json!({})),
        ("factor|2.5", "set_real_time_factor", json!({"factor": 2.5})),
        ("factor|unlimited", "set_real_time_factor", json!({"factor": -1.0})),
        ("plugins", "get_plugins", json!({})),
        ("description", "get_world_description", json!({})),
        ("scene", "get_scene", json!({})),
        ("links", "get_link_poses", json!({})),
        ("bridges", "get_bridges", json!({})),
        (
            "connect|car1|logging|-",
            "connect_bridge",
            json!({"vehicle": "car1", "bridge": "logging", "connection": "-"}),
        ),
        ("disconnect|car1/logging", "disconnect_bridge", json!({"label": "car1/logging"})),
        ("topics", "get_topics", json!({})),
        ("echo|/clock", "read_topic", json!({"topic": "/clock"})),
        (
            "pub|/x|{\"data\": 1}|--type|std_msgs/msg/Float64",
            "publish_message",
            json!({"topic": "/x", "type": "std_msgs/msg/Float64", "json": "{\"data\": 1}", "create": true}),
        ),
        ("triggers", "get_triggers", json!({})),
        ("trigger|add|{\"at\": 1}", "add_triggers", json!({"json": "{\"at\": 1}"})),
        ("trigger|add|FILE", "add_triggers", json!({"json": "[{\"name\": \"a\"}]"})),
        ("trigger|remove|7", "remove_trigger", json!({"id": 7})),
        ("history", "get_trigger_history", json!({})),
        ("history|--replay", "get_trigger_history", json!({})),
        ("call|get_status", "get_status", json!({})),
        ("call|delete_entity|{\"entity\": \"a\"}", "delete_entity", json!({"entity": "a"})),
    ]
}

#[test]
fn every_command_makes_its_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file.json").display().to_string();
    std::fs::write(&file, "[{\"name\": \"a\"}]").expect("written");
    for (line, service, request) in cases() {
        let words: Vec<&str> =
            line.split('|').map(|word| if word == "FILE" { &file } else { word }).collect();
        let found = call_of(&words);
        assert_eq!((found.service.as_str(), &found.request), (service, &request), "{line}");
        let declared = declared_services().iter().find(|declared| declared.name == service);
        let message = (declared.expect("declared").request)().resolve().expect("a type");
        let mut payload = Vec::new();
        let outcome = JsonPlan::compile(&message).decode(&request.to_string(), &mut payload);
        assert!(outcome.is_ok(), "{line}: {outcome:?}");
    }
}

#[test]
fn every_declared_service_has_a_command_and_the_other_way_round() {
    let declared: BTreeSet<&str> = declared_services().iter().map(|declared| declared.name).collect();
    let listed: BTreeSet<&str> = COMMANDS.iter().map(|(service, _)| *service).collect();
    let tried: BTreeSet<&str> = cases()
        .iter()
        .filter(|(line, ..)| !line.starts_with("call"))
        .map(|(_, service, _)| *service)
        .collect();
    assert_eq!((&listed, COMMANDS.len(), &tried), (&declared, declared.len(), &declared));
}

#[test]
fn commands_are_listed_by_the_words_that_make_them() {
    for (line, service, _) in cases().iter().filter(|(line, ..)| !line.starts_with("call")) {
        let listed = command_of(service);
        let words: Vec<&str> = line.split('|').collect();
        for word in listed.split(' ').filter(|word| *word != "NAME") {
            assert!(words.contains(&word), "{line} asks {service}, which is listed as `{listed}`");
        }
    }
    assert_eq!(command_of("my_service"), "call my_service");
}

#[test]
fn commands_that_are_no_single_request() {
    assert_eq!(task_of(&["watch"]).expect("a task"), Task::Watch { rate: None });
    assert_eq!(task_of(&["services"]).expect("a task"), Task::Services);
    let follow = |rate, count| Task::Follow {
        topic: "/clock".into(),
        field: String::new(),
        rate,
        count,
        must_exist: false,
    };
    let asked = task_of(&["echo", "/clock", "-f", "-n", "3", "--rate", "0.5"]).expect("a task");
    assert_eq!(asked, follow(Some(0.5), Some(3)));
    assert_eq!(task_of(&["echo", "/clock", "--follow"]).expect("a task"), follow(None, None));
    assert_eq!(call_of(&["echo", "/clock"]).show, Show::Member("json"));
    assert_eq!(call_of(&["history", "--replay"]).show, Show::Member("json"));
    assert_eq!(call_of(&["bridges", "--ports"]).show, Show::Endpoints);
    assert_eq!(call_of(&["call", "x"]).show, Show::Json);
}

#[test]
fn arguments_that_mean_nothing_are_refused_before_anything_is_asked() {
    for words in [
        ["reset", "--scope", "all,time"].as_slice(),
        &["reset", "--scope", ""],
        &["reset", "--scope", "everything"],
        &["spawn", "box", "--pose", "1 2"],
        &["camera", "here"],
        &["factor", "0"],
        &["pub", "/x", "[1]"],
        &["call", "x", "no-such-file"],
        &["spawn", "--string", "no-such-file"],
    ] {
        let error = task_of(words).expect_err("refused");
        assert_eq!(error.exit_code(), 1, "{words:?}: {error}");
    }
}

#[test]
fn clap_refuses_what_does_not_go_together() {
    for words in [
        ["ctl"].as_slice(),
        &["ctl", "spawn"],
        &["ctl", "spawn", "box", "--string", "f"],
        &["ctl", "set-state", "car1"],
        &["ctl", "entities", "--box", "0 0 0 1 1 1", "--sphere", "0 0 0 1"],
        &["ctl", "entities", "--all-tags"],
        &["ctl", "step", "-1"],
        &["ctl", "state", "car1", "--set", "paused"],
        &["ctl", "reset", "--standard", "--then", "play"],
        &["ctl", "echo", "/x", "-n", "3"],
        &["topic"],
        &["topic", "-l", "-e", "-t", "/a"],
        &["topic", "-e"],
        &["topic", "pub", "/a"],
        &["topic", "pub", "/a", "{}", "--once", "-n", "2"],
        &["service"],
        &["service", "-i"],
        &["completions", "tcsh"],
    ] {
        let words = std::iter::once(&"bridgehead").chain(words);
        assert!(crate::cli::command().try_get_matches_from(words.clone()).is_err(), "{words:?}");
    }
}
