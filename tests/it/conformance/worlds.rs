//! Cases 90 to 99: worlds are loaded, unloaded and listed; named poses; models to spawn.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    Caller, FAILED, INCORRECT_STATE, NO_WORLD, NOT_FOUND, PLAYING, STOPPED, Transport, all_entities, fixture,
    set_state, time_ns, vector,
};
use crate::support::{OK, assert_all_near, eventually};

const UNSUPPORTED_FORMAT: u64 = 101;
const NO_RESOURCE: u64 = 102;
const RESOURCE_PARSE_ERROR: u64 = 103;
const MISSING_ASSETS: u64 = 104;
const UNSUPPORTED_ELEMENTS: u64 = 106;
const NO_WORLD_LOADED: u64 = 101;
const DEFAULT_SOURCES_FAILED: u64 = 101;

fn resource(uri: &str, text: &str) -> Value {
    json!({"world_resource": {"uri": uri, "resource_string": text}})
}

/// Returns the name of the current world.
#[track_caller]
fn current(host: &Caller) -> String {
    let response = host.ok("get_current_world", json!({}));
    response["world"]["name"].as_str().unwrap_or_else(|| panic!("no name in {response}")).to_owned()
}

/// Returns the texts at a JSON pointer in each entry of a list.
#[track_caller]
fn each(list: &Value, pointer: &str) -> Vec<String> {
    let entries = list.as_array().unwrap_or_else(|| panic!("no list: {list}")).iter();
    let text = |entry: &Value| entry.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    entries.map(|entry| text(entry).unwrap_or_else(|| panic!("no `{pointer}` in {entry}"))).collect()
}

pub(super) fn case_90_a_load_replaces_a_playing_world(over: Transport) {
    let host = over.host("playing");
    eventually("time advances", || time_ns(&host) > 0);
    let uri = fixture("W2.sdf");
    let response = host.ok("load_world", resource(&uri, ""));
    assert_eq!(response["world"]["world_resource"]["uri"], json!(uri));
    assert_eq!(response["world"]["name"], "W2");
    assert_eq!((host.state(), time_ns(&host)), (STOPPED, 0));
    assert_eq!(all_entities(&host), ["ground", "rock"]);
    assert_eq!(current(&host), "W2");
    set_state(&host, PLAYING, OK);
    eventually("time advances", || time_ns(&host) > 0);
}

pub(super) fn case_91_and_92_a_load_without_a_valid_resource_keeps_the_current_world(over: Transport) {
    let host = over.host("stopped");
    host.expect(NO_RESOURCE, "load_world", resource("", ""));
    host.expect(UNSUPPORTED_FORMAT, "load_world", resource("hall.docx", ""));
    assert_eq!((current(&host), host.state()), ("W1".to_owned(), STOPPED));
    assert_eq!(all_entities(&host), ["box_a", "box_b", "ground", "wall"]);
}

pub(super) fn case_93_a_load_of_a_missing_file_keeps_the_current_world_playing(over: Transport) {
    let host = over.host("playing");
    let response = host.expect(MISSING_ASSETS, "load_world", resource("/no/such/hall.sdf", ""));
    assert!(response["result"]["error_message"].to_string().contains("/no/such/hall.sdf"), "{response}");
    assert_eq!((current(&host), host.state()), ("W1".to_owned(), PLAYING));
}

pub(super) fn a_load_of_an_unreadable_world_leaves_no_world(over: Transport) {
    let host = over.host("stopped");
    host.expect(RESOURCE_PARSE_ERROR, "load_world", resource("", "<sdf version='1.11'><world name='w'>"));
    assert_eq!(host.state(), NO_WORLD);
    host.ok("load_world", resource(&fixture("W2.sdf"), ""));
    assert_eq!(current(&host), "W2");
}

pub(super) fn a_world_from_text_with_unsupported_elements_is_loaded_if_allowed(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    let text = "<sdf version='1.11'><world name='small'><teleporter/><model name='m'><link name='l'/></model>\
        </world></sdf>";
    let mut request = resource("", text);
    request["fail_on_unsupported_element"] = json!(true);
    host.expect(UNSUPPORTED_ELEMENTS, "load_world", request.clone());
    assert_eq!(host.state(), NO_WORLD);
    request["fail_on_unsupported_element"] = json!(false);
    assert_eq!(host.ok("load_world", request)["world"]["name"], "small");
    assert_eq!((host.state(), all_entities(&host)), (STOPPED, vec!["m".to_owned()]));

    let mesh = text.replace(
        "<link name='l'/>",
        "<link name='l'><collision name='c'><geometry><mesh><uri>none.stl</uri></mesh></geometry></collision></link>",
    );
    let mut request = resource("", &mesh);
    host.expect(MISSING_ASSETS, "load_world", request.clone());
    request["ignore_missing_or_unsupported_assets"] = json!(true);
    host.ok("load_world", request);
}

pub(super) fn case_94_after_an_unload_requests_for_entities_are_refused(over: Transport) {
    let host = over.host("playing");
    host.ok("unload_world", json!({}));
    assert_eq!(host.state(), NO_WORLD);
    let named = json!({"entity": "box_a"});
    for service in ["get_entity_state", "get_entity_info", "get_entity_bounds", "delete_entity"] {
        host.expect(INCORRECT_STATE, service, named.clone());
    }
    for service in ["get_entities", "get_entities_states", "get_named_poses"] {
        host.expect(INCORRECT_STATE, service, json!({}));
    }
    host.expect(NO_WORLD_LOADED, "unload_world", json!({}));
    assert_eq!(host.state(), NO_WORLD);
}

pub(super) fn case_95_without_a_world_there_is_no_current_world(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    host.expect(NO_WORLD_LOADED, "get_current_world", json!({}));
}

pub(super) fn case_96_listed_worlds_can_be_loaded(over: Transport) {
    let host = over.host("stopped");
    let response = host.ok("get_available_worlds", json!({}));
    let names: BTreeSet<String> = each(&response["worlds"], "/name").into_iter().collect();
    assert_eq!(names, ["W1", "W2", "W3"].map(str::to_owned).into());
    for uri in each(&response["worlds"], "/world_resource/uri") {
        let loaded = host.ok("load_world", resource(&uri, ""));
        assert_eq!(loaded["world"]["world_resource"]["uri"], json!(uri));
        assert_eq!(host.state(), STOPPED);
    }
    // `offline_only` makes no difference, because nothing is online.
    let offline = host.ok("get_available_worlds", json!({"offline_only": true}));
    assert_eq!(each(&offline["worlds"], "/name").len(), 3);
}

pub(super) fn a_missing_source_of_worlds_fails_the_request_unless_it_may_continue(over: Transport) {
    let host = over.host("stopped");
    let request =
        |may_continue: bool| json!({"additional_sources": ["/nowhere"], "continue_on_error": may_continue});
    let response = host.expect(DEFAULT_SOURCES_FAILED, "get_available_worlds", request(false));
    assert!(response["result"]["error_message"].to_string().contains("/nowhere"), "{response}");
    let response = host.ok("get_available_worlds", request(true));
    assert_eq!(each(&response["worlds"], "/name").len(), 3);
    assert!(response["result"]["error_message"].to_string().contains("/nowhere"), "{response}");
}

pub(super) fn case_97_worlds_are_filtered_by_their_tags(over: Transport) {
    let host = over.host("stopped");
    let listed = |tags: &[&str], mode: u64| {
        let request = json!({"filter": {"tags": tags, "filter_mode": mode}});
        each(&host.ok("get_available_worlds", request)["worlds"], "/name")
    };
    assert_eq!(listed(&["indoor"], 0), ["W1"]);
    assert_eq!(listed(&["indoor", "outdoor"], 0), ["W1", "W2"]);
    assert!(listed(&["indoor", "outdoor"], 1).is_empty());
    assert_eq!(listed(&["indoor", "warehouse"], 1), ["W1"]);
    let request = json!({"filter": {"tags": ["indoor"], "filter_mode": 9}});
    host.expect(FAILED, "get_available_worlds", request);
}

pub(super) fn case_98_listed_models_can_be_spawned(over: Transport) {
    let host = over.host("stopped");
    let response = host.ok("get_spawnables", json!({"sources": ["bogus"]}));
    assert!(response["result"]["error_message"].to_string().contains("bogus"), "{response}");
    let uris = each(&response["spawnables"], "/entity_resource/uri");
    let names = uris.iter().map(|uri| {
        let request =
            json!({"entity_resource": {"uri": uri}, "initial_pose": {"pose": super::pose([0.0, 5.0, 5.0])}});
        host.ok("spawn_entity", request)["entity_name"].as_str().expect("a name").to_owned()
    });
    assert_eq!(names.collect::<BTreeSet<_>>(), ["crate", "pillar"].map(str::to_owned).into());
    assert!(each(&response["spawnables"], "/description").iter().all(|text| !text.is_empty()), "{response}");
    // The crate is a cube of a metre; the upper corner of its bounds comes first.
    let bounds = &response["spawnables"][0]["spawn_bounds"];
    let extent = |axis: &str| {
        let [high, low] = [0, 1].map(|corner| bounds["points"][corner][axis].as_f64().expect("a corner"));
        high - low
    };
    assert_eq!(bounds["type"], 1, "{response}");
    assert!(["x", "y", "z"].iter().all(|axis| (extent(axis) - 1.0).abs() < 1e-9), "{response}");
}

pub(super) fn case_99_named_poses_have_tags_and_bounds(over: Transport) {
    let host = over.host("stopped");
    let listed = |tags: Value| host.ok("get_named_poses", json!({"tags": tags}))["poses"].take();
    assert_eq!(each(&listed(json!({})), "/name"), ["spawn_1", "dock"]);
    let spawn = listed(json!({"tags": ["spawn"]}));
    assert_eq!(each(&spawn, "/name"), ["spawn_1"]);
    assert_eq!(spawn[0]["tags"], json!(["spawn", "drone"]));
    assert_all_near(vector(&spawn[0], "/pose/position"), [0.0, -3.0, 1.0], 1e-9);
    let bounds = host.ok("get_named_pose_bounds", json!({"name": "dock"}))["bounds"].take();
    assert_eq!(bounds["type"], 1);
    assert_all_near(vector(&bounds, "/points/0"), [1.0, 1.5, 0.5], 1e-9);
    assert_all_near(vector(&bounds, "/points/1"), [-1.0, -1.5, -0.5], 1e-9);
    let none = host.ok("get_named_pose_bounds", json!({"name": "spawn_1"}))["bounds"].take();
    assert_eq!(none["type"], 0);
    host.expect(NOT_FOUND, "get_named_pose_bounds", json!({"name": "nowhere"}));
}
