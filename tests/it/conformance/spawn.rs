//! Cases 22 to 44: resources, names and poses of spawned entities, and refused requests.

use serde_json::{Value, json};

use super::{
    Caller, FAILED, INCORRECT_STATE, NO_WORLD, PAUSED, Transport, a_crate, all_entities, fixture, pose,
    position_of, setup, spawn_crate, step, time_ns, with,
};
use crate::support::{OK, assert_all_near, eventually};

const NAME_NOT_UNIQUE: u64 = 101;
const NAME_INVALID: u64 = 102;
const UNSUPPORTED_FORMAT: u64 = 103;
const NO_RESOURCE: u64 = 104;
const NAMESPACE_INVALID: u64 = 105;
const RESOURCE_PARSE_ERROR: u64 = 106;
const MISSING_ASSETS: u64 = 107;
const INVALID_POSE: u64 = 109;
const ENTITIES_SPAWN_FAILED: u64 = 150;

/// A model to be spawned from text.
const BALL: &str = "<sdf version='1.11'><model name='ball'><link name='l'><collision name='c'><geometry>\
    <sphere><radius>0.1</radius></sphere></geometry></collision></link></model></sdf>";

/// Spawns an entity and returns its name from the response.
#[track_caller]
fn spawn(host: &Caller, request: Value) -> String {
    let response = host.ok("spawn_entity", request);
    response["entity_name"].as_str().unwrap_or_else(|| panic!("no name in {response}")).to_owned()
}

/// Fails unless a request is refused with this code and has no effect; returns the error message.
#[track_caller]
fn assert_refused(host: &Caller, code: u64, request: Value) -> String {
    let before = all_entities(host);
    let response = host.expect(code, "spawn_entity", request);
    assert_eq!(response["entity_name"], "", "{response}");
    assert_eq!(all_entities(host), before);
    response["result"]["error_message"].as_str().expect("a text").to_owned()
}

fn resource(uri: &str, text: &str) -> Value {
    json!({"uri": uri, "resource_string": text})
}

/// A request to spawn an entity from another resource than the crate.
fn from_resource(uri: &str, text: &str) -> Value {
    with(a_crate("c1", [1.0, 2.0, 3.0]), "entity_resource", resource(uri, text))
}

pub(super) fn case_22_the_pose_of_a_spawned_entity_reads_back_before_any_step(over: Transport) {
    for start in ["stopped", "paused"] {
        let host = over.host(start);
        spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
        assert_all_near(position_of(&host, "c1"), [1.0, 2.0, 3.0], 1e-9);
        assert_eq!(time_ns(&host), 0);
    }
}

pub(super) fn case_23_a_taken_name_is_refused(over: Transport) {
    let host = over.host("stopped");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    assert_refused(&host, NAME_NOT_UNIQUE, a_crate("c1", [3.0, 3.0, 3.0]));
    assert_refused(&host, NAME_NOT_UNIQUE, a_crate("box_a", [3.0, 3.0, 3.0]));
    assert_all_near(position_of(&host, "c1"), [1.0, 2.0, 3.0], 1e-9);
}

pub(super) fn case_24_a_taken_name_is_changed_if_renaming_is_allowed(over: Transport) {
    let host = over.host("stopped");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    let again = spawn(&host, with(a_crate("c1", [3.0, 3.0, 3.0]), "allow_renaming", json!(true)));
    assert_ne!(again, "c1");
    let names = all_entities(&host);
    assert!(names.contains(&again) && names.contains(&"c1".to_owned()), "{names:?}");
    assert_eq!(names.len(), 6);
    assert_all_near(position_of(&host, &again), [3.0; 3], 1e-9);
}

pub(super) fn case_25_without_a_name_the_name_of_the_model_is_used(over: Transport) {
    let host = over.host("stopped");
    assert_eq!(spawn(&host, a_crate("", [1.0, 2.0, 3.0])), "crate");
    assert_refused(&host, NAME_NOT_UNIQUE, a_crate("", [3.0, 3.0, 3.0]));
}

pub(super) fn case_26_without_names_and_with_renaming_each_entity_gets_a_unique_name(over: Transport) {
    let host = over.host("stopped");
    let request = |z| with(a_crate("", [1.0, 2.0, z]), "allow_renaming", json!(true));
    let names = [2.0, 4.0, 6.0].map(|z| spawn(&host, request(z)));
    assert_eq!(names[0], "crate");
    assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2], "{names:?}");
    assert_eq!(all_entities(&host).len(), 7);
}

pub(super) fn a_model_without_a_name_gets_a_generated_one_if_renaming_is_allowed(over: Transport) {
    let host = over.host("stopped");
    let nameless = BALL.replace(" name='ball'", "");
    let request = |may_rename: bool, z| {
        let request = with(a_crate("", [1.0, 2.0, z]), "entity_resource", resource("", &nameless));
        with(request, "allow_renaming", json!(may_rename))
    };
    assert_refused(&host, NAME_INVALID, request(false, 1.0));
    let names = [2.0, 4.0].map(|z| spawn(&host, request(true, z)));
    assert_ne!(names[0], names[1]);
    assert!(names.iter().all(|name| all_entities(&host).contains(name)), "{names:?}");
    assert_eq!(spawn(&host, with(request(false, 6.0), "name", json!("ball_1"))), "ball_1");
}

pub(super) fn case_27_invalid_names_are_refused(over: Transport) {
    let host = over.host("stopped");
    for name in ["bad name", "a/b", "1st", "ä", "a\u{0}"] {
        assert_refused(&host, NAME_INVALID, a_crate(name, [1.0, 2.0, 3.0]));
    }
}

pub(super) fn case_28_invalid_namespaces_are_refused(over: Transport) {
    let host = over.host("stopped");
    for namespace in ["bad ns", "a//b", "a/", "1a", "/"] {
        let request = with(a_crate("c1", [1.0, 2.0, 3.0]), "entity_namespace", json!(namespace));
        assert_refused(&host, NAMESPACE_INVALID, request);
    }
}

pub(super) fn case_29_a_request_without_a_resource_is_refused(over: Transport) {
    assert_refused(&over.host("stopped"), NO_RESOURCE, from_resource("", ""));
}

pub(super) fn case_30_a_model_is_spawned_from_text(over: Transport) {
    let host = over.host("stopped");
    assert_eq!(spawn(&host, from_resource("", BALL)), "c1");
    assert_all_near(position_of(&host, "c1"), [1.0, 2.0, 3.0], 1e-9);
    // A URI has priority over any text.
    let both = with(from_resource("model://crate", "<sdf"), "name", json!("c2"));
    assert_eq!(spawn(&host, both), "c2");
}

pub(super) fn case_31_an_invalid_text_is_refused(over: Transport) {
    let host = over.host("stopped");
    for text in ["<sdf", "<sdf version='1.11'></sdf>"] {
        assert_refused(&host, RESOURCE_PARSE_ERROR, from_resource("", text));
    }
    assert_refused(&host, UNSUPPORTED_FORMAT, from_resource("", "no XML"));
}

pub(super) fn case_32_the_error_about_a_missing_file_names_it(over: Transport) {
    let host = over.host("stopped");
    for uri in ["/no/such/file.sdf", "model://nothing", "nothing.sdf"] {
        let text = assert_refused(&host, MISSING_ASSETS, from_resource(uri, ""));
        assert!(text.contains(uri.trim_start_matches("model://")), "{text}");
    }
}

pub(super) fn case_33_an_unsupported_format_is_refused(over: Transport) {
    assert_refused(&over.host("stopped"), UNSUPPORTED_FORMAT, from_resource("x.docx", ""));
}

pub(super) fn case_34_a_missing_mesh_is_refused(over: Transport) {
    let text = BALL.replace("<sphere><radius>0.1</radius></sphere>", "<mesh><uri>none.stl</uri></mesh>");
    let message = assert_refused(&over.host("stopped"), MISSING_ASSETS, from_resource("", &text));
    assert!(message.contains("none.stl"), "{message}");
}

pub(super) fn case_35_and_36_invalid_poses_are_refused(over: Transport) {
    let host = over.host("stopped");
    let zero = json!({"position": {"x": 1}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}});
    let nan = json!({"position": {"x": "NaN", "y": 0, "z": 1}});
    let far = pose([1e300, 0.0, 0.0]);
    for wrong in [zero, nan, far] {
        let request = with(a_crate("c1", [0.0; 3]), "initial_pose", json!({"pose": wrong}));
        assert_refused(&host, INVALID_POSE, request);
    }
}

pub(super) fn case_37_an_empty_frame_means_the_world(over: Transport) {
    let host = over.host("stopped");
    for (name, frame) in [("c1", "world"), ("c2", "")] {
        let initial = json!({"header": {"frame_id": frame}, "pose": pose([1.0, 2.0, 3.0])});
        spawn(&host, with(a_crate(name, [0.0; 3]), "initial_pose", initial));
    }
    assert_eq!(position_of(&host, "c1"), position_of(&host, "c2"));
    let initial = json!({"header": {"frame_id": "box_b"}, "pose": pose([1.0, 2.0, 3.0])});
    spawn(&host, with(a_crate("c3", [0.0; 3]), "initial_pose", initial));
    assert_all_near(position_of(&host, "c3"), [6.0, 2.0, 3.5], 1e-9);
}

pub(super) fn case_38_an_unknown_frame_is_refused(over: Transport) {
    let initial = json!({"header": {"frame_id": "nowhere"}, "pose": pose([1.0, 2.0, 3.0])});
    let text =
        assert_refused(&over.host("stopped"), FAILED, with(a_crate("c1", [0.0; 3]), "initial_pose", initial));
    assert!(text.contains("nowhere"), "{text}");
}

pub(super) fn case_39_topics_of_an_entity_are_under_its_namespace(over: Transport) {
    let setup = setup().plugins(&["imu"]).run(fixture("W1.sdf").as_ref()).args(["--start", "playing"]);
    let host = over.start(setup).wait_for_state("playing");
    let text = "<sdf version='1.11'><model name='r'><link name='l'><sensor name='imu' type='imu'>\
        <update_rate>100</update_rate></sensor></link></model></sdf>";
    let request = with(from_resource("", text), "entity_namespace", json!("robot1"));
    spawn(&host, with(request, "name", json!("car")));
    let mut topics = Vec::new();
    eventually("a topic of the sensor", || {
        topics = host.topics();
        topics.iter().any(|name| name.contains("/imu"))
    });
    let of_sensor: Vec<&String> = topics.iter().filter(|name| name.contains("/imu")).collect();
    assert!(of_sensor.iter().all(|name| name.starts_with("/robot1/")), "{topics:?}");
}

pub(super) fn case_40_spawning_in_a_pause_takes_no_time(over: Transport) {
    let host = over.host("paused");
    step(&host, 5);
    let at = time_ns(&host);
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    assert_eq!((host.state(), time_ns(&host)), (PAUSED, at));
}

pub(super) fn case_41_without_a_world_spawning_is_refused(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    host.expect(INCORRECT_STATE, "spawn_entity", a_crate("c1", [0.0; 3]));
    // Other errors of the request do not matter then.
    host.expect(INCORRECT_STATE, "spawn_entity", a_crate("bad name", [0.0; 3]));
    host.expect(INCORRECT_STATE, "delete_entity", json!({"entity": "box_a"}));
}

pub(super) fn case_42_results_of_several_spawns_are_in_the_order_of_the_requests(over: Transport) {
    let host = over.host("stopped");
    let requests = json!([a_crate("c2", [0.0, 0.0, 3.0]), a_crate("c1", [0.0, 0.0, 6.0])]);
    let response = host.ok("spawn_entities", json!({"spawn_requests": requests}));
    let results = response["results"].as_array().expect("a list");
    let found: Vec<_> = results.iter().map(|one| (&one["entity_name"], &one["result"]["result"])).collect();
    assert_eq!(found, [(&json!("c2"), &json!(OK)), (&json!("c1"), &json!(OK))]);
    assert_all_near(position_of(&host, "c1"), [0.0, 0.0, 6.0], 1e-9);
}

pub(super) fn case_43_valid_requests_are_spawned_beside_an_invalid_one(over: Transport) {
    let host = over.host("stopped");
    let missing = with(a_crate("c2", [0.0; 3]), "entity_resource", resource("/no/such.sdf", ""));
    let requests = json!([a_crate("c1", [0.0, 0.0, 3.0]), missing, a_crate("c3", [0.0, 0.0, 6.0])]);
    let response = host.expect(ENTITIES_SPAWN_FAILED, "spawn_entities", json!({"spawn_requests": requests}));
    let results = response["results"].as_array().expect("a list");
    let codes: Vec<&Value> = results.iter().map(|one| &one["result"]["result"]).collect();
    assert_eq!(codes, [&json!(OK), &json!(MISSING_ASSETS), &json!(OK)], "{response}");
    assert_eq!(all_entities(&host), ["box_a", "box_b", "c1", "c3", "ground", "wall"]);
}

pub(super) fn case_44_an_empty_list_of_spawns_succeeds(over: Transport) {
    let response = over.host("stopped").ok("spawn_entities", json!({"spawn_requests": []}));
    assert_eq!(response["results"], json!([]));
}

pub(super) fn errors_of_a_spawn_are_checked_in_a_fixed_order(over: Transport) {
    let host = over.host("stopped");
    let nan = json!({"header": {"frame_id": "nowhere"}, "pose": {"position": {"x": "NaN"}}});
    let mut request = with(from_resource("", ""), "initial_pose", nan);
    request["entity_namespace"] = json!("bad ns");
    request["name"] = json!("bad name");
    assert_refused(&host, NAME_INVALID, request.clone());
    request["name"] = json!("box_a");
    assert_refused(&host, NAMESPACE_INVALID, request.clone());
    request["entity_namespace"] = json!("");
    assert_refused(&host, NO_RESOURCE, request.clone());
    request["entity_resource"] = resource("x.docx", "");
    assert_refused(&host, UNSUPPORTED_FORMAT, request.clone());
    request["entity_resource"] = resource("model://nothing", "");
    request["initial_pose"]["header"] = json!({});
    assert_refused(&host, INVALID_POSE, request.clone());
    request["initial_pose"] = json!({});
    assert_refused(&host, MISSING_ASSETS, request.clone());
    request["entity_resource"] = resource("model://crate", "");
    assert_refused(&host, NAME_NOT_UNIQUE, request);
}
