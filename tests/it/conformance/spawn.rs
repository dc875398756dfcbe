//! Spawning: what the messages of refused requests name, the order of checks, and topics in a namespace.

use serde_json::{Value, json};

use super::{Caller, Transport, a_crate, all_entities, fixture, setup, with};
use crate::support::eventually;

const NAME_NOT_UNIQUE: u64 = 101;
const NAME_INVALID: u64 = 102;
const UNSUPPORTED_FORMAT: u64 = 103;
const NO_RESOURCE: u64 = 104;
const NAMESPACE_INVALID: u64 = 105;
const RESOURCE_PARSE_ERROR: u64 = 106;
const MISSING_ASSETS: u64 = 107;
const INVALID_POSE: u64 = 109;

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

pub(super) fn a_name_with_a_zero_byte_is_refused(over: Transport) {
    assert_refused(&over.host("stopped"), NAME_INVALID, a_crate("a\u{0}", [1.0, 2.0, 3.0]));
}

pub(super) fn a_text_without_a_model_is_refused(over: Transport) {
    let host = over.host("stopped");
    assert_refused(&host, RESOURCE_PARSE_ERROR, from_resource("", "<sdf version='1.11'></sdf>"));
    assert_refused(&host, UNSUPPORTED_FORMAT, from_resource("", "no XML"));
}

pub(super) fn the_error_about_a_missing_file_names_it(over: Transport) {
    let host = over.host("stopped");
    for uri in ["/no/such/file.sdf", "model://nothing", "nothing.sdf"] {
        let text = assert_refused(&host, MISSING_ASSETS, from_resource(uri, ""));
        assert!(text.contains(uri.trim_start_matches("model://")), "{text}");
    }
}

pub(super) fn the_error_about_a_missing_mesh_names_it(over: Transport) {
    let text = BALL.replace("<sphere><radius>0.1</radius></sphere>", "<mesh><uri>none.stl</uri></mesh>");
    let message = assert_refused(&over.host("stopped"), MISSING_ASSETS, from_resource("", &text));
    assert!(message.contains("none.stl"), "{message}");
}

pub(super) fn topics_of_an_entity_are_under_its_namespace(over: Transport) {
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
