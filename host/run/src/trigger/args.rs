//! Parses the notation of events and actions: `name`, `name=argument`, or a table with `name` and arguments. Plain
//! values.

use serde_json::{Map, Value};

use super::error::TriggerError;
use super::seconds;
use crate::text::shortened;

/// One row of the table of events or actions.
pub(super) struct Kind<T: 'static> {
    /// Its name.
    pub(super) name: &'static str,
    /// The key of the argument in `name=argument`.
    pub(super) inline: Option<&'static str>,
    /// Its arguments with their meanings.
    pub(super) keys: &'static [(&'static str, &'static str)],
    /// Its description, a sentence.
    pub(super) meaning: &'static str,
    /// Creates the value from its arguments.
    pub(super) read: fn(&Args<'_>) -> Result<T, TriggerError>,
}

/// The name of an event or action, and its arguments.
pub(super) struct Args<'a> {
    subject: &'static str,
    pub(super) name: &'a str,
    values: Map<String, Value>,
    /// The text after `=`.
    pub(super) inline: Option<&'a str>,
}

/// Describes a value for messages.
pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(flag) => format!("`{flag}`"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {text:?}"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
    }
}

/// Joins names as "`a`, `b`, `c`".
pub(super) fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Returns true for a valid name of an event or action.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'/' | b'-' | b'.'))
}

impl<'a> Args<'a> {
    /// Splits the notation into name and arguments.
    pub(super) fn of(subject: &'static str, value: &'a Value) -> Result<Self, TriggerError> {
        let refuse = || TriggerError::Call { subject, found: described(value) };
        match value {
            Value::String(text) => {
                let (name, inline) =
                    text.split_once('=').map_or((text.as_str(), None), |(name, rest)| (name, Some(rest)));
                let name = name.trim();
                let values = Map::new();
                if is_name(name) { Ok(Args { subject, name, values, inline }) } else { Err(refuse()) }
            }
            Value::Object(entries) => {
                let name = entries.get("name").and_then(Value::as_str).filter(|name| is_name(name));
                let name = name.ok_or_else(refuse)?;
                let values = entries.iter().filter(|(key, _)| *key != "name");
                let values = values.map(|(key, value)| (key.clone(), value.clone())).collect();
                Ok(Args { subject, name, values, inline: None })
            }
            _ => Err(refuse()),
        }
    }

    /// Checks the arguments against the row of the table, moves the inline argument to its key, and creates the value.
    pub(super) fn read<T>(mut self, kind: &Kind<T>) -> Result<T, TriggerError> {
        if let Some(text) = self.inline {
            let Some(key) = kind.inline else {
                let why = if kind.keys.is_empty() {
                    "it takes no argument".to_owned()
                } else {
                    format!("write it as a table: {{ name = \"{}\", … }}", self.name)
                };
                return Err(self.refuse(why));
            };
            self.values.insert(key.to_owned(), Value::String(text.trim().to_owned()));
        }
        let known = |key: &str| kind.keys.iter().any(|(name, _)| *name == key);
        if let Some(key) = self.values.keys().find(|key| !known(key)) {
            let names = quoted(kind.keys.iter().map(|(name, _)| *name));
            let names = if names.is_empty() { "none".to_owned() } else { names };
            return Err(self.refuse(format!("it has no argument `{key}`; it has {names}")));
        }
        (kind.read)(&self)
    }

    pub(super) fn refuse(&self, what: impl Into<String>) -> TriggerError {
        TriggerError::Argument { subject: self.subject, name: self.name.to_owned(), what: what.into() }
    }

    fn wrong(&self, key: &str, value: &Value, expected: &str) -> TriggerError {
        self.refuse(format!("`{key}` is {}, not {expected}", described(value)))
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    pub(super) fn required(&self, key: &str) -> Result<&Value, TriggerError> {
        self.get(key).ok_or_else(|| self.refuse(format!("`{key}` is missing")))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&str>, TriggerError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, other, "a text")),
        }
    }

    pub(super) fn required_text(&self, key: &str) -> Result<&str, TriggerError> {
        self.required(key)?;
        Ok(self.text(key)?.unwrap_or_default())
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, TriggerError> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(key, other, "`true` or `false`")),
        }
    }

    /// Reads a time, in nanoseconds.
    pub(super) fn time(&self, key: &str) -> Result<Option<i64>, TriggerError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let time = match value {
            Value::Number(number) => number.as_f64().and_then(seconds::from_number),
            Value::String(text) => seconds::from_text(text),
            _ => None,
        };
        time.map(Some).ok_or_else(|| self.wrong(key, value, "a time such as `2`, `0.5` or `500ms`"))
    }

    pub(super) fn required_time(&self, key: &str) -> Result<i64, TriggerError> {
        self.required(key)?;
        Ok(self.time(key)?.unwrap_or_default())
    }

    /// Reads a finite number, also as text.
    pub(super) fn number(&self, key: &str) -> Result<f64, TriggerError> {
        let value = self.required(key)?;
        let number = match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.filter(|number| number.is_finite()).ok_or_else(|| self.wrong(key, value, "a number"))
    }

    /// Reads a non-empty list.
    pub(super) fn list(&self, key: &str) -> Result<&[Value], TriggerError> {
        match self.required(key)? {
            Value::Array(members) if !members.is_empty() => Ok(members),
            other => Err(self.wrong(key, other, "a list of at least one")),
        }
    }

    /// Reads a non-empty list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>, TriggerError> {
        let text = |value: &Value| {
            value.as_str().map(str::to_owned).ok_or_else(|| self.wrong(key, value, "a list of texts"))
        };
        self.list(key)?.iter().map(text).collect()
    }

    /// Reads one of several words.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &str,
        words: &[(&str, T)],
        default: T,
    ) -> Result<T, TriggerError> {
        let Some(text) = self.text(key)? else { return Ok(default) };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        found.ok_or_else(|| {
            let words = quoted(words.iter().map(|(word, _)| *word));
            self.refuse(format!("`{key}` is {text:?}, not one of {words}"))
        })
    }

    /// Reads the name of a topic.
    pub(super) fn topic(&self, key: &str) -> Result<String, TriggerError> {
        let topic = self.required_text(key)?;
        self.checked_topic(topic)
    }

    pub(super) fn checked_topic(&self, topic: &str) -> Result<String, TriggerError> {
        let is_full = (2..=255).contains(&topic.len())
            && topic.starts_with('/')
            && !topic.ends_with('/')
            && !topic.contains("//")
            && !topic.chars().any(char::is_control);
        if is_full {
            return Ok(topic.to_owned());
        }
        let shown = shortened(topic, 80);
        Err(self.refuse(format!(
            "`{shown}` is not the full name of a topic of up to 255 bytes, such as `/car1/odom`"
        )))
    }
}
