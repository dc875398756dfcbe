//! Who receives the topics of this node. A process says when it has connected to a publisher, and when it leaves; one that is
//! silent for too long has left.
//!
//! The socket knows its subscriptions too. But it tells only those who read from it, and must then take all that peers send:
//! a flood of subscriptions would keep the thread busy.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::remotes::SILENCE;

/// Listeners that are kept. Of more, each topic counts as wanted.
const MAX_LISTENERS: usize = 10_000;

/// A listener: its process and its node.
type Listener = (String, String);

/// The listeners of topics.
#[derive(Debug, Default)]
pub(super) struct Listeners {
    of_topics: BTreeMap<String, BTreeSet<Listener>>,
    count: usize,
    /// When each of their processes was heard last.
    heard: BTreeMap<String, Instant>,
    is_full: bool,
}

impl Listeners {
    /// Notes that a process lives.
    pub(super) fn hear(&mut self, process: &str, now: Instant) {
        if let Some(last) = self.heard.get_mut(process) {
            *last = now;
        }
    }

    /// Adds a listener. Returns false if there are too many.
    pub(super) fn add(&mut self, topic: &str, process: &str, node: &str, now: Instant) -> bool {
        self.heard.insert(process.to_owned(), now);
        let listeners = self.of_topics.entry(topic.to_owned()).or_default();
        if listeners.contains(&(process.to_owned(), node.to_owned())) {
            return true;
        }
        if self.count >= MAX_LISTENERS {
            self.is_full = true;
            return false;
        }
        self.count += 1;
        listeners.insert((process.to_owned(), node.to_owned()))
    }

    /// Removes a listener.
    pub(super) fn remove(&mut self, topic: &str, process: &str, node: &str) {
        self.retain(|name, (of_process, of_node)| name != topic || of_process != process || of_node != node);
    }

    /// Removes the listeners of a process.
    pub(super) fn leave(&mut self, process: &str) {
        if self.heard.remove(process).is_some() {
            self.retain(|_, (of_process, _)| of_process != process);
        }
    }

    /// Removes the listeners of processes that were silent for too long. Returns true if there were some.
    pub(super) fn expire(&mut self, now: Instant) -> bool {
        let is_silent = |last: &Instant| now.saturating_duration_since(*last) > SILENCE;
        let silent: BTreeSet<String> = self
            .heard
            .iter()
            .filter(|(_, last)| is_silent(last))
            .map(|(process, _)| process.clone())
            .collect();
        if silent.is_empty() {
            return false;
        }
        self.heard.retain(|process, _| !silent.contains(process));
        self.retain(|_, (process, _)| !silent.contains(process));
        true
    }

    /// Returns true if a topic has listeners, or may have.
    pub(super) fn has(&self, topic: &str) -> bool {
        self.is_full || self.of_topics.contains_key(topic)
    }

    fn retain(&mut self, is_kept: impl Fn(&str, &Listener) -> bool) {
        self.of_topics.retain(|topic, listeners| {
            listeners.retain(|listener| is_kept(topic, listener));
            !listeners.is_empty()
        });
        self.count = self.of_topics.values().map(BTreeSet::len).sum();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::wall_clock;

    #[test]
    fn a_topic_is_wanted_until_its_last_listener_leaves() {
        let (mut listeners, now) = (Listeners::default(), wall_clock::now());
        assert!(!listeners.has("a"));
        for node in ["n", "m"] {
            assert!(listeners.add("a", "p", node, now));
        }
        listeners.remove("a", "p", "n");
        assert!(listeners.has("a") && !listeners.has("b"));
        listeners.remove("a", "p", "m");
        assert!(!listeners.has("a"));
        assert!(listeners.add("a", "p", "n", now) && listeners.add("a", "q", "n", now));
        listeners.leave("p");
        assert!(listeners.has("a"));
        listeners.leave("q");
        assert!(!listeners.has("a"));
    }

    #[test]
    fn a_silent_process_has_left() {
        let (mut listeners, now) = (Listeners::default(), wall_clock::now());
        assert!(listeners.add("a", "p", "n", now) && listeners.add("b", "q", "n", now));
        listeners.hear("p", now + SILENCE);
        assert!(listeners.expire(now + SILENCE + Duration::from_millis(1)));
        assert!(listeners.has("a") && !listeners.has("b"));
    }

    #[test]
    fn if_there_are_too_many_every_topic_counts_as_wanted() {
        let (mut listeners, now) = (Listeners::default(), wall_clock::now());
        for number in 0..=MAX_LISTENERS {
            let is_kept = listeners.add("a", "p", &number.to_string(), now);
            assert_eq!(is_kept, number < MAX_LISTENERS);
        }
        assert!(listeners.has("b"));
    }
}
