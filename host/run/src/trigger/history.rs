//! The history of fired triggers, and the verdicts among them. Simulation thread only.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::definition::{CheckKind, Source, Trigger};
use super::error::TriggerError;
use super::event::Event;
use super::seconds::seconds_text;

/// Maximum number of kept firings: a sticky trigger may fire in every step of a long run.
const MAX_RECORDS: usize = 10_000;

/// A firing.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The trigger; `next` is replaced by the time at which it fired.
    pub trigger: Trigger,
    /// Simulated time of submission, nanoseconds.
    pub since_ns: i64,
    /// Simulated time of firing, nanoseconds.
    pub at_ns: i64,
    /// Step of firing.
    pub step: u64,
}

impl Record {
    /// Returns the firing as a table: the trigger with its times. A firing of a sticky trigger has the source
    /// `instance`.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Value> {
        let mut entries = self.trigger.to_json();
        if self.trigger.sticky {
            entries.insert("source".to_owned(), json!(Source::Instance.name()));
        }
        entries.insert("since".to_owned(), json!(seconds_text(self.since_ns)));
        entries.insert("at".to_owned(), json!(seconds_text(self.at_ns)));
        entries.insert("step".to_owned(), json!(self.step));
        entries
    }
}

/// A check: a labelled trigger that ends the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Its label.
    pub label: String,
    /// How it ends the run.
    pub kind: CheckKind,
    /// Its event, as a short text.
    pub event: String,
    /// Simulated time of its first firing, nanoseconds.
    pub fired_at_ns: Option<i64>,
}

/// The firings so far, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The firings, without those of concealed triggers.
    pub records: Vec<Record>,
    /// Number of firings that are not kept.
    pub left_out: u64,
    /// The checks, in order of submission.
    pub checks: Vec<Check>,
}

impl History {
    /// Records the submission of a trigger.
    pub(super) fn expect(&mut self, trigger: &Trigger) {
        let Some(kind) = trigger.action.ending().filter(|_| !trigger.label.is_empty()) else { return };
        if self.check(trigger, kind).is_none() {
            let (label, event) = (trigger.label.clone(), trigger.event.summary());
            self.checks.push(Check { label, kind, event, fired_at_ns: None });
        }
    }

    fn check(&mut self, trigger: &Trigger, kind: CheckKind) -> Option<&mut Check> {
        self.checks.iter_mut().find(|check| check.label == trigger.label && check.kind == kind)
    }

    /// Records a firing.
    pub(super) fn add(&mut self, record: Record) {
        if let Some(kind) = record.trigger.action.ending()
            && let Some(check) = self.check(&record.trigger, kind)
        {
            check.fired_at_ns.get_or_insert(record.at_ns);
        }
        if record.trigger.conceal {
            return;
        }
        if self.records.len() < MAX_RECORDS {
            self.records.push(record);
            return;
        }
        if self.left_out == 0 {
            log::warn!(
                "[BH-TRG-022] the history of triggers has {MAX_RECORDS} entries; later ones are only counted"
            );
        }
        self.left_out += 1;
    }

    /// Returns the firings as JSON, a list that [`read_history`] accepts.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.records.iter().map(|record| Value::Object(record.to_json())).collect()
    }
}

/// Parses a history, or any list of triggers, for another run.
///
/// Entries of triggers, plugins and sticky triggers are skipped, unless `ignore_source` is set, because the run repeats
/// them by itself. Entries equal to triggers of the configuration, `known`, are skipped too.
///
/// # Errors
/// Returns the error of the first entry that is not a trigger.
pub fn read_history(
    file: &str,
    text: &str,
    known: &[Trigger],
    ignore_source: bool,
) -> Result<Vec<Trigger>, TriggerError> {
    let refuse = |why: String| TriggerError::History { file: file.to_owned(), why };
    let value: Value = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let Value::Array(entries) = value else {
        return Err(refuse("it is JSON, but not a list".to_owned()));
    };
    let same: HashSet<String> = known.iter().map(identity).collect();
    let mut triggers = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let word = entry.get("source").and_then(Value::as_str).unwrap_or(Source::Filesystem.name());
        let source = Source::from_name(word)
            .ok_or_else(|| refuse(format!("entry {at}: there is no source {word:?}")))?;
        if source.is_transient() && !ignore_source {
            continue;
        }
        let read = Trigger::read(entry, Source::Filesystem);
        let read = read.map_err(|error| refuse(format!("entry {at}: {error}")))?;
        let Some(mut trigger) = read.filter(|trigger| !same.contains(&identity(trigger))) else { continue };
        // An entry is one firing, even of a sticky trigger.
        trigger.sticky &= source != Source::Instance;
        triggers.push(trigger);
    }
    Ok(triggers)
}

/// Returns the identity of a trigger: label, event and action. A `next` of the configuration is in the history as the
/// time at which it fired.
fn identity(trigger: &Trigger) -> String {
    let event = match &trigger.event {
        Event::Next(after_ns) => Event::Time(*after_ns),
        other => other.clone(),
    };
    format!("{}\n{}\n{}", trigger.label, event.to_json(), trigger.action.to_json())
}
