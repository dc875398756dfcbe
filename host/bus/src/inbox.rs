//! Messages from peers, queued until the simulation thread takes them at the beginning of a step.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use bridgehead_plugin_api::Payload;
use bridgehead_runtime::thread::lock;

/// A message received through a bridge.
pub struct Arrival {
    /// Id of its topic.
    pub topic: u32,
    /// Id of the bridge instance that received it.
    pub source: u32,
    /// The step it takes effect in; `None` for the next one.
    pub at_step: Option<u64>,
    /// Time stamp in nanoseconds; `None` for the time at which it takes effect.
    pub stamp_ns: Option<i64>,
    /// The bytes.
    pub payload: Payload,
}

/// Messages of one bridge instance that may wait for a step. Reading them takes a fifth of a second, and a peer that sends
/// more than this between two steps, or while the run is paused, means the newest ones.
const MAX: usize = 100_000;

/// Received messages. Bridges add them from any thread.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// For the next step, by bridge, in order of arrival.
    next: BTreeMap<u32, VecDeque<Arrival>>,
    /// For a specific step.
    planned: BTreeMap<u64, Vec<Arrival>>,
    /// Messages for a specific step that wait, by bridge.
    planned_counts: BTreeMap<u32, usize>,
    /// How many messages of bridges were dropped since the last report.
    dropped: BTreeMap<u32, u64>,
}

impl Inbox {
    /// Adds a message. If too many of this bridge wait, the oldest one is dropped, or this one if it is for a specific step.
    pub fn push(&self, arrival: Arrival) {
        let mut state = lock(&self.state);
        let State { next, planned, planned_counts, dropped } = &mut *state;
        let source = arrival.source;
        let is_over = match arrival.at_step {
            None => {
                let waiting = next.entry(source).or_default();
                let is_over = waiting.len() >= MAX && waiting.pop_front().is_some();
                waiting.push_back(arrival);
                is_over
            }
            Some(step) => {
                let count = planned_counts.entry(source).or_default();
                let is_over = *count >= MAX;
                if !is_over {
                    *count += 1;
                    planned.entry(step).or_default().push(arrival);
                }
                is_over
            }
        };
        if is_over {
            *dropped.entry(source).or_default() += 1;
        }
    }

    /// Moves all messages for steps up to and including `step` into `into`: first those for a specific step, ordered by
    /// step, then the others; each group ordered by bridge, then by arrival.
    pub fn latch(&self, step: u64, into: &mut Vec<Arrival>) {
        let mut state = lock(&self.state);
        while let Some(entry) = state.planned.first_entry().filter(|entry| *entry.key() <= step) {
            let mut arrivals = entry.remove();
            for arrival in &arrivals {
                if let Some(count) = state.planned_counts.get_mut(&arrival.source) {
                    *count = count.saturating_sub(1);
                }
            }
            arrivals.sort_by_key(|arrival| arrival.source);
            into.append(&mut arrivals);
        }
        state.next.values_mut().for_each(|waiting| into.extend(waiting.drain(..)));
    }

    /// Returns how many messages of which bridge instances were dropped since the last call.
    #[inline]
    pub fn take_dropped(&self) -> BTreeMap<u32, u64> {
        std::mem::take(&mut lock(&self.state).dropped)
    }

    /// Drops the messages of these topics, after their vehicle was removed.
    pub fn forget(&self, topics: &[u32]) {
        self.retain(|arrival| !topics.contains(&arrival.topic));
    }

    /// Drops the messages of a bridge instance, which are for a time before a reset.
    pub fn forget_source(&self, source: u32) {
        self.retain(|arrival| arrival.source != source);
    }

    fn retain(&self, stays: impl Fn(&Arrival) -> bool) {
        let mut state = lock(&self.state);
        // Bridges that are gone must not be visited in every later step.
        state.next.retain(|_, waiting| {
            waiting.retain(&stays);
            !waiting.is_empty()
        });
        state.planned.values_mut().for_each(|planned| planned.retain(&stays));
        let mut counts = BTreeMap::new();
        for arrival in state.planned.values().flatten() {
            *counts.entry(arrival.source).or_default() += 1;
        }
        state.planned_counts = counts;
    }

    /// Drops all messages, at a reset or when the world is unloaded.
    pub fn clear(&self) {
        let mut state = lock(&self.state);
        let dropped = std::mem::take(&mut state.dropped);
        *state = State { dropped, ..State::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(source: u32, at_step: Option<u64>, byte: u8) -> Arrival {
        Arrival { topic: 0, source, at_step, stamp_ns: None, payload: Payload::from_vec(vec![byte]) }
    }

    #[test]
    fn planned_messages_wait_for_their_step_and_order_does_not_depend_on_arrival() {
        let inbox = Inbox::default();
        inbox.push(arrival(2, None, 1));
        inbox.push(arrival(1, None, 2));
        inbox.push(arrival(1, Some(5), 3));
        inbox.push(arrival(1, Some(3), 4));
        let mut latched = Vec::new();
        inbox.latch(3, &mut latched);
        let bytes: Vec<u8> = latched.iter().map(|arrival| arrival.payload[0]).collect();
        assert_eq!(bytes, [4, 2, 1]);
        latched.clear();
        inbox.latch(4, &mut latched);
        assert!(latched.is_empty());
        inbox.latch(7, &mut latched);
        assert_eq!(latched.len(), 1);
    }

    #[test]
    fn a_flood_drops_its_own_oldest_messages_and_is_counted() {
        let inbox = Inbox::default();
        inbox.push(arrival(1, None, 9));
        for _ in 0..MAX {
            inbox.push(arrival(2, None, 1));
        }
        inbox.push(arrival(2, None, 2));
        for _ in 0..=MAX {
            inbox.push(arrival(3, Some(1 << 60), 3));
        }
        assert_eq!(inbox.take_dropped(), BTreeMap::from([(2, 1), (3, 1)]));
        let mut latched = Vec::new();
        inbox.latch(1, &mut latched);
        assert_eq!((latched.len(), latched[0].payload[0]), (MAX + 1, 9));
        assert_eq!(latched.last().expect("messages").payload[0], 2, "the newest one stays");
        inbox.forget(&[0]);
        inbox.push(arrival(3, Some(2), 4));
        assert!(inbox.take_dropped().is_empty(), "there is room again");
        assert!(lock(&inbox.state).next.is_empty(), "nothing is kept of bridges without messages");
    }
}
