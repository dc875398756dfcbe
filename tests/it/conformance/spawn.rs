//! Cases 22 to 44: what can be spawned, under which names, where, and what is refused.

use serde_json::{Value, json};

use super::{
    Caller, FAILED, INCORRECT_STATE, NO_WORLD, PAUSED, Transport, a_crate, all_entities, fixture, place_of,
    pose, setup, spawn_crate, step, time_ns, with,
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

/// Something to spawn as text.
const BALL: &str = "<sdf version='1.11'><model name='ball'><link name='l'><collision name='c'><geometry>\
    <sphere><radius>0.1</radius></sphere></geometry></collision></link></model></sdf>";

/// Spawns, and gives the name that came back.
#[track_caller]
fn spawn(host: &Caller, request: Value) -> String {
    let response = host.ok("spawn_entity", request);
    response["entity_name"].as_str().unwrap_or_else(|| panic!("no name in {response}")).to_owned()
}

/// Fails unless a request is refused with this code and nothing has come of it.
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

/// A request for a crate from another resource.
fn from_resource(uri: &str, text: &str) -> Value {
    with(a_crate("c1", [1.0, 2.0, 3.0]), "entity_resource", resource(uri, text))
}

pub(super) fn case_22_spawn_at_a_pose_reads_back_before_any_step(over: Transport) {
    for start in ["stopped", "paused"] {
        let host = over.host(start);
        spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
        assert_all_near(place_of(&host, "c1"), [1.0, 2.0, 3.0], 1e-9);
        assert_eq!(time_ns(&host), 0);
    }
}

pub(super) fn case_23_a_taken_name_is_refused(over: Transport) {
    let host = over.host("stopped");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    assert_refused(&host, NAME_NOT_UNIQUE, a_crate("c1", [3.0, 3.0, 3.0]));
    assert_refused(&host, NAME_NOT_UNIQUE, a_crate("box_a", [3.0, 3.0, 3.0]));
    assert_all_near(place_of(&host, "c1"), [1.0, 2.0, 3.0], 1e-9);
}

pub(super) fn case_24_a_taken_name_becomes_another_where_that_is_allowed(over: Transport) {
    let host = over.host("stopped");
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    let again = spawn(&host, with(a_crate("c1", [3.0, 3.0, 3.0]), "allow_renaming", json!(true)));
    assert_ne!(again, "c1");
    let names = all_entities(&host);
    assert!(names.contains(&again) && names.contains(&"c1".to_owned()), "{names:?}");
    assert_eq!(names.len(), 6);
    assert_all_near(place_of(&host, &again), [3.0; 3], 1e-9);
}

pub(super) fn case_25_without_a_name_that_of_the_model_is_taken(over: Transport) {
    let host = over.host("stopped");
    assert_eq!(spawn(&host, a_crate("", [1.0, 2.0, 3.0])), "crate");
    assert_refused(&host, NAME_NOT_UNIQUE, a_crate("", [3.0, 3.0, 3.0]));
}

pub(super) fn case_26_without_a_name_each_gets_one_of_its_own(over: Transport) {
    let host = over.host("stopped");
    let request = |z| with(a_crate("", [1.0, 2.0, z]), "allow_renaming", json!(true));
    let names = [2.0, 4.0, 6.0].map(|z| spawn(&host, request(z)));
    assert_eq!(names[0], "crate");
    assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2], "{names:?}");
    assert_eq!(all_entities(&host).len(), 7);
}

pub(super) fn case_27_names_are_words(over: Transport) {
    let host = over.host("stopped");
    for name in ["bad name", "a/b", "1st", "ä", "a\u{0}"] {
        assert_refused(&host, NAME_INVALID, a_crate(name, [1.0, 2.0, 3.0]));
    }
}

pub(super) fn case_28_namespaces_are_words_with_slashes(over: Transport) {
    let host = over.host("stopped");
    for namespace in ["bad ns", "a//b", "a/", "1a", "/"] {
        let request = with(a_crate("c1", [1.0, 2.0, 3.0]), "entity_namespace", json!(namespace));
        assert_refused(&host, NAMESPACE_INVALID, request);
    }
}

pub(super) fn case_29_something_has_to_be_spawned(over: Transport) {
    assert_refused(&over.host("stopped"), NO_RESOURCE, from_resource("", ""));
}

pub(super) fn case_30_a_model_as_text(over: Transport) {
    let host = over.host("stopped");
    assert_eq!(spawn(&host, from_resource("", BALL)), "c1");
    assert_all_near(place_of(&host, "c1"), [1.0, 2.0, 3.0], 1e-9);
    // An address wins over a text, whatever the text is.
    let both = with(from_resource("model://crate", "<sdf"), "name", json!("c2"));
    assert_eq!(spawn(&host, both), "c2");
}

pub(super) fn case_31_a_text_that_is_none(over: Transport) {
    let host = over.host("stopped");
    for text in ["<sdf", "<sdf version='1.11'></sdf>"] {
        assert_refused(&host, RESOURCE_PARSE_ERROR, from_resource("", text));
    }
    assert_refused(&host, UNSUPPORTED_FORMAT, from_resource("", "no XML"));
}

pub(super) fn case_32_a_file_that_is_not_there_is_named(over: Transport) {
    let host = over.host("stopped");
    for uri in ["/no/such/file.sdf", "model://nothing", "nothing.sdf"] {
        let text = assert_refused(&host, MISSING_ASSETS, from_resource(uri, ""));
        assert!(text.contains(uri.trim_start_matches("model://")), "{text}");
    }
}

pub(super) fn case_33_a_format_that_is_not_read(over: Transport) {
    assert_refused(&over.host("stopped"), UNSUPPORTED_FORMAT, from_resource("x.docx", ""));
}

pub(super) fn case_34_a_mesh_that_is_not_there(over: Transport) {
    let text = BALL.replace("<sphere><radius>0.1</radius></sphere>", "<mesh><uri>none.stl</uri></mesh>");
    let told = assert_refused(&over.host("stopped"), MISSING_ASSETS, from_resource("", &text));
    assert!(told.contains("none.stl"), "{told}");
}

pub(super) fn case_35_and_36_poses_that_are_none(over: Transport) {
    let host = over.host("stopped");
    let zero = json!({"position": {"x": 1}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 0}});
    let nan = json!({"position": {"x": "NaN", "y": 0, "z": 1}});
    let far = pose([1e300, 0.0, 0.0]);
    for wrong in [zero, nan, far] {
        let request = with(a_crate("c1", [0.0; 3]), "initial_pose", json!({"pose": wrong}));
        assert_refused(&host, INVALID_POSE, request);
    }
}

pub(super) fn case_37_the_frame_of_the_world_has_a_name_or_none(over: Transport) {
    let host = over.host("stopped");
    for (name, frame) in [("c1", "world"), ("c2", "")] {
        let initial = json!({"header": {"frame_id": frame}, "pose": pose([1.0, 2.0, 3.0])});
        spawn(&host, with(a_crate(name, [0.0; 3]), "initial_pose", initial));
    }
    assert_eq!(place_of(&host, "c1"), place_of(&host, "c2"));
    let initial = json!({"header": {"frame_id": "box_b"}, "pose": pose([1.0, 2.0, 3.0])});
    spawn(&host, with(a_crate("c3", [0.0; 3]), "initial_pose", initial));
    assert_all_near(place_of(&host, "c3"), [6.0, 2.0, 3.5], 1e-9);
}

pub(super) fn case_38_an_unknown_frame_is_refused(over: Transport) {
    let initial = json!({"header": {"frame_id": "nowhere"}, "pose": pose([1.0, 2.0, 3.0])});
    let text =
        assert_refused(&over.host("stopped"), FAILED, with(a_crate("c1", [0.0; 3]), "initial_pose", initial));
    assert!(text.contains("nowhere"), "{text}");
}

pub(super) fn case_39_topics_of_an_entity_lie_under_its_namespace(over: Transport) {
    let setup = setup().plugins(&["imu"]).run(fixture("W1.sdf").as_ref()).args(["--start", "playing"]);
    let host = over.start(setup).awaited("playing");
    let text = "<sdf version='1.11'><model name='r'><link name='l'><sensor name='imu' type='imu'>\
        <update_rate>100</update_rate></sensor></link></model></sdf>";
    let request = with(from_resource("", text), "entity_namespace", json!("robot1"));
    spawn(&host, with(request, "name", json!("car")));
    let mut topics = Vec::new();
    eventually("a topic of the sensor", || {
        topics = host.topics();
        topics.iter().any(|name| name.contains("/imu"))
    });
    let of_it: Vec<&String> = topics.iter().filter(|name| name.contains("/imu")).collect();
    assert!(of_it.iter().all(|name| name.starts_with("/robot1/")), "{topics:?}");
}

pub(super) fn case_40_spawning_in_a_pause_takes_no_time(over: Transport) {
    let host = over.host("paused");
    step(&host, 5);
    let at = time_ns(&host);
    spawn_crate(&host, "c1", [1.0, 2.0, 3.0]);
    assert_eq!((host.state(), time_ns(&host)), (PAUSED, at));
}

pub(super) fn case_41_without_a_world_nothing_is_spawned(over: Transport) {
    let host = over.without_world();
    eventually("no world", || host.state() == NO_WORLD);
    host.expect(INCORRECT_STATE, "spawn_entity", a_crate("c1", [0.0; 3]));
    // What else is wrong does not matter then.
    host.expect(INCORRECT_STATE, "spawn_entity", a_crate("bad name", [0.0; 3]));
    host.expect(INCORRECT_STATE, "delete_entity", json!({"entity": "box_a"}));
}

pub(super) fn case_42_two_at_once_come_in_order(over: Transport) {
    let host = over.host("stopped");
    let requests = json!([a_crate("c2", [0.0, 0.0, 3.0]), a_crate("c1", [0.0, 0.0, 6.0])]);
    let response = host.ok("spawn_entities", json!({"spawn_requests": requests}));
    let results = response["results"].as_array().expect("a list");
    let told: Vec<_> = results.iter().map(|one| (&one["entity_name"], &one["result"]["result"])).collect();
    assert_eq!(told, [(&json!("c2"), &json!(OK)), (&json!("c1"), &json!(OK))]);
    assert_all_near(place_of(&host, "c1"), [0.0, 0.0, 6.0], 1e-9);
}

pub(super) fn case_43_what_is_right_is_spawned_beside_what_is_wrong(over: Transport) {
    let host = over.host("stopped");
    let missing = with(a_crate("c2", [0.0; 3]), "entity_resource", resource("/no/such.sdf", ""));
    let requests = json!([a_crate("c1", [0.0, 0.0, 3.0]), missing, a_crate("c3", [0.0, 0.0, 6.0])]);
    let response = host.expect(ENTITIES_SPAWN_FAILED, "spawn_entities", json!({"spawn_requests": requests}));
    let results = response["results"].as_array().expect("a list");
    let codes: Vec<&Value> = results.iter().map(|one| &one["result"]["result"]).collect();
    assert_eq!(codes, [&json!(OK), &json!(MISSING_ASSETS), &json!(OK)], "{response}");
    assert_eq!(all_entities(&host), ["box_a", "box_b", "c1", "c3", "ground", "wall"]);
}

pub(super) fn case_44_nothing_to_spawn_is_done_at_once(over: Transport) {
    let response = over.host("stopped").ok("spawn_entities", json!({"spawn_requests": []}));
    assert_eq!(response["results"], json!([]));
}

pub(super) fn what_is_wrong_first_is_said_first(over: Transport) {
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
