//! The publishers of other processes that this one receives from, and whether those processes live.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

/// Silence after which a process counts as dead, as in the library.
pub(super) const SILENCE: Duration = Duration::from_secs(3);
/// Publishers that are connected to at one time: a flood of announcements must not open connections without limit.
const MAX_PUBLISHERS: usize = 1024;

/// A publisher: its topic, its process and its node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) topic: String,
    pub(super) process: String,
    pub(super) node: String,
}

/// The publishers, by what identifies them; each with its address.
#[derive(Debug, Default)]
pub(super) struct Remotes {
    publishers: BTreeMap<Key, String>,
    /// When each of their processes was heard last.
    heard: BTreeMap<String, Instant>,
}

/// What became of a publisher.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Added {
    /// There are too many: it is not added.
    Excess,
    /// It was known.
    Known,
    /// It is new, and another publisher has the same address.
    Publisher,
    /// It is new, and so is its address.
    Address,
}

impl Remotes {
    /// Notes that a process lives.
    pub(super) fn hear(&mut self, process: &str, now: Instant) {
        if let Some(last) = self.heard.get_mut(process) {
            *last = now;
        }
    }

    /// Adds a publisher.
    pub(super) fn add(&mut self, key: Key, address: &str, now: Instant) -> Added {
        if self.publishers.get(&key).is_some_and(|known| known == address) {
            return Added::Known;
        }
        if self.publishers.len() >= MAX_PUBLISHERS {
            return Added::Excess;
        }
        let is_known = self.has_address(address);
        self.heard.insert(key.process.clone(), now);
        self.publishers.insert(key, address.to_owned());
        if is_known { Added::Publisher } else { Added::Address }
    }

    /// Removes the publishers for which `is_gone` holds; returns the addresses that nobody needs any more.
    pub(super) fn remove(&mut self, is_gone: impl Fn(&Key) -> bool) -> Vec<String> {
        let gone: Vec<Key> = self.publishers.keys().filter(|key| is_gone(key)).cloned().collect();
        let addresses: Vec<String> = gone.iter().filter_map(|key| self.publishers.remove(key)).collect();
        let publishers = &self.publishers;
        self.heard.retain(|process, _| publishers.keys().any(|key| key.process == *process));
        let mut unused: Vec<String> =
            addresses.into_iter().filter(|address| !self.has_address(address)).collect();
        unused.sort();
        unused.dedup();
        unused
    }

    /// Removes the publishers of processes that were silent for too long; returns the addresses that nobody needs any more.
    pub(super) fn expire(&mut self, now: Instant) -> Vec<String> {
        let silent = self.heard.iter().filter(|(_, last)| now.saturating_duration_since(**last) > SILENCE);
        let silent: Vec<String> = silent.map(|(process, _)| process.clone()).collect();
        if silent.is_empty() { Vec::new() } else { self.remove(|key| silent.contains(&key.process)) }
    }

    /// Returns the processes with publishers of a topic.
    pub(super) fn processes_of(&self, topic: &str) -> Vec<String> {
        let of_topic = self.publishers.keys().filter(|key| key.topic == topic);
        let mut processes: Vec<String> = of_topic.map(|key| key.process.clone()).collect();
        processes.dedup();
        processes
    }

    pub(super) fn has_address(&self, address: &str) -> bool {
        self.publishers.values().any(|known| known == address)
    }
}

/// Returns true if a peer may be connected to: `tcp://` and an address, of this machine if the node is on the loopback.
/// Otherwise a datagram could have this process connect to any address.
pub(super) fn is_allowed(address: &str, ip: Ipv4Addr, own: impl Fn(Ipv4Addr) -> bool) -> bool {
    let Some((host, port)) = address.strip_prefix("tcp://").and_then(|rest| rest.rsplit_once(':')) else {
        return false;
    };
    let (Ok(host), Ok(port)) = (host.parse::<Ipv4Addr>(), port.parse::<u16>()) else { return false };
    port > 0 && (!ip.is_loopback() || host.is_loopback() || own(host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall_clock;

    fn key(topic: &str, process: &str) -> Key {
        Key { topic: topic.to_owned(), process: process.to_owned(), node: "n".to_owned() }
    }

    #[test]
    fn addresses_are_used_until_their_last_publisher_leaves() {
        let (mut remotes, now) = (Remotes::default(), wall_clock::now());
        assert_eq!(remotes.add(key("a", "p"), "x", now), Added::Address);
        assert_eq!(remotes.add(key("a", "p"), "x", now), Added::Known);
        assert_eq!(remotes.add(key("b", "p"), "x", now), Added::Publisher);
        assert!(remotes.remove(|key| key.topic == "a").is_empty());
        assert_eq!(remotes.remove(|key| key.process == "p"), ["x"]);
    }

    #[test]
    fn a_silent_process_has_left() {
        let (mut remotes, now) = (Remotes::default(), wall_clock::now());
        let _ = remotes.add(key("a", "p"), "x", now);
        let _ = remotes.add(key("a", "q"), "y", now);
        remotes.hear("p", now + SILENCE);
        assert_eq!(remotes.expire(now + SILENCE + Duration::from_millis(1)), ["y"]);
        assert!(remotes.expire(now + SILENCE + SILENCE).is_empty());
    }

    #[test]
    fn a_flood_of_announcements_is_limited() {
        let (mut remotes, now) = (Remotes::default(), wall_clock::now());
        for number in 0..2 * MAX_PUBLISHERS {
            let _ = remotes.add(key("a", &number.to_string()), &number.to_string(), now);
        }
        assert_eq!(remotes.publishers.len(), MAX_PUBLISHERS);
        assert_eq!(remotes.add(key("b", "p"), "x", now), Added::Excess);
        assert_eq!(remotes.add(key("a", "0"), "0", now), Added::Known);
    }

    #[test]
    fn a_node_of_the_loopback_connects_to_this_machine_only() {
        let own = |ip: Ipv4Addr| ip == Ipv4Addr::new(10, 0, 0, 7);
        let is_allowed = |address| is_allowed(address, Ipv4Addr::LOCALHOST, own);
        assert!(is_allowed("tcp://127.0.0.1:1") && is_allowed("tcp://10.0.0.7:65535"));
        for address in
            ["tcp://10.0.0.8:1", "tcp://127.0.0.1:0", "ipc:///tmp/x", "tcp://localhost:1", "tcp://*:1", ""]
        {
            assert!(!is_allowed(address), "{address}");
        }
        assert!(super::is_allowed("tcp://10.0.0.8:1", Ipv4Addr::new(10, 0, 0, 7), own));
    }
}
