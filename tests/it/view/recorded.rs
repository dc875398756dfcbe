//! What is in a recording, and files that are none.

use serde_json::{Value, json};

use super::{SINKING, end, recording, seek, view};
use crate::http::Client;
use crate::support::{Setup, world};

fn nodes(client: &Client) -> Vec<Value> {
    let answer = client.call("get_scene", &json!({}));
    answer["scene"]["nodes"].as_array().expect("nodes").iter().map(|node| node["name"].clone()).collect()
}

fn height(client: &Client, entity: &str) -> f64 {
    let answer = client.call("get_entity_state", &json!({ "entity": entity }));
    answer["state"]["pose"]["position"]["z"].as_f64().expect("a number")
}

#[test]
fn equal_runs_give_equal_recordings() {
    let ((_first, one), (_second, other)) = (recording(), recording());
    let [one, other] = [one, other].map(|path| std::fs::read(path).expect("a recording"));
    let first = one.iter().zip(&other).position(|(one, other)| one != other);
    let around = |bytes: &[u8]| {
        let from = first.unwrap_or(bytes.len()).saturating_sub(100);
        String::from_utf8_lossy(&bytes[from.min(bytes.len())..(from + 400).min(bytes.len())]).into_owned()
    };
    let sizes = (one.len(), other.len());
    assert!(one == other, "{sizes:?} bytes, apart from {first:?} on:\n{}\n{}", around(&one), around(&other));
}

#[test]
fn the_scene_and_the_poses_are_those_of_the_time() {
    let (finished, path) = recording();
    let (running, client) = view(&path);
    let status = client.call("get_status", &json!({}))["status"].clone();
    assert_eq!((&status["time_ns"], &status["state"]), (&json!(1_250_000_000), &json!("Pause")));
    for (seconds, expected) in [
        (0.25, &["box::body", "plate::l"][..]),
        (0.75, &["box::body", "plate::l", "ball::l"]),
        (1.25, &["box::body", "plate::l"]),
        (0.6, &["box::body", "plate::l", "ball::l"]),
        (0.0, &["box::body", "plate::l"]),
    ] {
        seek(&client, seconds);
        assert_eq!(nodes(&client), expected, "at {seconds} s");
        // 33 ms is the longest time between two poses.
        let is_near = |height: f64, from: f64, since: f64| {
            (height - (from - SINKING * (seconds - since))).abs() < SINKING * 0.034
        };
        let height_of = |entity: &str| height(&client, entity);
        assert!(is_near(height_of("box"), 5.0, 0.0), "{} at {seconds} s", height_of("box"));
        if expected.len() == 3 {
            assert!(is_near(height_of("ball"), 9.0, 0.5), "{} at {seconds} s", height_of("ball"));
        }
    }
    // The last poses are those of the last step.
    seek(&client, 9.0);
    let error = height(&client, "box") - (5.0 - SINKING * 1.25);
    assert!(error.abs() < 1e-6, "{error}");
    let mesh = client.call("get_scene", &json!({}))["scene"]["meshes"][0].clone();
    let hash = mesh["hash"].as_str().expect("a hash");
    let raw = client
        .raw(&format!("HEAD /scene/assets/{hash} HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"));
    assert!(raw.contains("200 OK") && raw.contains("model/gltf-binary"), "{raw}");
    let assets = client.call("get_topics", &json!({}))["topics"].as_array().expect("topics").clone();
    let count = |name: &str| {
        assets
            .iter()
            .find(|topic| topic["topic"] == name)
            .map_or(0, |topic| topic["published"].as_u64().unwrap_or(0))
    };
    assert_eq!((count("/scene/assets"), count("/scene"), count("/scene/description")), (1, 3, 3));
    end(running);
    drop(finished);
}

#[test]
fn the_recording_of_a_killed_run_can_be_viewed() {
    let setup = Setup::new().plugins(&["logging", "clock"]).in_real_time();
    let path = setup.path("run.mcap");
    let (mut running, client) = crate::http::scene::host(setup, &["--record", &path.display().to_string()]);
    client.post("/api/resume", "").expect(200);
    let size = || std::fs::metadata(&path).map_or(0, |facts| facts.len());
    let begin = size();
    crate::support::eventually("more is written", || size() > begin + 2000);
    running.wait_for("");
    running.signal(libc::SIGKILL);
    let finished = running.finish();
    assert_eq!(finished.signal(), Some(libc::SIGKILL));
    let (running, client) = view(&path);
    assert_eq!(nodes(&client).len(), 2);
    assert!(client.call("get_status", &json!({}))["status"]["time_ns"].as_i64() > Some(100_000_000));
    end(running);
}

#[test]
fn files_that_are_no_recordings_are_refused() {
    let setup = Setup::new();
    let garbage = setup.file("garbage.mcap", b"BridgeheadBridgehead");
    for (path, code) in [
        (garbage, "BH-REC-002"),
        (setup.path("absent.mcap"), "BH-REC-001"),
        (setup.path(""), "BH-REC-001"),
        ("/dev/zero".into(), "BH-REC-001"),
        (setup.file("empty.mcap", b"\x89MCAP0\r\n\x89MCAP0\r\n"), "BH-REC-003"),
    ] {
        Setup::new().arg("view").arg(&path).finish().expect_code(1).expect_message(&[code]);
    }
    let open = Setup::new().args(["view", "--http", "0.0.0.0:0"]);
    let open = open.arg(setup.path("absent.mcap")).finish().expect_code(1);
    open.expect_message(&["BH-REC-001"]);
    let (_finished, path) = recording();
    let open = Setup::new().args(["view", "--http", "0.0.0.0:0"]).arg(path).finish().expect_code(1);
    open.expect_message(&["BH-WEB-003"]);
}

#[test]
fn a_run_that_cannot_be_recorded_does_not_begin() {
    let sdf = world("");
    let setup = Setup::new().plugins(&["logging"]);
    let path = setup.path("absent/run.mcap");
    let absent = setup.world(&sdf).arg("--record").arg(path).args(["--duration", "1s"]);
    absent.finish().expect_code(1).expect_message(&["BH-CFG-040", "there is no folder"]);
    let without = Setup::new().world(&sdf).args(["--record", "run.mcap", "--duration", "1s"]);
    let finished = without.finish();
    assert!(!finished.path("run.mcap").exists());
    finished.expect_code(1).expect_message(&["BH-BRG-020", "logging"]);
}

#[test]
fn poses_have_their_rate_and_nobody_gets_topics_that_were_not_requested() {
    let run = |config: &str| {
        let setup = Setup::new().plugins(&["logging"]);
        let bridge = format!("world=logging:{}", setup.path("out/log.jsonl").display());
        let sdf =
            "<sdf version='1.9'><world name='w'><model name='falls'><link name='l'/></model></world></sdf>";
        let finished = setup.world(sdf).config(config).bridge(bridge).args(["--duration", "1s"]);
        let finished = finished.finish().expect_code(0);
        finished.log("out/log.jsonl").into_iter().filter(|line| line.is_topic("/scene/poses")).count()
    };
    assert_eq!(run(""), 0);
    let sdf = "<sdf version='1.9'><world name='w'><model name='falls'><link name='l'/></model></world></sdf>";
    let unheard = Setup::new().world(sdf).config("[run]\nscene_rate = 10\n").args(["--duration", "1s"]);
    let result = unheard.finish().expect_code(0).result();
    let topics = result["topics"].as_array().expect("topics");
    let poses = topics.iter().find(|topic| topic["name"] == "/scene/poses").expect("the topic");
    assert_eq!(poses["published"], 0, "nobody listens, so nothing is made");
    // At the beginning, after each tenth of a second, and at the end.
    let count = run("[run]\nscene_rate = 10\n");
    assert!((11..=12).contains(&count), "{count}");
}
