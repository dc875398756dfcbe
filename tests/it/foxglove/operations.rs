//! The table of operations, executed by both clients.

use std::collections::BTreeSet;
use std::f64::consts::PI;

use serde_json::{Value, json};

use super::client::{Client, Kind};
use super::stage::{MESH, Stage};
use crate::support::{assert_all_near, eventually, is_loaded};

/// An operation: what the client does, and what it must find.
type Operation = fn(&Client);

const OPERATIONS: &[Operation] = &[
    describe_server,
    list_channels,
    read_sensors,
    follow_time,
    drive,
    read_scene,
    read_frames,
    fetch_assets,
    read_parameters,
    read_graph,
    make_errors,
    call_in_json,
    reset,
];

#[track_caller]
fn execute_all(kind: Kind) {
    let stage = Stage::start("");
    let Some(client) = stage.client(kind) else { return };
    OPERATIONS.iter().for_each(|operation| operation(&client));
    stage.finish();
}

#[test]
fn a_client_of_the_present_subprotocol_does_everything() {
    execute_all(Kind::Python);
}

#[test]
fn a_client_of_the_older_subprotocol_does_everything() {
    execute_all(Kind::Node);
}

#[test]
fn channels_can_be_protobuf_or_json() {
    for (encoding, type_name, schema_encoding) in [
        ("protobuf", "bridgehead.sensor_msgs.v1.LaserScan", "protobuf"),
        ("json", "sensor_msgs/msg/LaserScan", "jsonschema"),
    ] {
        let stage = Stage::start(&format!("encoding={encoding}"));
        for kind in [Kind::Python, Kind::Node] {
            let Some(client) = stage.client(kind) else { return };
            let scan = channel(&client.state(), "/car1/scan");
            assert_eq!((&scan["encoding"], &scan["schemaName"]), (&json!(encoding), &json!(type_name)));
            assert_eq!(scan["schemaEncoding"], schema_encoding);
            check_scan(&client.collect(&["/car1/scan"], 1.0)["/car1/scan"]);
            // Viewers call services in CDR only.
            client.ok("get_entities_states", json!({}));
        }
        stage.finish();
    }
}

#[track_caller]
fn channel(state: &Value, topic: &str) -> Value {
    let mut found = state["channels"].as_array().expect("a list").iter().filter(|one| one["topic"] == topic);
    let channel = found.next().unwrap_or_else(|| panic!("no {topic} in {state}"));
    assert!(found.next().is_none(), "{topic} has two channels");
    channel.clone()
}

pub(super) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn describe_server(client: &Client) {
    let info = client.state()["info"].clone();
    assert_eq!(info["name"], "Bridgehead");
    let capabilities: BTreeSet<_> =
        info["capabilities"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    for capability in [
        "clientPublish",
        "time",
        "services",
        "connectionGraph",
        "assets",
        "parameters",
        "parametersSubscribe",
    ] {
        assert!(capabilities.contains(capability), "{capability}");
    }
    assert_eq!(info["supportedEncodings"], json!(["json", "cdr", "protobuf"]));
    assert!(info["sessionId"].as_str().is_some_and(|id| id.len() > 8), "{info}");
}

fn list_channels(client: &Client) {
    let load_world = "simulation_interfaces/srv/LoadWorld";
    eventually("all is announced", || client.state()["services"]["/load_world"] == load_world);
    let state = client.state();
    for (topic, type_name) in [
        ("/car1/scan", "sensor_msgs/msg/LaserScan"),
        ("/car1/scan/points", "sensor_msgs/msg/PointCloud2"),
        ("/car1/imu", "sensor_msgs/msg/Imu"),
        ("/car1/odom", "nav_msgs/msg/Odometry"),
        ("/car1/joint_states", "sensor_msgs/msg/JointState"),
        ("/car2/visual_markers", "visualization_msgs/msg/MarkerArray"),
        ("/clock", "rosgraph_msgs/msg/Clock"),
    ] {
        let channel = channel(&state, topic);
        assert_eq!((&channel["encoding"], &channel["schemaEncoding"]), (&json!("cdr"), &json!("ros2msg")));
        assert_eq!(channel["schemaName"], type_name, "{topic}");
    }
    for (topic, type_name) in
        [("/scene", "foxglove.SceneUpdate"), ("/scene_transforms", "foxglove.FrameTransforms")]
    {
        let channel = channel(&state, topic);
        assert_eq!((&channel["encoding"], &channel["schemaName"]), (&json!("protobuf"), &json!(type_name)));
    }
}

/// The lidar of the first car is at (0.1, 1) m and points along x: it hits the crate, from 4.5 m on and up to y = 0.5 m,
/// only at an angle.
#[track_caller]
fn check_scan(collected: &Value) {
    let scan = &collected["messages"][0];
    assert_eq!(scan["header"]["frame_id"], "car1/chassis/lidar");
    assert!((number(&scan["angle_min"]) + PI).abs() < 1e-5, "{}", scan["angle_min"]);
    let ranges = scan["ranges"].as_array().expect("a list");
    assert_eq!(ranges.len(), 360);
    // At 10 degrees to the right, the ray meets the front of the crate at y = 1 - 4.4 tan 10°.
    let hit = number(&ranges[170]);
    assert!((hit - 4.4 / 10_f64.to_radians().cos()).abs() < 0.1, "{hit}");
}

fn read_sensors(client: &Client) {
    let collected = client.collect(&["/car1/scan", "/car1/imu", "/car1/odom", "/clock"], 2.0);
    check_scan(&collected["/car1/scan"]);
    let acceleration = &collected["/car1/imu"]["messages"][1]["linear_acceleration"];
    assert!((number(&acceleration["z"]) - 9.8).abs() < 0.3, "{acceleration}");
    for (topic, rate) in [("/car1/scan", 10.0), ("/car1/imu", 100.0), ("/clock", 50.0)] {
        let count = number(&collected[topic]["count"]);
        let stamps = &collected[topic]["stamps"];
        let simulated = (number(&stamps[1]) - number(&stamps[0])) / 1e9;
        // Every message of the time between the first and the last has arrived.
        assert!((count - 1.0 - simulated * rate).abs() < 1.5, "{topic}: {count} in {simulated} s");
        assert!(simulated > 1.0 || is_loaded(), "{topic}: {simulated} s of 2 s");
    }
}

fn follow_time(client: &Client) {
    let collected = client.collect(&[], 1.0);
    let times: Vec<f64> = collected["times"].as_array().expect("a list").iter().map(number).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!((20..=130).contains(&times.len()) || is_loaded(), "{} times in a second", times.len());
    let status = client.command("call", json!({"service": "/get_status", "request": {}}));
    let now = number(&status["status"]["time_ns"]);
    assert!((now - times[times.len() - 1]).abs() < 1e9, "{now} after {times:?}");
}

#[track_caller]
fn position(client: &Client, entity: &str) -> [f64; 3] {
    let response = client.ok("get_entity_state", json!({"entity": entity}));
    let at = &response["state"]["pose"]["position"];
    [number(&at["x"]), number(&at["y"]), number(&at["z"])]
}

#[track_caller]
pub(super) fn pause(client: &Client, is_paused: bool) {
    let state = if is_paused { 2 } else { 1 };
    client.ok("set_simulation_state", json!({"state": {"state": state}}));
}

fn drive(client: &Client) {
    let schema = "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n\
        ================================================================================\n\
        MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n";
    let twist = |x: f64| json!({"linear": {"x": x, "y": 0, "z": 0}, "angular": {"x": 0, "y": 0, "z": 0}});
    let commands = [
        json!({"encoding": "json", "type": "geometry_msgs/Twist", "message": {"linear": {"x": 0.6}}}),
        json!({"encoding": "cdr", "type": "geometry_msgs/msg/Twist",
            "message": {"schema": schema, "value": twist(-0.6)}}),
        json!({"encoding": "json", "type": "geometry_msgs/msg/TwistStamped",
            "message": {"header": {"stamp": {"sec": 1, "nsec": 5}}, "twist": {"linear": {"x": 0.6}}}}),
    ];
    for (mut command, direction) in commands.into_iter().zip([1.0, -1.0, 1.0]) {
        let before = [position(client, "car1"), position(client, "car2")];
        command["topic"] = json!("/car1/cmd_vel");
        command["seconds"] = json!(1.5);
        client.command("publish", command);
        let after = [position(client, "car1"), position(client, "car2")];
        let driven = (after[0][0] - before[0][0]) * direction;
        assert!(driven > 0.3 || (is_loaded() && driven > 0.05), "{driven} m");
        assert!((after[1][0] - before[1][0]).abs() < 0.01, "the other car stands still");
    }
}

/// Returns the entity of the scene with this id.
#[track_caller]
pub(super) fn entity<'a>(scene: &'a Value, id: &str) -> &'a Value {
    let entities = scene["entities"].as_array().expect("a list");
    entities.iter().find(|entity| entity["id"] == id).unwrap_or_else(|| panic!("no {id} in {scene}"))
}

fn read_scene(client: &Client) {
    let collected = client.collect(&["/scene", "/car1/visual_markers"], 0.3);
    for topic in ["/scene", "/car1/visual_markers"] {
        assert_eq!(collected[topic]["count"], 1, "{topic} is latched and does not change");
    }
    let scene = &collected["/scene"]["messages"][0];
    for (id, frame, kind, position, size) in [
        ("crate/body", "world", "cubes", [5.0, 0.0, 0.5], [1.0, 1.0, 1.0]),
        ("column/body", "world", "cylinders", [3.5, 2.5, 0.75], [0.8, 0.8, 1.5]),
        ("boulder/body", "world", "spheres", [2.0, -3.0, 0.4], [1.2, 1.2, 1.2]),
        ("car1/chassis", "car1/chassis", "cubes", [0.0; 3], [0.5, 0.3, 0.1]),
    ] {
        let entity = entity(scene, id);
        assert_eq!((&entity["frame_id"], &entity["frame_locked"]), (&json!(frame), &json!(true)));
        let shape = &entity[kind][0];
        let (at, of) = (&shape["pose"]["position"], &shape["size"]);
        assert_all_near([number(&at["x"]), number(&at["y"]), number(&at["z"])], position, 1e-6);
        assert_all_near([number(&of["x"]), number(&of["y"]), number(&of["z"])], size, 1e-6);
    }
    let statue = &entity(scene, "statue/body")["models"][0];
    assert_eq!((&statue["media_type"], &statue["url"]), (&json!("model/gltf-binary"), &json!("")));
    assert!((number(&statue["scale"]["x"]) - 2.0).abs() < 1e-9, "{statue}");
}

/// Returns the translation between two frames.
#[track_caller]
fn translation(messages: &Value, parent: &str, child: &str) -> [f64; 3] {
    let all = messages
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|one| one["transforms"].as_array().expect("a list"));
    let mut found = all.filter(|one| one["child_frame_id"] == child);
    let one = found.next_back().unwrap_or_else(|| panic!("no {child} in {messages}"));
    assert_eq!(one["parent_frame_id"], parent, "{one}");
    let by = &one["translation"];
    [number(&by["x"]), number(&by["y"]), number(&by["z"])]
}

fn read_frames(client: &Client) {
    pause(client, true);
    let collected = client.collect(&["/scene_transforms", "/tf_static"], 1.5);
    let frames = &collected["/scene_transforms"]["messages"];
    for car in ["car1", "car2"] {
        assert_all_near(translation(frames, "world", car), position(client, car), 1e-6);
    }
    assert_all_near(translation(frames, "car1", "car1/chassis"), [0.0, 0.0, 0.12], 1e-3);
    // The frame of a sensor does not move, and the host publishes it.
    let fixed = collected["/tf_static"]["messages"].as_array().expect("a list").iter();
    let mut fixed = fixed.flat_map(|one| one["transforms"].as_array().expect("a list"));
    let lidar =
        fixed.find(|one| one["child_frame_id"] == "car1/chassis/lidar").expect("the frame of the lidar");
    assert_eq!(lidar["header"]["frame_id"], "car1/chassis");
    let by = &lidar["transform"]["translation"];
    assert_all_near([number(&by["x"]), number(&by["y"]), number(&by["z"])], [0.1, 0.0, 0.15], 1e-6);
    // The wheels have turned about their axles since the world was loaded, by several radians.
    let mut transforms = frames
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|one| one["transforms"].as_array().expect("a list"));
    let wheel = transforms.rfind(|one| one["child_frame_id"] == "car1/left_wheel").expect("a wheel");
    let initial = -PI / 4.0;
    let [x, w] = ["x", "w"].map(|axis| number(&wheel["rotation"][axis]));
    // The cosine of half the angle between both.
    let alike = (x * initial.sin() + w * initial.cos()).abs();
    assert!(alike < 0.5_f64.to_radians().cos(), "{wheel}");
    pause(client, false);
}

fn fetch_assets(client: &Client) {
    let arrays = client.collect(&["/visual_markers"], 0.3)["/visual_markers"]["messages"][0].clone();
    let mut markers = arrays["markers"].as_array().expect("a list").iter();
    let statue = markers.find(|marker| marker["ns"] == "statue/body").expect("the marker of the statue");
    let address = statue["mesh_resource"].as_str().expect("an address");
    let of_viewers = address.replace("file:///", "package://bridgehead/");
    for uri in [address, &of_viewers] {
        let mesh = client.command("asset", json!({"uri": uri}));
        assert_eq!((&mesh["status"], &mesh["size"]), (&json!(0), &json!(MESH.len())), "{mesh}");
        assert_eq!(mesh["text"], MESH[..20]);
    }
    for uri in [
        "file:///etc/passwd",
        "package://bridgehead/etc/passwd",
        "package://ghost/a.dae",
        "",
        "/etc/hostname",
    ] {
        let refused = client.command("asset", json!({"uri": uri}));
        assert_eq!((&refused["status"], &refused["size"]), (&json!(1), &json!(0)), "{refused}");
        let text = refused["error"].as_str().expect("a text");
        assert!(text.starts_with("[BH-FOX-011] ") && text.contains("only those are served"), "{text}");
    }
}

fn read_parameters(client: &Client) {
    let all = client.command("parameters", json!({"names": []}));
    assert_eq!(all["bridgehead.world"], "two_vehicles");
    assert_eq!(all["bridgehead.state"], "playing");
    assert_eq!(all["bridgehead.vehicles"], json!(["car1", "car2"]));
    assert!((number(&all["bridgehead.step_width"]) - 0.001).abs() < 1e-12, "{all}");
    let one = client.command("parameters", json!({"names": ["bridgehead.state"]}));
    assert_eq!(one, json!({"bridgehead.state": "playing"}));
    let new = json!([{"name": "bridgehead.state", "value": "paused"}]);
    client.command(
        "send",
        json!({"text": json!({"op": "setParameters", "parameters": new, "id": "x"}).to_string()}),
    );
    let status = client.status("BH-FOX-012");
    assert!(status["message"].as_str().is_some_and(|text| text.contains("read only")), "{status}");
    let names = json!({"op": "subscribeParameterUpdates", "parameterNames": ["bridgehead.state"]});
    client.command("send", json!({"text": names.to_string()}));
    pause(client, true);
    let changed = || client.state()["parameters"]["bridgehead.state"] == "paused";
    eventually("the client gets the change", changed);
    pause(client, false);
}

fn read_graph(client: &Client) {
    client.command("send", json!({"text": "{\"op\":\"subscribeConnectionGraph\"}"}));
    let has = |side: &str, name: &str, id: &str| {
        let graph = &client.state()["graph"][side][name];
        graph
            .as_array()
            .is_some_and(|ids| ids.iter().any(|one| one.as_str().is_some_and(|one| one.starts_with(id))))
    };
    for (side, name, id) in [
        ("published", "/car1/scan", "car1/chassis/lidar"),
        ("subscribed", "/car1/cmd_vel", "car1/drive"),
        ("services", "/load_world", "bridgehead"),
    ] {
        eventually(name, || has(side, name, id));
    }
}

fn make_errors(client: &Client) {
    let publish = |topic: &str, type_name: &str, encoding: &str| {
        let message = json!({"linear": {"x": 1}});
        let mut command = json!({"topic": topic, "type": type_name, "message": message, "seconds": 0});
        command["encoding"] = json!(encoding);
        client.command("publish", command);
    };
    publish("/nowhere", "geometry_msgs/Twist", "json");
    publish("/car1/cmd_vel", "std_msgs/String", "json");
    for (code, texts) in [
        ("[BH-FOX-007] ", ["`/nowhere`", "/car1/cmd_vel"]),
        ("[BH-FOX-008] ", ["`std_msgs/String`", "`geometry_msgs/msg/Twist`"]),
    ] {
        let status = client.status(code);
        assert_eq!(status["level"], 2);
        let text = status["message"].as_str().expect("a text");
        assert!(texts.iter().all(|part| text.contains(part)), "{text}");
    }
    let subscription = json!({"op": "subscribe", "subscriptions": [{"id": 7777, "channelId": 99_999}]});
    client.command("send", json!({"text": subscription.to_string()}));
    assert_eq!(client.status("there is no channel 99999")["level"], 2);
}

fn call_in_json(client: &Client) {
    let call = |request: Value| {
        client
            .command("call", json!({"service": "/get_entity_state", "request": request, "encoding": "json"}))
    };
    assert_eq!(call(json!({"entity": "car2"}))["state"]["header"]["frame_id"], "world");
    let failure = call(json!({"entity": 5}));
    let text = failure["failure"].as_str().unwrap_or_else(|| panic!("{failure}"));
    assert!(text.starts_with("[BH-FOX-010] ") && text.contains("entity"), "{text}");
}

fn reset(client: &Client) {
    let before = number(&client.state()["times"][2]);
    client.ok("reset_simulation", json!({"scope": 255}));
    pause(client, false);
    let went_back = || client.state()["times"][2].as_f64().is_some_and(|time| time < before);
    eventually("time goes back", went_back);
    let scene = &client.collect(&["/scene"], 0.3)["/scene"]["messages"][0].clone();
    entity(scene, "crate/body");
    check_scan(&client.collect(&["/car1/scan"], 1.0)["/car1/scan"]);
}
