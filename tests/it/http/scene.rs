//! Tests of the scene: its description, its content by hash, and the poses of its nodes.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tungstenite::Message;

use super::client::{Client, Socket};
use crate::support::{Setup, world};

const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A mesh file at the same place for all tests, so that equal worlds have equal texts.
fn plate() -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let new = tempfile::NamedTempFile::new_in(folder).expect("a file");
    std::fs::write(new.path(), MESH).expect("written");
    let path = folder.join("plate.obj");
    new.persist(&path).expect("renamed");
    path
}

/// A box that spins, a lamp on it, and a static mesh; paused.
pub(crate) fn host(setup: Setup, arguments: &[&str]) -> (crate::support::Running, Client) {
    let plate = format!("file://{}", plate().display());
    let sdf = world(&format!(
        "<light name='sun' type='directional'><direction>0 0 -1</direction></light>
         <model name='box'><pose>0 0 5 0 0 0.5</pose><link name='body'><light name='lamp' type='point'/>
         <visual name='look'><geometry><box><size>1 2 3</size></box></geometry>
         <material><diffuse>1 0 0 1</diffuse></material></visual>
         <collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model>
         <model name='plate'><static>1</static><pose>3 0 0 0 0 0</pose><link name='l'><visual name='v'><geometry><mesh>
         <uri>{plate}</uri></mesh></geometry></visual></link></model>"
    ));
    let setup = setup.world(&sdf).args(["--http", "127.0.0.1:0", "--start", "paused"]);
    let mut running = arguments.iter().fold(setup, |setup, argument| setup.arg(argument)).start();
    let client = Client::of(&mut running);
    super::wait_for_state(&client, "Pause");
    (running, client)
}

/// A frame of poses.
pub(crate) struct Frame {
    pub(crate) kind: u32,
    pub(crate) revision: u64,
    pub(crate) step: u64,
    /// By node.
    pub(crate) poses: BTreeMap<usize, [f32; 7]>,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("bytes")
}

/// Returns the next frame that is there.
#[track_caller]
pub(crate) fn frame(socket: &mut Socket) -> Frame {
    loop {
        match socket.0.read().expect("a message") {
            Message::Binary(bytes) => return read(&bytes),
            Message::Close(_) => panic!("closed"),
            _ => {}
        }
    }
}

fn read(bytes: &[u8]) -> Frame {
    let u32_at = |at| u32::from_le_bytes(number(bytes, at));
    assert_eq!(u32_at(0), 0x3150_4842);
    let (kind, count) = (u32_at(4), u32_at(36) as usize);
    let indices = if kind == 1 { 4 * count } else { 0 };
    assert_eq!(bytes.len(), 48 + indices + 28 * count, "the frame has the length that it states");
    let pose = |index: usize| {
        std::array::from_fn(|part| f32::from_le_bytes(number(bytes, 48 + indices + 28 * index + 4 * part)))
    };
    let node = |index: usize| if kind == 1 { u32_at(48 + 4 * index) as usize } else { index };
    let poses = (0..count).map(|index| (node(index), pose(index))).collect();
    let (revision, step) = (u64::from_le_bytes(number(bytes, 8)), u64::from_le_bytes(number(bytes, 16)));
    Frame { kind, revision, step, poses }
}

#[expect(clippy::cast_possible_truncation, reason = "frames have f32")]
fn pose_of(state: &Value) -> [f32; 7] {
    let part = |of: &str, name: &str| state["pose"][of][name].as_f64().expect("a number") as f32;
    let at = ["x", "y", "z"].map(|name| part("position", name));
    let turn = ["x", "y", "z", "w"].map(|name| part("orientation", name));
    [at[0], at[1], at[2], turn[0], turn[1], turn[2], turn[3]]
}

/// Returns the names of the threads of a process.
fn threads(process: u32) -> Vec<String> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).expect("a process");
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).ok();
    tasks.flatten().filter_map(name).map(|name| name.trim().to_owned()).collect()
}

#[test]
fn nothing_is_read_for_a_scene_that_nobody_asks_for() {
    let (running, client) = host(Setup::new(), &[]);
    let has_thread = |process| threads(process).iter().any(|name| name == "scene");
    let process = running.id();
    client.call("step_simulation", &json!({ "steps": 10 }));
    assert!(!has_thread(process), "{:?}", threads(process));
    client.call("get_scene", &json!({}));
    assert!(has_thread(process), "{:?}", threads(process));
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}

#[test]
fn the_scene_names_what_is_drawn_and_serves_its_content() {
    let (running, client) = host(Setup::new(), &[]);
    let answer = client.call("get_scene", &json!({}));
    let scene = &answer["scene"];
    let names = |list: &str| -> Vec<String> {
        let list = scene[list].as_array().expect("a list");
        list.iter().map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names("nodes"), ["box::body", "plate::l"]);
    assert_eq!(names("visuals"), ["box::body::look", "plate::l::v"]);
    assert_eq!(names("lights"), ["sun", "box::body::lamp"]);
    assert_eq!(names("collisions"), ["box::body::c"]);
    assert_eq!(scene["visuals"][0]["size"], json!({"x": 1.0, "y": 2.0, "z": 3.0}));
    assert_eq!(scene["materials"][0]["diffuse"], json!({"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0}));
    assert_eq!((&scene["visuals"][1]["mesh"], &scene["visuals"][1]["material"]), (&json!(0), &json!(-1)));
    let again = client.call("get_scene", &json!({ "known_revision": answer["revision"] }));
    assert_eq!((&again["revision"], &again["scene"]["nodes"]), (&answer["revision"], &json!([])));
    let hash = scene["meshes"][0]["hash"].as_str().expect("a hash");
    let raw = client
        .raw(&format!("HEAD /scene/assets/{hash} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"));
    assert!(
        raw.contains("200 OK") && raw.contains("model/gltf-binary") && raw.contains("immutable"),
        "{raw}"
    );
    let missing = client.get("/scene/assets/0000").expect(404);
    assert_eq!(missing["code"], "BH-WEB-029");
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}

#[test]
fn poses_are_those_of_the_entities_in_the_same_step() {
    let (running, client) = host(Setup::new(), &[]);
    let revision = client.call("get_scene", &json!({}))["revision"].as_u64().expect("a revision");
    let mut socket = client.socket();
    socket.subscribe("poses", Some(100.0));
    let first = frame(&mut socket);
    assert_eq!((first.kind, first.revision, first.poses.len()), (0, revision, 2));
    let spin = json!({ "angular": { "z": 1.0 } });
    let pose = json!({ "position": { "z": 5.0 }, "orientation": { "w": 1.0 } });
    let spinning = json!({ "entity": "box", "state": { "pose": pose, "twist": spin } });
    client.call("set_entity_state", &spinning);
    client.call("step_simulation", &json!({ "steps": 100 }));
    let state = client.call("get_entity_state", &json!({ "entity": "box" }));
    let moved = loop {
        let next = frame(&mut socket);
        if next.step == first.step + 100 && !next.poses.is_empty() {
            break next;
        }
    };
    assert_eq!((moved.kind, moved.poses.len()), (1, 1), "the static model has not moved");
    assert_eq!(moved.poses[&0], pose_of(&state["state"]));
    client.call("delete_entity", &json!({ "entity": "plate" }));
    let after = loop {
        let next = frame(&mut socket);
        if next.revision != revision {
            break next;
        }
    };
    assert_eq!((after.kind, after.poses.len()), (0, 1), "another revision begins with all nodes");
    let names = client.call("get_scene", &json!({}))["scene"]["nodes"].as_array().map(Vec::len);
    assert_eq!(names, Some(1));
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}
