//! Every number of every service, every argument of every trigger, and the commands of controllers: zero, tiny, huge and
//! not a number. The cases follow from the declarations.

use std::collections::BTreeSet;

use bridgehead_host::trigger::{TRIGGER_KEYS, arguments};
use bridgehead_plugin_api::messages::{
    Arity, Field, Message as _, MessageType, ServiceDeclaration, ServiceKind, Struct, Wire, declared_services,
};
use serde_json::{Map, Value, json};

use super::{end, expect_progress, is_documented, play, start};
use crate::support::{Client, Setup, vehicle, world};

/// The numbers, as JSON.
fn numbers() -> Vec<Value> {
    vec![json!(0), json!(1e-300), json!(-1e-300), json!(1e300), json!(-1e300), json!("NaN")]
}

/// Returns the path of every numeric field, such as `state.twist.angular.x`, with a marker for lists.
fn numeric_fields(of: &MessageType, message: &Struct, before: &[Step]) -> Vec<Vec<Step>> {
    let inside = |field: &Field| {
        let step = Step { name: field.name().to_owned(), is_list: field.arity() != Arity::One };
        let path = [before, &[step]].concat();
        match field.wire() {
            Wire::Bool | Wire::String | Wire::Bytes => Vec::new(),
            Wire::Message(id) => numeric_fields(of, &of.dependencies()[id.index()], &path),
            _ => vec![path],
        }
    };
    message.fields().iter().flat_map(inside).collect()
}

/// One step of a path into JSON.
#[derive(Clone, Debug)]
struct Step {
    name: String,
    is_list: bool,
}

/// Puts a value at a path; parts that are not there are made.
fn put(target: &mut Value, path: &[Step], value: Value) {
    let Some((step, rest)) = path.split_first() else {
        *target = value;
        return;
    };
    let member = &mut target[step.name.as_str()];
    let inner = if step.is_list {
        if !member.is_array() {
            *member = json!([null]);
        }
        &mut member[0]
    } else {
        member
    };
    put(inner, rest, value);
}

/// A valid request of a service, in which one number is replaced.
fn base(service: &str) -> Value {
    let model = "<sdf version='1.9'><model name='ball'><link name='l'/></model></sdf>";
    let resource = json!({"resource_string": model});
    let state = json!({"pose": {"orientation": {"w": 1.0}}});
    match service {
        "set_entity_state" => json!({
            "entity": "crate", "set_pose": true, "set_twist": true, "set_acceleration": true, "state": state,
        }),
        "set_entity_info" => json!({"entity": "crate"}),
        "spawn_entity" => json!({"entity_resource": resource, "allow_renaming": true}),
        "spawn_entities" => {
            json!({"spawn_requests": [{"entity_resource": resource, "allow_renaming": true}]})
        }
        "set_road" => json!({"road": "lane"}),
        "get_entities" | "get_entities_states" => {
            json!({"filters": {"bounds": {"type": 3, "points": [{"x": 0.0}, {"x": 1.0}]}}})
        }
        _ => json!({}),
    }
}

/// Returns the values of the result codes that a response declares.
fn codes_of(response: &MessageType) -> BTreeSet<u64> {
    let every = response.dependencies().iter().chain([response.root()]);
    let lines = every.flat_map(Struct::constants).filter_map(|line| line.split_once('='));
    lines.filter_map(|(_, value)| value.trim().parse().ok()).collect()
}

/// Sends a request; fails unless the answer is a declared result or a documented problem.
fn send(host: &Client, service: &ServiceDeclaration, codes: &BTreeSet<u64>, request: &Value) {
    let (status, answer) = host.post(service.name, request);
    let what = format!("{} {request}: {status} {answer}", service.name);
    if let Some(code) = answer["code"].as_str() {
        return assert!(is_documented(code), "{what}");
    }
    match service.kind {
        ServiceKind::Action => assert!(answer["accepted"].is_boolean(), "{what}"),
        ServiceKind::Service => {
            let code = answer["result"]["result"].as_u64().unwrap_or_else(|| panic!("{what}"));
            assert!(codes.contains(&code), "{what}");
            let text = answer["result"]["error_message"].as_str().unwrap_or_default();
            assert!(code == 1 || !text.is_empty(), "{what}");
        }
    }
}

#[test]
fn every_number_of_every_service_is_answered_and_the_run_continues() {
    let host = start();
    let mut requests = 0;
    for service in declared_services() {
        let request_type = (service.request)().resolve().expect("a type");
        let codes = codes_of(&(service.response)().resolve().expect("a type"));
        for path in numeric_fields(&request_type, request_type.root(), &[]) {
            for number in numbers() {
                let mut request = base(service.name);
                put(&mut request, &path, number);
                send(&host, service, &codes, &request);
                requests += 1;
                if service.name.starts_with("step") || service.name.starts_with("simulate") {
                    // These need a pause; the other requests are sent to a run that plays.
                    host.call("pause", json!({}));
                    send(&host, service, &codes, &request);
                }
                play(&host);
            }
        }
        expect_progress(&host, service.name);
    }
    assert!(requests > 300, "{requests}");
    end(host);
}

/// Other arguments that an event or action needs.
fn others(name: &str) -> Map<String, Value> {
    let others = match name {
        "push_release" => json!({"buttons": ["/button"], "duration": 1}),
        "publish" => json!({"topic": "/robot/cmd_vel", "message": {}}),
        "topic" => json!({"topic": "/clock", "type": "rosgraph_msgs/msg/Clock"}),
        "message" => json!({"topic": "/clock"}),
        _ => json!({}),
    };
    others.as_object().cloned().expect("a table")
}

fn expect_answer(host: &Client, trigger: &Value) {
    let (status, answer) = host.post("add_triggers", &json!({"json": trigger.to_string()}));
    let what = format!("{trigger}: {status} {answer}");
    match answer["result"]["result"].as_u64() {
        Some(1) => {}
        Some(_) => {
            let text = answer["result"]["error_message"].as_str().unwrap_or_default();
            assert!(text.get(1..11).is_some_and(is_documented), "{what}");
        }
        None => panic!("{what}"),
    }
}

#[test]
fn every_number_of_every_trigger_is_answered_and_the_run_continues() {
    let host = start();
    let mut triggers = 0;
    for (subject, name, key) in arguments() {
        for number in numbers() {
            let mut call = others(name);
            call.insert("name".to_owned(), json!(name));
            call.insert(key.to_owned(), number);
            let mut trigger = json!({"event": "next", "action": {"name": "log", "msg": "fired"}});
            trigger[subject] = Value::Object(call);
            expect_answer(&host, &trigger);
            triggers += 1;
        }
        expect_progress(&host, &format!("{subject} {name}"));
    }
    for key in TRIGGER_KEYS {
        for number in numbers() {
            let mut trigger = json!({"event": "next", "action": {"name": "log", "msg": "fired"}});
            trigger[*key] = number;
            expect_answer(&host, &trigger);
        }
        expect_progress(&host, key);
    }
    assert!(triggers > 60, "{triggers}");
    end(host);
}

#[test]
fn commands_of_peers_beyond_all_bounds_are_ignored_with_a_code() {
    use bridgehead_plugin_api::messages::geometry_msgs::Twist;
    let mut host = start();
    let twist = Twist::schema().resolve().expect("a type");
    for topic in ["/robot/cmd_vel", "/drone/cmd_vel"] {
        for path in numeric_fields(&twist, twist.root(), &[]) {
            for number in numbers() {
                let mut message = json!({});
                put(&mut message, &path, number);
                host.ok("publish_message", json!({"topic": topic, "json": message.to_string()}));
            }
            expect_progress(&host, topic);
        }
        host.wait_for("BH-PHY-051");
    }
    end(host);
}

#[test]
fn huge_velocities_of_entities_are_refused() {
    let host = start();
    for (field, axis) in [("linear", "x"), ("angular", "z")] {
        for number in [json!(1e300), json!(-1e300), json!("NaN"), json!(1e7)] {
            let request = json!({
                "entity": "crate", "set_twist": true, "set_pose": false,
                "state": {"twist": {field: {axis: number}}},
            });
            let answer = host.call("set_entity_state", request.clone());
            let text = super::refusal(&answer, &request.to_string());
            assert!(text.starts_with("[BH-ENT-03"), "{text}");
        }
    }
    let answer = host.call("set_real_time_factor", json!({"factor": 1e-300}));
    assert!(super::refusal(&answer, "a tiny speed").starts_with("[BH-CTL-014]"), "{answer}");
    expect_progress(&host, "huge velocities");
    end(host);
}

#[test]
fn huge_numbers_of_a_world_are_findings_and_the_run_continues() {
    let spin =
        "<plugin filename='velocity_control' name='m'><initial_angular>0 0 1e300</initial_angular></plugin>";
    let ball = "<link name='l'><collision name='c'><geometry><sphere><radius>1e300</radius></sphere></geometry></collision>\
                </link>";
    for (sdf, code) in [
        (world(&vehicle("car", spin)), "BH-PHY-051"),
        (world("<model name='m'><pose>0 0 1e300 0 0 0</pose><link name='l'/></model>"), "BH-SDF-010"),
        (world("<model name='m'><pose>0 0 0 0 0 -1e300</pose><link name='l'/></model>"), "BH-SDF-010"),
        (world("<model name='m'><link name='l'/></model>").replace("0 0 0<", "0 0 -1e300<"), "BH-SDF-010"),
        (world(&format!("<model name='m'>{ball}</model>")), "BH-SDF-010"),
    ] {
        let setup = Setup::new().plugins(&["velocity_control"]).world(&sdf);
        let finished = setup.args(["--duration", "0.1s"]).finish().expect_code(0).expect_message(&[code]);
        assert_eq!(finished.result()["steps"], 100, "{sdf}");
    }
}
