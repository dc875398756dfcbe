//! What was logged about peers and is not logged again, whichever participant of the node notices it.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Mutex;

use bridgehead_ros2_node::lock::lock;

/// Largest number of participants that are reported: a peer can announce any number of them.
pub(super) const MAX_PARTICIPANTS: usize = 64;

/// Largest number of topics in log lines: the names come from peers.
const MAX_TOPICS: usize = 256;

/// What was logged.
#[derive(Default)]
pub(super) struct Logged {
    /// Other participants that do what only this node should do.
    participants: Mutex<HashSet<[u8; 12]>>,
    /// Topics whose QoS does not match.
    topics: Mutex<HashSet<String>>,
}

impl Logged {
    /// Returns whether another participant that does what only this node should do is to be logged, and records it.
    pub(super) fn admit_participant(&self, prefix: [u8; 12]) -> bool {
        admit(&self.participants, MAX_PARTICIPANTS, prefix)
    }

    /// Returns whether a topic whose QoS does not match is to be logged, and records it.
    pub(super) fn admit_topic(&self, topic: &str) -> bool {
        admit(&self.topics, MAX_TOPICS, topic.to_owned())
    }
}

/// Records what is new, unless too much is recorded.
fn admit<T: Hash + Eq>(logged: &Mutex<HashSet<T>>, most: usize, new: T) -> bool {
    let mut logged = lock(logged);
    logged.len() < most && logged.insert(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_topic_is_logged_once_and_not_any_number_of_them() {
        let logged = Logged::default();
        assert!(logged.admit_topic("rt/scan") && !logged.admit_topic("rt/scan"));
        let admitted = (0..2 * MAX_TOPICS).filter(|number| logged.admit_topic(&format!("rt/{number}")));
        assert_eq!(admitted.count(), MAX_TOPICS - 1);
        assert!(logged.admit_participant([1; 12]) && !logged.admit_participant([1; 12]));
    }
}
