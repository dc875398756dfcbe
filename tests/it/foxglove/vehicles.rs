//! Channels, services and the scene while vehicles and worlds come and go.

use std::fs;
use std::thread::{scope, sleep};
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, Kind};
use super::stage::Stage;
use crate::support::{Setup, eventually, vehicle, world, worlds};

const SPAWNED: &str = "<sdf version='1.9'><model name='taxi'><pose>0 0 0.5 0 0 0</pose><link name='body'>\
    <collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry></collision>\
    <visual name='v'><geometry><sphere><radius>0.2</radius></sphere></geometry></visual>\
    <sensor name='imu' type='imu'><update_rate>50</update_rate></sensor></link></model></sdf>";

fn has_channel(client: &Client, topic: &str) -> bool {
    let state = client.state();
    state["channels"].as_array().is_some_and(|channels| channels.iter().any(|one| one["topic"] == topic))
}

fn ids(list: &Value) -> Vec<&str> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    entries.iter().filter_map(|entry| entry["id"].as_str()).collect()
}

#[test]
fn a_vehicle_brings_its_channels_and_its_shape_and_takes_them_away() {
    let stage = Stage::start("");
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        assert!(!has_channel(&client, "/taxi/imu"));
        let request = json!({"name": "taxi", "entity_resource": {"uri": "", "resource_string": SPAWNED},
            "initial_pose": {"pose": {"position": {"x": -2.0, "y": -2.0, "z": 0.5}, "orientation": {"w": 1.0}}}});
        client.ok("spawn_entity", request);
        eventually("its channels are there", || has_channel(&client, "/taxi/imu"));
        client.collect_until("its sensor publishes", "/taxi/imu", |collected| {
            collected["count"].as_u64().is_some_and(|count| count > 10)
        });
        client.collect_until("it is in the scene", "/scene", |collected| {
            ids(&collected["messages"][0]["entities"]).contains(&"taxi/body")
        });
        client.ok("delete_entity", json!({"entity": "taxi"}));
        eventually("its channels are gone", || !has_channel(&client, "/taxi/imu"));
        client.collect_until("the scene is without it", "/scene", |collected| {
            let bodies = ids(&collected["messages"][0]["entities"]);
            bodies.contains(&"crate/body") && !bodies.contains(&"taxi/body")
        });
    }
    stage.finish();
}

#[test]
fn one_connection_lasts_from_a_host_without_a_world_through_loads_and_unloads() {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "lidar", "joint_state"]).in_real_time();
    let stage = Stage::with(setup.without_world(), "");
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        let session = client.state()["info"]["sessionId"].clone();
        for (world, topic, other) in [
            ("two_vehicles.sdf", "/car1/scan", "/robot/imu"),
            ("minimal_vehicle.sdf", "/robot/imu", "/car1/scan"),
            ("two_vehicles.sdf", "/car1/scan", "/robot/imu"),
        ] {
            let uri = worlds().join(world).display().to_string();
            client.ok("load_world", json!({"world_resource": {"uri": uri}}));
            client.ok("set_simulation_state", json!({"state": {"state": 1}}));
            eventually(topic, || has_channel(&client, topic));
            assert!(!has_channel(&client, other), "{other} belongs to the world before");
            client.collect_until(topic, topic, |collected| collected["count"].as_u64() > Some(0));
        }
        client.ok("unload_world", json!({}));
        eventually("the channels are gone", || !has_channel(&client, "/car1/scan"));
        assert!(has_channel(&client, "/scene"));
        let scene = client.collect(&["/scene"], 0.3)["/scene"]["messages"][0].clone();
        assert_eq!(ids(&scene["entities"]), Vec::<&str>::new());
        assert_eq!(client.state()["info"]["sessionId"], session);
    }
    stage.finish();
}

#[test]
fn a_type_of_a_plugin_has_its_fields_in_every_direction() {
    for encoding in ["cdr", "protobuf", "json"] {
        let plugin = "<plugin filename='own_type' name='barometer'/>";
        let setup = Setup::new().fixtures(&["own_type"]).in_real_time();
        let stage =
            Stage::with(setup.world(&world(&vehicle("car1", plugin))), &format!("encoding={encoding}"));
        for kind in [Kind::Python, Kind::Node] {
            let Some(client) = stage.client(kind) else { return };
            client.collect_until("pressures", "/car1/pressure", |collected| {
                let is_enough = collected["count"].as_u64() > Some(4);
                let pascal = collected["messages"][0]["pascal"].as_f64();
                assert!(!is_enough || pascal > Some(0.0), "{collected}");
                is_enough
            });
            let command = json!({"topic": "/car1/pressure_in", "type": "example.v1.Pressure", "encoding": "json",
                "message": {"pascal": 99.5}, "seconds": 0.2});
            client.command("publish", command);
            let reply = client.command("call", json!({"service": "/car1/calibrate", "request": {}}));
            assert_eq!(reply["success"], true, "{reply}");
            assert_eq!(client.state()["statuses"], json!([]));
        }
        stage.finish();
    }
}

/// Returns the children of the transforms in a list of messages.
fn children(messages: &Value) -> Vec<String> {
    let messages = messages.as_array().expect("a list").iter();
    let transforms = messages.flat_map(|one| one["transforms"].as_array().cloned().unwrap_or_default());
    transforms.filter_map(|one| one["child_frame_id"].as_str().map(str::to_owned)).collect()
}

#[test]
fn frames_that_a_plugin_publishes_are_left_to_it() {
    let text = fs::read_to_string(worlds().join("minimal_vehicle.sdf")).expect("a world");
    let poses = "<plugin filename='model_pose' name='poses'/><plugin filename=\"diff_drive\"";
    let text = text.replace("<plugin filename=\"diff_drive\"", poses);
    let setup = Setup::new().plugins(&["clock", "diff_drive", "entities", "imu"]).in_real_time();
    let stage = Stage::with(setup.world(&text), "");
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        let collected = client.collect(&["/tf", "/scene_transforms"], 2.5);
        let published = children(&collected["/tf"]["messages"]);
        for frame in ["robot", "robot/chassis", "robot/left_wheel"] {
            assert!(published.iter().any(|child| child == frame), "{published:?}");
        }
        // The first message may be earlier than the first of the plugin.
        let own = children(&json!([collected["/scene_transforms"]["messages"][1]]));
        assert!(!own.is_empty() && own.iter().all(|child| !published.contains(child)), "{own:?}");
    }
    stage.finish();
}

#[test]
fn viewers_get_latched_messages_again_when_time_goes_back() {
    let stage = Stage::start("");
    for kind in [Kind::Python, Kind::Node] {
        let (Some(viewer), Some(other)) = (stage.client(kind), stage.client(kind)) else { return };
        let topics = ["/scene", "/visual_markers", "/car1/visual_markers"];
        let collected = scope(|threads| {
            let collecting = threads.spawn(move || viewer.collect(&topics, 4.0));
            // Wall time: the client collects for some time, and first gets everything once.
            sleep(Duration::from_secs(1));
            other.ok("reset_simulation", json!({"scope": 255}));
            other.ok("set_simulation_state", json!({"state": {"state": 1}}));
            collecting.join().expect("the result of the client")
        });
        let times: Vec<f64> =
            collected["times"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
        assert!(times.windows(2).any(|pair| pair[1] < pair[0]), "time goes back");
        for topic in topics {
            assert!(
                collected[topic]["count"].as_u64().is_some_and(|count| count >= 2),
                "{topic}: {collected}"
            );
        }
    }
    stage.finish();
}
