//! Converts actions to tables that can be parsed again. Plain functions.

use serde_json::{Value, json};

use super::action::{LOG_OUTPUTS, MODES};
use super::definition::{Action, Command};
use super::seconds::seconds_text;
use crate::clock::Speed;

impl Action {
    /// Returns the action as a table.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let name = self.name();
        match self {
            Action::Pause
            | Action::Resume
            | Action::Stop
            | Action::Succeed
            | Action::Fail
            | Action::KeepAlive
            | Action::ResetStatistics => json!({ "name": name }),
            Action::Reset(scope) => json!({ "name": name, "scope": scope.to_string() }),
            Action::RealtimeFactor(Speed::Factor(factor)) => json!({ "name": name, "factor": factor }),
            Action::RealtimeFactor(Speed::Unlimited) => json!({ "name": name, "factor": -1.0 }),
            Action::Log { level, text } => {
                json!({ "name": name, "level": level.as_str().to_lowercase(), "msg": text })
            }
            Action::Bundle(actions) => {
                json!({ "name": name, "actions": actions.iter().map(Action::to_json).collect::<Value>() })
            }
            Action::Insert(triggers) => {
                let triggers: Value =
                    triggers.iter().map(|trigger| Value::Object(trigger.to_json())).collect();
                json!({ "name": name, "triggers": triggers })
            }
            Action::Publish(publish) => {
                let mut value = json!({ "name": name, "topic": publish.topic, "message": publish.message });
                if let (Some(type_name), Some(entries)) = (&publish.type_name, value.as_object_mut()) {
                    entries.insert("type".to_owned(), json!(type_name));
                }
                value
            }
            Action::PushRelease { topics, duration_ns } => {
                json!({ "name": name, "buttons": topics, "duration": seconds_text(*duration_ns) })
            }
            Action::Command(command) => command.to_json(name),
        }
    }
}

impl Command {
    fn to_json(&self, name: &str) -> Value {
        let word = |words: &[&'static str]| words.first().copied().unwrap_or_default();
        let mode: Vec<_> =
            MODES.iter().filter(|(_, mode)| *mode == self.mode).map(|(word, _)| *word).collect();
        let shown = LOG_OUTPUTS.iter().filter(|(_, shown)| *shown == self.log_output);
        let shown: Vec<_> = shown.map(|(word, _)| *word).collect();
        let mut value = json!({
            "name": name,
            "mode": word(&mode),
            "log_output": word(&shown),
            "ignore_failure": self.ignore_failure,
        });
        if let Some(entries) = value.as_object_mut() {
            match self.words.as_slice() {
                [shell, flag, text] if shell == "sh" && flag == "-c" => {
                    entries.insert("command".to_owned(), json!(text));
                }
                [path, arguments @ ..] => {
                    entries.insert("path".to_owned(), json!(path));
                    if !arguments.is_empty() {
                        entries.insert("args".to_owned(), json!(arguments));
                    }
                }
                [] => {}
            }
        }
        value
    }
}
