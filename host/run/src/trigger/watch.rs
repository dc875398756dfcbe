//! The state of a trigger that waits for messages: since when its condition holds, and how often it is due. Plain
//! values.

use super::definition::Trigger;
use super::event::{Event, TopicEvent};

/// A trigger that waits for messages.
#[derive(Debug)]
pub(super) struct Watch {
    pub(super) stored: Stored,
    /// Time since which the condition holds, nanoseconds; `None` while it does not hold.
    since_ns: Option<i64>,
    /// True if it has fired since then.
    has_fired: bool,
    /// Firings by messages of this step.
    pending: u32,
}

impl Watch {
    pub(super) fn new(stored: Stored) -> Self {
        Watch { stored, since_ns: None, has_fired: false, pending: 0 }
    }

    pub(super) fn event(&self) -> Option<&TopicEvent> {
        match &self.stored.trigger.event {
            Event::Topic(topic) => Some(topic),
            Event::Signal(_) | Event::Time(_) | Event::Next(_) => None,
        }
    }

    /// Records a message. A condition without a duration may hold within a single step.
    pub(super) fn observe(&mut self, holds: bool, now_ns: i64) {
        let (is_each, held_ns) = self.event().map_or((true, 0), |event| (event.is_each, event.held_ns));
        if !holds {
            (self.since_ns, self.has_fired) = (None, false);
            return;
        }
        self.since_ns.get_or_insert(now_ns);
        if is_each || (held_ns == 0 && !self.has_fired) {
            self.pending += 1;
            self.has_fired = true;
        }
    }

    /// Returns the time at which it became due; `None` if it is not due.
    fn held_until(&self) -> Option<i64> {
        let held_ns = self.event()?.held_ns;
        let due_ns = self.since_ns.filter(|_| !self.has_fired)?.checked_add(held_ns)?;
        Some(due_ns)
    }

    pub(super) fn is_due(&self, now_ns: i64) -> bool {
        self.pending > 0 || self.held_until().is_some_and(|due_ns| due_ns <= now_ns)
    }

    /// Takes one firing and returns its due time.
    pub(super) fn take_due(&mut self, now_ns: i64) -> Option<i64> {
        if self.pending > 0 {
            self.pending -= 1;
            return Some(now_ns);
        }
        let due_ns = self.held_until().filter(|due_ns| *due_ns <= now_ns)?;
        self.has_fired = true;
        Some(due_ns)
    }

    pub(super) fn forget(&mut self) {
        (self.since_ns, self.has_fired, self.pending) = (None, false, 0);
    }
}

/// A trigger with its number.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) id: u64,
    pub(super) trigger: Trigger,
    /// Time of submission, nanoseconds.
    pub(super) since_ns: i64,
    /// Period of a sticky `next`.
    pub(super) period_ns: Option<i64>,
    /// Its index in the configuration.
    pub(super) configured: Option<usize>,
}
