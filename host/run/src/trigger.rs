//! Triggers: actions for events, defined in the configuration or submitted during a run.
//!
//! A [`Trigger`] combines an [`Event`] with an [`Action`]. The [`Engine`] keeps waiting triggers, returns the due ones
//! in a stable order, and records executed actions with their times, so that a run can be repeated. `sim` reports
//! events and times to it, and executes the actions. The names of events and actions are in one table each; parsing,
//! messages and the page on triggers are generated from them. Plain values, no I/O, no clock.

mod action;
mod args;
mod condition;
mod definition;
mod document;
mod engine;
mod error;
mod event;
mod history;
mod read;
mod seconds;
mod watch;
mod write;

pub use condition::{Condition, KindMismatch};
pub use definition::{Action, CheckKind, Command, CommandMode, LogOutput, Publish, Source, Trigger};
pub use document::{arguments, document};
pub use engine::{Due, Engine, Waiting};
pub use error::TriggerError;
pub use event::{Event, Signal, TopicEvent};
pub use history::{Check, History, Record, read_history};
pub use read::TRIGGER_KEYS;
pub use seconds::seconds_text;

#[cfg(test)]
mod tests;
