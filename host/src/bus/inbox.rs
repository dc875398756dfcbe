//! Messages from peers, waiting for the step that latches them in.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bridgehead_plugin_api::Payload;

/// A message that came in through a bridge.
pub struct Arrival {
    /// Number of its topic.
    pub topic: u32,
    /// Number of the bridge instance it came through.
    pub source: u32,
    /// The step it is meant for; `None` for the next one.
    pub at_step: Option<u64>,
    /// Its time stamp in nanoseconds; `None` for the time it takes effect.
    pub stamp_ns: Option<i64>,
    /// The bytes.
    pub payload: Payload,
}

/// Where bridges put what they receive, from any thread.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// For the next step, in the order of arrival.
    next: Vec<Arrival>,
    /// For a certain step.
    planned: BTreeMap<u64, Vec<Arrival>>,
}

impl Inbox {
    /// Adds a message.
    pub fn push(&self, arrival: Arrival) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match arrival.at_step {
            None => state.next.push(arrival),
            Some(step) => state.planned.entry(step).or_default().push(arrival),
        }
    }

    /// Takes everything for steps up to and including `step` into `into`: planned messages first, in the
    /// order of their steps, then the rest; among equals by bridge, then by arrival.
    pub fn latch(&self, step: u64, into: &mut Vec<Arrival>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Forgets what is for these topics: their vehicle is gone.
    pub fn forget(&self, topics: &[u32]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let stays = |arrival: &Arrival| !topics.contains(&arrival.topic);
        state.next.retain(stays);
        state.planned.values_mut().for_each(|planned| planned.retain(stays));
    }

    /// Forgets everything, at a reset or when the world goes away.
    pub fn clear(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
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
