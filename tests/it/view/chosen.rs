//! Recordings of chosen topics and images, and recordings in parts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{end, seek, view};
use crate::http::Client;
use crate::support::{Finished, Setup, world};

/// The names of the topics in a recording, with the numbers of their messages.
fn topics(path: &Path) -> BTreeMap<String, u64> {
    let (running, client) = view(path);
    // To the end: messages count up to the position.
    seek(&client, 9.0);
    let answer = client.call("get_topics", &json!({}));
    let topic = |topic: &serde_json::Value| {
        (topic["topic"].as_str().expect("a name").to_owned(), topic["published"].as_u64().unwrap_or(0))
    };
    let topics = answer["topics"].as_array().expect("topics").iter().map(topic).collect();
    end(running);
    topics
}

/// A second of two cameras of one model, recorded with these flags.
fn cameras(flags: &[&str]) -> (Finished, PathBuf) {
    let sensor = |name: &str, kind: &str| {
        format!(
            "<sensor name='{name}' type='{kind}'><topic>{name}</topic><update_rate>10</update_rate><camera>\
             <horizontal_fov>1</horizontal_fov><image><width>64</width><height>48</height></image>\
             <clip><near>0.1</near><far>20</far></clip></camera></sensor>"
        )
    };
    let sdf = world(&format!(
        "<model name='car1'><static>true</static><link name='l'>{}{}</link></model>",
        sensor("cam", "camera"),
        sensor("depth", "depth_camera")
    ));
    let setup = Setup::new().plugins(&["camera", "clock", "logging"]).world(&sdf);
    let path = setup.path("run.mcap");
    let setup = setup.args(["--duration", "1s", "--record"]).arg(&path);
    let setup = flags.iter().fold(setup, |setup, flag| setup.arg(flag));
    (setup.finish().expect_code(0), path)
}

#[test]
fn an_image_is_recorded_once_unless_all_are_requested() {
    let count = |topics: &BTreeMap<String, u64>, name: &str| topics.get(name).copied().unwrap_or(0);
    let (_finished, path) = cameras(&[]);
    let once = topics(&path);
    let (_finished, path) = cameras(&["--record-images", "all"]);
    let all = topics(&path);
    assert_eq!(once.keys().filter(|name| name.ends_with("cam/image_raw")).count(), 0, "{once:?}");
    let mut expected = all.clone();
    let raw = expected.remove("/car1/cam/image_raw").expect("the raw image");
    // The depth is published in one form only.
    assert!(raw >= 9 && count(&once, "/car1/depth/image_raw") >= 9, "{all:?}");
    assert_eq!(once, expected);
    assert_eq!(count(&once, "/car1/cam/image_raw/compressed"), raw);
}

#[test]
fn the_topics_of_a_recording_are_chosen_and_the_scene_stays() {
    let scene = ["/scene", "/scene/description", "/scene/poses"];
    let names = |flags: &[&str]| {
        let (_finished, path) = cameras(&[&["--record-topics"], flags].concat());
        topics(&path).into_keys().collect::<Vec<_>>()
    };
    let chosen = names(&["/car1/*,!*/{points,image_raw,compressed}"]);
    assert_eq!(chosen, [&["/car1/cam/camera_info", "/car1/depth/camera_info"][..], &scene].concat());
    let others = names(&["!/car1/*"]);
    assert!(scene.iter().all(|name| others.iter().any(|other| other == name)), "{others:?}");
    assert!(!others.iter().any(|name| name.starts_with("/car1/")), "{others:?}");
    let wrong = Setup::new().plugins(&["logging"]).world(&world(""));
    let wrong = wrong.args(["--record", "run.mcap", "--record-topics", "clock", "--steps", "1"]);
    wrong.finish().expect_code(1).expect_message(&["BH-BRG-110", "`topics=` must be patterns of topics"]);
}

#[test]
fn each_part_of_a_recording_can_be_viewed_alone() {
    let setup = Setup::new().plugins(&["logging", "clock"]);
    let config = setup.file("config.toml", "[run]\nscene_rate = 1000\n");
    let path = setup.path("run.mcap");
    let [config, recording] = [&config, &path].map(|path| path.display().to_string());
    let flags = ["--config", &config, "--record", &recording, "--record-part-size", "64K"];
    let (running, client) = crate::http::scene::host(setup, &flags);
    let twist = json!({ "linear": { "z": -1.0 }, "angular": { "z": 1.0 } });
    client.call(
        "set_entity_state",
        &json!({ "entity": "box", "state": { "twist": twist }, "set_twist": true }),
    );
    client.call("step_simulation", &json!({ "steps": 2000 }));
    client.post("/api/quit", "").expect(200);
    let finished = running.finish().expect_code(0);
    let part = |number: u32| finished.path(&format!("run.part{number}.mcap"));
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |facts| facts.len());
    assert!(size(&part(2)) > 0 && size(&part(3)) > 0, "{}", size(&path));

    let (running, client) = view(&part(2));
    let scene = client.call("get_scene", &json!({}))["scene"].clone();
    let names: Vec<&str> =
        scene["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["name"].as_str()).collect();
    assert_eq!(names, ["box::body", "plate::l"]);
    let hash = scene["meshes"][0]["hash"].as_str().expect("a mesh").to_owned();
    let raw = client
        .raw(&format!("HEAD /scene/assets/{hash} HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"));
    assert!(raw.contains("200 OK") && raw.contains("model/gltf-binary"), "{raw}");
    assert_ne!(client.call("get_world_description", &json!({}))["description"], json!(null));
    // It begins where the first one ends, not at the beginning of the run.
    let times = times_of(&client);
    assert!(times.0 > 0 && times.1 > times.0, "{times:?}");
    end(running);
    let parts = (1..).map(|number| if number == 1 { path.clone() } else { part(number) });
    let poses = parts.take_while(|path| path.exists()).map(|path| topics(&path)["/scene/poses"]);
    let result = finished.result();
    let published = result["topics"].as_array().expect("topics").iter();
    let published =
        published.filter(|topic| topic["name"] == "/scene/poses").map(|topic| topic["published"].clone());
    assert_eq!(published.collect::<Vec<_>>(), [json!(poses.sum::<u64>())], "every message is in one part");
}

/// The first and the last time of a view, nanoseconds.
fn times_of(client: &Client) -> (i64, i64) {
    let recording = client.get("/api").json()["recording"].clone();
    let time = |name: &str| recording[name].as_i64().unwrap_or_else(|| panic!("{name}: {recording}"));
    (time("begin_ns"), time("end_ns"))
}
