//! Cases 60 to 75: the info of entities, filters on it, and bounds of entities.

use serde_json::{Value, json};

use super::{
    Caller, FAILED, NOT_FOUND, Transport, UNSUPPORTED, entities, pose, position_of, spawn_crate, vector, xyz,
};
use crate::support::assert_all_near;

const OBJECT: u64 = 0;
const ROBOT: u64 = 1;

const BOX: u64 = 1;
const HULL: u64 = 2;
const SPHERE: u64 = 3;

const ANY: u64 = 0;
const ALL: u64 = 1;

fn info(category: u64, tags: &[&str]) -> Value {
    json!({"category": {"category": category}, "description": "x", "tags": tags})
}

#[track_caller]
fn describe(host: &Caller, entity: &str, info: Value) {
    host.ok("set_entity_info", json!({"entity": entity, "info": info}));
}

#[track_caller]
fn info_of(host: &Caller, entity: &str) -> Value {
    host.ok("get_entity_info", json!({"entity": entity}))["info"].take()
}

fn categories(wanted: &[u64]) -> Value {
    let list: Vec<Value> = wanted.iter().map(|category| json!({"category": category})).collect();
    json!({"categories": list})
}

fn tags(wanted: &[&str], mode: u64) -> Value {
    json!({"tags": {"tags": wanted, "filter_mode": mode}})
}

fn bounds<const N: usize>(kind: u64, points: [[f64; 3]; N]) -> Value {
    json!({"bounds": {"type": kind, "points": points.map(xyz).to_vec()}})
}

/// Fails unless both services with filters refuse this one.
#[track_caller]
fn assert_refused(host: &Caller, code: u64, filters: &Value) {
    for service in ["get_entities", "get_entities_states"] {
        let response = host.expect(code, service, json!({"filters": filters}));
        assert_eq!(response["entities"], json!([]));
    }
}

pub(super) fn case_60_and_61_entity_info_reads_back_and_is_replaced(over: Transport) {
    let host = over.host("stopped");
    assert_eq!(info_of(&host, "box_a")["category"]["category"], OBJECT);
    describe(&host, "box_a", info(ROBOT, &["t1"]));
    assert_eq!(info_of(&host, "box_a"), info(ROBOT, &["t1"]));
    describe(&host, "box_a", info(ROBOT, &[]));
    assert_eq!(info_of(&host, "box_a"), info(ROBOT, &[]));
}

pub(super) fn case_62_an_unknown_entity_has_no_info(over: Transport) {
    let host = over.host("stopped");
    host.expect(NOT_FOUND, "get_entity_info", json!({"entity": "nope"}));
    host.expect(NOT_FOUND, "set_entity_info", json!({"entity": "nope", "info": {}}));
}

pub(super) fn case_63_and_64_a_filter_is_a_regular_expression(over: Transport) {
    let host = over.host("stopped");
    assert_eq!(entities(&host, json!({"filter": "^box_"})), ["box_a", "box_b"]);
    assert_eq!(entities(&host, json!({"filter": "ox_a"})), ["box_a"]);
    assert_eq!(entities(&host, json!({"filter": "^(wall|ground)$"})), ["ground", "wall"]);
    assert!(entities(&host, json!({"filter": "nobody"})).is_empty());
}

pub(super) fn case_65_an_invalid_expression_is_refused(over: Transport) {
    assert_refused(&over.host("stopped"), FAILED, &json!({"filter": "[a-z"}));
}

pub(super) fn an_expression_with_notation_of_perl_is_refused(over: Transport) {
    let host = over.host("stopped");
    for filter in [r"\d", r"\w+", r"\bbox", "(?:box)", "(?i)BOX", ".*?"] {
        assert_refused(&host, FAILED, &json!({"filter": filter}));
    }
    assert_eq!(entities(&host, json!({"filter": r"^box_a$|^wal{2}$"})), ["box_a", "wall"]);
}

pub(super) fn case_66_categories_are_alternatives(over: Transport) {
    let host = over.host("stopped");
    describe(&host, "box_a", info(ROBOT, &["t1"]));
    assert_eq!(entities(&host, categories(&[ROBOT])), ["box_a"]);
    let both = entities(&host, categories(&[ROBOT, OBJECT, ROBOT]));
    assert_eq!(both, ["box_a", "box_b", "ground", "wall"]);
    assert!(entities(&host, categories(&[2])).is_empty());
}

pub(super) fn case_67_tags_match_any_or_all(over: Transport) {
    let host = over.host("stopped");
    describe(&host, "box_a", info(OBJECT, &["t1"]));
    describe(&host, "box_b", info(OBJECT, &["t2", "t1"]));
    describe(&host, "wall", info(OBJECT, &["t2"]));
    assert_eq!(entities(&host, tags(&["t1", "t2"], ANY)), ["box_a", "box_b", "wall"]);
    assert_eq!(entities(&host, tags(&["t1", "t2"], ALL)), ["box_b"]);
    assert!(entities(&host, tags(&["t3"], ANY)).is_empty());
    assert_refused(&host, FAILED, &tags(&["t1"], 7));
}

pub(super) fn case_68_filters_are_combined(over: Transport) {
    let host = over.host("stopped");
    describe(&host, "box_a", info(ROBOT, &["t1"]));
    describe(&host, "box_b", info(ROBOT, &["t2"]));
    describe(&host, "wall", info(ROBOT, &["t1"]));
    let mut filters = categories(&[ROBOT]);
    filters["tags"] = tags(&["t1"], ANY)["tags"].take();
    assert_eq!(entities(&host, filters.clone()), ["box_a", "wall"]);
    filters["filter"] = json!("^box");
    assert_eq!(entities(&host, filters.clone()), ["box_a"]);
    filters["bounds"] = bounds(SPHERE, [[5.0, 0.0, 0.5], [1.0, 0.0, 0.0]])["bounds"].take();
    assert!(entities(&host, filters).is_empty());
}

pub(super) fn case_69_a_sphere_selects_entities_that_it_touches(over: Transport) {
    let host = over.host("stopped");
    let found = entities(&host, bounds(SPHERE, [[0.0, 0.0, 0.5], [1.0, 0.0, 0.0]]));
    assert_eq!(found, ["box_a", "ground"], "the ground is within a metre, the other box is not");
    let found = entities(&host, bounds(SPHERE, [[0.0, 0.0, 1.4], [0.45, 0.0, 0.0]]));
    assert_eq!(found, ["box_a"]);
}

pub(super) fn case_70_a_sphere_without_a_radius_is_refused(over: Transport) {
    assert_refused(&over.host("stopped"), FAILED, &bounds(SPHERE, [[0.0, 0.0, 0.5]]));
}

pub(super) fn case_71_a_box_selects_entities_that_it_touches(over: Transport) {
    let host = over.host("stopped");
    let found = entities(&host, bounds(BOX, [[6.0, 1.0, 1.0], [4.0, -1.0, 0.1]]));
    assert_eq!(found, ["box_b"]);
    let around = [[6.0, 1.0, 1.0], [4.0, -1.0, 0.0]];
    let boxes = json!({"filter": "box", "bounds": bounds(BOX, around)["bounds"]});
    assert_eq!(entities(&host, boxes), ["box_b"]);
}

pub(super) fn case_72_a_box_needs_the_upper_corner_first(over: Transport) {
    let host = over.host("stopped");
    assert_refused(&host, FAILED, &bounds(BOX, [[4.0, -1.0, 0.0], [6.0, 1.0, 1.0]]));
    assert_refused(&host, FAILED, &bounds(BOX, [[6.0, 1.0, 1.0]]));
}

pub(super) fn case_73_a_convex_hull_selects_entities_that_it_touches(over: Transport) {
    let host = over.host("stopped");
    // The hull touches box_b; its bounding box would touch box_a too.
    let points = [[5.0, 0.0, 0.9], [0.0, 8.0, 0.9], [5.0, 8.0, 0.9], [5.0, 8.0, 3.0]];
    assert_eq!(entities(&host, bounds(HULL, points)), ["box_b"]);
    assert_refused(&host, FAILED, &bounds(HULL, [[5.0, 0.0, 0.5], [0.0, 8.0, 0.5]]));
    assert_refused(&host, FAILED, &bounds(HULL, [[0.0; 3], [1.0; 3], [2.0; 3]]));
    assert_refused(&host, UNSUPPORTED, &bounds(9, [[0.0; 3], [1.0; 3]]));
}

pub(super) fn case_74_bounds_are_a_box_in_the_frame_of_the_link(over: Transport) {
    let host = over.host("stopped");
    let turned = json!({"position": xyz([3.0, 3.0, 4.0]), "orientation": {"z": 0.6, "w": 0.8}});
    host.ok("set_entity_state", json!({"entity": "box_a", "state": {"pose": turned}}));
    let found = host.ok("get_entity_bounds", json!({"entity": "box_a"}));
    let bounds = &found["bounds"];
    assert_eq!((&bounds["type"], bounds["points"].as_array().map(Vec::len)), (&json!(BOX), Some(2)));
    assert_all_near(vector(bounds, "/points/0"), [0.5; 3], 1e-3);
    assert_all_near(vector(bounds, "/points/1"), [-0.5; 3], 1e-3);
    // An entity that was just spawned has bounds too.
    spawn_crate(&host, "c1", [0.0, 0.0, 9.0]);
    let spawned = host.ok("get_entity_bounds", json!({"entity": "c1"}));
    assert_all_near(vector(&spawned, "/bounds/points/0"), [0.5; 3], 1e-3);
}

pub(super) fn case_75_an_unknown_entity_has_no_bounds(over: Transport) {
    over.host("stopped").expect(NOT_FOUND, "get_entity_bounds", json!({"entity": "nope"}));
}

pub(super) fn regions_use_the_current_poses_of_entities(over: Transport) {
    let host = over.host("paused");
    host.ok("set_entity_state", json!({"entity": "box_a", "state": {"pose": pose([-20.0, 0.0, 5.0])}}));
    assert_all_near(position_of(&host, "box_a"), [-20.0, 0.0, 5.0], 1e-9);
    let region = |x| bounds(SPHERE, [[x, 0.0, 5.0], [1.0, 0.0, 0.0]]);
    assert_eq!(entities(&host, region(-20.0)), ["box_a"]);
    spawn_crate(&host, "c1", [20.0, 0.0, 5.0]);
    assert_eq!(entities(&host, region(20.0)), ["c1"]);
}
