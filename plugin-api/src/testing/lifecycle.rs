//! `bridgehead.lifecycle/1` and `bridgehead.lockstep/1` of a test: records what the plugin reports and asks.

use bridgehead_abi as abi;
use bridgehead_abi::{Host, Status, Str, status};

use super::calls::InstanceState;
use super::host::{Shared, TestHost, lock};
use super::outcome::{Outcome, request as request_of};
use crate::error::Request;

/// What was reported and asked.
#[derive(Default)]
pub(super) struct LifecycleRecord {
    started: Option<Outcome>,
    requests: Vec<(Request, String)>,
    /// Ticket of the reset that the bridge may acknowledge.
    expected: Option<u64>,
    acknowledged: Vec<u64>,
    errors: Vec<(String, String)>,
    released: Option<Option<u64>>,
}

impl TestHost {
    /// What the plugin asked for outside its calls, with the reasons.
    #[must_use]
    pub fn requests(self) -> Vec<(Request, String)> {
        lock(&self.shared.lifecycle).requests.clone()
    }

    /// Tickets of the resets the plugin acknowledged.
    #[must_use]
    pub fn acknowledged(self) -> Vec<u64> {
        lock(&self.shared.lifecycle).acknowledged.clone()
    }

    /// Failures the plugin reported outside its calls: code and text.
    #[must_use]
    pub fn reported_errors(self) -> Vec<(String, String)> {
        lock(&self.shared.lifecycle).errors.clone()
    }

    /// Whether the plugin holds the simulation.
    #[must_use]
    pub fn is_held(self) -> bool {
        lock(&self.shared.lifecycle).released.is_some_and(|through| through != Some(u64::MAX))
    }

    /// The last step that a holding plugin released; `None` if it holds nothing or released none yet.
    #[must_use]
    pub fn released_through(self) -> Option<u64> {
        lock(&self.shared.lifecycle).released.flatten()
    }

    /// Expects a ticket to be acknowledged from now on, or none any more.
    pub(super) fn expect_ticket(self, ticket: Option<u64>) {
        lock(&self.shared.lifecycle).expected = ticket;
    }

    /// How the start that went on in the background ended.
    pub(super) fn take_started(self) -> Option<Outcome> {
        lock(&self.shared.lifecycle).started.take()
    }

    pub(super) fn has_started(self) -> bool {
        lock(&self.shared.lifecycle).started.is_some()
    }
}

pub(super) static TABLE: abi::host::HostLifecycle = abi::host::HostLifecycle {
    struct_size: abi::host::HostLifecycle::SIZE,
    reserved: 0,
    started,
    request,
    acknowledge,
    report_error,
};

pub(super) static LOCKSTEP_TABLE: abi::host::HostLockstep = abi::host::HostLockstep {
    struct_size: abi::host::HostLockstep::SIZE,
    reserved: 0,
    hold,
    release_through,
};

/// # Safety
/// The text must be alive.
unsafe fn owned(text: Str) -> String {
    // SAFETY: the caller vouches for the text.
    String::from_utf8_lossy(unsafe { text.as_bytes() }).into_owned()
}

unsafe extern "C" fn started(host: *const Host, code: Status, text: Str) -> Status {
    // SAFETY: plugins pass back the pointer they were given; the text lives for the call.
    let (shared, text) = unsafe { (Shared::of(host), owned(text)) };
    // A background thread may be faster than the `start` call that made it.
    if !matches!(shared.calls.state(), InstanceState::Awake | InstanceState::Starting) {
        return status::WRONG_STATE;
    }
    lock(&shared.lifecycle).started = Some(Outcome::from_status("start", code, text));
    shared.announce();
    status::OK
}

unsafe extern "C" fn request(host: *const Host, code: Status, reason: Str) -> Status {
    // SAFETY: as above.
    let (shared, reason) = unsafe { (Shared::of(host), owned(reason)) };
    let Some(request) = request_of(code) else {
        return status::INVALID_ARG;
    };
    lock(&shared.lifecycle).requests.push((request, reason));
    shared.announce();
    status::OK
}

unsafe extern "C" fn acknowledge(host: *const Host, ticket: u64) -> Status {
    // SAFETY: as above.
    let shared = unsafe { Shared::of(host) };
    let mut record = lock(&shared.lifecycle);
    if record.expected.take_if(|expected| *expected == ticket).is_none() {
        return status::NOT_FOUND;
    }
    record.acknowledged.push(ticket);
    drop(record);
    shared.announce();
    status::OK
}

unsafe extern "C" fn report_error(host: *const Host, code: Str, text: Str) {
    // SAFETY: as above.
    let (shared, code, text) = unsafe { (Shared::of(host), owned(code), owned(text)) };
    lock(&shared.lifecycle).errors.push((code, text));
    shared.announce();
}

unsafe extern "C" fn hold(host: *const Host) -> Status {
    // SAFETY: as above.
    let shared = unsafe { Shared::of(host) };
    lock(&shared.lifecycle).released = Some(None);
    shared.announce();
    status::OK
}

unsafe extern "C" fn release_through(host: *const Host, step: u64) -> Status {
    // SAFETY: as above.
    let shared = unsafe { Shared::of(host) };
    let mut record = lock(&shared.lifecycle);
    let Some(released) = &mut record.released else {
        return status::WRONG_STATE;
    };
    *released = Some(released.map_or(step, |before| before.max(step)));
    drop(record);
    shared.announce();
    status::OK
}
