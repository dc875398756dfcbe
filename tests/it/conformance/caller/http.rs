//! Actions of cases over HTTP other than service calls.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tungstenite::WebSocket;

use crate::support::{Client, Connection, next_message};

pub(super) type Socket = WebSocket<Connection>;

#[track_caller]
pub(super) fn offered(client: &Client) -> BTreeSet<String> {
    let (status, list) = client.get("/api");
    assert_eq!(status, 200);
    let all = ["services", "actions"].map(|kind| list[kind].as_array().expect("a list").clone()).concat();
    let is_standard =
        |one: &&Value| one["type"].as_str().is_some_and(|name| name.starts_with("simulation_interfaces/"));
    all.iter().filter(is_standard).map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
}

#[track_caller]
pub(super) fn assert_not_offered(client: &Client, name: &str) {
    let (status, body) = client.post(name, &json!({}));
    assert_eq!((status, &body["code"]), (404, &json!("BH-WEB-021")), "{name}");
}

#[track_caller]
pub(super) fn topics(client: &Client) -> Vec<String> {
    names(&client.ok("get_topics", json!({})))
}

/// Returns the names in a response of `get_topics`.
#[track_caller]
pub(super) fn names(response: &Value) -> Vec<String> {
    let names = response["topics"].as_array().expect("a list").iter();
    names.map(|one| one["topic"].as_str().expect("a name").to_owned()).collect()
}

#[track_caller]
pub(super) fn send_goal(client: &Client, goal: &Value) -> Option<Value> {
    let (status, mut response) = client.post("simulate_steps", goal);
    assert_eq!(status, 200, "{response}");
    let is_accepted = response["accepted"].as_bool().expect("yes or no");
    is_accepted.then(|| response["goal_id"].take())
}

fn path(goal: &Value) -> String {
    format!("/api/simulate_steps/{}", goal.as_str().expect("an id"))
}

#[track_caller]
pub(super) fn end_of(client: &Client, goal: &Value) -> Value {
    let (status, response) = client.get(&format!("{}?wait=50", path(goal)));
    assert_eq!(status, 200, "{response}");
    response
}

#[track_caller]
pub(super) fn cancel(client: &Client, goal: &Value) {
    let (status, response) = client.delete(&path(goal));
    assert_eq!(status, 200, "{response}");
}

/// Returns the id of the goal and the content of the next feedback message.
#[track_caller]
pub(super) fn next_feedback(socket: &mut Socket) -> (Value, Value) {
    loop {
        let mut event = next_message(socket);
        // The end of a goal is an event too.
        if event["what"] == "feedback" && event["data"].get("completed_steps").is_some() {
            return (event["data"]["goal_id"].take(), event["data"].take());
        }
    }
}
