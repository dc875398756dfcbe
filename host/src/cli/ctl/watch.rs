//! `bridgehead ctl watch` and `echo --follow`: live messages of the host until Ctrl-C. Main thread.

use serde_json::Value;

use super::error::{CtlError, text_of};
use super::live::Live;
use super::session::Session;
use super::{judge, render};
use crate::cli::args::verbosity::Quiet;

/// Shows states as lines, and the statistics as a status line; returns the exit code.
pub(super) fn watch(session: &Session, rate: Option<f64>) -> Result<u8, CtlError> {
    let mut live = Live::open(&session.client)?;
    live.subscribe("state", None)?;
    live.subscribe("status", rate)?;
    live.subscribe("statistics", rate)?;
    let mut statistics = Value::Null;
    loop {
        let (text, message) = live.next().inspect_err(|_| clear(session))?;
        let is_needed = text_of(&message, "what") != "statistics";
        let (what, data) = match event(&message) {
            Ok(Some(event)) => event,
            Ok(None) => continue,
            // A host may not offer statistics.
            Err(_) if !is_needed => continue,
            Err(error) => {
                clear(session);
                return Err(error);
            }
        };
        if session.json {
            session.print(&format!("{text}\n"));
            continue;
        }
        match what.as_str() {
            "state" => {
                clear(session);
                session.print(&format!("{}\n", render::changed(data)));
            }
            "statistics" => statistics = data.clone(),
            "status" => {
                show(session, &render::live(data.get("status").unwrap_or(&Value::Null), &statistics));
            }
            _ => {}
        }
    }
}

/// Prints messages of a topic, one line of JSON each, or one field of them; returns the exit code.
pub(super) fn follow(
    session: &Session,
    topic: &str,
    field: &str,
    rate: Option<f64>,
    count: Option<u64>,
) -> Result<u8, CtlError> {
    let mut live = Live::open(&session.client)?;
    live.subscribe(&format!("topic:{topic}"), rate)?;
    let mut left = count;
    while left != Some(0) {
        let (text, message) = live.next()?;
        let Some((_, data)) = event(&message)? else { continue };
        let line = if session.json { text } else { shown(data.get("message"), field, topic)? };
        session.print(&format!("{line}\n"));
        left = left.map(|left| left - 1);
    }
    Ok(0)
}

/// Returns a message as JSON, or the field at a path of names and numbers with dots between them.
fn shown(message: Option<&Value>, field: &str, topic: &str) -> Result<String, CtlError> {
    let mut value = message.unwrap_or(&Value::Null);
    for step in field.split('.').filter(|step| !step.is_empty()) {
        let member = step.parse().ok().and_then(|index: usize| value.get(index)).or_else(|| value.get(step));
        value = member.ok_or_else(|| CtlError::Field {
            path: field.to_owned(),
            topic: topic.to_owned(),
            found: members(value),
        })?;
    }
    Ok(value.to_string())
}

/// Returns what a value has inside, for a message.
fn members(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            members.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) => format!("{} members", items.len()),
        _ => "nothing".to_owned(),
    }
}

/// Returns the subject and the content of a message; `None` for the confirmation of a subscription.
pub(super) fn event(message: &Value) -> Result<Option<(String, &Value)>, CtlError> {
    match text_of(message, "op").as_str() {
        "event" => Ok(message.get("data").map(|data| (text_of(message, "what"), data))),
        "error" => Err(judge::rejected(None, message)),
        _ => Ok(None),
    }
}

fn show(session: &Session, line: &str) {
    if session.console.is_terminal() {
        session.console.set_live(line);
    } else if session.quiet == Quiet::Nothing {
        session.print(&format!("{line}\n"));
    }
}

fn clear(session: &Session) {
    if session.console.is_terminal() {
        session.console.set_live("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_is_a_path_of_names_and_numbers() {
        let message = json!({"pose": {"x": 1.5}, "ranges": [2, 3]});
        let of = |field: &str| shown(Some(&message), field, "/t");
        assert_eq!(of("").expect("the whole"), message.to_string());
        assert_eq!(of("pose.x").expect("a number"), "1.5");
        assert_eq!(of("ranges.1").expect("a number"), "3");
        let text = of("pose.y").expect_err("there is none").to_string();
        assert_eq!(text, "[BH-CTL-039] messages on `/t` have no field `pose.y`; found there: `x`");
        assert!(of("ranges.2").is_err() && of("pose.x.z").is_err());
    }

    #[test]
    fn events_errors_and_confirmations_are_told_apart() {
        let message = json!({"op": "event", "what": "state", "epoch": 0, "data": {"state": "paused"}});
        let (what, data) = event(&message).expect("no error").expect("an event");
        assert_eq!((what.as_str(), &data["state"]), ("state", &json!("paused")));
        assert!(event(&json!({"op": "subscribed", "what": "state"})).expect("no error").is_none());
        assert!(event(&json!({})).expect("no error").is_none());
        let error =
            event(&json!({"op": "error", "code": "BH-WEB-053", "message": "m"})).expect_err("an error");
        assert_eq!(error.exit_code(), 1);
        assert!(error.report().starts_with("error[BH-WEB-053]: "), "{}", error.report());
    }
}
