//! News over WebSocket.

use serde_json::{Value, json};
use tungstenite::Message;

use super::{paused, started, wait_for_state};
use crate::support::Setup;

/// The states that were told, up to one.
#[track_caller]
fn states_to(socket: &mut super::client::Socket, last: &str) -> Vec<String> {
    let mut states = Vec::new();
    loop {
        let news = socket.until(|news| news["what"] == "state" && news["op"] == "event");
        states.push(news["data"]["state"].as_str().expect("a state").to_owned());
        if states.last().is_some_and(|state| state == last) {
            return states;
        }
    }
}

#[test]
fn changes_of_the_state_come_in_order_to_the_end() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let mut socket = client.socket();
    socket.subscribe("state", None);
    assert_eq!(states_to(&mut socket, "Pause"), ["Pause"], "it begins with the state as it is");
    client.post("/api/resume", "").expect(200);
    states_to(&mut socket, "StepBegin");
    client.post("/api/pause", "").expect(200);
    states_to(&mut socket, "Pause");
    client.call("reset_simulation", &json!({}));
    let news = socket.until(|news| news["what"] == "state" && news["epoch"] == 1);
    assert_eq!(news["data"]["step"], 0);
    client.post("/api/quit", "").expect(200);
    assert!(states_to(&mut socket, "Quitting").iter().any(|state| state == "Disconnect"));
    assert_eq!(socket.next(), None, "the host closes it");
    running.finish().expect_code(0);
}

#[test]
fn topics_are_heard_at_the_rate_that_is_asked_for_and_found_again_after_a_reset() {
    let setup = Setup::new().plugins(&["clock"]).in_real_time();
    let sdf = crate::support::world("<plugin filename=\"clock\" name=\"clock\"/>");
    let mut running = setup.world(&sdf).args(["--http", "127.0.0.1:0"]).start();
    let client = super::client::Client::of(&mut running);
    wait_for_state(&client, "StepBegin");
    let mut socket = client.socket();
    socket.subscribe("topic:/clock", Some(20.0));
    let is_clock = |news: &Value| news["what"] == "topic:/clock" && news["op"] == "event";
    let began = bridgehead_host::clock::now();
    let mut last = -1;
    for _ in 0..10 {
        let news = socket.until(is_clock);
        assert_eq!(news["data"]["type"], "rosgraph_msgs/msg/Clock");
        let stamp = news["data"]["stamp_ns"].as_i64().expect("a stamp");
        assert!(stamp > last, "{stamp} after {last}");
        last = stamp;
    }
    // Nine gaps of 50 ms; without a rate they would be of 1 ms.
    assert!(began.elapsed().as_millis() >= 400, "{:?}", began.elapsed());
    client.call("reset", &json!({ "then": "play" }));
    let news = socket.until(|news| is_clock(news) && news["epoch"] == 1);
    assert!(news["data"]["message"]["clock"].is_object());
    socket.say(&json!({ "op": "unsubscribe", "what": "topic:/clock" }));
    socket.until(|news| news["op"] == "unsubscribed");
    socket.subscribe("status", Some(20.0));
    for _ in 0..5 {
        let news = socket.until(|news| news["op"] == "event");
        assert_eq!(news["what"], "status", "no topic any more");
        assert_eq!(news["data"]["status"]["reset_epoch"], 1);
    }
    drop(running);
}

#[test]
fn what_is_not_understood_is_said_and_the_rest_goes_on() {
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
        socket.say(&json!({ "op": "subscribe", "what": format!("topic:/t{index}") }));
    }
    assert_eq!(socket.until(|message| message["op"] == "error")["code"], "BH-WEB-054");
    drop(client.socket().0.send(Message::text("x".repeat(1 << 20))));
    assert_eq!(client.get("/healthz").status, 200);
    drop(running);
}

#[test]
fn a_client_that_does_not_read_loses_the_oldest_and_holds_up_nobody() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let mut slow = client.socket();
    slow.subscribe("feedback", None);
    let steps = 80_000;
    let id = client.call("simulate_steps", &json!({ "steps": steps }))["goal_id"].clone();
    let path = format!("/api/simulate_steps/{}?wait=60", id.as_str().expect("an id"));
    let told = client.get(&path).expect(200);
    assert_eq!(told["status"], "succeeded", "{told}");
    // What was lost is told where it is missing.
    let mut lost = 0;
    let mut got = 0;
    loop {
        let news = slow.until(|news| news["op"] == "event");
        lost += news["lost"].as_u64().unwrap_or(0);
        if news["data"]["status"] == "succeeded" {
            break;
        }
        got += u64::from(news["data"]["completed_steps"].is_u64());
    }
    assert!(lost > 0, "nothing was lost of {got}");
    assert!(lost + got >= steps && lost + got <= steps + 2, "{lost} lost, {got} came");
    drop(running);
}

#[test]
fn a_client_that_is_gone_is_forgotten() {
    let (running, client) = started(Setup::new().in_real_time(), &[]);
    wait_for_state(&client, "StepBegin");
    for _ in 0..100 {
        let mut socket = client.socket();
        socket.subscribe("state", None);
        socket.subscribe("topic:/clock", None);
    }
    // More than there may be at a time: places were given back.
    client.post("/api/quit", "").expect(200);
    running.finish().expect_code(0);
}
