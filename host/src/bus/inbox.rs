//! Messages from peers, queued until the simulation thread takes them at the beginning of a step.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::thread::lock;
use bridgehead_plugin_api::Payload;

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

/// Received messages. Bridges add them from any thread.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// For the next step, in order of arrival.
    next: Vec<Arrival>,
    /// For a specific step.
    planned: BTreeMap<u64, Vec<Arrival>>,
}

impl Inbox {
    /// Adds a message.
    pub fn push(&self, arrival: Arrival) {
        let mut state = lock(&self.state);
        match arrival.at_step {
            None => state.next.push(arrival),
            Some(step) => state.planned.entry(step).or_default().push(arrival),
        }
    }

    /// Moves all messages for steps up to and including `step` into `into`: first those for a specific step, ordered by
    /// step, then the others; each group ordered by bridge, then by arrival.
    pub fn latch(&self, step: u64, into: &mut Vec<Arrival>) {
        let mut state = lock(&self.state);
        while let Some(entry) = state.planned.first_entry().filter(|entry| *entry.key() <= step) {
            let mut arrivals = entry.remove();
            arrivals.sort_by_key(|arrival| arrival.source);
            into.append(&mut arrivals);
        }
        if !state.next.is_empty() {
            state.next.sort_by_key(|arrival| arrival.source);
            into.append(&mut state.next);
        }
    }

    /// Drops the messages of these topics, after their vehicle was removed.
    pub fn forget(&self, topics: &[u32]) {
        let mut state = lock(&self.state);
        let stays = |arrival: &Arrival| !topics.contains(&arrival.topic);
        state.next.retain(stays);
        state.planned.values_mut().for_each(|planned| planned.retain(stays));
    }

    /// Drops all messages, at a reset or when the world is unloaded.
    pub fn clear(&self) {
        *lock(&self.state) = State::default();
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
}
