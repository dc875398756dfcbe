//! The services of a world.

use serde_json::{Value, json};

use super::tools::Tools;
use crate::support::{PAUSED, PLAYING, Served, eventually};

const WORLD: &str = "/world/two_vehicles";
const BOX: &str = "<sdf version='1.9'><model name='box'><link name='l'><collision name='c'><geometry><box>\
    <size>1 1 1</size></box></geometry></collision></link></model></sdf>";

/// Calls a service of the world that answers whether it succeeded.
#[track_caller]
fn call(tools: &Tools, service: &str, request: &str, text: &str) -> bool {
    match tools.call(&format!("{WORLD}/{service}"), [request, "Boolean"], text).as_str() {
        "data: true" => true,
        // The text form leaves out what is false.
        "" => false,
        other => panic!("{service}: {other}"),
    }
}

fn position(host: &Served, entity: &str) -> [f64; 3] {
    let state = host.ok("get_entity_state", json!({"entity": entity}));
    ["x", "y", "z"].map(|axis| state["state"]["pose"]["position"][axis].as_f64().expect("a number"))
}

fn entities(host: &Served) -> Vec<Value> {
    host.ok("get_entities", json!({}))["entities"].as_array().expect("a list").clone()
}

#[test]
fn every_service_of_a_world_does_what_it_does_in_gazebo() {
    let Some(tools) = Tools::find() else { return };
    let host = tools.host("two_vehicles.sdf", |setup| setup.args(["--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    let names = [
        "control",
        "create",
        "create_multiple",
        "remove",
        "scene/graph",
        "scene/info",
        "set_physics",
        "set_pose",
        "set_pose_vector",
    ];
    let mut expected: Vec<String> = names.iter().map(|name| format!("{WORLD}/{name}")).collect();
    expected.extend(["/gazebo/worlds".to_owned(), "/server_control".to_owned()]);
    // A list has what is advertised within a second.
    eventually("its services are listed", || {
        let listed = tools.service(&["-l"]);
        expected.iter().all(|name| listed.lines().any(|line| line == name))
    });
    let info = tools.service(&["-i", "-s", &format!("{WORLD}/create")]);
    assert!(info.contains("ignition.msgs.EntityFactory, ignition.msgs.Boolean"), "{info}");
    let worlds = tools.call("/gazebo/worlds", ["Empty", "StringMsg_V"], "");
    assert_eq!(worlds, "data: \"two_vehicles\"");

    assert!(call(&tools, "control", "WorldControl", "pause: true multi_step: 12"));
    eventually("it has stepped", || host.status("step") == 12);
    let sdf = BOX.replace('\'', "\\'");
    assert!(call(
        &tools,
        "create",
        "EntityFactory",
        &format!("sdf: '{sdf}' name: 'one' pose: {{position: {{x: 9 z: 3}}}}")
    ));
    assert_eq!(position(&host, "one"), [9.0, 0.0, 3.0]);
    assert!(
        !call(&tools, "create", "EntityFactory", &format!("sdf: '{sdf}' name: 'one'")),
        "the name is taken"
    );
    assert!(call(
        &tools,
        "create_multiple",
        "EntityFactory_V",
        &format!(
            "data {{sdf: '{sdf}' name: 'two' pose: {{position: {{x: 20}}}}}} data {{sdf: '{sdf}' name: 'three' pose: {{position: {{x: 30}}}}}}"
        )
    ));
    assert!(call(&tools, "set_pose", "Pose", "name: 'two' position: {x: 21 y: 1 z: 2}"));
    assert_eq!(position(&host, "two"), [21.0, 1.0, 2.0]);
    let both = "pose {name: 'two' position: {x: 22}} pose {name: 'three' position: {x: 32}}";
    assert!(call(&tools, "set_pose_vector", "Pose_V", both));
    assert_eq!((position(&host, "two")[0], position(&host, "three")[0]), (22.0, 32.0));
    for name in ["one", "two", "three"] {
        assert!(call(&tools, "remove", "Entity", &format!("name: '{name}' type: MODEL")));
    }
    assert!(!call(&tools, "remove", "Entity", "name: 'one' type: MODEL"), "it is gone");
    assert!(!call(&tools, "remove", "Entity", "name: 'sun' type: LIGHT"), "no model");
    assert!(!entities(&host).iter().any(|name| name == "one"));
    assert!(call(&tools, "set_physics", "Physics", "real_time_factor: 2"));
    assert!(!call(&tools, "set_physics", "Physics", "max_step_size: 0.01"));
    assert!(call(&tools, "control", "WorldControl", "pause: true reset: {all: true}"));
    eventually("time begins again", || host.status("step") == 0);
    assert!(!call(&tools, "control", "WorldControl", "seed: 5"));
    assert!(call(&tools, "control", "WorldControl", ""), "a request without `pause` plays");
    eventually("it plays", || host.state() == PLAYING);
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
