//! The remote endpoints and participants that were lost last: `rustdds` reports from two threads, so an endpoint that goes
//! at once may be reported as lost before it is reported as detected and matched.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::guid::Guid;

/// Most of them that are remembered: as many as an event queue of `rustdds` has places.
const MAX: usize = 2048;
/// How long they are remembered. The two threads are less than a second apart; an address may be used again later.
const REMEMBERED: Duration = Duration::from_secs(10);

/// Endpoints, and participants as addresses that end with zeros, with the time of their loss.
#[derive(Default)]
pub(super) struct Lost(HashMap<Guid, Instant>);

impl Lost {
    /// Adds an endpoint.
    pub(super) fn add(&mut self, endpoint: Guid, now: Instant) {
        if self.0.len() >= MAX {
            self.0.retain(|_, since| is_recent(*since, now));
        }
        if self.0.len() < MAX {
            self.0.insert(endpoint, now);
        }
    }

    /// Adds a participant, with all its endpoints.
    pub(super) fn add_participant(&mut self, prefix: [u8; 12], now: Instant) {
        self.add(participant(prefix), now);
    }

    /// Removes a participant that is there again, with all its endpoints.
    pub(super) fn remove_participant(&mut self, prefix: [u8; 12]) {
        self.0.retain(|lost, _| lost.prefix() != prefix);
    }

    /// Returns whether an endpoint or its participant was lost just now, so that reports of it are old.
    pub(super) fn contains(&self, endpoint: Guid, now: Instant) -> bool {
        let lost = |guid: Guid| self.0.get(&guid).is_some_and(|since| is_recent(*since, now));
        lost(endpoint) || lost(participant(endpoint.prefix()))
    }
}

fn is_recent(since: Instant, now: Instant) -> bool {
    now.saturating_duration_since(since) < REMEMBERED
}

fn participant(prefix: [u8; 12]) -> Guid {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(prefix).for_each(|(to, from)| *to = from);
    Guid(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guid(participant: u8, endpoint: usize) -> Guid {
        let mut bytes = [participant; 16];
        bytes[12..].copy_from_slice(&u32::try_from(endpoint).expect("small").to_le_bytes());
        Guid(bytes)
    }

    #[test]
    fn the_endpoints_of_a_lost_participant_are_lost_until_it_returns() {
        let (mut lost, now) = (Lost::default(), bridgehead_ros2_node::wall_clock::now());
        let [one, disposed, other] = [guid(1, 1), guid(1, 2), guid(2, 1)];
        lost.add(disposed, now);
        lost.add_participant(one.prefix(), now);
        assert!(lost.contains(one, now) && !lost.contains(other, now));
        lost.remove_participant(one.prefix());
        lost.remove_participant(other.prefix());
        assert!(![one, disposed, other].iter().any(|guid| lost.contains(*guid, now)));
    }

    #[test]
    fn an_endpoint_is_remembered_for_a_while_and_can_return_later() {
        let (mut lost, now) = (Lost::default(), bridgehead_ros2_node::wall_clock::now());
        lost.add(guid(1, 1), now);
        assert!(lost.contains(guid(1, 1), now + REMEMBERED / 2));
        assert!(!lost.contains(guid(1, 1), now + REMEMBERED));
    }

    #[test]
    fn a_flood_is_remembered_up_to_a_limit() {
        let (mut lost, now) = (Lost::default(), bridgehead_ros2_node::wall_clock::now());
        (0..2 * MAX).for_each(|number| lost.add(guid(1, number), now));
        assert_eq!(lost.0.len(), MAX);
        lost.add(guid(2, 1), now + REMEMBERED);
        assert_eq!(lost.0.len(), 1, "the older ones are forgotten");
    }
}
