//! Syntax, order, rearming and history of triggers.

mod engine;
mod history;
mod page;
mod syntax;

use serde_json::Value;

use super::*;
use crate::bus::Moment;

/// Reads a trigger from its JSON text.
fn trigger(text: &str) -> Trigger {
    try_trigger(text).expect("a trigger").expect("not skipped")
}

fn try_trigger(text: &str) -> Result<Option<Trigger>, TriggerError> {
    let value: Value = serde_json::from_str(text).expect("JSON");
    Trigger::read(&value, Source::Filesystem)
}

/// Returns the moment at a time in milliseconds; each step is one millisecond.
fn at(milliseconds: i64) -> Moment {
    let step = u64::try_from(milliseconds).expect("not negative");
    Moment { step, time_ns: milliseconds * 1_000_000, reset_epoch: 0 }
}

/// Returns the texts that the actions log; the name of an action that logs nothing.
fn texts(due: &[Due]) -> Vec<&str> {
    due.iter()
        .map(|due| match &due.action {
            Action::Log { text, .. } => text.as_str(),
            other => other.name(),
        })
        .collect()
}
