//! Tests of the action `simulate_steps`: goals are posted, read, waited for and cancelled.

use serde_json::{Value, json};

use super::client::Client;
use super::{paused, wait_for_state};

#[track_caller]
fn post(client: &Client, steps: u64) -> String {
    let goal = client.call("simulate_steps", &json!({ "steps": steps }));
    assert_eq!(goal["accepted"], true, "{goal}");
    goal["goal_id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_goal_runs_with_feedback_and_its_result_is_kept() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let mut socket = client.socket();
    socket.subscribe("feedback", None);
    let id = post(&client, 50);
    let mut done = 0;
    while done < 50 {
        let event =
            socket.until(|event| event["what"] == "feedback" && event["data"]["completed_steps"].is_u64());
        assert_eq!(event["data"]["goal_id"], id.as_str());
        done = event["data"]["completed_steps"].as_u64().expect("a number");
        assert_eq!(event["data"]["remaining_steps"], 50 - done);
    }
    assert_eq!(done, 50);
    let end = socket.until(|event| event["data"]["status"] == "succeeded");
    assert_eq!(end["data"]["goal_id"], id.as_str());
    let goal = client.get(&format!("/api/simulate_steps/{id}?wait=30")).expect(200);
    assert_eq!((&goal["status"], &goal["completed_steps"]), (&json!("succeeded"), &json!(50)), "{goal}");
    assert_eq!(goal["result"], json!({"result": 1, "error_message": ""}));
    assert_eq!(client.delete(&format!("/api/simulate_steps/{id}")).expect(409)["code"], "BH-WEB-041");
    drop(running);
}

#[test]
fn a_goal_is_cancelled() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let id = post(&client, 1_000_000_000);
    let goal = client.get(&format!("/api/simulate_steps/{id}")).expect(200);
    assert!(matches!(goal["status"].as_str(), Some("accepted" | "executing")), "{goal}");
    assert_eq!(goal["result"], Value::Null);
    let other = client.call("simulate_steps", &json!({ "steps": 1 }));
    assert_eq!(other["accepted"], false, "one goal at a time");
    assert_eq!(client.delete(&format!("/api/simulate_steps/{id}")).expect(200)["canceling"], true);
    let goal = client.get(&format!("/api/simulate_steps/{id}?wait=30")).expect(200);
    assert_eq!((&goal["status"], &goal["result"]["result"]), (&json!("canceled"), &json!(1)), "{goal}");
    wait_for_state(&client, "Pause");
    drop(running);
}

#[test]
fn unknown_goals_and_invalid_requests_are_refused() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let id = "00000000-0000-4000-8000-000000000001";
    assert_eq!(client.get(&format!("/api/simulate_steps/{id}")).expect(404)["code"], "BH-WEB-040");
    assert_eq!(client.delete(&format!("/api/simulate_steps/{id}")).expect(404)["code"], "BH-WEB-040");
    assert_eq!(client.get("/api/simulate_steps/one").expect(404)["code"], "BH-WEB-040");
    assert_eq!(client.post("/api/simulate_steps", r#"{"steps": -1}"#).expect(400)["path"], "steps");
    assert_eq!(client.get(&format!("/api/simulate_steps/{id}?wait=soon")).expect(400)["code"], "BH-WEB-042");
    drop(running);
}

#[test]
fn a_goal_of_another_client_can_be_read_too() {
    let (running, client) = paused();
    wait_for_state(&client, "Pause");
    let uuid: Vec<u8> = (1..=16).collect();
    let request = json!({ "goal_id": { "uuid": uuid }, "goal": { "steps": 3 } });
    assert_eq!(client.call("simulate_steps/_action/send_goal", &request)["accepted"], true);
    let goal = client.get("/api/simulate_steps/01020304-0506-0708-090a-0b0c0d0e0f10?wait=20").expect(200);
    assert_eq!((&goal["status"], &goal["result"]["result"]), (&json!("succeeded"), &json!(1)), "{goal}");
    drop(running);
}
