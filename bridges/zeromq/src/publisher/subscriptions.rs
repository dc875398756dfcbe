//! What one peer has subscribed to: beginnings of names, each as often as it asked.

use std::collections::BTreeMap;
use std::ops::Bound;

/// Bytes of names that are kept of one peer.
const MAX_BYTES: usize = 256 << 10;
/// Bytes that a subscription takes beside its name, about.
const OVERHEAD: usize = 64;

/// The subscriptions of one peer.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    prefixes: BTreeMap<Vec<u8>, u32>,
    bytes: usize,
}

impl Subscriptions {
    /// Adds one. Returns false if there are too many.
    pub(super) fn add(&mut self, prefix: &[u8]) -> bool {
        if let Some(count) = self.prefixes.get_mut(prefix) {
            *count = count.saturating_add(1);
            return true;
        }
        self.bytes += prefix.len() + OVERHEAD;
        self.prefixes.insert(prefix.to_vec(), 1);
        self.bytes <= MAX_BYTES
    }

    /// Removes one.
    pub(super) fn remove(&mut self, prefix: &[u8]) {
        let Some(count) = self.prefixes.get_mut(prefix) else { return };
        *count -= 1;
        if *count == 0 {
            self.prefixes.remove(prefix);
            self.bytes -= prefix.len() + OVERHEAD;
        }
    }

    /// Returns true if one of them is a beginning of this name.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        let mut end = name;
        loop {
            let below = (Bound::Unbounded, Bound::Included(end));
            // The last one in order that can be a beginning: if it is none, then only what it shares with the name can hold one.
            let Some((prefix, _)) = self.prefixes.range::<[u8], _>(below).next_back() else { return false };
            if name.starts_with(prefix) {
                return true;
            }
            let shared = prefix.iter().zip(end).take_while(|(one, other)| one == other).count();
            end = &end[..shared];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscribed(prefixes: &[&str]) -> Subscriptions {
        let mut subscriptions = Subscriptions::default();
        prefixes.iter().for_each(|prefix| assert!(subscriptions.add(prefix.as_bytes())));
        subscriptions
    }

    #[test]
    fn a_subscription_is_the_beginning_of_a_name() {
        let subscriptions = subscribed(&["@/t@/car", "@/t@/car1/imu", "@/t@/zoo"]);
        for (name, is_received) in [
            ("@/t@/car", true),
            ("@/t@/car1/odom", true),
            ("@/t@/ca", false),
            ("@/t@/zebra", false),
            ("@/t@/zoom", true),
            ("", false),
        ] {
            assert_eq!(subscriptions.has(name.as_bytes()), is_received, "{name}");
        }
        assert!(subscribed(&[""]).has(b"") && subscribed(&[""]).has(b"x"));
        assert!(!Subscriptions::default().has(b"x"));
    }

    #[test]
    fn the_search_agrees_with_a_comparison_of_all() {
        let mut seed = 3_u64;
        let mut word = |most: usize| -> Vec<u8> {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let length = usize::try_from(seed >> 33).unwrap_or(0) % (most + 1);
            (0..length).map(|place| b'a' + u8::try_from((seed >> (place * 2 + 8)) & 1).unwrap_or(0)).collect()
        };
        for _ in 0..2000 {
            let prefixes: Vec<_> = (0..6).map(|_| [b"a".to_vec(), word(6)].concat()).collect();
            let mut subscriptions = Subscriptions::default();
            prefixes.iter().for_each(|prefix| assert!(subscriptions.add(prefix)));
            let name = word(9);
            let expected = prefixes.iter().any(|prefix| name.starts_with(prefix));
            assert_eq!(subscriptions.has(&name), expected, "{prefixes:?} {name:?}");
        }
    }

    #[test]
    fn a_subscription_lasts_until_it_was_cancelled_as_often_as_made() {
        let mut subscriptions = subscribed(&["a", "a"]);
        subscriptions.remove(b"a");
        assert!(subscriptions.has(b"a"));
        subscriptions.remove(b"a");
        subscriptions.remove(b"a");
        assert!(!subscriptions.has(b"a") && subscriptions.bytes == 0);
    }

    #[test]
    fn there_is_a_limit() {
        let mut subscriptions = Subscriptions::default();
        let added = (0..100_000_u32).take_while(|number| subscriptions.add(&number.to_be_bytes())).count();
        assert!((3000..4000).contains(&added), "{added}");
    }
}
