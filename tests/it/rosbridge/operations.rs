//! One table of operations for both clients.

use serde_json::{Value, json};

use super::client::{Client, Kind};
use super::stage::Stage;
use crate::service_calls::Caller as _;
use crate::support::{eventually, is_loaded};

const STEPS: &str = "simulation_interfaces/action/SimulateSteps";

#[track_caller]
fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The simulated time of a message in seconds.
#[track_caller]
fn stamp(message: &Value) -> f64 {
    let stamp = &message["header"]["stamp"];
    number(&stamp["sec"]) + number(&stamp["nanosec"]) / 1e9
}

#[track_caller]
fn collect(client: &Client, topic: &str, kind: &str, more: &Value) -> Vec<Value> {
    let mut command = json!({"topic": topic, "type": kind});
    command.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let collected = client.command("collect", command);
    collected["messages"].as_array().expect("a list").clone()
}

/// Messages arrive with the right values, and none is missing between the first and the last.
fn receive(client: &Client) {
    for (topic, kind, rate) in
        [("/car1/scan", "sensor_msgs/LaserScan", 10.0), ("/car1/imu", "sensor_msgs/msg/Imu", 100.0)]
    {
        let messages = collect(client, topic, kind, &json!({"seconds": 2.0}));
        let simulated = stamp(&messages[messages.len() - 1]) - stamp(&messages[0]);
        let count = messages.len() as f64;
        assert!((count - 1.0 - simulated * rate).abs() < 1.5, "{topic}: {count} in {simulated} s");
        assert!(simulated > 1.0 || is_loaded(), "{topic}: {simulated} s of 2 s");
    }
    let scan = &collect(client, "/car1/scan", "sensor_msgs/LaserScan", &json!({"count": 1}))[0];
    assert_eq!(scan["header"]["frame_id"], "car1/chassis/lidar", "{scan}");
    let ranges = scan["ranges"].as_array().expect("a list");
    // What hits nothing is infinite, which JSON cannot express.
    assert!(ranges.iter().any(Value::is_null) && ranges.iter().any(Value::is_number), "{ranges:?}");
    let imu = &collect(client, "/car1/imu", "sensor_msgs/Imu", &json!({"count": 1}))[0];
    assert!((number(&imu["linear_acceleration"]["z"]) - 9.8).abs() < 0.2, "{imu}");
}

/// A rate that the client limits is kept on average.
fn receive_at_a_rate(client: &Client) {
    let more = &json!({"seconds": 2.0, "throttle_rate": 200, "queue_length": 1});
    let messages = collect(client, "/car1/imu", "sensor_msgs/Imu", more);
    assert!((9..=12).contains(&messages.len()) || is_loaded(), "{} messages", messages.len());
}

#[track_caller]
fn position(client: &Client, entity: &str) -> f64 {
    let response = client.ok("get_entity_state", &json!({"entity": entity}));
    number(&response["state"]["pose"]["position"]["x"])
}

/// A command moves the car that it is for, with and without a stamp and in the form of ROS 1.
fn drive(client: &Client) {
    let commands = [
        ("geometry_msgs/Twist", json!({"linear": {"x": 0.6}}), 1.0),
        ("geometry_msgs/msg/Twist", json!({"linear": {"x": -0.6}}), -1.0),
        (
            "geometry_msgs/TwistStamped",
            json!({"header": {"seq": 1, "stamp": {"secs": 1, "nsecs": 2}}, "twist": {"linear": {"x": 0.6}}}),
            1.0,
        ),
    ];
    for (kind, message, direction) in commands {
        let before = [position(client, "car1"), position(client, "car2")];
        let command =
            json!({"topic": "/car1/cmd_vel", "type": kind, "message": message, "count": 15, "pause": 0.1});
        client.command("publish", command);
        let after = [position(client, "car1"), position(client, "car2")];
        let driven = (after[0] - before[0]) * direction;
        assert!(driven > 0.3 || (is_loaded() && driven > 0.05), "{kind}: {driven} m");
        assert!((after[1] - before[1]).abs() < 0.01, "the other car stands still");
    }
    client
        .command("publish", json!({"topic": "/car1/cmd_vel", "type": "geometry_msgs/Twist", "message": {}}));
}

/// A list in a response, for its members.
#[track_caller]
fn has(list: &Value, element: &str) -> bool {
    list.as_array().unwrap_or_else(|| panic!("no list: {list}")).iter().any(|each| each == element)
}

/// What a client asks about the run.
fn ask(client: &Client, kind: Kind) {
    let listing = client.command("listing", json!({}));
    let topics = if kind == Kind::Python { &listing["topics"] } else { &listing["topics"]["topics"] };
    for topic in ["/car1/scan", "/car2/cmd_vel", "/clock", "/tf"] {
        assert!(has(topics, topic), "{topic}: {topics}");
    }
    for service in ["/get_simulation_state", "/simulate_steps/_action/send_goal", "/rosapi/topics"] {
        assert!(has(&listing["services"], service), "{service}");
    }
    assert_eq!(listing["type"], "sensor_msgs/msg/LaserScan");
    assert_eq!(listing["service_type"], "simulation_interfaces/srv/GetSimulationState");
    assert!(has(&listing["nodes"], "/bridgehead"));
    let text = listing["details"].to_string();
    assert!(text.contains("linear") && text.contains("geometry_msgs/Vector3"), "{text}");
    match kind {
        Kind::Python => {
            assert!(number(&listing["time"]["secs"]) > 0.0, "{}", listing["time"]);
            assert_eq!(listing["parameter"], Value::Null);
        }
        Kind::Node => {
            let failure = listing["parameter"]["failure"].to_string();
            assert!(failure.contains("no ROS parameters"), "{failure}");
            let raw = listing["raw"]["typedefs_full_text"].to_string();
            assert!(raw.contains("MSG: std_msgs/Header"), "the definitions are complete");
        }
    }
}

#[track_caller]
fn pause(client: &Client, is_paused: bool) {
    let state = if is_paused { 2 } else { 1 };
    client.ok("set_simulation_state", &json!({"state": {"state": state}}));
}

/// A goal is carried out with feedback, another one is cancelled, and a third one is refused.
fn step(client: &Client, kind: Kind) {
    pause(client, true);
    let goal = |steps: u64| json!({"action": "/simulate_steps", "type": STEPS, "goal": {"steps": steps}});
    let mut done = Value::Null;
    // The result never precedes the last feedback.
    for _ in 0..10 {
        done = client.command("goal", goal(4));
        let completed: Vec<&Value> = done["feedback"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|each| &each["completed_steps"])
            .collect();
        assert_eq!(completed, [1, 2, 3, 4], "{done}");
    }
    let result = &done["results"][0];
    match kind {
        Kind::Python => assert_eq!(
            (&result["status"], &result["values"]["result"]["result"]),
            (&json!(4), &json!(1)),
            "{done}"
        ),
        Kind::Node => assert_eq!(result["result"]["result"], 1, "{done}"),
    }
    let mut endless = goal(1_000_000);
    endless["cancel_after"] = json!(2);
    let cancelled = client.command("goal", endless);
    match kind {
        Kind::Python => assert_eq!(cancelled["results"][0]["status"], 5, "{cancelled}"),
        Kind::Node => assert!(cancelled["failure"].to_string().contains("canceled"), "{cancelled}"),
    }
    let mut wrong = goal(1);
    wrong["action"] = json!("/no_such_action");
    assert!(client.command("goal", wrong).to_string().contains("BH-RBR-102"));
    pause(client, false);
}

/// Failed calls are answered with the reason.
fn fail(client: &Client) {
    for (service, request, part) in [
        ("/no_such_service", json!({}), "BH-RBR-102"),
        ("/get_entity_state", json!({"entiti": "car1"}), "entiti"),
        ("/get_entity_state", json!({"entity": 5}), "BH-RBR-104"),
    ] {
        let command = json!({"service": service, "type": "x/X", "request": request});
        let failure = client.command("call", command)["failure"].to_string();
        assert!(failure.contains(part), "{service}: {failure}");
    }
}

/// A service that a client offers is called by another client.
fn offer(client: &Client, stage: &Stage) {
    let name = format!("/echo_{}", client.name());
    client.command("answer", json!({"service": name, "type": "a_package/Echo"}));
    let mut caller = stage.socket();
    // The client does not wait until the server has received the offer.
    let mut answered = Value::Null;
    eventually("an answer", || {
        caller.send(&json!({"op": "call_service", "id": "7", "service": name, "args": {"a": [1, "b"]}}));
        answered = caller.receive("service_response");
        answered["result"] == true
    });
    assert_eq!((&answered["values"]["got"], &answered["id"]), (&json!({"a": [1, "b"]}), &json!("7")));
}

#[track_caller]
fn run_all(kind: Kind) {
    let stage = Stage::start("");
    let Some(client) = stage.client(kind) else { return };
    receive(&client);
    receive_at_a_rate(&client);
    drive(&client);
    ask(&client, kind);
    step(&client, kind);
    fail(&client);
    offer(&client, &stage);
    if kind == Kind::Node {
        compress(&client);
        act(&client, &stage);
        assert_eq!(client.command("errors", json!({}))["errors"], json!([]));
    }
    drop(client);
    stage.finish();
}

/// The compressions that only roslib supports.
fn compress(client: &Client) {
    let scan = |compression: &str| {
        let more = &json!({"count": 1, "compression": compression});
        collect(client, "/car1/scan", "sensor_msgs/LaserScan", more).remove(0)
    };
    let frame = json!("car1/chassis/lidar");
    assert_eq!(scan("png")["header"]["frame_id"], frame);
    let cbor = scan("cbor");
    assert_eq!((&cbor["header"]["frame_id"], &cbor["ranges"]["kind"]), (&frame, &json!("Float32Array")));
    assert!(has(&cbor["ranges"]["values"], "Infinity"), "{cbor}");
    let raw = scan("cbor-raw");
    assert!(raw["secs"].is_number() && raw["bytes"]["kind"] == "Uint8Array", "{raw}");
    let head: Vec<&str> =
        raw["bytes"]["values"].as_array().expect("a list")[..4].iter().filter_map(Value::as_str).collect();
    assert_eq!(head, ["0", "1", "0", "0"]);
    let fragments =
        collect(client, "/car1/scan", "sensor_msgs/LaserScan", &json!({"count": 1, "fragment_size": 500}));
    assert_eq!(fragments[0]["header"]["frame_id"], frame);
}

/// An action that a client offers is used by another client.
fn act(client: &Client, stage: &Stage) {
    client.command("serve_action", json!({"action": "/count", "type": "a_package/Count"}));
    let mut caller = stage.socket();
    let goal = json!({"op": "send_action_goal", "id": "g", "action": "count", "args": {"order": 3}, "feedback": true});
    eventually("the client's action is offered", || {
        caller.send(&goal);
        let first: Value = serde_json::from_str(caller.frame().to_text().expect("a text")).expect("JSON");
        first["op"] == "action_feedback" && first["values"] == json!({"partial": 3})
    });
    let result = caller.receive("action_result");
    assert_eq!(
        (&result["id"], &result["values"], &result["status"]),
        (&json!("g"), &json!({"total": 6}), &json!(4))
    );
}

#[test]
fn every_operation_works_for_roslibpy() {
    run_all(Kind::Python);
}

#[test]
fn every_operation_works_for_roslib() {
    run_all(Kind::Node);
}

#[test]
fn messages_have_the_form_of_ros_1_if_requested() {
    let stage = Stage::start("ros=1");
    let mut socket = stage.socket();
    socket.send(&json!({"op": "subscribe", "topic": "/car1/imu", "type": "sensor_msgs/Imu"}));
    let header = &socket.receive("publish")["msg"]["header"];
    assert!(header["seq"].is_number() && header["stamp"]["nsecs"].is_number(), "{header}");
    let types = socket.call("rosapi/topics")["values"]["types"].to_string();
    assert!(types.contains("\"sensor_msgs/Imu\""), "{types}");
    stage.finish();
}
