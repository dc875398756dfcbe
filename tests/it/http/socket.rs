//! Tests of events over WebSocket.

use serde_json::{Value, json};
use tungstenite::Message;

use super::client::{Client, Socket};
use super::{paused, started, wait_for_state};
use crate::support::Setup;

/// Returns the reported states up to `last`.
#[track_caller]
fn states_until(socket: &mut Socket, last: &str) -> Vec<String> {
    let mut states = Vec::new();
    loop {
        let event = socket.until(|event| event["what"] == "state" && event["op"] == "event");
        states.push(event["data"]["state"].as_str().expect("a state").to_owned());
        if states.last().is_some_and(|state| state == last) {
            return states;
        }
    }
}

#[test]
fn changes_of_the_state_are_reported_in_order_until_the_end() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let mut socket = client.socket();
    socket.subscribe("state", None);
    assert_eq!(states_until(&mut socket, "Pause"), ["Pause"], "the first event is the current state");
    client.post("/api/resume", "").expect(200);
    states_until(&mut socket, "StepBegin");
    client.post("/api/pause", "").expect(200);
    states_until(&mut socket, "Pause");
    client.call("reset_simulation", &json!({}));
    let event = socket.until(|event| event["what"] == "state" && event["epoch"] == 1);
    assert_eq!(event["data"]["step"], 0);
    client.post("/api/quit", "").expect(200);
    assert!(states_until(&mut socket, "Quitting").iter().any(|state| state == "Disconnect"));
    assert_eq!(socket.next(), None, "the host closes the WebSocket");
    running.finish().expect_code(0);
}

#[test]
fn topics_are_received_at_the_requested_rate_also_after_a_reset() {
    let setup = Setup::new().plugins(&["clock"]).in_real_time();
    let sdf = crate::support::world("<plugin filename=\"clock\" name=\"clock\"/>");
    let mut running = setup.world(&sdf).args(["--http", "127.0.0.1:0"]).start();
    let client = Client::of(&mut running);
    wait_for_state(&client, "StepBegin");
    let mut socket = client.socket();
    // Read before the subscription: if this thread is late, the first events already wait.
    let began = bridgehead_host::clock::now();
    socket.subscribe("topic:/clock", Some(20.0));
    let is_clock = |event: &Value| event["what"] == "topic:/clock" && event["op"] == "event";
    let mut last = -1;
    for _ in 0..10 {
        let event = socket.until(is_clock);
        assert_eq!(event["data"]["type"], "rosgraph_msgs/msg/Clock");
        let stamp = event["data"]["stamp_ns"].as_i64().expect("a stamp");
        assert!(stamp > last, "{stamp} after {last}");
        last = stamp;
    }
    // Nine intervals of 50 ms; without a rate they would be 1 ms.
    // Wall time: rates of events are of wall time; this bound holds on every machine.
    assert!(began.elapsed().as_millis() >= 400, "{:?}", began.elapsed());
    client.call("reset", &json!({ "then": "play" }));
    let event = socket.until(|event| is_clock(event) && event["epoch"] == 1);
    assert!(event["data"]["message"]["clock"].is_object());
    socket.send(&json!({ "op": "unsubscribe", "what": "topic:/clock" }));
    socket.until(|event| event["op"] == "unsubscribed");
    socket.subscribe("status", Some(20.0));
    for _ in 0..5 {
        let event = socket.until(|event| event["op"] == "event");
        assert_eq!(event["what"], "status", "no event of the topic follows");
        assert_eq!(event["data"]["status"]["reset_epoch"], 1);
    }
    drop(running);
}

#[test]
fn invalid_messages_are_answered_with_an_error_and_the_socket_stays_open() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let mut socket = client.socket();
    for (text, code) in [
        ("nonsense", "BH-WEB-051"),
        (r#"{"op": "subscribe"}"#, "BH-WEB-051"),
        (r#"{"op": "subscribe", "what": "state", "rate": -1}"#, "BH-WEB-051"),
        (r#"{"op": "subscribe", "what": "weather"}"#, "BH-WEB-053"),
        (r#"{"op": "subscribe", "what": "topic:relative"}"#, "BH-WEB-053"),
        (r#"{"op": "unsubscribe", "what": "state"}"#, "BH-WEB-056"),
    ] {
        socket.0.send(Message::text(text)).expect("sent");
        let problem = socket.until(|message| message["op"] == "error");
        assert_eq!(problem["code"], code, "{text}");
    }
    socket.0.send(Message::binary(vec![1, 2, 3])).expect("sent");
    assert_eq!(socket.until(|message| message["op"] == "error")["code"], "BH-WEB-052");
    for index in 0..80 {
        socket.send(&json!({ "op": "subscribe", "what": format!("topic:/t{index}") }));
    }
    assert_eq!(socket.until(|message| message["op"] == "error")["code"], "BH-WEB-054");
    drop(client.socket().0.send(Message::text("x".repeat(1 << 20))));
    assert_eq!(client.get("/healthz").status, 200);
    drop(running);
}

/// Runs so many steps while a client does not read their events. Returns the numbers of lost and of received events.
#[track_caller]
fn run_unread(client: &Client, slow: &mut Socket, steps: u64) -> (u64, u64) {
    let id = client.call("simulate_steps", &json!({ "steps": steps }))["goal_id"].clone();
    let path = format!("/api/simulate_steps/{}?wait=60", id.as_str().expect("an id"));
    let goal = client.get(&path).expect(200);
    assert_eq!(goal["status"], "succeeded", "{goal}");
    // An event reports how many events were lost before it.
    let (mut lost, mut received) = (0, 0);
    loop {
        let event = slow.until(|event| event["op"] == "event");
        lost += event["lost"].as_u64().unwrap_or(0);
        if event["data"]["status"] == "succeeded" {
            return (lost, received);
        }
        received += u64::from(event["data"]["completed_steps"].is_u64());
    }
}

#[test]
fn a_client_that_does_not_read_loses_the_oldest_events_and_delays_nothing() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let mut slow = client.socket();
    slow.subscribe("feedback", None);
    // More only if the sockets have room for all events: a client that does not read for ten seconds is closed, and a busy
    // machine does not take many steps in that time.
    for steps in [20_000, 40_000, 80_000, 160_000] {
        let (lost, received) = run_unread(&client, &mut slow, steps);
        assert!(
            lost + received >= steps && lost + received <= steps + 2,
            "{lost} lost, {received} received of {steps}"
        );
        if lost > 0 {
            drop(running);
            return;
        }
    }
    panic!("no event was lost");
}

#[test]
fn a_disconnected_client_frees_its_connection() {
    let (running, client) = started(Setup::new().in_real_time(), &[]);
    wait_for_state(&client, "StepBegin");
    for _ in 0..100 {
        let mut socket = client.socket();
        socket.subscribe("state", None);
        socket.subscribe("topic:/clock", None);
    }
    // These are more connections than the limit, so closed ones were freed.
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}
