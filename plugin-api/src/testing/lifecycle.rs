//! `bridgehead.lifecycle/1` and `bridgehead.lockstep/1` of a test: records what the plugin reports and asks.

use bridgehead_abi::{Status, status};

use super::calls::InstanceState;
use super::host::{Shared, TestHost, lock};
use super::outcome::{Outcome, request as request_of};
use crate::error::Request;
use crate::hosting::{LifecycleHost, LockstepHost};

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

fn owned(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

impl LifecycleHost for Shared {
    fn started(&self, code: Status, text: &[u8]) -> Result<(), Status> {
        // A background thread may be faster than the `start` call that made it.
        if !matches!(self.calls.state(), InstanceState::Awake | InstanceState::Starting) {
            return Err(status::WRONG_STATE);
        }
        lock(&self.lifecycle).started = Some(Outcome::from_status("start", code, owned(text)));
        self.announce();
        Ok(())
    }

    fn request(&self, code: Status, reason: &[u8]) -> Result<(), Status> {
        let request = request_of(code).ok_or(status::INVALID_ARG)?;
        lock(&self.lifecycle).requests.push((request, owned(reason)));
        self.announce();
        Ok(())
    }

    fn acknowledge(&self, ticket: u64) -> Result<(), Status> {
        let mut record = lock(&self.lifecycle);
        record.expected.take_if(|expected| *expected == ticket).ok_or(status::NOT_FOUND)?;
        record.acknowledged.push(ticket);
        drop(record);
        self.announce();
        Ok(())
    }

    fn report_error(&self, code: &[u8], text: &[u8]) {
        lock(&self.lifecycle).errors.push((owned(code), owned(text)));
        self.announce();
    }
}

impl LockstepHost for Shared {
    fn hold(&self) -> Result<(), Status> {
        lock(&self.lifecycle).released = Some(None);
        self.announce();
        Ok(())
    }

    fn release_through(&self, step: u64) -> Result<(), Status> {
        let mut record = lock(&self.lifecycle);
        let released = record.released.as_mut().ok_or(status::WRONG_STATE)?;
        *released = Some(released.map_or(step, |before| before.max(step)));
        drop(record);
        self.announce();
        Ok(())
    }
}
