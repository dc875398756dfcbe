//! `bridgehead.report/1` of a test: what the bridge said of itself.

use std::collections::BTreeMap;

use bridgehead_abi::report::HostReport;
use bridgehead_abi::{Host, Str};

use super::host::{Shared, TestHost, lock};
use crate::rules::MOST_ENDPOINTS;

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

pub(super) static TABLE: HostReport =
    HostReport { struct_size: HostReport::SIZE, reserved: 0, lost, endpoint };

unsafe extern "C" fn lost(host: *const Host, messages: u64) {
    // SAFETY: plugins pass back the pointer they were given.
    lock(&unsafe { Shared::of(host) }.report).lost += messages;
}

unsafe extern "C" fn endpoint(host: *const Host, address: Str, purpose: Str) {
    // SAFETY: as above, with texts that are valid for this call.
    let (shared, address, purpose) = unsafe { (Shared::of(host), address.as_str(), purpose.as_str()) };
    let (Some(address), Some(purpose)) = (address, purpose) else { return };
    let mut report = lock(&shared.report);
    let endpoints = &mut report.endpoints;
    match purpose {
        "" => drop(endpoints.remove(address)),
        purpose if endpoints.len() < MOST_ENDPOINTS || endpoints.contains_key(address) => {
            drop(endpoints.insert(address.to_owned(), purpose.to_owned()));
        }
        _ => {}
    }
}
