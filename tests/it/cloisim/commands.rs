//! Tests of requests to the service other than the list of devices.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::answers::ports;
use super::discovery::Discovery;
use super::wire::tag;
use super::yard::Yard;
use crate::support::{assert_near, eventually};

fn ask(yard: &Yard, path: &str, text: &str) -> Value {
    Discovery::connect(yard.service(), path).expect("a connection").ask(text)
}

#[test]
fn port_lists_contain_every_port_under_the_text_of_its_tag() {
    let yard = Yard::start();
    let list = ports(&yard);
    let mut expected = Vec::new();
    let devices = yard.devices();
    for (model, kinds) in devices.as_object().expect("models") {
        for parts in kinds.as_object().expect("types").values() {
            for (part, keys) in parts.as_object().expect("parts") {
                for (key, port) in keys.as_object().expect("keys") {
                    expected.push((format!("{model}{part}{key}"), port.as_u64().expect("a port")));
                }
            }
        }
    }
    let mut found: Vec<_> = list.iter().map(|(key, port)| (key.clone(), u64::from(*port))).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    let filtered = ask(&yard, "/control", "{'command':'port_list','filter':'robot2Micom'}");
    assert_eq!(filtered["result"].as_object().map(serde_json::Map::len), Some(4), "{filtered}");
    let filtered = ask(&yard, "/control", "{'command':'device_list','filter':'robot2'}");
    let models: Vec<&String> = filtered["result"].as_object().expect("models").keys().collect();
    assert_eq!(models, ["robot2"]);
    yard.finish().expect_code(0);
}

#[test]
fn invalid_requests_are_answered_with_an_error_and_the_connection_stays_open() {
    let yard = Yard::start();
    let mut connection = Discovery::connect(yard.service(), "/control").expect("a connection");
    let cases = [
        ("{'command':'fly'}", "unsupported command 'fly'"),
        ("{'command':'fps'}", "unsupported command 'fps'"),
        ("{'command':''}", "command is empty"),
        ("{}", "command is empty"),
        ("", "request body is empty"),
        ("{'command':", "invalid json"),
        ("[1]", "invalid json"),
        ("{'command':'teleport'}", "nothing to do"),
        ("{'command':'teleport','targets':[{'target':'ghost'}]}", "ghost"),
        ("{'command':'get_model_info'}", "`target_model` is empty"),
        ("{'command':'get_model_info','target_model':'ghost'}", "ghost"),
    ];
    for (text, expected) in cases {
        let answer = connection.ask(text);
        let result = answer["result"].as_str().unwrap_or_else(|| panic!("{text}: {answer}"));
        assert!(result.contains(expected), "{text}: {answer}");
        assert_eq!(
            answer["sim_version"], "5.4.2",
            "{text}: every answer contains the version that clients check"
        );
    }
    assert!(connection.ask("{'command':'device_list', 'filter':''}")["result"].is_object());
    yard.finish().expect_code(0);
}

/// Returns the pose of a model in the answer to `get_model_info`: x, y and yaw.
#[track_caller]
fn pose_of(yard: &Yard, name: &str) -> [f64; 3] {
    let answer = yard.control(&json!({ "command": "get_model_info", "target_model": name }));
    assert_eq!(answer["result"]["name"], name, "{answer}");
    let number = |path: &str| answer.pointer(path).and_then(Value::as_f64).expect("a number");
    ["/result/pose/position/x", "/result/pose/position/y", "/result/pose/orientation/yaw"].map(number)
}

#[test]
fn models_are_found_and_moved_together() {
    let yard = Yard::start();
    let [x, y, yaw] = pose_of(&yard, "robot1");
    assert_near(x, -2.0, 0.02);
    assert_near(y, 1.0, 0.02);
    assert_near(yaw, 0.0, 0.02);
    let move_to = |name: &str, x: f64, y: f64, yaw: f64| {
        let pose = json!({ "x": x, "y": y, "z": 0.0, "roll": 0, "pitch": 0, "yaw": yaw });
        json!({ "target": name, "pose": pose })
    };
    let targets = json!([move_to("robot1", 1.0, 2.0, 1.0), move_to("robot2", -3.0, -2.5, 0.0)]);
    let answer = yard.control(&json!({ "command": "teleport", "targets": targets }));
    assert_eq!(answer["result"], "ok", "{answer}");
    assert_eq!(answer["targets"][1], json!({ "target": "robot2", "result": "ok" }));
    let [x, y, yaw] = pose_of(&yard, "robot1");
    assert_near(x, 1.0, 0.05);
    assert_near(y, 2.0, 0.05);
    assert_near(yaw, 1.0, 0.05);
    assert_near(pose_of(&yard, "robot2")[0], -3.0, 0.05);
    // An unknown target leaves the others where they are.
    let targets = json!([move_to("robot1", 0.0, 0.0, 0.0), move_to("ghost", 0.0, 0.0, 0.0)]);
    let answer = yard.control(&json!({ "command": "teleport", "targets": targets }));
    assert!(answer["result"].as_str().is_some_and(|text| text.contains("ghost")), "{answer}");
    assert_near(pose_of(&yard, "robot1")[0], 1.0, 0.05);
    // With a reset of the world, targets are moved from their initial poses.
    let epoch = yard.status("reset_epoch");
    let targets = json!([move_to("crate", 3.0, -3.0, 0.0)]);
    let answer = yard.control(&json!({ "command": "teleport", "targets": targets, "world_reset": true }));
    assert_eq!(answer["result"], "ok", "{answer}");
    eventually("the world is reset", || yard.status("reset_epoch") == epoch + 1);
    eventually("the crate is moved", || (pose_of(&yard, "crate")[0] - 3.0).abs() < 0.1);
    assert_near(pose_of(&yard, "robot1")[0], -2.0, 0.05);
    yard.finish().expect_code(0);
}

#[test]
fn markers_are_kept_until_a_reset() {
    let yard = Yard::start();
    let add = "{'command':'Add','markers':[{'group':'g','id':1,'type':'Box','color':'Red',\
        'box':{'size':0.2,'point':{'x':1,'y':2,'z':0}}},{'group':'g','id':2,'type':'Text','color':'Blue',\
        'text':{'size':0.5,'align':'center','following':'','text':'here','point':{'x':0,'y':0,'z':1}}}]}";
    let answer = ask(&yard, "/markers", add);
    assert_eq!((&answer["command"], &answer["result"]), (&json!("Add"), &json!("Ok")));
    let list = || ask(&yard, "/markers", "{'command':'List','filter':{'group':'g'}}");
    let counts = |answer: &Value| {
        ["lines", "texts", "boxes", "spheres"].map(|key| answer[key].as_array().map_or(9, Vec::len))
    };
    assert_eq!(counts(&list()), [0, 1, 1, 0]);
    let modify = "{'command':'Modify','markers':[{'group':'g','id':1,'type':'Box','color':'Green'}]}";
    assert_eq!(ask(&yard, "/markers", modify)["result"], "Ok");
    let boxes = list()["boxes"].take();
    assert_eq!((&boxes[0]["color"], &boxes[0]["box"]["size"]), (&json!("Green"), &json!(0.2)));
    let remove = "{'command':'Remove','markers':[{'group':'g','id':2,'type':'Text'}]}";
    assert_eq!(ask(&yard, "/markers", remove)["result"], "Ok");
    assert_eq!(counts(&list()), [0, 0, 1, 0]);
    assert!(ask(&yard, "/markers", "{'command':").to_string().contains("invalid json"));
    yard.ok("reset", json!({ "then": "keep" }));
    eventually("the markers are removed", || counts(&list()) == [0; 4]);
    yard.finish().expect_code(0);
}

/// A program that prints the hash of each argument, for the compiler that clients are built with.
const HASHES: &str = "#include <cstdio>\n#include <functional>\n#include <string>\n\
    int main(int count, char** texts) {\n\
        for (int at = 1; at < count; ++at) {\n\
            std::printf(\"%zx\\n\", std::hash<std::string>{}(texts[at]));\n\
        }\n\
    }\n";

#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

#[test]
fn tags_of_the_yard_equal_the_hashes_of_the_cpp_library() {
    let yard = Yard::start();
    let keys: Vec<String> = ports(&yard).into_iter().map(|(key, _)| key).collect();
    yard.finish().expect_code(0);
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let [source, program] = ["hashes.cpp", "hashes"].map(|name| folder.path().join(name));
    fs::write(&source, HASHES).expect("written");
    output(Command::new("c++").arg("-o").arg(&program).arg(&source));
    let hashes = output(Command::new(&program).args(&keys));
    let expected: Vec<String> =
        keys.iter().map(|key| format!("{:x}", u64::from_le_bytes(tag(key)))).collect();
    assert_eq!(hashes.lines().collect::<Vec<_>>(), expected, "{keys:?}");
}
