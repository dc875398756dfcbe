//! The remote endpoints and participants that were lost last: `rustdds` reports from two threads, so an endpoint that goes
//! at once may be reported as lost before it is reported as detected and matched.

use std::collections::{HashSet, VecDeque};

use super::Guid;

/// Number of them that are remembered: as many as an event queue of `rustdds` has places.
const REMEMBERED: usize = 2048;

/// Endpoints, and participants as addresses that end with zeros.
#[derive(Default)]
pub(super) struct Lost {
    in_order: VecDeque<Guid>,
    all: HashSet<Guid>,
}

impl Lost {
    /// Adds an endpoint.
    pub(super) fn add(&mut self, endpoint: Guid) {
        if !self.all.insert(endpoint) {
            return;
        }
        self.in_order.push_back(endpoint);
        if self.in_order.len() > REMEMBERED
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.all.remove(&oldest);
        }
    }

    /// Adds a participant, with all its endpoints.
    pub(super) fn add_participant(&mut self, prefix: [u8; 12]) {
        self.add(participant(prefix));
    }

    /// Removes a participant that is there again.
    pub(super) fn remove_participant(&mut self, prefix: [u8; 12]) {
        let returned = participant(prefix);
        if self.all.remove(&returned) {
            self.in_order.retain(|lost| *lost != returned);
        }
    }

    /// Returns whether an endpoint or its participant was lost, so that later reports of it are old.
    pub(super) fn contains(&self, endpoint: Guid) -> bool {
        self.all.contains(&endpoint) || self.all.contains(&participant(endpoint.prefix()))
    }
}

fn participant(prefix: [u8; 12]) -> Guid {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(prefix).for_each(|(to, from)| *to = from);
    Guid(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoints_of_a_lost_participant_are_lost_until_it_returns() {
        let mut lost = Lost::default();
        let [one, other] = [1, 2].map(|number| Guid([number; 16]));
        lost.add_participant(one.prefix());
        assert!(lost.contains(one) && !lost.contains(other));
        lost.remove_participant(one.prefix());
        lost.remove_participant(other.prefix());
        assert!(!lost.contains(one) && lost.in_order.is_empty());
    }

    #[test]
    fn the_endpoints_that_were_lost_last_are_remembered() {
        let guid = |number: usize| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&u64::try_from(number).expect("small").to_le_bytes());
            Guid(bytes)
        };
        let mut lost = Lost::default();
        for number in 0..=REMEMBERED {
            lost.add(guid(number));
            lost.add(guid(number));
        }
        assert!(!lost.contains(guid(0)) && (1..=REMEMBERED).all(|number| lost.contains(guid(number))));
        assert_eq!((lost.all.len(), lost.in_order.len()), (REMEMBERED, REMEMBERED));
    }
}
