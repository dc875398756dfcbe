//! Triggers: an event, an action, and options. Plain values.

use serde_json::{Map, Value, json};

use super::args::{described, quoted};
use super::definition::{Action, Source, Trigger};
use super::error::TriggerError;
use super::event::Event;

/// Longest label, bytes.
const MAX_LABEL: usize = 255;

/// Keys of a trigger. The last four are from the history and are ignored by the parser.
pub const TRIGGER_KEYS: &[&str] = &[
    "label", "event", "action", "sticky", "conceal", "optional", "priority", "source", "at", "since", "step",
];

impl Trigger {
    /// Parses a trigger. Returns `None` if it is optional and its event or action is unknown.
    ///
    /// # Errors
    /// Returns an error if the trigger is malformed.
    pub fn read(value: &Value, source: Source) -> Result<Option<Self>, TriggerError> {
        let Value::Object(entries) = value else {
            return Err(TriggerError::Shape { found: described(value) });
        };
        if let Some(key) = entries.keys().find(|key| !TRIGGER_KEYS.contains(&key.as_str())) {
            return Err(TriggerError::Key { key: key.clone(), known: quoted(TRIGGER_KEYS.iter().copied()) });
        }
        let optional = flag(entries, "optional")?;
        match Self::read_entries(entries, optional, source) {
            Ok(trigger) => Ok(Some(trigger)),
            Err(error) if optional && error.is_unknown_name() => {
                let (_, why) = error.parts();
                log::warn!("[BH-TRG-021] an optional trigger is skipped: {why}");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn read_entries(
        entries: &Map<String, Value>,
        optional: bool,
        source: Source,
    ) -> Result<Self, TriggerError> {
        let label = match entries.get("label") {
            None => String::new(),
            Some(Value::String(label)) if label.len() <= MAX_LABEL => label.clone(),
            Some(Value::String(label)) => {
                let found = format!("a text of {} bytes", label.len());
                return Err(TriggerError::Value { key: "label".to_owned(), found, expected: "at most 255" });
            }
            Some(other) => return Err(wrong("label", other, "a text")),
        };
        let event = Event::read(entries.get("event").ok_or(TriggerError::Missing("event"))?)?;
        let action = Action::read(entries.get("action").ok_or(TriggerError::Missing("action"))?)?;
        let priority = match entries.get("priority") {
            None => 0,
            Some(value) => value
                .as_i64()
                .and_then(|priority| i32::try_from(priority).ok())
                .ok_or_else(|| wrong("priority", value, "a whole number"))?,
        };
        let (sticky, conceal) = (flag(entries, "sticky")?, flag(entries, "conceal")?);
        if let (true, Some(action)) = (conceal, action.significant()) {
            return Err(TriggerError::Concealed { action });
        }
        Ok(Trigger { label, event, action, sticky, conceal, optional, priority, source })
    }

    /// Returns its name for logs and verdicts: its label, else its event.
    #[must_use]
    pub fn title(&self) -> String {
        if self.label.is_empty() { self.event.summary() } else { self.label.clone() }
    }

    /// Returns the trigger as a table that can be parsed again.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let mut entries = Map::new();
        let mut put = |key: &str, value| drop(entries.insert(key.to_owned(), value));
        put("label", json!(self.label));
        put("event", self.event.to_json());
        put("action", self.action.to_json());
        put("source", json!(self.source.name()));
        put("sticky", json!(self.sticky));
        put("conceal", json!(self.conceal));
        put("optional", json!(self.optional));
        put("priority", json!(self.priority));
        entries
    }
}

fn wrong(key: &str, value: &Value, expected: &'static str) -> TriggerError {
    TriggerError::Value { key: key.to_owned(), found: described(value), expected }
}

fn flag(entries: &Map<String, Value>, key: &str) -> Result<bool, TriggerError> {
    match entries.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(wrong(key, other, "`true` or `false`")),
    }
}
