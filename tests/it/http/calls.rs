//! Tests of service calls and of the form of their answers.

use std::time::Duration;

use serde_json::json;

use super::{paused, started, wait_for_state};
use crate::support::{Served, Setup, eventually, prompt, world};

#[test]
fn services_are_called_by_their_names() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    assert_eq!(client.call("get_simulation_state", &json!({}))["state"]["state"], 2);
    let state = client.call("get_entity_state", &json!({"entity": "box_b"}));
    assert_eq!(state["state"]["pose"]["position"], json!({"x": 1.0, "y": 2.0, "z": 3.0}));
    let entities = client.get("/api/get_entities_states").expect(200);
    assert_eq!(entities["entities"], json!(["box_a", "box_b"]));
    assert_eq!(
        client.post("/api/get_entities_states", "").expect(200),
        entities,
        "a missing body is an empty request"
    );
    assert_eq!(client.post("/api/get_entities_states", " \n").expect(200), entities);
    let queried = client.get("/api/get_entity_state?entity=box_b").expect(200);
    assert_eq!(queried, state);
    drop(running);
}

#[test]
fn steps_are_answered_after_their_execution() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let before = client.get("/api/get_status").expect(200)["status"]["step"].as_u64().expect("a step");
    assert_eq!(client.call("step_simulation", &json!({"steps": 1000}))["result"]["result"], 1);
    let status = client.get("/api/get_status").expect(200)["status"].clone();
    assert_eq!((&status["step"], &status["state"]), (&json!(before + 1000), &json!("Pause")));
    let answer = client.post("/api/step_simulation", "{}");
    assert_eq!(answer.headers["x-bridgehead-epoch"], "0");
    assert_eq!(answer.expect(200)["result"]["result"], 1, "one step is the default");
    assert_eq!(client.call("reset_simulation", &json!({"scope": 1}))["result"]["result"], 1);
    let answer = client.get("/api/get_status");
    assert_eq!(answer.headers["x-bridgehead-epoch"], "1");
    assert_eq!(answer.json()["status"]["step"], 0);
    drop(running);
}

#[test]
fn our_own_services_report_errors_by_the_http_status() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let refused = client.post("/api/pause", "{}").expect(409);
    assert!(
        refused["allowed"].as_array().is_some_and(|allowed| allowed.contains(&json!("resume"))),
        "{refused}"
    );
    assert!(
        refused["result"]["error_message"].as_str().is_some_and(|text| text.contains("BH-SIM-")),
        "{refused}"
    );
    client.post("/api/resume", r#"{"reason": "a test"}"#).expect(200);
    client.post("/api/reset", r#"{"then": "somewhere"}"#).expect(400);
    client.post("/api/disconnect_bridge", r#"{"label": "none"}"#).expect(404);
    // The standard services answer 200 with any result.
    let standard = client.call("set_simulation_state", &json!({"state": {"state": 1}}));
    assert_ne!(standard["result"]["result"], 1);
    let missing = client.call("get_entity_state", &json!({"entity": "nobody"}));
    assert_eq!(missing["result"]["result"], 2);
    drop(running);
}

#[test]
fn quit_is_allowed_unless_the_configuration_forbids_it() {
    for (toml, is_allowed) in [("", true), ("[control]\nallow_quit = false\n", false)] {
        let host = Served::start(Setup::new().world(&world("")).config(toml).in_real_time());
        let status = host.ok("get_status", json!({}));
        let allowed = status["status"]["allowed"].as_array().expect("a list");
        assert_eq!(allowed.contains(&json!("quit")), is_allowed, "{status}");
        assert!(allowed.contains(&json!("abort")), "{status}");
        let (_, answer) = host.post("pause", &json!({}));
        let allowed = answer["allowed"].as_array().expect("a list");
        assert_eq!(allowed.contains(&json!("quit")), is_allowed, "{answer}");
        host.signal(libc::SIGINT);
        host.finish().expect_code(0);
    }
}

#[test]
fn a_host_without_a_world_answers_requests() {
    let mut running = Setup::new().args(["run", "--http", "127.0.0.1:0"]).start();
    let client = super::client::Client::of(&mut running);
    assert_eq!(client.call("get_simulation_state", &json!({}))["state"]["state"], 4);
    assert_eq!(client.get("/api/get_entity_state?entity=a").expect(200)["result"]["result"], 3);
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}

#[test]
fn quitting_is_answered_and_then_the_process_ends() {
    for (path, body) in [
        ("/api/set_simulation_state", r#"{"state": {"state": 3}}"#),
        ("/api/quit", r#"{"reason": "enough"}"#),
    ] {
        let (running, client) = started(Setup::new().in_real_time(), &[]);
        wait_for_state(&client, "StepBegin");
        // Two clients have sent only the beginning of a request.
        let held: Vec<_> = (0..2)
            .map(|_| {
                let mut stream = std::net::TcpStream::connect(client.address).expect("connected");
                std::io::Write::write_all(&mut stream, b"POST /api/pause HTTP/1.1\r\nHost:").expect("sent");
                stream
            })
            .collect();
        // Wall time: the server waits 15 s for the rest of a request, but not if the process ends.
        prompt("the end", Duration::from_secs(12), || {
            assert_eq!(client.post(path, body).expect(200)["result"]["result"], 1);
            running.finish().expect_code(0);
        });
        drop(held);
    }
}

#[test]
fn waiting_calls_are_answered_at_the_end_of_the_run() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let waiting = {
        let client = client.clone();
        std::thread::Builder::new()
            .spawn(move || client.post("/api/step_simulation", r#"{"steps": 1000000000000}"#))
            .expect("a thread")
    };
    wait_for_state(&client, "StepBegin");
    client.post("/api/quit", "").expect(200);
    let answer = waiting.join().expect("an answer");
    match answer.status {
        200 => assert_eq!(answer.json()["result"]["result"], 4, "the steps were cut short"),
        status => assert_eq!((status, &answer.json()["code"]), (503, &json!("BH-WEB-030"))),
    }
    running.finish().expect_code(0);
}

#[test]
fn health_service_list_metrics_and_openapi_are_served() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    assert_eq!(client.get("/healthz").text, "ok\n");
    let listed = client.get("/api").expect(200);
    let names: Vec<&str> = listed["services"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|service| service["name"].as_str())
        .collect();
    assert!(names.contains(&"get_status") && !names.iter().any(|name| name.contains("_action")), "{names:?}");
    assert_eq!(listed["actions"][0]["name"], "simulate_steps");
    let metrics = client.get("/metrics");
    assert_eq!(metrics.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    for line in [
        "bridgehead_up 1",
        "bridgehead_state{state=\"Pause\"} 1",
        "bridgehead_reset_epoch 0",
        "bridgehead_http_requests_total{method=\"GET\",code=\"200\"}",
    ] {
        assert!(metrics.text.contains(line), "no `{line}` in\n{}", metrics.text);
    }
    let openapi = client.get("/openapi.json").expect(200);
    assert_eq!(openapi["openapi"], "3.1.0");
    assert_eq!(openapi["security"], json!(null));
    drop(running);
}

#[test]
fn topics_of_a_removed_vehicle_are_not_listed() {
    let sdf = "<sdf version='1.11'><model name='m'><link name='l'><sensor name='imu' type='imu'>\
        <update_rate>100</update_rate></sensor></link></model></sdf>";
    let setup = Setup::new().in_real_time().plugins(&["imu"]).world(&world("")).args(["--start", "playing"]);
    let host = Served::start(setup);
    let listed = || {
        let answer = host.ok("get_topics", json!({}));
        let topics = answer["topics"].as_array().expect("a list").clone();
        topics.iter().filter(|topic| topic["vehicle"] == "car").count()
    };
    eventually("it plays", || host.state() == 1);
    for _ in 0..2 {
        let request = json!({"name": "car", "entity_resource": {"resource_string": sdf}});
        host.ok("spawn_entity", request);
        eventually("its sensor has a topic", || listed() == 1);
        host.ok("delete_entity", json!({"entity": "car"}));
        assert_eq!(listed(), 0);
    }
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    // The result still counts its messages.
    assert_eq!(finished.reported("topics", "/car/imu")["vehicle"], "car");
}
