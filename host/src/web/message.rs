//! The messages of a WebSocket: each a JSON object on one line.

use std::collections::HashMap;

use axum::http::StatusCode;
use bridgehead_plugin_api::messages::{JsonPlan, bridgehead_simulation_interfaces as own};
use serde::Deserialize;
use serde_json::{Value, json};

use super::call::decoded;
use super::goals::{name_of, text_of};
use super::mailbox::{Named, Update};
use super::problem::Problem;
use crate::bus::{Delivery, Topic};
use crate::control::Event;

/// A message of a client.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ClientMessage {
    /// Subscribe.
    Subscribe {
        /// `state`, `feedback`, `status`, `statistics`, `poses`, `log`, or `topic:` and its name.
        what: String,
        /// Largest rate per second.
        rate: Option<f64>,
    },
    /// Unsubscribe.
    Unsubscribe {
        /// Name of the subscription.
        what: String,
    },
}

/// Range of rates that a client may request, per second.
const RATES: std::ops::RangeInclusive<f64> = 0.001..=1000.0;

/// Reads a message of a client.
pub(super) fn read(text: &str) -> Result<ClientMessage, Problem> {
    let wrong = |why: String| Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-051", why);
    let parsed: ClientMessage = serde_json::from_str(text)
        .map_err(|error| wrong(format!("{error}; write {{\"op\": \"subscribe\", \"what\": \"state\"}}")))?;
    match &parsed {
        ClientMessage::Subscribe { rate: Some(rate), .. } if !RATES.contains(rate) => {
            let (least, most) = RATES.into_inner();
            Err(wrong(format!("the rate {rate} is not within {least} to {most} per second")))
        }
        ClientMessage::Subscribe { .. } | ClientMessage::Unsubscribe { .. } => Ok(parsed),
    }
}

/// Returns the confirmation of a subscription or its end.
pub(super) fn done(op: &str, what: &str) -> String {
    json!({ "op": op, "what": what }).to_string()
}

/// Returns the error for a malformed message.
pub(super) fn error(problem: Problem, what: Option<&str>) -> String {
    let problem = problem.with("op", "error");
    match what {
        Some(what) => problem.with("what", what).json(),
        None => problem.json(),
    }
}

/// The problem with a binary frame.
pub(super) fn no_binary() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-052", "binary frames are not supported")
}

/// The problem with another subscription of a client that has `most`.
pub(super) fn too_many(most: usize) -> Problem {
    let message = format!("a client may have {most} subscriptions");
    Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-054", message)
}

/// The problem with a subject that is not among the known ones.
pub(super) fn unknown(what: &str, known: &str) -> Problem {
    let message = format!("`{what}` cannot be subscribed to; choose {known}");
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-053", message)
}

/// Returns the error for the end of a subscription that does not exist.
pub(super) fn not_subscribed(what: &str) -> String {
    let message = format!("`{what}` is not subscribed to");
    error(Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-056", message), Some(what))
}

/// Returns a message with the JSON of a service.
pub(super) fn event(what: &str, epoch: u32, lost: u64, data: &str) -> String {
    let what = Value::from(what);
    let lost = if lost == 0 { String::new() } else { format!(",\"lost\":{lost}") };
    format!("{{\"op\":\"event\",\"what\":{what},\"epoch\":{epoch}{lost},\"data\":{data}}}")
}

/// Converts messages to text. Keeps a plan for each type.
#[derive(Default)]
pub(super) struct Writer {
    plans: HashMap<u32, JsonPlan>,
}

impl Writer {
    /// Returns one message; `lost` is the number of lost messages before it.
    pub(super) fn write(&mut self, (what, update): &Named, lost: u64) -> Option<String> {
        let (epoch, data) = match update {
            Update::Status(response) => status(&decoded::<own::GetStatusResponse>(response)?.status?),
            Update::Event(event) => happened(event),
            Update::Message(topic, delivery) => {
                let data = self.message(topic, delivery)?;
                return Some(event(what, delivery.reset_epoch, lost, &data));
            }
        };
        Some(event(what, epoch, lost, &data.to_string()))
    }

    fn message(&mut self, topic: &Topic, delivery: &Delivery) -> Option<String> {
        let data_type = &topic.data_type;
        let plan = self.plans.entry(data_type.id).or_insert_with(|| JsonPlan::compile(&data_type.message));
        let mut json = Vec::new();
        plan.encode(&delivery.payload, &mut json).ok()?;
        let (kind, message) = (Value::from(data_type.ros_name()), String::from_utf8(json).ok()?);
        let Delivery { sequence, stamp_ns, step, .. } = delivery;
        Some(format!(
            "{{\"type\":{kind},\"sequence\":{sequence},\"stamp_ns\":{stamp_ns},\"step\":{step},\"message\":{message}}}"
        ))
    }
}

fn status(status: &own::HostStatus) -> (u32, Value) {
    let simulation_state = status.simulation_state.as_ref().map_or(0, |state| state.state);
    let data = json!({
        "state": status.state,
        "simulation_state": simulation_state,
        "step": status.step,
        "time_ns": status.time_ns,
    });
    (status.reset_epoch, data)
}

fn happened(event: &Event) -> (u32, Value) {
    match event {
        Event::State { state, simulation_state, step, time_ns, reset_epoch } => {
            let data = json!({
                "state": state.name(),
                "simulation_state": simulation_state.number(),
                "step": step,
                "time_ns": time_ns,
            });
            (*reset_epoch, data)
        }
        Event::Feedback { goal, completed_steps, remaining_steps, reset_epoch } => {
            let data = json!({
                "goal_id": text_of(goal),
                "completed_steps": completed_steps,
                "remaining_steps": remaining_steps,
            });
            (*reset_epoch, data)
        }
        Event::Goal { goal, status, reset_epoch } => {
            let data = json!({ "goal_id": text_of(goal), "status": name_of(*status), "status_code": status });
            (*reset_epoch, data)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_says_is_read_strictly() {
        let parsed = read(r#"{"op":"subscribe","what":"topic:/clock","rate":10}"#).expect("understood");
        assert_eq!(parsed, ClientMessage::Subscribe { what: "topic:/clock".to_owned(), rate: Some(10.0) });
        let parsed = read(r#"{"what":"state","op":"unsubscribe"}"#).expect("understood");
        assert_eq!(parsed, ClientMessage::Unsubscribe { what: "state".to_owned() });
        for wrong in [
            "",
            "[]",
            "{",
            r#"{"op":"dance"}"#,
            r#"{"op":"subscribe"}"#,
            r#"{"op":"subscribe","what":3}"#,
            r#"{"op":"subscribe","what":"state","rate":0}"#,
            r#"{"op":"subscribe","what":"state","rate":-1}"#,
            r#"{"op":"subscribe","what":"state","rate":1e9}"#,
            r#"{"op":"subscribe","what":"state","hurry":true}"#,
        ] {
            let problem = read(wrong).expect_err(wrong);
            assert!(problem.json().contains("BH-WEB-051"), "{wrong}");
        }
    }

    #[test]
    fn news_are_one_line_of_json() {
        let named =
            ("feedback".into(), Update::Event(Event::Goal { goal: [1; 16], status: 4, reset_epoch: 2 }));
        let text = Writer::default().write(&named, 3).expect("text");
        let json: Value = serde_json::from_str(&text).expect("json");
        assert_eq!(
            json,
            json!({
                "op": "event", "what": "feedback", "epoch": 2, "lost": 3,
                "data": {"goal_id": "01010101-0101-0101-0101-010101010101", "status": "succeeded", "status_code": 4},
            })
        );
        assert!(!text.contains('\n'));
    }
}
