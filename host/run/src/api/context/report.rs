//! What an instance says of its side of a connection. Usable from any thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bridgehead_plugin_api::rules::MAX_ENDPOINTS;

/// What an instance has said so far.
#[derive(Debug, Default)]
pub struct OwnReport {
    pub(in crate::api) lost: AtomicU64,
    endpoints: Mutex<BTreeMap<String, String>>,
}

impl OwnReport {
    /// Messages that it took and lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// What peers find there, by address.
    #[must_use]
    pub fn endpoints(&self) -> Vec<(String, String)> {
        self.lock().iter().map(|(address, purpose)| (address.clone(), purpose.clone())).collect()
    }

    /// Returns false if there are too many addresses.
    pub(in crate::api) fn say(&self, address: &str, purpose: &str) -> bool {
        let mut endpoints = self.lock();
        if purpose.is_empty() {
            endpoints.remove(address);
        } else if endpoints.len() < MAX_ENDPOINTS || endpoints.contains_key(address) {
            endpoints.insert(address.to_owned(), purpose.to_owned());
        } else {
            return false;
        }
        true
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, String>> {
        self.endpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_an_address_counts() {
        let report = OwnReport::default();
        assert!(report.say("tcp 2", "laser") && report.say("tcp 1", "imu"));
        assert!(report.say("tcp 2", "laser, closed"));
        let endpoints = report.endpoints();
        let lines: Vec<_> =
            endpoints.iter().map(|(address, purpose)| format!("{address}: {purpose}")).collect();
        assert_eq!(lines, ["tcp 1: imu", "tcp 2: laser, closed"]);
        assert!(report.say("tcp 1", ""));
        assert_eq!(report.endpoints().len(), 1);
    }

    #[test]
    fn nobody_fills_the_memory_of_the_host() {
        let report = OwnReport::default();
        let added = (0..=MAX_ENDPOINTS).filter(|number| report.say(&number.to_string(), "x")).count();
        assert_eq!(added, MAX_ENDPOINTS);
        assert!(report.say("0", "y"), "a known address");
        let endpoints = report.endpoints();
        assert_eq!((endpoints.len(), endpoints[0].1.as_str()), (MAX_ENDPOINTS, "y"));
    }
}
