//! The bridge as a client of a rosbridge server, which is written in Python.

use serde_json::{Value, json};

use super::client::Client;
use super::stage::two_vehicles;
use crate::support::{Served, eventually, free_port};

/// Waits until the client has announced a topic, subscription or service, and returns its type.
#[track_caller]
fn announced(server: &Client, op: &str, name: &str) -> String {
    let is_it = |line: &Value| line["op"] == op && (line["topic"] == name || line["service"] == name);
    server.line_with(is_it)["type"].as_str().expect("a type").to_owned()
}

#[track_caller]
fn counts(server: &Client) -> Value {
    server.send_line(&json!({"counts": true}));
    server.line_with(|line| line["event"] == "counts")
}

#[track_caller]
fn call(server: &Client, id: &str, service: &str, arguments: &Value) -> Value {
    server
        .send_line(&json!({"send": {"op": "call_service", "id": id, "service": service, "args": arguments}}));
    server.line_with(|line| line["op"] == "service_response" && line["id"] == id)
}

#[track_caller]
fn position(server: &Client) -> f64 {
    let response = call(server, "p", "/get_entity_state", &json!({"entity": "car1"}));
    response["values"]["state"]["pose"]["position"]["x"].as_f64().expect("a position")
}

#[test]
fn a_server_gets_topics_commands_and_services_also_after_a_lost_connection() {
    let port = free_port();
    let Some(server) = Client::server(port) else { return };
    let setup = two_vehicles().plugins(&["rosbridge"]);
    // The world has services, the vehicle has topics: each instance has its own connection.
    let host = Served::start(setup.bridge(format!("car1=rosbridge:ws://127.0.0.1:{port};ros=1")));
    for _ in 0..2 {
        server.line_with(|line| line["event"] == "connected");
        // Subscriptions follow the topics.
        assert_eq!(announced(&server, "subscribe", "/car1/cmd_vel"), "geometry_msgs/Twist");
        eventually("topics arrive", || counts(&server)["counts"]["/car1/imu"].as_u64() > Some(20));
        let scan = &counts(&server)["last"]["/car1/imu"];
        assert!(scan["header"]["seq"].is_number() && scan["header"]["stamp"]["secs"].is_number(), "{scan}");
        let before = host.ok("get_entity_state", json!({"entity": "car1"}));
        let x = |state: &Value| state["state"]["pose"]["position"]["x"].as_f64().expect("a position");
        let command = json!({"op": "publish", "topic": "/car1/cmd_vel", "msg": {"linear": {"x": 0.6}}});
        eventually("the car drives", || {
            server.send_line(&json!({"send": command}));
            x(&host.ok("get_entity_state", json!({"entity": "car1"}))) > x(&before) + 0.2
        });
        server.send_line(&json!({"drop": true}));
        server.line_with(|line| line["event"] == "disconnected");
    }
    host.signal(libc::SIGTERM);
    host.finish().expect_code(0);
}

#[test]
fn a_server_calls_services_of_the_run() {
    let port = free_port();
    let Some(server) = Client::server(port) else { return };
    let setup = two_vehicles().plugins(&["rosbridge"]);
    let host = Served::start(setup.bridge(format!("world=rosbridge:ws://127.0.0.1:{port}")));
    assert_eq!(
        announced(&server, "advertise_service", "/get_entity_state"),
        "simulation_interfaces/srv/GetEntityState"
    );
    assert!(position(&server).abs() < 100.0);
    let refused = call(&server, "q", "/get_entity_state", &json!({"entiti": ""}));
    assert!(refused["result"] == false && refused["values"].to_string().contains("BH-RBR-104"), "{refused}");
    host.signal(libc::SIGTERM);
    host.finish().expect_code(0);
}
