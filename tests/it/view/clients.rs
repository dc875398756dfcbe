//! Clients of a view: requests, WebSockets, refusals.

use serde_json::{Value, json};

use super::{end, recording, seek, view, view_from_the_beginning};
use crate::http::{Client, Socket, scene};
use crate::support::Setup;

const POSES: &str = "topic:/scene/poses";

/// The time of the poses with that number, in milliseconds: thirty per second, after the step that completes it.
fn tick(number: i64) -> i64 {
    (number * 33_333_333 + 999_999) / 1_000_000
}

/// Reads the events of a subject until one is the last, and returns their stamps in milliseconds.
fn stamps_until(socket: &mut Socket, what: &str, last_ms: i64) -> Vec<i64> {
    let mut stamps = Vec::new();
    while stamps.last() != Some(&last_ms) {
        let event = socket.until(|message| message["what"] == what && message["op"] == "event");
        stamps.push(event["data"]["stamp_ns"].as_i64().expect("a stamp") / 1_000_000);
    }
    stamps
}

#[test]
fn a_subscriber_gets_the_history_of_its_position_and_what_follows() {
    let (_finished, path) = recording();
    let (running, client) = view_from_the_beginning(&path);
    seek(&client, 0.5);
    let mut socket = client.socket();
    socket.subscribe("status", Some(100.0));
    socket.subscribe(POSES, None);
    let ticks = |numbers: std::ops::RangeInclusive<i64>| numbers.map(tick).collect::<Vec<i64>>();
    assert_eq!(stamps_until(&mut socket, POSES, 500), ticks(0..=15));
    client.call("step_simulation", &json!({ "steps": 1 }));
    let next = socket.until(|message| message["what"] == POSES);
    assert_eq!(next["data"]["stamp_ns"], json!(534_000_000));
    assert_eq!(next["data"]["type"], "bridgehead_simulation_interfaces/msg/ScenePoses");
    // After a jump, the status comes first, with another epoch, and then the history again.
    seek(&client, 0.1);
    let jumped = socket.until(|message| message["data"]["status"]["time_ns"] == json!(100_000_000));
    assert_eq!(jumped["epoch"], json!(2));
    assert_eq!(stamps_until(&mut socket, POSES, 100), ticks(0..=3));
    client.call("set_real_time_factor", &json!({ "factor": 10.0 }));
    client.post("/api/play", "").expect(200);
    // The last ones are those of the end of the run.
    let expected: Vec<i64> = ticks(4..=37).into_iter().chain([1250]).collect();
    assert_eq!(stamps_until(&mut socket, POSES, 1250), expected);
    let status = client.call("get_status", &json!({}))["status"].clone();
    assert_eq!((&status["state"], &status["time_ns"]), (&json!("Pause"), &json!(1_250_000_000)));
    end(running);
}

#[test]
fn poses_are_frames_of_the_scene_of_their_time() {
    let (_finished, path) = recording();
    let (running, client) = view(&path);
    let mut socket = client.socket();
    socket.subscribe("poses", Some(100.0));
    let last = scene::frame(&mut socket);
    assert_eq!((last.kind, last.step, last.poses.len()), (0, 1250, 2));
    seek(&client, 0.75);
    let middle = scene::frame(&mut socket);
    assert_eq!((middle.kind, middle.poses.len()), (0, 3));
    assert_eq!(client.call("get_scene", &json!({}))["revision"], json!(middle.revision));
    assert!((717..=750).contains(&middle.step), "{}", middle.step);
    let known = json!({ "known_revision": middle.revision });
    assert_eq!(client.call("get_scene", &known)["scene"]["nodes"], json!([]));
    // The mesh does not move, so it is in no further frame.
    seek(&client, 0.9);
    let next = scene::frame(&mut socket);
    assert_eq!((next.kind, next.poses.keys().copied().collect::<Vec<_>>()), (1, vec![0, 2]));
    end(running);
}

#[test]
fn wrong_requests_are_refused_with_what_to_do() {
    let (_finished, path) = recording();
    let (running, client) = view(&path);
    let post = |service: &str, body: &str| client.post(&format!("/api/{service}"), body);
    let refused = |service: &str, body: &str, status: u16| -> Value { post(service, body).expect(status) };
    let text = |problem: Value| problem.to_string();
    assert!(text(refused("get_statuss", "", 404)).contains("did you mean `get_status`?"));
    assert_eq!(refused("spawn_entity", "{}", 404)["code"], "BH-WEB-021");
    assert_eq!(refused("seek", "{", 400)["code"], "BH-REC-013");
    assert_eq!(refused("seek", "{\"time_ns\": -1}", 400)["code"], "BH-REC-013");
    assert_eq!(refused("seek", "{\"time\": 1}", 400)["code"], "BH-REC-013");
    assert_eq!(refused("seek", "{\"time_ns\": 1e99}", 400)["code"], "BH-REC-013");
    for factor in ["0", "-1", "1e300", "\"NaN\"", "null"] {
        let problem = refused("set_real_time_factor", &format!("{{\"factor\": {factor}}}"), 400);
        assert_eq!(problem["code"], "BH-REC-013", "{factor}");
    }
    for steps in ["0", "1000000000", "-1", "1.5"] {
        let problem = refused("step_simulation", &format!("{{\"steps\": {steps}}}"), 400);
        assert_eq!(problem["code"], "BH-REC-013", "{steps}");
    }
    assert_eq!(refused("read_topic", "{\"topic\": \"/absent\"}", 404)["code"], "BH-REC-010");
    let missing = client.call("get_entity_state", &json!({ "entity": "absent" }));
    assert!(missing["result"]["error_message"].as_str().is_some_and(|text| text.contains("BH-REC-010")));
    seek(&client, 0.0);
    client.post("/api/play", "").expect(200);
    assert_eq!(refused("step_simulation", "{\"steps\": 1}", 409)["code"], "BH-REC-011");
    assert_eq!(client.get("/api/pause").status, 405);
    assert_eq!(client.get("/absent").expect(404)["code"], "BH-WEB-020");
    assert_eq!(client.get("/scene/assets/0").expect(404)["code"], "BH-WEB-029");
    end(running);
}

#[test]
fn other_pages_and_other_hosts_have_no_access() {
    let (_finished, path) = recording();
    let (running, client) = view(&path);
    let raw = |head: &str| client.raw(&format!("{head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"));
    let foreign = raw("GET /api HTTP/1.1\r\nHost: evil.example");
    assert!(foreign.contains("403") && foreign.contains("BH-WEB-010"), "{foreign}");
    let page = raw("POST /api/reset HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example");
    assert!(page.contains("403"), "{page}");
    let upgrade = "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\n\
        Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    assert!(raw(upgrade).contains("403"));
    end(running);
}

#[test]
fn a_hostile_websocket_disturbs_nobody() {
    let (_finished, path) = recording();
    let (running, client) = view(&path);
    let mut witness = client.socket();
    witness.subscribe("recording", Some(50.0));
    let mut hostile = client.socket();
    for text in ["", "[]", "{\"op\":\"dance\"}", "{\"op\":\"subscribe\",\"what\":\"topic:\"}", "\u{0}"] {
        hostile.0.send(tungstenite::Message::text(text)).expect("sent");
        let answer = hostile.until(|message| message["op"] == "error");
        assert!(answer["code"].as_str().is_some_and(|code| code.starts_with("BH-WEB-05")), "{answer}");
    }
    hostile.0.send(tungstenite::Message::binary(vec![0; 100])).expect("sent");
    assert_eq!(hostile.until(|message| message["op"] == "error")["code"], "BH-WEB-052");
    for number in 0..64 {
        hostile.subscribe(&format!("topic:/absent/{number}"), None);
    }
    hostile.send(&json!({ "op": "subscribe", "what": POSES }));
    assert_eq!(hostile.until(|message| message["op"] == "error")["code"], "BH-WEB-054");
    // More than a client may send at once: the connection ends.
    drop(hostile.0.send(tungstenite::Message::text("x".repeat(1 << 20))));
    while hostile.next().is_some() {}
    seek(&client, 0.25);
    let moved = witness.until(|message| message["data"]["position_ns"] == json!(250_000_000));
    assert_eq!(moved["data"]["end_ns"], json!(1_250_000_000));
    end(running);
}

#[test]
fn a_client_that_does_not_read_delays_only_itself() {
    let (_finished, path) = recording();
    let (running, client) = view(&path);
    let mut stalled = client.socket();
    stalled.subscribe("topic:/scene/poses", None);
    stalled.subscribe("poses", Some(1000.0));
    let mut witness = client.socket();
    witness.subscribe("recording", Some(50.0));
    for round in 0..200 {
        let seconds = f64::from(round % 100) / 100.0;
        seek(&client, seconds);
        let expected = json!(round % 100 * 10_000_000);
        witness.until(|message| message["data"]["position_ns"] == expected);
    }
    end(running);
}

#[test]
fn the_default_port_is_left_to_a_host_that_has_it() {
    let (_finished, path) = recording();
    // Whether or not the default port is free here, the second view gets another.
    let start = || {
        let mut running = Setup::new().arg("view").arg(&path).start();
        let client = Client::of(&mut running);
        (running, client)
    };
    let ((first, one), (second, other)) = (start(), start());
    assert_ne!(one.address, other.address);
    for client in [&one, &other] {
        assert_eq!(client.get("/healthz").text, "ok\n");
    }
    end(first);
    end(second);
}
