//! `bridgehead.report/1`: what a bridge says of its side of a connection.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bridgehead_abi::report::HostReport;
use bridgehead_abi::{Host, Str};
use bridgehead_plugin_api::rules::MOST_ENDPOINTS;

use super::caller::{bytes, caller};
use crate::call::{self, Rule};
use crate::guard::host_call;

/// What an instance has said so far.
#[derive(Debug, Default)]
pub struct OwnReport {
    lost: AtomicU64,
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
    fn say(&self, address: &str, purpose: &str) -> bool {
        let mut endpoints = self.lock();
        if purpose.is_empty() {
            endpoints.remove(address);
        } else if endpoints.len() < MOST_ENDPOINTS || endpoints.contains_key(address) {
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

pub(super) static TABLE: HostReport =
    HostReport { struct_size: HostReport::SIZE, reserved: 0, lost, endpoint };

unsafe extern "C" fn lost(host: *const Host, messages: u64) {
    host_call("report.lost", (), || {
        caller!(host, "report.lost", else return).report.lost.fetch_add(messages, Ordering::Relaxed);
    })
}

unsafe extern "C" fn endpoint(host: *const Host, address: Str, purpose: Str) {
    host_call("report.endpoint", (), || {
        let context = caller!(host, "report.endpoint", else return);
        // SAFETY: plugins pass texts valid for this call.
        let texts = unsafe {
            (
                bytes(&context.label, address, "report.endpoint"),
                bytes(&context.label, purpose, "report.endpoint"),
            )
        };
        let (Ok(address), Ok(purpose)) = texts else { return };
        if !context.report.say(&String::from_utf8_lossy(address), &String::from_utf8_lossy(purpose)) {
            let text = format!("reports more than {MOST_ENDPOINTS} addresses; further ones are ignored");
            call::breach_of(Rule::Amount, &context.label, &text);
        }
    })
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
        let added = (0..=MOST_ENDPOINTS).filter(|number| report.say(&number.to_string(), "x")).count();
        assert_eq!(added, MOST_ENDPOINTS);
        assert!(report.say("0", "y"), "a known address");
        let endpoints = report.endpoints();
        assert_eq!((endpoints.len(), endpoints[0].1.as_str()), (MOST_ENDPOINTS, "y"));
    }
}
