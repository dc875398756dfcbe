//! The scene that viewers draw, compared with the host's: colours, meshes with textures, poses, and models that come and
//! go.

use std::fmt::Write as _;
use std::thread::{scope, sleep};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::client::{Client, Kind};
use super::operations::{entity, number, pause};
use super::stage::Stage;
use crate::support::{Setup, assert_all_near, eventually, world};

/// One red pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
const PLATE: &str =
    "mtllib plate.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl wall\nf 1/1 2/2 3/3\n";
const WALL: &str = "newmtl wall\nKd 1 1 1\nmap_Kd wall.png\n";

/// A model with a visual. It does not sleep, so that it moves as soon as a client gives it a velocity.
fn model(name: &str, is_static: bool, visual: &str) -> String {
    format!(
        "<model name='{name}'><static>{is_static}</static><allow_auto_disable>false</allow_auto_disable>\
         <pose>1 2 3 0 0 0.5</pose><link name='l'><visual name='v'>{visual}</visual></link></model>"
    )
}

fn shape(of: &str, material: &str) -> String {
    format!("<geometry>{of}</geometry>{material}")
}

/// A host with shapes and meshes, and a box that spins.
#[track_caller]
fn stage() -> Stage {
    let setup = Setup::new().plugins(&["clock"]).in_real_time();
    setup.file("plate.obj", PLATE);
    setup.file("plate.mtl", WALL);
    setup.file("wall.png", STANDARD.decode(PIXEL).expect("an image"));
    let red = "<material><diffuse>1 0 0 0.8</diffuse></material><transparency>0.5</transparency>";
    let green = "<material><diffuse>0 1 0 1</diffuse></material>";
    let plate = "<mesh><uri>plate.obj</uri><scale>1 2 3</scale></mesh>";
    let spinning = "<box><size>1 2 3</size></box>";
    let models = [
        model("red", true, &shape("<cone><radius>1</radius><length>2</length></cone>", red)),
        model("capsule", true, &shape("<capsule><radius>0.5</radius><length>2</length></capsule>", green)),
        model("plane", true, &shape("<plane><normal>0 0 1</normal><size>4 5</size></plane>", green)),
        model("egg", true, &shape("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "")),
        model("textured", true, &shape(plate, "")),
        model("painted", true, &shape(plate, green)),
        model("spinner", false, &shape(spinning, green)),
    ];
    Stage::with(setup.world(&world(&models.concat())), "")
}

fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text");
        text
    })
}

/// Returns the bytes of a field, which one client has as base64 and the other one as numbers.
fn bytes(value: &Value) -> Vec<u8> {
    if let Value::String(text) = value {
        return STANDARD.decode(text).expect("base64");
    }
    let numbers = value.as_array().expect("a list").iter();
    numbers.map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()).expect("a byte")).collect()
}

/// Returns the two chunks of binary glTF.
#[track_caller]
fn chunks(file: &[u8]) -> (Value, &[u8]) {
    let length = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("a number")) as usize;
    assert_eq!((&file[..4], length(8)), (&b"glTF"[..], file.len()));
    let binary = 20 + length(12);
    let root = serde_json::from_slice(&file[20..binary]).expect("JSON");
    (root, &file[binary + 8..binary + 8 + length(binary)])
}

fn index(value: &Value) -> usize {
    value.as_u64().and_then(|index| usize::try_from(index).ok()).expect("an index")
}

#[track_caller]
fn scene(client: &Client) -> Value {
    client.collect(&["/scene"], 1.0)["/scene"]["messages"][0].clone()
}

fn xyz(of: &Value) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| number(&of[axis]))
}

#[test]
fn shapes_have_the_colours_sizes_and_places_of_the_world() {
    let stage = stage();
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        let scene = scene(&client);
        let (green, grey) = ([0.0, 1.0, 0.0, 1.0], [0.7, 0.7, 0.7, 1.0]);
        for (id, frame, list, rgba) in [
            ("red/l", "world", "cylinders", [1.0, 0.0, 0.0, 0.4]),
            ("capsule/l", "world", "triangles", green),
            ("plane/l", "world", "triangles", green),
            ("egg/l", "world", "spheres", grey),
            ("spinner/l", "spinner/l", "cubes", green),
        ] {
            let entity = entity(&scene, id);
            assert_eq!(entity["frame_id"], frame);
            let primitive = &entity[list][0];
            let color = ["r", "g", "b", "a"].map(|part| number(&primitive["color"][part]));
            assert_all_near(color, rgba, 1e-6);
            let place = if frame == "world" { [1.0, 2.0, 3.0] } else { [0.0; 3] };
            assert_all_near(xyz(&primitive["pose"]["position"]), place, 1e-9);
        }
        let cone = &entity(&scene, "red/l")["cylinders"][0];
        assert_eq!((number(&cone["bottom_scale"]), number(&cone["top_scale"])), (1.0, 0.0));
        assert_all_near(xyz(&entity(&scene, "egg/l")["spheres"][0]["size"]), [2.0, 4.0, 6.0], 1e-9);
        let plane = &entity(&scene, "plane/l")["triangles"][0];
        assert_eq!(plane["indices"].as_array().map(Vec::len), Some(6));
        assert_all_near(xyz(&plane["points"][2]), [2.0, 2.5, 0.0], 1e-9);
    }
    stage.finish();
}

#[test]
fn meshes_are_the_content_of_the_host_with_their_textures_inside() {
    let stage = stage();
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        let host = client.ok("get_scene", json!({}))["scene"].clone();
        let scene = scene(&client);
        let painted = &entity(&scene, "painted/l")["models"][0];
        let content = bytes(&painted["data"]);
        assert_eq!(hash_of(&content), host["meshes"][0]["hash"], "one colour covers the unchanged mesh");
        assert_eq!((&painted["override_color"], number(&painted["color"]["g"])), (&json!(true), 1.0));
        assert_all_near(xyz(&painted["scale"]), [1.0, 3.0, 2.0], 1e-9);
        let textured = &entity(&scene, "textured/l")["models"][0];
        assert_ne!(textured["override_color"], true);
        let file = bytes(&textured["data"]);
        let (root, binary) = chunks(&file);
        let (_, triangles) = chunks(&content);
        assert!(binary.starts_with(triangles), "the triangles are those of the host");
        let view = &root["bufferViews"][index(&root["images"][0]["bufferView"])];
        let [from, length] = ["byteOffset", "byteLength"].map(|name| index(&view[name]));
        let image = &binary[from..from + length];
        assert_eq!(hash_of(image), host["textures"][0]["hash"], "the texture is that of the host");
        let metal = &root["materials"][0]["pbrMetallicRoughness"];
        assert_eq!(metal["baseColorTexture"], json!({"index": 0}));
    }
    stage.finish();
}

#[test]
fn poses_are_those_of_the_entities_at_the_same_time() {
    let stage = stage();
    for kind in [Kind::Python, Kind::Node] {
        let Some(client) = stage.client(kind) else { return };
        let spin = json!({"angular": {"z": 1.0}, "linear": {"x": 0.5}});
        let pose = json!({"position": {"z": 5.0}, "orientation": {"w": 1.0}});
        let state = json!({"pose": pose, "twist": spin});
        let request = json!({"entity": "spinner", "state": state, "set_pose": true, "set_twist": true});
        client.ok("set_entity_state", request);
        let state = || client.ok("get_entity_state", json!({"entity": "spinner"}))["state"].clone();
        eventually("it turns", || number(&state()["pose"]["orientation"]["z"]) > 0.05);
        pause(&client, true);
        let state = state();
        let collected = client.collect(&["/scene_transforms"], 1.5);
        let transforms = &collected["/scene_transforms"]["messages"][0]["transforms"];
        let mut transforms = transforms.as_array().expect("a list").iter();
        let model = transforms.find(|one| one["child_frame_id"] == "spinner").expect("the model");
        let stamp = &state["header"]["stamp"];
        let time_ns = number(&stamp["sec"]) * 1e9 + number(&stamp["nanosec"]);
        assert!((number(&collected["/scene_transforms"]["stamps"][0]) - time_ns).abs() < 1.0, "{stamp}");
        assert_all_near(xyz(&model["translation"]), xyz(&state["pose"]["position"]), 1e-9);
        let turn = |of: &Value| ["x", "y", "z", "w"].map(|axis| number(&of[axis]));
        assert_all_near(turn(&model["rotation"]), turn(&state["pose"]["orientation"]), 1e-9);
        pause(&client, false);
    }
    stage.finish();
}

#[test]
fn static_models_that_a_client_moves_are_sent_again() {
    let stage = stage();
    for (kind, x) in [(Kind::Python, 7.0), (Kind::Node, 8.0)] {
        let Some(other) = stage.client(kind) else { return };
        let last = while_collecting(&stage, kind, || {
            let pose = json!({"position": {"x": x}, "orientation": {"w": 1.0}});
            let request = json!({"entity": "plane", "state": {"pose": pose}, "set_pose": true});
            other.ok("set_entity_state", request);
        });
        let moved = &entity(&last, "plane/l")["triangles"][0]["pose"]["position"];
        assert_all_near(xyz(moved), [x, 0.0, 0.0], 1e-9);
        assert_eq!(last["entities"].as_array().map(Vec::len), Some(1), "{last}");
    }
    stage.finish();
}

/// Returns the last message of the scene that a client receives while something is done.
#[track_caller]
fn while_collecting(stage: &Stage, kind: Kind, act: impl FnOnce()) -> Value {
    let viewer = stage.client(kind).expect("its packages are installed");
    scope(|threads| {
        let collecting = threads.spawn(move || viewer.collect(&["/scene"], 4.0));
        // Wall time: the client collects for some time, and first gets the scene as it is.
        sleep(Duration::from_secs(1));
        act();
        let collected = collecting.join().expect("the result of the client");
        collected["/scene"]["messages"][1].clone()
    })
}

#[test]
fn models_appear_when_they_are_spawned_and_disappear_when_they_are_deleted() {
    let stage = stage();
    let text = format!("<sdf version='1.9'>{}</sdf>", model("new", false, &shape("<box/>", "")));
    for kind in [Kind::Python, Kind::Node] {
        let Some(other) = stage.client(kind) else { return };
        let spawned = while_collecting(&stage, kind, || {
            let resource = json!({"uri": "", "resource_string": text});
            let pose = json!({"pose": {"position": {"x": -3.0}, "orientation": {"w": 1.0}}});
            let request = json!({"name": "new", "entity_resource": resource, "initial_pose": pose});
            other.ok("spawn_entity", request);
        });
        assert_eq!(entity(&spawned, "new/l")["cubes"].as_array().map(Vec::len), Some(1));
        assert_eq!(spawned["entities"].as_array().map(Vec::len), Some(1), "the others stay: {spawned}");
        let deleted = while_collecting(&stage, kind, || {
            other.ok("delete_entity", json!({"entity": "new"}));
        });
        assert_eq!(deleted["deletions"][0]["id"], "new/l", "{deleted}");
        assert!(deleted["entities"].as_array().is_none_or(Vec::is_empty), "{deleted}");
    }
    stage.finish();
}
