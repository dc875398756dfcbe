//! Bounded memory of peers: a map that forgets what was not used for long, and a limit of rates.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Instant;

/// A map that keeps the entries used last, at least half as many as its capacity.
///
/// Entries are in two generations. If the young one is full, the old one is dropped, and the young one becomes old.
pub(super) struct Recent<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    half: usize,
}

impl<K: Hash + Eq, V> Recent<K, V> {
    pub(super) fn new(capacity: usize) -> Self {
        Recent { young: HashMap::new(), old: HashMap::new(), half: capacity / 2 }
    }

    /// Returns the value of a key, which now counts as used.
    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        if let Some((key, value)) = self.old.remove_entry(key) {
            return Some(self.insert(key, value));
        }
        self.young.get_mut(key)
    }

    /// Adds an entry, or replaces it.
    pub(super) fn insert(&mut self, key: K, value: V) -> &mut V {
        if self.young.len() >= self.half {
            self.old = std::mem::take(&mut self.young);
        }
        self.old.remove(&key);
        self.young.entry(key).insert_entry(value).into_mut()
    }
}

/// Limits a rate: a store of tokens that fills up over time.
pub(super) struct Bucket {
    level: f64,
    capacity: f64,
    per_second: f64,
    at: Option<Instant>,
}

impl Bucket {
    /// Returns a full one for so many tokens at once and per second.
    pub(super) fn new((capacity, per_second): (u32, u32)) -> Self {
        Bucket { level: capacity.into(), capacity: capacity.into(), per_second: per_second.into(), at: None }
    }

    /// Takes tokens and returns true if there are enough.
    pub(super) fn take(&mut self, tokens: u32, now: Instant) -> bool {
        let passed = self.at.map_or(0.0, |at| now.saturating_duration_since(at).as_secs_f64());
        self.at = Some(now);
        self.level = (self.level + passed * self.per_second).min(self.capacity);
        let is_enough = self.level >= tokens.into();
        if is_enough {
            self.level -= f64::from(tokens);
        }
        is_enough
    }

    /// Fills it up if half of it is used, with at most as many tokens as `take` returns for those that are missing.
    pub(super) fn refill(&mut self, take: impl FnOnce(u32) -> u32) {
        if self.level * 2.0 < self.capacity {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a capacity is a u32, and the level is not negative and below it"
            )]
            let missing = (self.capacity - self.level) as u32;
            self.level += f64::from(take(missing));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_used_is_kept_and_the_size_is_bounded() {
        let mut recent = Recent::new(20);
        recent.insert(0, 'x');
        for number in 1..1000 {
            recent.insert(number, 'y');
            assert_eq!(recent.get_mut(&0), Some(&mut 'x'));
            assert!(recent.young.len() + recent.old.len() <= 20);
        }
        assert_eq!(recent.get_mut(&5), None);
        assert_eq!(recent.get_mut(&999), Some(&mut 'y'));
    }

    #[test]
    fn a_bucket_is_empty_after_its_capacity_and_fills_up_again() {
        let start = bridgehead_ros2_node::wall_clock::now();
        let mut bucket = Bucket::new((3, 1));
        let taken = [0, 0, 0, 0, 1, 1, 100, 100, 100, 100]
            .map(|second| bucket.take(1, start + Duration::from_secs(second)));
        assert_eq!(taken, [true, true, true, false, true, false, true, true, true, false]);
        assert!(!bucket.take(2, start + Duration::from_secs(101)));
    }

    #[test]
    fn a_bucket_is_refilled_only_when_half_of_it_is_used() {
        let start = bridgehead_ros2_node::wall_clock::now();
        let mut bucket = Bucket::new((10, 1));
        bucket.refill(|_| panic!("it is full"));
        assert!(bucket.take(8, start));
        bucket.refill(|missing| {
            assert_eq!(missing, 8);
            3
        });
        assert!(bucket.take(5, start) && !bucket.take(1, start));
    }
}
