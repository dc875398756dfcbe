//! `bridgehead ctl steps`: the action `simulate_steps` with progress; Ctrl-C cancels it. Main thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::client::Answer;
use super::error::{CtlError, text_of};
use super::judge;
use super::session::Session;
use crate::cli::args::verbosity::Quiet;
use crate::cli::signals;

/// The action.
const ACTION: &str = "simulate_steps";
/// Seconds that one request for a goal waits for its end; also the interval of the progress line.
const WAIT: &str = "0.25";

/// Final status numbers of `action_msgs/msg/GoalStatus`.
const SUCCEEDED: u64 = 4;
const CANCELED: u64 = 5;

/// Runs steps; returns the exit code.
pub(super) fn run(session: &Session, steps: u64) -> Result<u8, CtlError> {
    let is_asked = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_asked);
    // If signals cannot be handled, Ctrl-C ends this program at once.
    drop(signals::watch(move |_| asked.store(true, Ordering::Relaxed), |_, _| {}));
    let goal = begin(session, steps)?;
    let outcome = follow(session, &goal, steps, &is_asked);
    clear(session);
    let answer = outcome?;
    if session.json {
        session.print(&format!("{}\n", answer.text.trim_end()));
    }
    judged(session, &answer, steps)
}

/// Sends the goal to the host; returns its id.
fn begin(session: &Session, steps: u64) -> Result<String, CtlError> {
    let answer = session.client.call(ACTION, &json!({"steps": steps}))?;
    if answer.json.get("accepted") == Some(&Value::Bool(false)) {
        return Err(judge::not_taken(&session.client, ACTION));
    }
    let id = text_of(&answer.json, "goal_id");
    if id.is_empty() { Err(session.client.other_program("a goal has no id")) } else { Ok(id) }
}

/// Waits for the end of a goal; returns the last response.
fn follow(session: &Session, goal: &str, steps: u64, is_asked: &AtomicBool) -> Result<Answer, CtlError> {
    let path = format!("{ACTION}/{goal}");
    let mut was_asked = false;
    loop {
        if is_asked.load(Ordering::Relaxed) && !was_asked {
            was_asked = true;
            let answer = session.client.delete(&path)?;
            if answer.status >= 500 {
                return Err(judge::rejected(Some(answer.status), &answer.json));
            }
        }
        let answer = session.client.get(&format!("{path}?wait={WAIT}"))?;
        if !(200..300).contains(&answer.status) {
            return judge::of_service(&session.client, (ACTION, &Value::Null), answer);
        }
        if has_ended(&answer.json) {
            return Ok(answer);
        }
        show(session, completed(&answer.json), steps);
    }
}

fn status(json: &Value) -> u64 {
    json.get("status_code").and_then(Value::as_u64).unwrap_or(0)
}

/// The result arrives shortly after the status.
fn has_ended(json: &Value) -> bool {
    json.get("result").is_some()
}

fn completed(json: &Value) -> u64 {
    json.get("completed_steps").and_then(Value::as_u64).unwrap_or(0)
}

fn judged(session: &Session, answer: &Answer, steps: u64) -> Result<u8, CtlError> {
    let completed = completed(&answer.json);
    let (number, message) = judge::result_of(&answer.json).unwrap_or_default();
    match status(&answer.json) {
        SUCCEEDED if session.json => Ok(0),
        SUCCEEDED => Ok(session.print(&format!("{steps} steps done\n"))),
        CANCELED => Err(CtlError::Unfinished { how: "cancelled as requested", completed, steps, message }),
        _ if completed == 0 => Err(judge::not_begun(&session.client, ACTION, number, message)),
        _ => Err(CtlError::Unfinished { how: "aborted by the host", completed, steps, message }),
    }
}

fn show(session: &Session, completed: u64, steps: u64) {
    if session.console.is_terminal() && session.quiet == Quiet::Nothing {
        session.console.set_live(&progress(completed, steps));
    }
}

fn clear(session: &Session) {
    if session.console.is_terminal() {
        session.console.set_live("");
    }
}

/// `step 250 of 1000  25 %`
fn progress(completed: u64, steps: u64) -> String {
    let percent = u128::from(completed) * 100 / u128::from(steps.max(1));
    format!("step {completed} of {steps}  {percent} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_a_share() {
        assert_eq!(progress(250, 1000), "step 250 of 1000  25 %");
        assert_eq!(progress(u64::MAX, u64::MAX), format!("step {0} of {0}  100 %", u64::MAX));
        assert_eq!(progress(0, 0), "step 0 of 0  0 %");
    }

    #[test]
    fn a_goal_ends_with_its_result() {
        let shown = json!({"status": "executing", "status_code": 2, "completed_steps": 3});
        assert!(!has_ended(&shown) && !has_ended(&json!({})));
        assert_eq!((status(&shown), completed(&shown)), (2, 3));
        assert!(has_ended(&json!({"status_code": 4, "result": {"result": 1, "error_message": ""}})));
    }
}
