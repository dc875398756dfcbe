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

/// Prints messages of a topic, one line of JSON each; returns the exit code.
pub(super) fn follow(
    session: &Session,
    topic: &str,
    rate: Option<f64>,
    count: Option<u64>,
) -> Result<u8, CtlError> {
    let mut live = Live::open(&session.client)?;
    live.subscribe(&format!("topic:{topic}"), rate)?;
    let mut left = count;
    while left != Some(0) {
        let (text, message) = live.next()?;
        let Some((_, data)) = event(&message)? else { continue };
        let line =
            if session.json { text } else { data.get("message").map(Value::to_string).unwrap_or_default() };
        session.print(&format!("{line}\n"));
        left = left.map(|left| left - 1);
    }
    Ok(0)
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
