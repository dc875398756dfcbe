//! What triggers have done, and what of it decided the run.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{Action, Event, Source, Trigger, TriggerError, seconds_text};

/// Most firings that are kept; a sticky trigger fires in every step of a long run.
const MOST_RECORDS: usize = 10_000;

/// A firing.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The trigger as it was; `next` is the time it came to.
    pub trigger: Trigger,
    /// When it was handed in, nanoseconds of simulated time.
    pub since_ns: i64,
    /// When it fired, nanoseconds of simulated time.
    pub at_ns: i64,
    /// In which step.
    pub step: u64,
}

impl Record {
    /// The firing as a table: the trigger with when it fired. One of a sticky trigger has the source `instance`.
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

/// How a trigger ends a run; the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    /// As a failure.
    Fail,
    /// As a success.
    Succeed,
    /// Undecided.
    Stop,
}

impl CheckKind {
    pub(super) fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Fail => Some(Self::Fail),
            Action::Succeed => Some(Self::Succeed),
            Action::Stop => Some(Self::Stop),
            _ => None,
        }
    }
}

/// A trigger with a label that ends the run when it fires: a test, so to speak.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Its label.
    pub label: String,
    /// How it ends the run.
    pub kind: CheckKind,
    /// What it waits for, in few words.
    pub event: String,
    /// When it first fired, nanoseconds of simulated time.
    pub fired_at_ns: Option<i64>,
}

/// What was done so far, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The firings, without those of concealed triggers.
    pub records: Vec<Record>,
    /// Firings beyond those that are kept.
    pub left_out: u64,
    /// The tests, in the order in which they were handed in.
    pub checks: Vec<Check>,
}

impl History {
    /// A trigger was handed in.
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

    /// A trigger has fired.
    pub(super) fn add(&mut self, record: Record) {
        if let Some(kind) = record.trigger.action.ending()
            && let Some(check) = self.check(&record.trigger, kind)
        {
            check.fired_at_ns.get_or_insert(record.at_ns);
        }
        if record.trigger.conceal {
            return;
        }
        if self.records.len() < MOST_RECORDS {
            self.records.push(record);
            return;
        }
        if self.left_out == 0 {
            log::warn!(
                "[BH-TRG-022] the history of triggers has {MOST_RECORDS} entries; what follows is counted only"
            );
        }
        self.left_out += 1;
    }

    /// The firings as JSON, a list that [`read_history`] takes.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.records.iter().map(|record| Value::Object(record.to_json())).collect()
    }
}

/// Reads a history, or any list of triggers, to be run again.
///
/// What a trigger, a plugin or a sticky trigger did is left out, since the run does it again by itself, unless
/// `ignore_source` is set. So is what `known`, the triggers of the configuration, says already.
///
/// # Errors
/// What is wrong with the first entry that is not a trigger.
pub fn read_history(
    file: &str,
    text: &str,
    known: &[Trigger],
    ignore_source: bool,
) -> Result<Vec<Trigger>, TriggerError> {
    let refuse = |why: String| TriggerError::History { file: file.to_owned(), why };
    let value: Value = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let Value::Array(entries) = value else {
        return Err(refuse("it is JSON, but no list".to_owned()));
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
        // An entry is one firing, also of a sticky trigger.
        trigger.sticky &= source != Source::Instance;
        triggers.push(trigger);
    }
    Ok(triggers)
}

/// What makes two triggers the same: label, event and action. A `next` of the configuration is in the history as the
/// time it came to.
fn identity(trigger: &Trigger) -> String {
    let event = match &trigger.event {
        Event::Next(after_ns) => Event::Time(*after_ns),
        other => other.clone(),
    };
    format!("{}\n{}\n{}", trigger.label, event.to_json(), trigger.action.to_json())
}
