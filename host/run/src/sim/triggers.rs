//! Triggers of a run: reports events to the engine, and executes the actions that are due.
//!
//! Time triggers and conditions are checked at the end of a step, before requests are taken. So an action of `time=2`
//! sees the world at 2 s, and if it ends the run, the run ends at 2 s. An action that ends, pauses or resets the run
//! becomes a request like all others.

mod actions;
mod command;
mod subscriptions;

use std::collections::BTreeSet;
use std::time::Duration;

use bridgehead_lifecycle::ResetScope;

pub(super) use subscriptions::TriggerSubscriptions;

use super::timeline::nanoseconds;
use crate::bus::Moment;
use crate::trigger::{Due, Engine, History, Signal, Trigger, Waiting};
use command::Programs;

/// Number of resets by triggers without a step between them. Further ones are ignored until a step has run, because
/// they would never end.
const MAX_RESETS: u32 = 10;

/// The triggers of a host. Their subscriptions belong to the loaded world.
#[derive(Default)]
pub struct Triggers {
    engine: Engine,
    /// Resets that triggers requested since the last step.
    resets: u32,
    /// Whether ignored resets were reported in this world.
    has_reported_resets: bool,
    /// Triggers of this pause that have fired, by number: further ones log nothing.
    logged_in_pause: BTreeSet<u64>,
    programs: Programs,
}

impl Triggers {
    /// Adds a trigger. Returns its number.
    pub fn submit(&mut self, trigger: Trigger, now: Moment) -> u64 {
        self.engine.submit(trigger, now)
    }

    /// Removes a waiting trigger, by its number.
    pub fn remove(&mut self, id: u64) -> Option<Trigger> {
        self.engine.remove(id)
    }

    /// Returns the waiting triggers, in the order in which they were submitted.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        self.engine.waiting()
    }

    /// Returns the executed actions.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.engine.history
    }

    /// Returns the time at which the run will end or be reset, if known: that of the first such trigger, or the
    /// duration.
    #[must_use]
    pub fn end_ns(&self, duration: Option<Duration>) -> Option<i64> {
        [self.engine.end_ns(), duration.map(nanoseconds)].into_iter().flatten().min()
    }

    /// Returns true if a trigger waits for a signal. Cheap, for every step.
    pub(super) fn listen(&self, signal: Signal) -> bool {
        self.engine.listens(signal)
    }

    /// Takes the actions that wait for a signal of the lifecycle.
    fn take_signalled(&mut self, signal: Signal, now: Moment) -> Vec<Due> {
        if self.engine.listens(signal) { self.engine.fire(signal, now) } else { Vec::new() }
    }

    /// Takes the actions that are due at this time.
    fn take_due(&mut self, now: Moment) -> Vec<Due> {
        if self.engine.may_be_due(now) { self.engine.due(now) } else { Vec::new() }
    }

    /// Drops the state from messages at a reset, and restores the initial triggers if time is reset.
    pub(super) fn reset(&mut self, scope: ResetScope, now: Moment) {
        self.engine.forget_messages();
        if scope.contains(ResetScope::TIME) {
            self.engine.rearm(now);
        }
    }

    /// Allows triggers to reset the run again, after the world was unloaded.
    pub(super) fn forget_world(&mut self) {
        self.engine.forget_resets();
        self.has_reported_resets = false;
    }

    /// Allows triggers to reset the run again, because a step runs.
    pub(super) fn begin_step(&mut self) {
        self.resets = 0;
    }

    /// Counts a reset by the trigger `title`.
    ///
    /// # Errors
    /// Returns an error if there were too many; `None` if that was reported already.
    fn count_reset(&mut self, title: &str) -> Result<(), Option<String>> {
        if self.resets < MAX_RESETS {
            self.resets += 1;
            return Ok(());
        }
        Err((!std::mem::replace(&mut self.has_reported_resets, true)).then(|| endless_resets(title)))
    }
}

/// Returns the error of a trigger that resets the run again and again.
pub(super) fn endless_resets(title: &str) -> String {
    format!(
        "[BH-TRG-035] the trigger `{title}` resets the run again and again without a step in between; after \
         {MAX_RESETS} resets it is ignored until a step has run: remove `sticky`, or reset at a time after 0"
    )
}
