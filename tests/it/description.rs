//! Tests of the world description that bridges and clients receive while the world is loaded, changed and unloaded.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Finished, Line, Served, Setup, eventually, world};

/// A robot as CLOiSim writes it: a laser whose plugin is inside of it, an unsupported camera, and a drive.
fn robot(name: &str) -> String {
    let wheel = |side: &str, y: f64| {
        format!(
            "<link name='wheel_{side}'><pose>0 {y} 0.1 0 0 0</pose></link>\
             <joint name='{side}_axle' type='revolute'><parent>body</parent><child>wheel_{side}</child>\
             <axis><xyz>0 1 0</xyz></axis></joint>"
        )
    };
    let wheels = [wheel("left", 0.2), wheel("right", -0.2)].concat();
    format!(
        "<model name='{name}'><link name='body'>\
         <sensor name='laser' type='gpu_lidar'><update_rate>20</update_rate>\
         <lidar><scan><horizontal><samples>4</samples></horizontal></scan><range><min>0.1</min><max>10</max></range></lidar>\
         <plugin name='LaserPlugin' filename='libLaserPlugin.so'><topic>scan</topic></plugin></sensor>\
         <sensor name='eye' type='camera'><plugin name='CameraPlugin' filename='libCameraPlugin.so'/></sensor>\
         </link>{wheels}<plugin name='Micom' filename='libMicomPlugin.so'><wheel><tread>0.4</tread>\
         <radius>0.1</radius><location type='left'>wheel_left</location>\
         <location type='right'>wheel_right</location></wheel></plugin></model>"
    )
}

/// A host without a world, and the file with the descriptions that its bridges received.
fn host() -> (Served, PathBuf) {
    let setup = Setup::new().in_real_time().recording().fixtures(&["recorder"]);
    let setup = setup.plugins(&["clock", "lidar", "diff_drive"]).env("RECORDER_DESCRIBES", "1");
    let recorded = setup.path("recorded.jsonl");
    let setup = setup.without_world().bridge("world=recorder:world").bridge("*=recorder:vehicle");
    (Served::start(setup), recorded)
}

/// Waits until the bridge of the world has read that revision.
#[track_caller]
fn wait_for_revision(recorded: &Path, revision: &Value) {
    let is_it = |line: &Line| line.text("instance") == "world" && line["described"]["revision"] == *revision;
    eventually(&format!("the bridge of the world has read {revision}"), || {
        // A line that is being written is not valid JSON yet.
        let lines = fs::read_to_string(recorded).unwrap_or_default();
        let lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.map(Line).any(|line| is_it(&line))
    });
}

/// Returns the descriptions that a recorder read, each with the reason.
fn described(finished: &Finished, instance: &str) -> Vec<(String, Value)> {
    let is_it = |line: &Line| line.text("call") == "description" && line.text("instance") == instance;
    let lines = finished.recorded().into_iter().filter(is_it);
    lines.map(|line| (line.text("why").to_owned(), line["described"].clone())).collect()
}

/// Returns the element with that name in that vehicle.
#[track_caller]
fn element<'a>(described: &'a Value, vehicle: &str, name: &str) -> &'a Value {
    let elements = described["elements"].as_array().expect("a list");
    let is_it = |element: &&Value| {
        let place = [&element["path"], &element["sensor"]];
        let is_here = place.iter().any(|place| place.as_str().is_some_and(|path| path.starts_with(vehicle)));
        element["name"] == name && is_here
    };
    elements.iter().find(is_it).unwrap_or_else(|| panic!("no {name} of {vehicle} in {described}"))
}

/// Returns all topics of the elements with their names on the bus.
fn topics(description: &Value) -> BTreeSet<String> {
    let elements = description["elements"].as_array().expect("a list").iter();
    let topics = elements.flat_map(|element| element["topics"].as_array().expect("a list"));
    topics.map(|topic| format!("{} {}", topic["topic"], topic["type"])).collect()
}

/// Returns the topics of the bus except those of the scene, which the host itself publishes.
fn bus_topics(host: &Served) -> BTreeSet<String> {
    let listed = host.ok("get_topics", json!({}));
    let topics = listed["topics"].as_array().expect("a list").iter();
    let of_host = |topic: &Value| {
        matches!(topic["topic"].as_str(), Some("/tf_static"))
            || topic["topic"].as_str().is_some_and(|name| name.ends_with("/visual_markers"))
    };
    let of_plugins = topics.filter(|topic| !of_host(topic));
    of_plugins.map(|topic| format!("{} {}", topic["topic"], topic["type"])).collect()
}

fn description(host: &Served) -> Value {
    host.ok("get_world_description", json!({}))["description"].take()
}

/// Returns the number of topics of the elements of a vehicle.
fn count(description: &Value, vehicle: &str) -> usize {
    let elements = description["elements"].as_array().expect("a list").iter();
    let of_it = elements.filter(|element| element["vehicle"] == vehicle);
    of_it.map(|element| element["topics"].as_array().expect("a list").len()).sum()
}

#[test]
fn bridges_and_clients_receive_the_description_after_a_load_a_spawn_a_deletion_and_an_unload() {
    let (host, recorded) = host();
    let nothing = description(&host);
    assert_eq!((&nothing["world"], &nothing["revision"]), (&json!(""), &json!(0)), "{nothing}");
    wait_for_revision(&recorded, &nothing["revision"]);

    let plugins = "<plugin filename='clock' name='clock'/>
        <plugin filename='gz-sim-physics-system' name='gz::sim::systems::Physics'/>";
    let sdf = world(&format!("{plugins}{}", robot("car1")));
    host.ok("load_world", json!({"world_resource": {"uri": "", "resource_string": sdf}}));
    host.ok("play", json!({}));
    eventually("the vehicle has its topics", || count(&description(&host), "car1") > 3);
    let loaded = description(&host);
    assert_eq!(topics(&loaded), bus_topics(&host), "the topics of the elements are the topics of the bus");
    let served =
        |name| (element(&loaded, "", name)["plugin"].clone(), &element(&loaded, "", name)["is_built_in"]);
    assert_eq!(served("gz::sim::systems::Physics"), (json!(""), &json!(true)));
    assert_eq!(served("clock"), (json!("clock"), &json!(false)));
    let links: Vec<&str> =
        loaded["links"].as_array().expect("a list").iter().filter_map(|link| link["name"].as_str()).collect();
    assert!(links.contains(&"car1::body") && links.contains(&"car1::wheel_left"), "{links:?}");

    let spawn = json!({"name": "guest", "entity_resource": {"uri": "", "resource_string": robot("robot")}});
    host.ok("spawn_entity", spawn);
    let all = count(&loaded, "car1");
    eventually("the guest has its topics", || count(&description(&host), "guest") == all);
    assert_eq!(topics(&description(&host)), bus_topics(&host));
    assert!(topics(&description(&host)).len() > topics(&loaded).len());
    host.ok("delete_entity", json!({"entity": "guest"}));
    assert_eq!(topics(&description(&host)), topics(&loaded));
    // The bus keeps the counters of removed topics.
    assert!(bus_topics(&host).is_superset(&topics(&loaded)));
    host.ok("unload_world", json!({}));
    let gone = description(&host);
    assert_eq!((&gone["world"], &gone["elements"]), (&json!(""), &json!([])), "{gone}");
    assert!(gone["revision"].as_u64() > loaded["revision"].as_u64());
    wait_for_revision(&recorded, &gone["revision"]);
    host.ok("quit", json!({}));

    let finished = host.finish();
    check_bridge_of_the_world(&described(&finished, "world"));
    check_bridges_of_vehicles(&described(&finished, "vehicle"));
}

/// Checks the descriptions that the bridge of the world received, which exists before any world.
fn check_bridge_of_the_world(lines: &[(String, Value)]) {
    // Only the thread that waits for revisions writes in order; other threads may write later.
    let waited: Vec<&Value> =
        lines.iter().filter(|(why, _)| why == "revision").map(|(_, world)| world).collect();
    let revisions: Vec<u64> = waited.iter().filter_map(|world| world["revision"].as_u64()).collect();
    assert_eq!((revisions[0], revisions.len()), (0, waited.len()), "the first revision is 0");
    assert!(revisions.is_sorted(), "{revisions:?}");
    let last = waited.last().expect("lines");
    assert_eq!((&last["world"], &last["models"]), (&json!(""), &json!([])), "no world at the end");

    let (_, started) = lines.iter().find(|(why, _)| why == "started").expect("a start");
    assert!(started["models"].as_array().expect("a list").contains(&json!("car1")), "{started}");
    let laser = element(started, "car1", "laser");
    assert_eq!((&laser["asked"], &laser["plugin"]), (&json!("gpu_lidar"), &json!("lidar")));
    let scans = [">/car1/scan sensor_msgs/msg/LaserScan", ">/car1/scan/points sensor_msgs/msg/PointCloud2"];
    assert_eq!(laser["topics"], json!(scans), "all topics exist at the start");
    let inside = element(started, "car1", "LaserPlugin");
    assert_eq!((&inside["path"], &inside["sensor"]), (&json!(""), &laser["path"]));
    assert_eq!(
        inside["xml"],
        "<plugin name='LaserPlugin' filename='libLaserPlugin.so'><topic>scan</topic></plugin>"
    );
    let camera = element(started, "car1", "CameraPlugin");
    assert_eq!((&camera["asked"], &camera["plugin"]), (&json!("libCameraPlugin.so"), &json!("")));
    assert_eq!(camera["sensor"], element(started, "car1", "eye")["path"]);
    let drive = element(started, "car1", "Micom");
    assert_eq!((&drive["asked"], &drive["plugin"]), (&json!("libMicomPlugin.so"), &json!("diff_drive")));
    let directions: Vec<&str> = drive["topics"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|topic| topic.as_str()?.get(..1))
        .collect();
    assert!(directions.contains(&">") && directions.contains(&"<"), "{drive}");
    let guests = |(_, world): &&(String, Value)| {
        world["models"].as_array().is_some_and(|all| all.contains(&json!("guest")))
    };
    assert!(lines.iter().any(|line| guests(&line)), "a description contains the spawned vehicle");
}

/// Checks that a bridge that was asked to open an endpoint found its topic in the description.
fn check_bridges_of_vehicles(lines: &[(String, Value)]) {
    let of_host = |topic: &str| topic == "/tf_static" || topic.ends_with("/visual_markers");
    let endpoints = lines.iter().filter(|(why, _)| why.starts_with('/') && !of_host(why));
    let mut found = BTreeSet::new();
    for (topic, world) in endpoints {
        let elements = world["elements"].as_array().expect("a list").iter();
        let mut topics = elements.flat_map(|element| element["topics"].as_array().expect("a list"));
        let is_it =
            |known: &Value| known.as_str().and_then(|known| known.get(1..)?.split(' ').next()) == Some(topic);
        assert!(topics.any(is_it), "{topic} is not in {world}");
        found.insert(topic.as_str());
    }
    for topic in ["/car1/scan", "/car1/scan/points", "/guest/scan", "/guest/scan/points"] {
        assert!(found.contains(topic), "{topic} is not in {found:?}");
    }
}

/// Returns the poses of links by their names.
fn link_poses(host: &Served) -> Vec<(String, Vec<f64>)> {
    let answer = host.ok("get_link_poses", json!({}));
    let numbers: Vec<f64> =
        answer["poses"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    let links = answer["links"].as_array().expect("a list").iter().filter_map(Value::as_str);
    let all: Vec<_> = links.map(str::to_owned).zip(numbers.chunks(7).map(<[f64]>::to_vec)).collect();
    assert_eq!(all.len() * 7, numbers.len(), "{answer}");
    all
}

#[test]
fn the_poses_of_links_move_with_the_joints_and_name_the_links_of_the_description() {
    let setup = Setup::new().plugins(&["clock", "diff_drive"]).without_world();
    let host = Served::start(setup);
    assert_eq!(host.call("get_link_poses", json!({}))["result"]["result"], 3, "there is no world");
    // Without gravity and ground, the drive turns the wheels and nothing else.
    let sdf = world(&format!("<plugin filename='clock' name='clock'/>{}", robot("car1")));
    host.ok("load_world", json!({"world_resource": {"uri": "", "resource_string": sdf}}));

    let names = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list").iter();
        list.map(|link| link["name"].as_str().expect("a name").to_owned()).collect()
    };
    let initial = link_poses(&host);
    let listed: Vec<String> = initial.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(listed, names(&description(&host)["links"]));
    assert_eq!(initial[1], ("car1::wheel_left".to_owned(), vec![0.0, 0.2, 0.1, 0.0, 0.0, 0.0, 1.0]));

    host.ok("play", json!({}));
    eventually("the vehicle has its topics", || count(&description(&host), "car1") > 0);
    host.ok("pause", json!({}));
    host.ok("publish_message", json!({"topic": "/car1/cmd_vel", "json": r#"{"linear": {"x": 0.1}}"#}));
    host.ok("step_simulation", json!({"steps": 500}));
    let turned = link_poses(&host);
    let states = host.ok("get_entities_states", json!({"filters": {"filter": "car1"}}));
    let body = &states["states"][0]["pose"]["position"];
    let found = ["x", "y", "z"].map(|axis| body[axis].as_f64().expect("a number"));
    assert_eq!(turned[0].1[..3], found, "the pose of the model is that of its first link here");
    assert!(turned[1].1[4].abs() > 0.01, "the wheel has turned: {turned:?}");

    let revision = host.ok("get_link_poses", json!({}))["revision"].clone();
    let known = host.ok("get_link_poses", json!({"known_revision": revision}));
    assert_eq!((&known["links"], &known["revision"]), (&json!([]), &revision), "the names are still valid");
    let guest = json!({"name": "guest", "entity_resource": {"uri": "", "resource_string": robot("robot")}});
    host.ok("spawn_entity", guest);
    let grown = host.ok("get_link_poses", json!({"known_revision": revision}));
    assert_eq!(grown["links"].as_array().expect("a list").len(), 6, "the names have changed");
    host.ok("delete_entity", json!({"entity": "guest"}));
    host.ok("step_simulation", json!({"steps": 1}));
    assert_eq!(link_poses(&host).len(), 3);
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}
