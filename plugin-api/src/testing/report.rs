//! `bridgehead.report/1` of a test: what the bridge said of itself.

use std::collections::BTreeMap;

use super::host::{Shared, TestHost, lock};
use crate::hosting::ReportHost;
use crate::rules::MAX_ENDPOINTS;

/// What was reported.
#[derive(Default)]
pub(super) struct ReportRecord {
    lost: u64,
    endpoints: BTreeMap<String, String>,
}

impl TestHost {
    /// How many messages the bridge reported as lost.
    #[must_use]
    pub fn lost(self) -> u64 {
        lock(&self.shared.report).lost
    }

    /// What the bridge said that peers find, by address.
    #[must_use]
    pub fn endpoints(self) -> BTreeMap<String, String> {
        lock(&self.shared.report).endpoints.clone()
    }
}

impl ReportHost for Shared {
    fn lost(&self, messages: u64) {
        lock(&self.report).lost += messages;
    }

    fn endpoint(&self, address: &[u8], purpose: &[u8]) {
        let [address, purpose] = [address, purpose].map(String::from_utf8_lossy);
        let mut report = lock(&self.report);
        let endpoints = &mut report.endpoints;
        if purpose.is_empty() {
            endpoints.remove(&*address);
        } else if endpoints.len() < MAX_ENDPOINTS || endpoints.contains_key(&*address) {
            endpoints.insert(address.into_owned(), purpose.into_owned());
        }
    }
}
