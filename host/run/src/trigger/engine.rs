//! Keeps waiting triggers and returns the due ones. Simulation thread only.
//!
//! Order of due triggers: earlier time, then higher priority, then earlier submission. Nothing here depends on a clock
//! or a hash, so the same events at the same times give the same actions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::definition::{Action, Trigger};
use super::event::{Event, Signal, TopicEvent};
use super::history::{History, Record};
use super::seconds::seconds_text;
use super::watch::{Stored, Watch};
use crate::bus::Moment;

/// Sort key of due triggers: time, priority, number.
type Place = (i64, Reverse<i32>, u64);

/// An action to execute now.
#[derive(Clone, Debug, PartialEq)]
pub struct Due {
    /// Number of the trigger.
    pub id: u64,
    /// Its label, or else its event.
    pub title: String,
    /// The action.
    pub action: Action,
}

/// A waiting trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// Its number.
    pub id: u64,
    /// The trigger.
    pub trigger: Trigger,
}

/// All triggers of a host.
#[derive(Debug, Default)]
pub struct Engine {
    /// Triggers of the configuration; the flag is true after the trigger has reset the run, which it may do once.
    configured: Vec<(Trigger, bool)>,
    issued: u64,
    /// Triggers that wait for the lifecycle, by [`Signal`].
    signals: [Vec<Stored>; Signal::COUNT],
    timed: BTreeMap<Place, Stored>,
    /// Sticky triggers whose time has passed; they wait again after a reset.
    dormant: Vec<Stored>,
    watches: Vec<Watch>,
    /// Grows with every change of the watched topics.
    generation: u64,
    /// Executed actions.
    pub history: History,
}

impl Engine {
    /// Replaces the triggers of the configuration at the beginning of a run. A trigger that has reset the run stays
    /// inactive, because a reset may begin the next run.
    ///
    /// In a run restored from a snapshot, triggers due before its time were already executed.
    pub fn arm(&mut self, triggers: &[Trigger], now: Moment) {
        let before = std::mem::take(&mut self.configured);
        let has_reset = before.into_iter().map(|(_, has_reset)| has_reset).chain(std::iter::repeat(false));
        self.configured = triggers.iter().cloned().zip(has_reset).collect();
        self.rearm(now);
        self.timed.retain(|(due_ns, ..), stored| {
            now.time_ns == 0 || *due_ns > now.time_ns || stored.configured.is_none()
        });
    }

    /// Allows triggers to reset the run again, after the world was unloaded.
    pub fn forget_resets(&mut self) {
        self.configured.iter_mut().for_each(|(_, has_reset)| *has_reset = false);
    }

    /// Restores the initial triggers after a reset of time, except for those that have reset the run and are not
    /// sticky, because the run would reset forever. Sticky triggers of other sources wait again too.
    pub fn rearm(&mut self, now: Moment) {
        self.take_out(|stored| stored.configured.is_some());
        for stored in std::mem::take(&mut self.dormant) {
            self.store(stored, now);
        }
        for index in 0..self.configured.len() {
            let Some((trigger, false)) = self.configured.get(index) else { continue };
            let trigger = trigger.clone();
            self.insert(trigger, now, Some(index));
        }
    }

    /// Submits a trigger. Returns its number.
    pub fn submit(&mut self, trigger: Trigger, now: Moment) -> u64 {
        if let Event::Time(at_ns) = trigger.event
            && at_ns < now.time_ns
        {
            log::warn!(
                "[BH-TRG-020] the time of trigger `{}` has passed, it is {} now: it fires at once during a pause, and \
                 otherwise at the end of the next step",
                trigger.title(),
                seconds_text(now.time_ns)
            );
        }
        self.insert(trigger, now, None)
    }

    fn insert(&mut self, mut trigger: Trigger, now: Moment, configured: Option<usize>) -> u64 {
        self.issued += 1;
        let period_ns = match trigger.event {
            Event::Next(after_ns) => {
                trigger.event = Event::Time(now.time_ns.saturating_add(after_ns));
                trigger.sticky.then_some(after_ns)
            }
            Event::Signal(_) | Event::Time(_) | Event::Topic(_) => None,
        };
        self.history.expect(&trigger);
        let id = self.issued;
        self.store(Stored { id, trigger, since_ns: now.time_ns, period_ns, configured }, now);
        id
    }

    fn store(&mut self, stored: Stored, now: Moment) {
        let place = |due_ns| (due_ns, Reverse(stored.trigger.priority), stored.id);
        match &stored.trigger.event {
            Event::Signal(signal) => {
                let Some(list) = self.signals.get_mut(signal.index()) else { return };
                let at = list.partition_point(|other| {
                    (Reverse(other.trigger.priority), other.id)
                        <= (Reverse(stored.trigger.priority), stored.id)
                });
                list.insert(at, stored);
            }
            Event::Time(due_ns) => drop(self.timed.insert(place(*due_ns), stored)),
            Event::Next(after_ns) => drop(self.timed.insert(place(now.time_ns + after_ns), stored)),
            Event::Topic(_) => {
                self.watches.push(Watch::new(stored));
                self.generation += 1;
            }
        }
    }

    /// Removes a trigger before it has fired.
    pub fn remove(&mut self, id: u64) -> Option<Trigger> {
        self.take_out(|stored| stored.id == id).pop().map(|stored| stored.trigger)
    }

    fn take_out(&mut self, is_meant: impl Fn(&Stored) -> bool) -> Vec<Stored> {
        let mut out: Vec<Stored> = self.dormant.extract_if(.., |stored| is_meant(stored)).collect();
        for list in &mut self.signals {
            out.extend(list.extract_if(.., |stored| is_meant(stored)));
        }
        let places: Vec<Place> =
            self.timed.iter().filter(|(_, stored)| is_meant(stored)).map(|(place, _)| *place).collect();
        out.extend(places.iter().filter_map(|place| self.timed.remove(place)));
        let watched = self.watches.len();
        out.extend(self.watches.extract_if(.., |watch| is_meant(&watch.stored)).map(|watch| watch.stored));
        self.generation += u64::from(watched != self.watches.len());
        out
    }

    /// Returns the waiting triggers, in order of submission.
    #[must_use]
    pub fn waiting(&self) -> Vec<Waiting> {
        let watched = self.watches.iter().map(|watch| &watch.stored);
        let all =
            self.signals.iter().flatten().chain(self.timed.values()).chain(&self.dormant).chain(watched);
        let mut waiting: Vec<Waiting> =
            all.map(|stored| Waiting { id: stored.id, trigger: stored.trigger.clone() }).collect();
        waiting.sort_by_key(|waiting| waiting.id);
        waiting
    }

    /// Returns the earliest time at which a trigger ends or resets the run, nanoseconds.
    #[must_use]
    pub fn end_ns(&self) -> Option<i64> {
        let last = self.timed.iter().find(|(_, stored)| stored.trigger.action.is_last());
        last.map(|((due_ns, ..), _)| *due_ns)
    }

    /// Returns true if a trigger waits for a signal. Cheap, for every step.
    #[must_use]
    pub fn listens(&self, signal: Signal) -> bool {
        self.signals.get(signal.index()).is_some_and(|list| !list.is_empty())
    }

    /// Returns the actions for a signal of the lifecycle.
    pub fn fire(&mut self, signal: Signal, now: Moment) -> Vec<Due> {
        let Some(list) = self.signals.get_mut(signal.index()) else { return Vec::new() };
        let fired = std::mem::take(list);
        let mut due = Vec::with_capacity(fired.len());
        for stored in fired {
            due.push(self.spend(&stored, now));
            if stored.trigger.sticky {
                self.store(stored, now);
            }
        }
        due
    }

    /// Returns true if a trigger may be due at this time. Cheap, for every step.
    #[must_use]
    pub fn may_be_due(&self, now: Moment) -> bool {
        let timed = self.timed.first_key_value().is_some_and(|((due_ns, ..), _)| *due_ns <= now.time_ns);
        timed || self.watches.iter().any(|watch| watch.is_due(now.time_ns))
    }

    /// Returns the actions that are due by time or by condition.
    pub fn due(&mut self, now: Moment) -> Vec<Due> {
        let mut fired: Vec<(Place, Stored)> = Vec::new();
        while let Some(entry) = self.timed.first_entry().filter(|entry| entry.key().0 <= now.time_ns) {
            fired.push(entry.remove_entry());
        }
        let timed = fired.len();
        for watch in &mut self.watches {
            while let Some(due_ns) = watch.take_due(now.time_ns) {
                let place = (due_ns, Reverse(watch.stored.trigger.priority), watch.stored.id);
                fired.push((place, watch.stored.clone()));
                if !watch.stored.trigger.sticky {
                    break;
                }
            }
        }
        if fired.len() > timed {
            let done: Vec<u64> = fired.iter().skip(timed).map(|(_, stored)| stored.id).collect();
            self.take_out(|stored| {
                !stored.trigger.sticky
                    && matches!(stored.trigger.event, Event::Topic(_))
                    && done.contains(&stored.id)
            });
        }
        fired.sort_by_key(|(place, _)| *place);
        fired.into_iter().map(|(_, stored)| self.spend_timed(stored, now)).collect()
    }

    /// Records a firing. A sticky trigger by time waits for the next time.
    fn spend_timed(&mut self, mut stored: Stored, now: Moment) -> Due {
        let due = self.spend(&stored, now);
        let is_timed = !matches!(stored.trigger.event, Event::Topic(_));
        if is_timed && stored.trigger.sticky {
            match (stored.period_ns, &stored.trigger.event) {
                (Some(period_ns), Event::Time(due_ns)) => {
                    // Counted from the due time, so that periods do not drift; but never twice between the same two
                    // steps.
                    let next_ns = due_ns
                        .saturating_add(period_ns)
                        .max(now.time_ns.saturating_add(i64::from(period_ns > 0)));
                    stored.trigger.event = Event::Time(next_ns);
                    self.store(stored, now);
                }
                _ => self.dormant.push(stored),
            }
        }
        due
    }

    fn spend(&mut self, stored: &Stored, now: Moment) -> Due {
        let trigger = &stored.trigger;
        if let (true, false, Some(index)) = (trigger.action.resets(), trigger.sticky, stored.configured)
            && let Some((_, has_reset)) = self.configured.get_mut(index)
        {
            *has_reset = true;
        }
        self.history.add(Record {
            trigger: trigger.clone(),
            since_ns: stored.since_ns,
            at_ns: now.time_ns,
            step: now.step,
        });
        Due { id: stored.id, title: trigger.title(), action: trigger.action.clone() }
    }

    /// Grows with every change of the watched topics.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the triggers that wait for messages, with their numbers.
    pub fn watched(&self) -> impl Iterator<Item = (u64, &TopicEvent)> {
        self.watches.iter().filter_map(|watch| Some((watch.stored.id, watch.event()?)))
    }

    /// Reports a message for a waiting trigger; `holds` is true if the message satisfies its condition.
    pub fn observe(&mut self, id: u64, holds: bool, now: Moment) {
        if let Some(watch) = self.watches.iter_mut().find(|watch| watch.stored.id == id) {
            watch.observe(holds, now.time_ns);
        }
    }

    /// Drops the state from messages, at a reset.
    pub fn forget_messages(&mut self) {
        self.watches.iter_mut().for_each(Watch::forget);
    }
}
