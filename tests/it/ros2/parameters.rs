//! The parameters of the node, over each transport.

use serde_json::{Value, json};

use super::wire::over_each_transport;
use super::{Peer, Stage, Wire};

const PACKAGE: &str = "rcl_interfaces/srv";

/// Calls a service of the parameters of the node.
#[track_caller]
fn call(peer: &Peer, service: &str, kind: &str, request: &Value) -> Value {
    peer.call(&format!("bridgehead/{service}"), &format!("{PACKAGE}/{kind}"), request)
}

#[track_caller]
fn factor(peer: &Peer) -> f64 {
    let values = call(peer, "get_parameters", "GetParameters", &json!({"names": ["real_time_factor"]}));
    assert_eq!(values["values"][0]["type"], 3, "{values}");
    values["values"][0]["double_value"].as_f64().expect("a number")
}

over_each_transport!(the_node_has_parameters_of_which_one_can_be_set);

fn the_node_has_parameters_of_which_one_can_be_set(wire: Wire) {
    let Some(stage) = Stage::over(wire, "").map(Stage::paused) else { return };
    let Some(peer) = Peer::start(&stage.domain) else { return };
    let listed = call(&peer, "list_parameters", "ListParameters", &json!({}));
    let names = json!(["real_time_factor", "use_sim_time"]);
    assert_eq!(listed["result"]["names"], names, "{listed}");
    let described = call(&peer, "describe_parameters", "DescribeParameters", &json!({"names": names}));
    let first = &described["descriptors"][0];
    assert_eq!(first["floating_point_range"][0]["to_value"].as_f64(), Some(1e6), "{described}");
    assert_eq!(described["descriptors"][1]["read_only"], true, "{described}");
    assert!((factor(&peer) - 1.0).abs() < 1e-9);
    let set = |value: Value| {
        let parameters = json!({"parameters": [{"name": "real_time_factor", "value": value}]});
        call(&peer, "set_parameters", "SetParameters", &parameters)["results"][0].clone()
    };
    // As `ros2 param set … 2` sends it.
    let done = set(json!({"type": 2, "integer_value": 2}));
    assert_eq!((&done["successful"], factor(&peer)), (&json!(true), 2.0), "{done}");
    let status = stage.host.ok("get_status", json!({}));
    assert_eq!(status["status"]["target_real_time_factor"].as_f64(), Some(2.0), "{status}");
    let refused = set(json!({"type": 4, "string_value": "fast"}));
    assert!(refused["reason"].as_str().is_some_and(|text| text.contains("found a string")), "{refused}");
    let parameters = json!({"parameters": [
        {"name": "real_time_factor", "value": {"type": 3, "double_value": 3.0}},
        {"name": "use_sim_time", "value": {"type": 1}},
    ]});
    let all = call(&peer, "set_parameters_atomically", "SetParametersAtomically", &parameters);
    assert_eq!((&all["result"]["successful"], factor(&peer)), (&json!(false), 2.0), "{all}");
}
