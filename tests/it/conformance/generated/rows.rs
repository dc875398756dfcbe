//! The table of generated cases.

use serde_json::{Value, json};

use super::Rule::{Always, Each, World};
use super::{Goal, Row};
use crate::conformance::{
    FAILED, NO_WORLD, NOT_FOUND, PAUSED, PLAYING, STOPPED, UNSUPPORTED, a_crate, fixture, pose, with, xyz,
};
use crate::support::OK;

// Results of `set_simulation_state`.
const ALREADY: u64 = 101;
const INCORRECT: u64 = 103;
// Results of `spawn_entity`.
const NAME_NOT_UNIQUE: u64 = 101;
const NAME_INVALID: u64 = 102;
const SPAWN_FORMAT: u64 = 103;
const SPAWN_NO_RESOURCE: u64 = 104;
const NAMESPACE_INVALID: u64 = 105;
const SPAWN_PARSE_ERROR: u64 = 106;
const SPAWN_POSE: u64 = 109;
const SPAWN_FAILED: u64 = 150;
/// The result of `set_entity_state` for an invalid pose.
const STATE_POSE: u64 = 101;
// Results of services for worlds.
const WORLD_FORMAT: u64 = 101;
const WORLD_NO_RESOURCE: u64 = 102;
const WORLD_PARSE_ERROR: u64 = 103;
const NO_WORLD_LOADED: u64 = 101;
// How goals end.
const SUCCEEDED: u64 = 4;
const ABORTED: u64 = 6;

/// A filter mode that the standard does not define (A19).
const NO_MODE: u64 = 9;

pub(super) fn rows() -> Vec<Row> {
    [states(), filters(), named(), entity_changes(), spawns(), steps_and_resets(), worlds()]
        .into_iter()
        .flatten()
        .collect()
}

/// Reading and setting the state: the matrix of `set_simulation_state`.
fn states() -> Vec<Row> {
    let set = |title, state: u64, codes, after| {
        let request = json!({"state": {"state": state}});
        Row::changing("set_simulation_state", title, request, Each(codes)).after(after)
    };
    let same = [STOPPED, PLAYING, PAUSED, NO_WORLD];
    let stops = ([ALREADY, OK, OK, INCORRECT], [STOPPED, STOPPED, STOPPED, NO_WORLD]);
    vec![
        Row::reading("get_simulator_features", "valid", json!({}), Always(OK)),
        Row::reading("get_simulation_state", "valid", json!({}), Always(OK)),
        set("valid stopped", STOPPED, stops.0, stops.1),
        set("valid playing", PLAYING, [OK, ALREADY, OK, INCORRECT], [PLAYING, PLAYING, PLAYING, NO_WORLD]),
        set("valid paused", PAUSED, [INCORRECT, OK, ALREADY, INCORRECT], [STOPPED, PAUSED, PAUSED, NO_WORLD]),
        set("edge no world", NO_WORLD, [INCORRECT, INCORRECT, INCORRECT, ALREADY], same),
        set("edge loading", 5, [INCORRECT; 4], same),
        set("edge undefined", 77, [INCORRECT; 4], same),
        set("edge largest", 255, [INCORRECT; 4], same),
        Row::changing("set_simulation_state", "missing state", json!({}), Each(stops.0)).after(stops.1),
    ]
}

/// Lists of entities and poses with filters.
fn filters() -> Vec<Row> {
    let points = |points: &[[f64; 3]]| points.iter().map(|point| xyz(*point)).collect::<Vec<Value>>();
    let bounds = |kind: u64, of: &[[f64; 3]]| json!({"bounds": {"type": kind, "points": points(of)}});
    let mode = json!({"tags": {"tags": ["t"], "filter_mode": NO_MODE}});
    let mut rows = Vec::new();
    for service in ["get_entities", "get_entities_states"] {
        let list = |title, filters: Value, code| {
            Row::reading(service, title, json!({"filters": filters}), World(code))
        };
        rows.extend([
            Row::reading(service, "missing filters", json!({}), World(OK)),
            list("valid name", json!({"filter": "^box_"}), OK),
            list("valid sphere", bounds(3, &[[0.0, 0.0, 0.5], [1.0, 0.0, 0.0]]), OK),
            list("valid box", bounds(1, &[[6.0, 1.0, 1.0], [4.0, -1.0, 0.0]]), OK),
            list("edge no match", json!({"filter": "^nobody$"}), OK),
            list("edge empty bounds", bounds(0, &[]), OK),
            list("edge expression", json!({"filter": "[a-z"}), FAILED),
            list("edge filter mode", mode.clone(), FAILED),
            list("edge sphere of one point", bounds(3, &[[0.0, 0.0, 0.5]]), FAILED),
            list("edge inverted box", bounds(1, &[[4.0, -1.0, 0.0], [6.0, 1.0, 1.0]]), FAILED),
            list("edge hull of two points", bounds(2, &[[0.0; 3], [1.0; 3]]), FAILED),
            list("edge undefined bounds", bounds(9, &[[0.0; 3], [1.0; 3]]), UNSUPPORTED),
        ]);
    }
    let poses = |title, tags: Value, code| Row::reading("get_named_poses", title, tags, World(code));
    rows.extend([
        poses("missing tags", json!({}), OK),
        poses("valid tag", json!({"tags": {"tags": ["spawn"]}}), OK),
        poses("edge no match", json!({"tags": {"tags": ["nothing"], "filter_mode": 1}}), OK),
        poses("edge filter mode", mode, FAILED),
    ]);
    rows
}

/// Services that read what belongs to a name.
fn named() -> Vec<Row> {
    let mut rows = Vec::new();
    for (service, member, known) in [
        ("get_entity_state", "entity", "box_a"),
        ("get_entity_info", "entity", "box_a"),
        ("get_entity_bounds", "entity", "box_a"),
        ("get_named_pose_bounds", "name", "dock"),
    ] {
        let of = |title, name: &str, code| Row::reading(service, title, json!({member: name}), World(code));
        rows.extend([
            of("valid", known, OK),
            Row::reading(service, "missing name", json!({}), World(NOT_FOUND)),
            of("edge unknown", "nope", NOT_FOUND),
            of("edge other case", &known.to_uppercase(), NOT_FOUND),
            of("edge long", &"n".repeat(300), NOT_FOUND),
        ]);
    }
    rows
}

/// Changes of existing entities.
fn entity_changes() -> Vec<Row> {
    let info = |title, entity: &str, info: Value, code| {
        Row::changing("set_entity_info", title, json!({"entity": entity, "info": info}), World(code))
    };
    let state = |title, entity: &str, state: Value, flags: [bool; 3], code| {
        let [pose, twist, acceleration] = flags;
        let request = json!({
            "entity": entity, "state": state,
            "set_pose": pose, "set_twist": twist, "set_acceleration": acceleration,
        });
        Row::changing("set_entity_state", title, request, World(code))
    };
    let there = json!({"pose": pose([-2.0, 1.0, 0.5])});
    let turned =
        json!({"pose": {"position": xyz([0.0; 3]), "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}}});
    let moving = json!({"pose": pose([0.0, 0.0, 0.5]), "twist": {"linear": xyz([1.0, 0.0, 0.0])}});
    let delete = |title, entity: &str, code| {
        Row::changing("delete_entity", title, json!({"entity": entity}), World(code))
    };
    let spawned = Row { spawns: Some(a_crate("c1", [0.0, 4.0, 3.0])), ..delete("valid spawned", "c1", OK) };
    vec![
        info("valid", "box_a", json!({"category": {"category": 1}, "description": "x", "tags": ["t"]}), OK),
        info("missing name", "", json!({}), NOT_FOUND),
        info("missing content", "box_a", json!({}), OK),
        info("edge unknown", "nope", json!({}), NOT_FOUND),
        state("valid pose", "box_a", there.clone(), [true, false, false], OK),
        state("valid twist", "box_a", moving.clone(), [false, true, false], OK),
        state("missing name", "", there.clone(), [true, false, false], NOT_FOUND),
        state("missing flags", "box_a", moving.clone(), [false; 3], OK),
        state("edge unknown", "nope", there.clone(), [true, false, false], NOT_FOUND),
        state("edge zero rotation", "box_a", turned, [true, false, false], STATE_POSE),
        state("edge pose of a static one", "wall", there, [true, false, false], OK),
        state("edge twist of a static one", "wall", moving, [false, true, false], FAILED),
        spawned,
        delete("missing name", "", NOT_FOUND),
        delete("edge unknown", "nope", NOT_FOUND),
        delete("edge blank", "box a", NOT_FOUND),
    ]
}

/// Spawning, with one entity and with several.
fn spawns() -> Vec<Row> {
    let valid = || a_crate("c1", [0.0, 4.0, 3.0]);
    let spawn = |title, member: &str, value: Value, code| {
        Row::changing("spawn_entity", title, with(valid(), member, value), World(code))
    };
    let resource = |uri: &str, text: &str| json!({"uri": uri, "resource_string": text});
    let turned = json!({"position": xyz([0.0; 3]), "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}});
    let taken = with(a_crate("box_a", [0.0, 4.0, 3.0]), "allow_renaming", json!(true));
    let several = |title, requests: Value, code| {
        Row::changing("spawn_entities", title, json!({"spawn_requests": requests}), World(code))
    };
    vec![
        spawn("valid", "name", json!("c1"), OK),
        spawn("valid namespace", "entity_namespace", json!("/robots/r1"), OK),
        spawn("missing name", "name", json!(""), OK),
        spawn("missing resource", "entity_resource", resource("", ""), SPAWN_NO_RESOURCE),
        spawn("edge taken name", "name", json!("box_a"), NAME_NOT_UNIQUE),
        Row::changing("spawn_entity", "edge renamed", taken, World(OK)),
        spawn("edge name with a blank", "name", json!("bad name"), NAME_INVALID),
        spawn("edge namespace with a blank", "entity_namespace", json!("bad ns"), NAMESPACE_INVALID),
        spawn("edge namespace with an end", "entity_namespace", json!("a/"), NAMESPACE_INVALID),
        spawn("edge namespace with a gap", "entity_namespace", json!("a//b"), NAMESPACE_INVALID),
        spawn("edge half a text", "entity_resource", resource("", "<sdf"), SPAWN_PARSE_ERROR),
        spawn("edge format", "entity_resource", resource("x.docx", ""), SPAWN_FORMAT),
        spawn("edge address and text", "entity_resource", resource("model://crate", "<sdf"), OK),
        spawn("edge zero rotation", "initial_pose", json!({"pose": turned}), SPAWN_POSE),
        several("valid", json!([valid(), a_crate("c2", [0.0, 6.0, 3.0])]), OK),
        several("missing requests", json!([]), OK),
        several("edge one invalid", json!([valid(), a_crate("bad name", [0.0; 3])]), SPAWN_FAILED),
    ]
}

fn steps_and_resets() -> Vec<Row> {
    let step = |title, request: Value| {
        Row::changing("step_simulation", title, request, Each([FAILED, FAILED, OK, FAILED]))
    };
    let reset =
        |title, scope: u64| Row::changing("reset_simulation", title, json!({"scope": scope}), World(OK));
    let stops = [STOPPED, STOPPED, STOPPED, NO_WORLD];
    vec![
        step("valid", json!({"steps": 3})),
        step("missing steps", json!({})),
        step("edge no step", json!({"steps": 0})),
        reset("valid time", 1),
        reset("valid state", 2),
        reset("valid spawned", 4),
        reset("valid time and state", 3),
        reset("valid time and spawned", 5),
        reset("valid state and spawned", 6),
        reset("valid all", 255).after(stops),
        Row::changing("reset_simulation", "missing scope", json!({}), World(OK)).after(stops),
        Row::changing("reset_simulation", "edge undefined", json!({"scope": 8}), Always(UNSUPPORTED)),
    ]
}

fn worlds() -> Vec<Row> {
    let load = |title, uri: &str, text: &str, code| {
        let request = json!({"world_resource": {"uri": uri, "resource_string": text}});
        Row::changing("load_world", title, request, Always(code))
    };
    let small = "<sdf version='1.11'><world name='small'/></sdf>";
    let of_loaded = Each([OK, OK, OK, NO_WORLD_LOADED]);
    let available =
        |title, request: Value, code| Row::reading("get_available_worlds", title, request, Always(code));
    vec![
        load("valid file", &fixture("W2.sdf"), "", OK).after([STOPPED; 4]),
        load("valid text", "", small, OK).after([STOPPED; 4]),
        load("missing resource", "", "", WORLD_NO_RESOURCE),
        load("edge address and text", &fixture("W2.sdf"), "<sdf", OK).after([STOPPED; 4]),
        load("edge format", "hall.docx", "", WORLD_FORMAT),
        load("edge half a text", "", "<sdf version='1.11'><world name='w'>", WORLD_PARSE_ERROR)
            .after([NO_WORLD; 4]),
        Row::changing("unload_world", "valid", json!({}), of_loaded).after([NO_WORLD; 4]),
        Row::reading("get_current_world", "valid", json!({}), of_loaded),
        available("valid tag", json!({"filter": {"tags": ["indoor"]}, "continue_on_error": true}), OK),
        available("missing all", json!({}), OK),
        available("edge filter mode", json!({"filter": {"tags": ["t"], "filter_mode": NO_MODE}}), FAILED),
        Row::reading("get_spawnables", "valid", json!({}), Always(OK)),
        Row::reading("get_spawnables", "edge unknown source", json!({"sources": ["bogus"]}), Always(OK)),
    ]
}

/// Goals of `simulate_steps`: accepted in every state, and aborted unless the run is paused.
pub(super) fn goals() -> Vec<Goal> {
    let aborted = (ABORTED, FAILED);
    let ends = [aborted, aborted, (SUCCEEDED, OK), aborted];
    vec![
        Goal { title: "valid", request: json!({"steps": 3}), ends },
        Goal { title: "missing steps", request: json!({}), ends },
        Goal { title: "edge no step", request: json!({"steps": 0}), ends },
    ]
}
