//! Triggers: what shall be done when something happens, written down before a run or handed in while it goes on.
//!
//! A [`Trigger`] joins an [`Event`] with an [`Action`]. The [`Engine`] keeps those that wait, says in a stable order
//! which are due, and remembers what was done and when, so that a run can be made again. It is told what happens and
//! what time it is; carrying actions out is the work of `sim`. The names of events and actions stand in one table
//! each, which reading, messages and the page on triggers are made from. Plain values, no I/O, no clock.

mod action;
mod args;
mod condition;
mod document;
mod engine;
mod error;
mod event;
mod history;
mod read;
mod seconds;
mod watch;
mod write;

pub use action::{Action, Command, CommandMode, LogOutput, Publish};
pub use condition::Condition;
pub use document::document;
pub use engine::{Due, Engine, Waiting};
pub use error::TriggerError;
pub use event::{Event, Signal, TopicEvent};
pub use history::{Check, CheckKind, History, Record, read_history};
pub use read::{Source, TRIGGER_KEYS, Trigger};
pub use seconds::seconds_text;

#[cfg(test)]
mod tests;
