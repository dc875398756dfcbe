//! The run for programs of Zenoh without ROS: topics and services below a prefix, in each encoding. The peer is
//! `plain_client.py`, over the library of Zenoh for Python.

mod place;

use serde_json::{Value, json};

pub(crate) use self::place::{Client, bridge};
use self::place::{Place, bytes, hex, json_of};
use crate::support::{PAUSED, Served, Setup, assert_near, eventually, worlds};

const ALL: &str = "bridgehead/**";

/// The demo world, paused.
#[track_caller]
fn two_vehicles(bridge: &str) -> Served {
    let plugins = ["zenoh", "clock", "diff_drive", "imu", "lidar", "joint_state", "logging"];
    let setup = Setup::new().in_real_time().plugins(&plugins).run(&worlds().join("two_vehicles.sdf"));
    let host = Served::start(setup.bridge(bridge).args(["--start", "paused"]));
    eventually("it is paused", || host.state() == PAUSED);
    host
}

#[track_caller]
fn step(host: &Served, steps: u32) {
    host.ok("step_simulation", json!({"steps": steps}));
}

#[track_caller]
fn quit(host: Served) -> String {
    host.ok("quit", json!({}));
    host.finish().expect_code(0).to_string()
}

#[test]
fn the_latest_messages_are_there_for_whoever_asks() {
    let Some(place) = Place::find() else { return };
    let host = two_vehicles(&place.bridge(""));
    step(&host, 200);
    // Sent by another thread than that of the steps.
    eventually("the scan is there", || !place.get("bridgehead/car1/scan").is_empty());
    let scan = place.get("bridgehead/car1/scan").remove(0);
    assert_eq!(scan["encoding"], "application/json;sensor_msgs/msg/LaserScan");
    let scan = json_of(&scan);
    assert_eq!(scan["ranges"].as_array().map(Vec::len), Some(360), "{scan}");
    assert_eq!(scan["header"]["frame_id"], "car1/chassis/lidar");
    for (encoding, label, first) in [
        ("cdr", "application/cdr;sensor_msgs/msg/Imu", 0),
        ("protobuf", "application/protobuf;bridgehead.sensor_msgs.v1.Imu", 10),
    ] {
        let imu = place.get(&format!("bridgehead/car2/imu?encoding={encoding}"));
        assert_eq!((imu.len(), &imu[0]["encoding"], bytes(&imu[0])[0]), (1, &json!(label), first), "{imu:?}");
    }
    let keys = |selector: &str| -> Vec<String> {
        let mut keys: Vec<String> = place
            .get(selector)
            .iter()
            .map(|reply| reply["key"].as_str().expect("a key").to_owned())
            .collect();
        keys.sort();
        keys
    };
    assert_eq!(keys("bridgehead/*/odom"), ["bridgehead/car1/odom", "bridgehead/car2/odom"]);
    // Everything is all topics, and calls no service.
    let all = place.get(ALL);
    assert!(all.iter().all(|reply| reply["error"].is_null()), "{all:?}");
    assert!(!keys(ALL).contains(&"bridgehead/quit".to_owned()));
    assert_eq!(host.state(), PAUSED);
    assert_eq!(place.get("bridgehead/car3/scan"), Vec::<Value>::new());
    quit(host);
}

#[test]
fn transforms_of_all_vehicles_are_one_answer() {
    let Some(place) = Place::find() else { return };
    let host = two_vehicles(&place.bridge(""));
    step(&host, 50);
    let children = || -> Vec<String> {
        let replies = place.get("bridgehead/tf");
        let Some(reply) = replies.first() else { return Vec::new() };
        let transforms = json_of(reply)["transforms"].as_array().expect("a list").clone();
        let name = |transform: &Value| transform["child_frame_id"].as_str().expect("a frame").to_owned();
        transforms.iter().map(name).collect()
    };
    eventually("both are there", || {
        let found = children();
        ["car1/chassis", "car2/chassis"].iter().all(|frame| found.iter().any(|child| child == frame))
    });
    quit(host);
}

#[test]
fn samples_arrive_in_the_encoding_of_the_connection_string() {
    let Some(place) = Place::find() else { return };
    for (encoding, label) in [
        ("json", "application/json;nav_msgs/msg/Odometry"),
        ("cdr", "application/cdr;nav_msgs/msg/Odometry"),
        ("protobuf", "application/protobuf;bridgehead.nav_msgs.v1.Odometry"),
    ] {
        let prefix = format!("lab/{encoding}");
        place.subscribe(&format!("{prefix}/car1/odom"));
        let host = two_vehicles(&place.bridge(&format!("prefix={prefix};encoding={encoding}")));
        host.ok("play", json!({}));
        let sample = place.next();
        assert_eq!(sample["encoding"], label);
        assert_eq!(sample["key"], format!("{prefix}/car1/odom"));
        quit(host);
    }
}

#[test]
fn commands_in_each_encoding_drive_and_others_are_reported() {
    let Some(place) = Place::find() else { return };
    let mut host = two_vehicles(&place.bridge(""));
    let speed = |car: &str| {
        step(&host, 100);
        let odom = place.get(&format!("bridgehead/{car}/odom"));
        odom.first().map_or(0.0, |reply| json_of(reply)["twist"]["twist"]["linear"]["x"].as_f64().expect("x"))
    };
    // A command with a stamp, and one without.
    for (speed_wanted, message) in
        [(0.5, r#"{"twist":{"linear":{"x":0.5}}}"#), (0.25, r#"{"linear":{"x":0.25}}"#)]
    {
        for car in ["car1", "car2"] {
            eventually("it drives", || {
                place.put(&format!("bridgehead/{car}/cmd_vel"), "application/json", message.as_bytes());
                (speed(car) - speed_wanted).abs() < 0.02
            });
        }
    }
    // Its peer does not say what it is: it is JSON, as the run sends it.
    eventually("it stops", || {
        place.put("bridgehead/car1/cmd_vel", "zenoh/bytes", b"{}");
        speed("car1").abs() < 0.02
    });
    let mut twist = vec![0, 1, 0, 0];
    twist.extend(0.3_f64.to_le_bytes());
    twist.extend([0; 40]);
    eventually("it drives by CDR", || {
        place.put("bridgehead/car1/cmd_vel", "application/cdr;geometry_msgs/msg/Twist", &twist);
        (speed("car1") - 0.3).abs() < 0.02
    });
    let before = speed("car1");
    for (encoding, payload, named) in [
        ("application/json", &b"{\"liner\":{}}"[..], "liner"),
        ("application/json", b"[", "application/json"),
        ("application/json;std_msgs/msg/Bool", b"{}", "std_msgs/msg/Bool"),
        ("image/png", b"x", "image/png"),
        ("application/cdr", b"\0\x01\0\0x", "application/cdr"),
        ("application/protobuf", b"\xff", ""),
    ] {
        place.put("bridgehead/car2/cmd_vel", encoding, payload);
        // One line for each interval, so only the first has to be there.
        if named == "liner" {
            let line = host.wait_for("[BH-ZEN-009]");
            assert!(line.contains("/car2/cmd_vel") && line.contains(named), "{line}");
        }
    }
    place.tell(&json!({"op": "delete", "key": "bridgehead/car2/cmd_vel"}));
    step(&host, 10);
    let text = quit(host);
    assert_eq!(text.matches("BH-ZEN-009").count(), 1, "{text}");
    assert_near(before, 0.3, 0.05);
}

#[test]
fn services_answer_in_the_encoding_of_the_request() {
    let Some(place) = Place::find() else { return };
    let host = two_vehicles(&place.bridge(""));
    let state = place.get("bridgehead/get_simulation_state").remove(0);
    assert_eq!(state["encoding"], "application/json;simulation_interfaces/srv/GetSimulationState_Response");
    assert_eq!(json_of(&state)["state"]["state"], PAUSED);
    for (encoding, request, response) in [
        ("application/json", &b"{}"[..], None),
        ("application/protobuf", b"", Some("080112020802")),
        ("application/cdr", b"\0\x01\0\0\0", Some("00010000020100000100000000000000")),
    ] {
        let reply = place.ask("bridgehead/get_simulation_state", encoding, request);
        let is_of = reply["encoding"].as_str().is_some_and(|found| found.starts_with(encoding));
        assert!(is_of, "{reply}");
        if let Some(response) = response
            && encoding == "application/cdr"
        {
            assert_eq!(reply["payload"], response);
        }
    }
    let request = json!({"entity": "car1", "state": {"pose": {"position": {"x": 3.0, "y": 1.0, "z": 0.2},
        "orientation": {"w": 1.0}}}, "set_pose": true});
    let moved = place.ask("bridgehead/set_entity_state", "application/json", request.to_string().as_bytes());
    assert_eq!(json_of(&moved)["result"]["result"], 1, "{moved}");
    let at = host.ok("get_entity_state", json!({"entity": "car1"}));
    assert_near(at["state"]["pose"]["position"]["x"].as_f64().expect("x"), 3.0, 0.01);
    for (encoding, payload, named) in [
        ("application/json", &b"{\"entty\":1}"[..], "entty"),
        ("application/cdr", b"\0\x01\0\0", "application/cdr"),
        ("image/png", b"", "image/png"),
    ] {
        let reply = place.ask("bridgehead/get_entity_state", encoding, payload);
        let text = reply["error"].as_str().unwrap_or_else(|| panic!("no error: {reply}"));
        assert!(text.starts_with("[BH-ZEN-011]") && text.contains(named), "{reply}");
    }
    assert_eq!(place.get("bridgehead/no_such_service"), Vec::<Value>::new());
    quit(host);
}

#[test]
fn the_lists_name_every_topic_and_service_with_its_type() {
    let Some(place) = Place::find() else { return };
    let host = two_vehicles(&place.bridge("prefix=lab"));
    let topics = json_of(&place.get("lab/@topics")[0]);
    for row in [
        json!({"key": "lab/car1/scan", "type": "sensor_msgs/msg/LaserScan", "direction": "out"}),
        json!({"key": "lab/car2/cmd_vel", "type": "geometry_msgs/msg/Twist", "direction": "in"}),
    ] {
        assert!(topics.as_array().is_some_and(|rows| rows.contains(&row)), "{row} in {topics}");
    }
    let services = json_of(&place.get("lab/@services")[0]);
    let row = json!({"key": "lab/spawn_entity", "request": "simulation_interfaces/srv/SpawnEntity_Request",
        "response": "simulation_interfaces/srv/SpawnEntity_Response"});
    assert!(services.as_array().is_some_and(|rows| rows.contains(&row)), "{services}");
    host.ok("delete_entity", json!({"entity": "car2"}));
    eventually("its topics are gone", || {
        !json_of(&place.get("lab/@topics")[0]).to_string().contains("lab/car2/")
            && place.get("lab/car2/odom").is_empty()
    });
    quit(host);
}

#[test]
fn a_second_run_below_the_same_prefix_is_reported() {
    let Some(place) = Place::find() else { return };
    let start = |options: &str| {
        Served::start(Setup::new().plugins(&["zenoh"]).without_world().bridge(place.bridge(options)))
    };
    let (mut first, other) = (start("prefix=lab"), start("prefix=other"));
    let mut second = start("prefix=lab");
    for host in [&mut first, &mut second] {
        let line = host.wait_for("[BH-ZEN-007]");
        assert!(line.contains("`lab`") && line.contains("`prefix=`"), "{line}");
    }
    quit(first);
    quit(second);
    let text = quit(other);
    assert!(!text.contains("BH-ZEN-007"), "{text}");
}

#[test]
fn more_calls_than_may_wait_are_refused() {
    let Some(place) = Place::find() else { return };
    let host = two_vehicles(&place.bridge(""));
    let goal = json!({"uuid": vec![7; 16]});
    let send = json!({"goal_id": goal, "goal": {"steps": 1_000_000}});
    let key = "bridgehead/simulate_steps/_action";
    let accepted = place.ask(&format!("{key}/send_goal"), "application/json", send.to_string().as_bytes());
    assert_eq!(json_of(&accepted)["accepted"], true);
    let request = json!({"goal_id": goal}).to_string();
    let ask = json!({"op": "flood", "selector": format!("{key}/get_result"), "payload": hex(request.as_bytes()),
        "encoding": "application/json", "count": 300});
    place.tell(&ask);
    // Others are answered meanwhile.
    assert_eq!(json_of(&place.get("bridgehead/get_simulation_state")[0])["result"]["result"], 1);
    let cancel = json!({"goal_info": {"goal_id": goal}}).to_string();
    place.ask(&format!("{key}/cancel_goal"), "application/json", cancel.as_bytes());
    let replies = place.tell(&json!({"op": "collect"}));
    let replies = replies.as_array().expect("a list");
    let refused: Vec<&Value> = replies.iter().filter(|reply| !reply["error"].is_null()).collect();
    assert_eq!((replies.len(), refused.len()), (300, 300 - 256));
    assert!(
        refused.iter().all(|reply| reply["error"].as_str().is_some_and(|text| text.contains("256 calls")))
    );
    quit(host);
}

#[test]
fn a_bridge_in_a_worker_answers_too() {
    let Some(place) = Place::find() else { return };
    let plugins = ["zenoh", "clock", "diff_drive", "imu", "lidar", "joint_state", "logging"];
    let setup = Setup::new().in_real_time().plugins(&plugins).run(&worlds().join("two_vehicles.sdf"));
    let bridge = place.bridge("").replacen('*', "car1", 1);
    let host = Served::start(setup.bridge(bridge).args(["--start", "paused", "--isolate", "zenoh_plain"]));
    eventually("it is paused", || host.state() == PAUSED);
    eventually("the message is there", || {
        step(&host, 100);
        !place.get("bridgehead/car1/odom").is_empty()
    });
    eventually("it drives", || {
        place.put("bridgehead/car1/cmd_vel", "application/json", br#"{"linear":{"x":0.5}}"#);
        step(&host, 100);
        let odom = json_of(&place.get("bridgehead/car1/odom")[0]);
        (odom["twist"]["twist"]["linear"]["x"].as_f64().expect("x") - 0.5).abs() < 0.02
    });
    quit(host);
}

#[test]
fn a_disconnected_bridge_is_gone_and_comes_back() {
    let Some(place) = Place::find() else { return };
    let host = two_vehicles(&place.bridge(""));
    step(&host, 100);
    eventually("the message is there", || !place.get("bridgehead/car1/odom").is_empty());
    for label in ["world/zenoh_plain", "car1/zenoh_plain", "car2/zenoh_plain"] {
        host.ok("disconnect_bridge", json!({"label": label}));
    }
    eventually("nothing is there", || place.get(ALL).is_empty());
    let connection = format!("connect={};listen=tcp/127.0.0.1:0", place.router.endpoint());
    host.ok("connect_bridge", json!({"vehicle": "car1", "bridge": "zenoh_plain", "connection": connection}));
    eventually("it is back", || {
        step(&host, 100);
        !place.get("bridgehead/car1/odom").is_empty()
    });
    assert_eq!(
        place.get("bridgehead/get_simulation_state"),
        Vec::<Value>::new(),
        "the world is not attached"
    );
    quit(host);
}
