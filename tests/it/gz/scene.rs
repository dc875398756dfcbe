//! What a world looks like, for programs that show it: a stand-in for the small window of Gazebo (`gz gui` with `MinimalScene`
//! and `TransportSceneManager`) asks for the scene, follows the poses by their ids, and is told what comes and goes.

mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::thread::Builder;

use serde_json::{Value, json};

use super::tools::Tools;
use crate::support::{PAUSED, Served, Setup, eventually, worlds};
use text::Message;

const WORLD: &str = r#"<?xml version="1.0"?>
<sdf version="1.9"><world name="a yard">
  <scene><ambient>0.1 0.2 0.3 1</ambient><background>0.4 0.5 0.6 1</background><shadows>false</shadows></scene>
  <light name="sun" type="directional"><pose>0 0 10 0 0 0</pose><direction>0.5 0 -1</direction>
    <diffuse>0.9 0.8 0.7 1</diffuse><cast_shadows>true</cast_shadows></light>
  <model name="car"><pose>1 2 0.5 0 0 1.5707963267948966</pose>
    <link name="base"><pose>0.1 0 0 0 0 0</pose>
      <visual name="hull"><pose>0 0.2 0 0 0 0</pose><transparency>0.5</transparency>
        <geometry><box><size>1 2 3</size></box></geometry>
        <material><diffuse>1 0 0 1</diffuse></material></visual>
      <visual name="dome"><geometry><mesh><uri>dome part.obj</uri><scale>2 2 2</scale></mesh></geometry></visual>
      <light name="lamp" type="spot"><direction>1 0 0</direction><attenuation><range>7</range></attenuation>
        <spot><inner_angle>0.2</inner_angle><outer_angle>0.4</outer_angle><falloff>1</falloff></spot></light>
    </link>
    <model name="arm"><pose>0 0 1 0 0 0</pose>
      <link name="hand"><pose>0 0 0.5 0 0 0</pose>
        <visual name="grip"><geometry><capsule><radius>0.1</radius><length>0.4</length></capsule></geometry></visual>
      </link></model>
    <joint name="weld" type="fixed"><parent>base</parent><child>arm::hand</child></joint>
  </model>
  <model name="ground"><static>true</static><link name="surface">
    <collision name="plane"><geometry><plane/></geometry></collision>
    <visual name="plane"><geometry><plane><size>30 20</size></plane></geometry></visual></link></model>
</world></sdf>"#;

/// A triangle.
const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

const BOX: &str = "<sdf version='1.9'><model name='box'><link name='l'><collision name='c'><geometry><box>\
    <size>1 1 1</size></box></geometry></collision><visual name='v'><geometry><box><size>1 1 1</size></box></geometry>\
    </visual></link></model></sdf>";

/// A paused run of [`WORLD`], and the path of its mesh.
fn yard(tools: &Tools) -> (Served, String) {
    let setup = Setup::new().plugins(&["gz"]).in_real_time();
    let mesh = setup.file("dome part.obj", MESH).canonicalize().expect("a path").display().to_string();
    let setup = setup.world(WORLD).bridge(tools.bridge()).args(["--start", "paused"]);
    let host = Served::start(setup);
    eventually("it is paused", || host.state() == PAUSED);
    (host, mesh)
}

fn ask(tools: &Tools, service: &str, types: [&str; 2]) -> Message {
    text::parse(&tools.call(&format!("/world/a_yard/{service}"), types, ""))
}

fn scene(tools: &Tools) -> Message {
    ask(tools, "scene/info", ["Empty", "Scene"])
}

/// Ids by scoped names of the models and links of a scene, and of everything in them.
fn ids(scene: &Message) -> BTreeMap<String, u32> {
    let mut ids = BTreeMap::new();
    collect(scene, "", &mut ids);
    ids
}

fn collect(part: &Message, scope: &str, ids: &mut BTreeMap<String, u32>) {
    for kind in ["model", "link", "visual", "light"] {
        for entity in part.all(kind) {
            let name = format!("{scope}{}", entity.text("name"));
            assert_eq!(ids.insert(name.clone(), entity.id()), None, "{name} is there once");
            collect(entity, &format!("{name}::"), ids);
        }
    }
}

fn names(models: &[&Message]) -> Vec<String> {
    models.iter().map(|model| model.text("name")).collect()
}

/// A pose: position and rotation.
type Pose = ([f64; 3], [f64; 4]);

fn pose_of(part: &Message) -> Pose {
    let pose = part.part("pose").expect("a pose");
    let [position, rotation] = ["position", "orientation"].map(|name| pose.part(name).expect("a part"));
    (
        ["x", "y", "z"].map(|axis| position.number(axis)),
        ["x", "y", "z", "w"].map(|axis| rotation.number(axis)),
    )
}

fn compose((at, turn): Pose, (position, rotation): Pose) -> Pose {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let [x, y, z, w] = turn;
    let once = cross([x, y, z], position).map(|value| 2.0 * value);
    let twice = cross([x, y, z], once);
    let moved = std::array::from_fn(|axis| at[axis] + position[axis] + w * once[axis] + twice[axis]);
    let [a, b, c, d] = rotation;
    let turned = [
        w * a + x * d + y * c - z * b,
        w * b - x * c + y * d + z * a,
        w * c + x * b - y * a + z * d,
        w * d - x * a - y * b - z * c,
    ];
    (moved, turned)
}

/// Poses of links in the world, by their scoped names: what a program that draws the scene computes.
fn drawn(model: &Message, scope: &str, parent: Pose, links: &mut BTreeMap<String, Pose>) {
    let (name, pose) = (format!("{scope}{}", model.text("name")), compose(parent, pose_of(model)));
    for link in model.all("link") {
        links.insert(format!("{name}::{}", link.text("name")), compose(pose, pose_of(link)));
    }
    for nested in model.all("model") {
        drawn(nested, &format!("{name}::"), pose, links);
    }
}

/// Poses of links in the world, as the host says.
fn link_poses(host: &Served) -> BTreeMap<String, Pose> {
    let answer = host.ok("get_link_poses", json!({}));
    let numbers: Vec<f64> =
        answer["poses"].as_array().expect("poses").iter().filter_map(Value::as_f64).collect();
    let links = answer["links"].as_array().expect("links");
    let pose = |values: &[f64]| -> Pose {
        (std::array::from_fn(|axis| values[axis]), std::array::from_fn(|axis| values[axis + 3]))
    };
    let poses = links.iter().zip(numbers.chunks(7).map(pose));
    poses.map(|(name, pose)| (name.as_str().expect("a name").to_owned(), pose)).collect()
}

fn color(part: &Message, name: &str) -> [f64; 4] {
    let color = part.part(name).unwrap_or_else(|| panic!("no {name} in {part:?}"));
    ["r", "g", "b", "a"].map(|channel| color.number(channel))
}

fn one<'a>(part: &'a Message, kind: &str, name: &str) -> &'a Message {
    let found = part.all(kind).into_iter().find(|entity| entity.text("name") == name);
    found.unwrap_or_else(|| panic!("no {kind} {name} in {part:?}"))
}

fn near(found: impl AsRef<[f64]>, expected: impl AsRef<[f64]>) {
    let (found, expected) = (found.as_ref(), expected.as_ref());
    let is_near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(is_near && found.len() == expected.len(), "{found:?} instead of {expected:?}");
}

#[test]
fn a_scene_has_what_the_host_draws() {
    let Some(tools) = Tools::find() else { return };
    let (host, mesh) = yard(&tools);
    host.ok("step_simulation", json!({"steps": 100}));
    let scene = scene(&tools);
    let ours = host.ok("get_scene", json!({}))["scene"].clone();
    assert_eq!((scene.text("name").as_str(), &ours["world"]), ("a yard", &json!("a yard")));
    near(color(&scene, "ambient"), [0.1, 0.2, 0.3, 1.0]);
    near(color(&scene, "background"), [0.4, 0.5, 0.6, 1.0]);
    assert_eq!((scene.text("shadows").as_str(), scene.text("grid").as_str()), ("", "true"));
    assert_eq!(names(&scene.all("model")), ["car", "ground"]);
    // The poses of the links.
    let mut links = BTreeMap::new();
    for model in scene.all("model") {
        drawn(model, "", ([0.0; 3], [0.0, 0.0, 0.0, 1.0]), &mut links);
    }
    let expected = link_poses(&host);
    assert!(expected["car::base"].0[2] < 0.49, "it falls: {expected:?}");
    assert_eq!(links.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, (position, rotation)) in &links {
        near(position, expected[name].0);
        near(rotation, expected[name].1);
    }
    // Visuals.
    let car = one(&scene, "model", "car");
    let base = one(car, "link", "base");
    let hull = one(base, "visual", "hull");
    near(pose_of(hull).0, [0.0, 0.2, 0.0]);
    let cube = hull.part("geometry").and_then(|geometry| geometry.part("box")?.part("size")).expect("a box");
    near(["x", "y", "z"].map(|axis| cube.number(axis)), [1.0, 2.0, 3.0]);
    near([hull.number("transparency")], [0.5]);
    near(color(hull.part("material").expect("a material"), "diffuse"), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!((hull.text("parent_name").as_str(), hull.number("parent_id")), ("base", base.number("id")));
    let dome = one(base, "visual", "dome").part("geometry").expect("a geometry");
    let file = dome.part("mesh").expect("a mesh").text("filename");
    assert_eq!((dome.text("type").as_str(), &file), ("MESH", &mesh));
    assert_eq!(fs::read_to_string(file).expect("a program on this machine can read it"), MESH);
    let hand = one(one(car, "model", "arm"), "link", "hand");
    let grip = one(hand, "visual", "grip").part("geometry").expect("a geometry");
    let capsule = grip.part("capsule").expect("a capsule");
    near(["radius", "length"].map(|value| capsule.number(value)), [0.1, 0.4]);
    let ground = one(one(&scene, "model", "ground"), "link", "surface");
    let plane = one(ground, "visual", "plane").part("geometry").and_then(|geometry| geometry.part("plane"));
    let size = plane.and_then(|plane| plane.part("size")).expect("a size");
    near(["x", "y"].map(|axis| size.number(axis)), [30.0, 20.0]);
    // Lights.
    let sun = one(&scene, "light", "sun");
    assert_eq!((sun.text("type").as_str(), sun.text("cast_shadows").as_str()), ("DIRECTIONAL", "true"));
    near(color(sun, "diffuse"), [0.9, 0.8, 0.7, 1.0]);
    near(pose_of(sun).0, [0.0, 0.0, 10.0]);
    let lamp = one(base, "light", "lamp");
    assert_eq!((lamp.text("type").as_str(), lamp.number("parent_id")), ("SPOT", base.number("id")));
    let values = ["range", "spot_inner_angle", "spot_outer_angle", "spot_falloff"];
    near(values.map(|value| lamp.number(value)), [7.0, 0.2, 0.4, 1.0]);
    for (list, count) in [("visuals", 4), ("lights", 2), ("nodes", 3)] {
        assert_eq!(ours[list].as_array().map(Vec::len), Some(count), "{list}");
    }
    // The graph.
    let graph = ask(&tools, "scene/graph", ["Empty", "StringMsg"]).text("data");
    let ids = ids(&scene);
    let line = |name: &str| {
        format!("  {0} [label=\"{1} ({0})\"];\n", ids[name], name.rsplit("::").next().expect("a name"))
    };
    let edge = |parent: u32, child: &str| format!("  {parent} -> {} [label=1];\n", ids[child]);
    assert!(
        graph.starts_with("digraph {\n  1 [label=\"a yard (1)\"];\n") && graph.ends_with("}\n"),
        "{graph}"
    );
    for name in ids.keys() {
        let parent = name.rsplit_once("::").map_or(1, |(parent, _)| ids[parent]);
        assert!(graph.contains(&line(name)) && graph.contains(&edge(parent, name)), "{name} in {graph}");
    }
    assert_eq!(graph.lines().count(), 2 + 1 + 2 * ids.len(), "{graph}");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

fn spawn(host: &Served, name: &str, x: f64) {
    let pose = json!({"pose": {"position": {"x": x}, "orientation": {"w": 1}}});
    let resource = json!({"resource_string": BOX});
    host.ok("spawn_entity", json!({"name": name, "entity_resource": resource, "initial_pose": pose}));
}

#[test]
fn a_window_follows_poses_by_id_and_is_told_what_comes_and_goes() {
    let Some(tools) = Tools::find() else { return };
    let (host, _) = yard(&tools);
    // It asks for the scene, then follows the poses.
    let first = ids(&scene(&tools));
    let poses = text::parse(&tools.echo("/world/a_yard/pose/info"));
    let moved: BTreeMap<u32, String> =
        poses.all("pose").iter().map(|pose| (pose.id(), pose.text("name"))).collect();
    assert_eq!(moved.len(), 6, "three models and three links: {moved:?}");
    for (id, name) in &moved {
        let known = first.iter().find(|(_, known)| *known == id).expect("an id of the scene");
        assert_eq!(known.0.rsplit("::").next(), Some(name.as_str()));
    }
    // What is spawned is told with what belongs to it.
    let mut boxes: BTreeMap<String, u32> = BTreeMap::new();
    let mut spawn_next = |x: f64| {
        let name = format!("box{}", boxes.len());
        spawn(&host, &name, x);
        let now = ids(&scene(&tools));
        assert!(first.iter().all(|(name, id)| now[name] == *id), "ids stay: {now:?}");
        boxes.insert(name.clone(), now[&name]);
        now
    };
    let listener = tools.clone();
    let echo = Builder::new().spawn(move || listener.echo("/world/a_yard/scene/info")).expect("a thread");
    let mut now = BTreeMap::new();
    for place in 0..30 {
        now = spawn_next(10.0 + 3.0 * f64::from(place));
        if echo.is_finished() {
            break;
        }
    }
    let told = text::parse(&echo.join().expect("it was told"));
    let [added] = told.all("model")[..] else { panic!("one model: {told:?}") };
    let name = added.text("name");
    let of_it = |ids: &BTreeMap<String, u32>| -> Vec<u32> {
        ids.iter()
            .filter(|(key, _)| **key == name || key.starts_with(&format!("{name}::")))
            .map(|(_, id)| *id)
            .collect()
    };
    assert_eq!((of_it(&ids(&told)), told.all("light").len()), (of_it(&now), 0));
    assert_eq!(of_it(&now).len(), 3, "the model, its link and its visual: {now:?}");
    let state = host.ok("get_entity_state", json!({"entity": name}));
    near([pose_of(added).0[0]], [state["state"]["pose"]["position"]["x"].as_f64().expect("a number")]);
    // And followed.
    let poses = text::parse(&tools.echo("/world/a_yard/pose/info"));
    assert!(poses.all("pose").iter().any(|pose| pose.id() == boxes[&name] && pose.text("name") == name));
    // What is deleted is told by its id, also if it is deleted by its id.
    let listener = tools.clone();
    let echo = Builder::new().spawn(move || listener.echo("/world/a_yard/scene/deletion")).expect("a thread");
    let mut gone = BTreeSet::new();
    for turn in 0..30 {
        let name = format!("gone{turn}");
        spawn(&host, &name, 200.0 + 3.0 * f64::from(turn));
        let id = ids(&scene(&tools))[&name];
        let request = format!("id: {id} type: MODEL");
        assert_eq!(tools.call("/world/a_yard/remove", ["Entity", "Boolean"], &request), "data: true");
        gone.insert(id);
        if echo.is_finished() {
            break;
        }
    }
    let told = text::parse(&echo.join().expect("it was told"));
    let deleted: Vec<u32> = told.values("data").iter().map(|id| id.parse().expect("an id")).collect();
    assert!(deleted.len() == 1 && gone.contains(&deleted[0]), "{deleted:?} of {gone:?}");
    // An id is not used again.
    spawn(&host, "gone0", 200.0);
    let after = ids(&scene(&tools));
    assert!(after["gone0"] > *gone.last().expect("ids"), "{after:?}");
    assert!(gone.iter().all(|id| !after.values().any(|other| other == id)));
    assert!(first.iter().all(|(name, id)| after[name] == *id));
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn a_model_is_moved_by_its_id_and_the_server_saves_loads_and_ends() {
    let Some(tools) = Tools::find() else { return };
    let (host, _) = yard(&tools);
    let ids = ids(&scene(&tools));
    let call = |service: &str, request: &str, text: &str| {
        tools.call(service, [request, "Boolean"], text) == "data: true"
    };
    let pose = |id: u32| format!("id: {id} name: 'ground' position: {{x: 4 z: 9}}");
    assert!(call("/world/a_yard/set_pose", "Pose", &pose(ids["car"])), "the id counts, not the name");
    let state = host.ok("get_entity_state", json!({"entity": "car"}));
    let position = &state["state"]["pose"]["position"];
    near(["x", "y", "z"].map(|axis| position[axis].as_f64().expect("a number")), [4.0, 0.0, 9.0]);
    for id in [ids["car::arm"], ids["car::base"], ids["sun"], 9999] {
        assert!(!call("/world/a_yard/set_pose", "Pose", &pose(id)), "{id}");
        assert!(!call("/world/a_yard/remove", "Entity", &format!("id: {id}")), "{id}");
    }
    let control = |text: &str| call("/server_control", "ServerControl", text);
    assert!(control("save_world_name: 'a_yard' save_filename: 'kept.sdf'"));
    let saved = host.ok("save_world", json!({"path": "saved.sdf"}));
    let saved = PathBuf::from(saved["path"].as_str().expect("a path"));
    let text = fs::read_to_string(saved.with_file_name("kept.sdf")).expect("the file");
    assert_eq!(text, fs::read_to_string(&saved).expect("the file"));
    assert!(text.contains("<model name=\"car\""), "{text}");
    let generated = ask(&tools, "generate_world_sdf", ["SdfGeneratorConfig", "StringMsg"]).text("data");
    assert_eq!(generated, text);
    let folder = saved.parent().expect("a folder");
    let mut left = fs::read_dir(folder).expect("the output folder").flatten().map(|entry| entry.file_name());
    assert!(!left.any(|name| name.to_string_lossy().starts_with("gz-world")), "nothing is left");
    assert!(!control("save_filename: 'kept.sdf'"), "it exists");
    assert!(!control("save_world_name: 'other' save_filename: 'other.sdf'"));
    assert!(!control("new_world: true"));
    // Another world has other topics, services and ids.
    assert!(control(&format!("open_filename: '{}'", worlds().join("empty.sdf").display())));
    assert_eq!(tools.call("/gazebo/worlds", ["Empty", "StringMsg_V"], ""), "data: \"empty\"");
    let other = text::parse(&tools.call("/world/empty/scene/info", ["Empty", "Scene"], ""));
    assert_eq!(names(&other.all("model")), ["ground"]);
    assert!(self::ids(&other).values().all(|id| !ids.values().any(|old| old == id)), "{other:?}");
    assert!(control("stop: true"));
    host.finish().expect_code(0);
}
