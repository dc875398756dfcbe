//! `bridgehead.lifecycle/1` and `bridgehead.lockstep/1`: what instances report, ask for, and hold.

use bridgehead_abi::{Status, status};
use bridgehead_lifecycle::{Cause, Interrupt, Request, ResetRequest, ResetScope};
use bridgehead_plugin_api::hosting::{LifecycleHost, LockstepHost};

pub(super) use super::shared::requests::StartReport;

use super::context::{Context, Owner};
use crate::text::shortened;
use crate::thread::lock;

/// Longest reason or error text of a plugin in characters; longer ones are truncated.
pub(super) const MAX_REASON: usize = 4096;

/// Longest error code of a plugin in characters.
pub(super) const MAX_CODE: usize = 64;

/// What a `REQUEST_` status asks of the lifecycle; `None` for any other status.
#[must_use]
pub fn interrupt_for(request: Status) -> Option<Interrupt> {
    Some(match request {
        status::REQUEST_STOP => Interrupt::Stop,
        status::REQUEST_SUCCEED => Interrupt::Success,
        status::REQUEST_FAIL => Interrupt::Fail,
        status::REQUEST_RESET => Interrupt::Reset(ResetRequest::running_on(ResetScope::ALL)),
        status::REQUEST_ABORT => Interrupt::Abort,
        _ => return None,
    })
}

impl LifecycleHost for Context {
    fn started(&self, code: Status, text: &[u8]) -> Result<(), Status> {
        let text = String::from_utf8_lossy(text);
        let text = if text.is_empty() { status::name(code) } else { &text };
        let failure = (code < 0).then(|| shortened(text, MAX_REASON).into_owned());
        let report = StartReport { label: self.label.clone(), failure };
        lock(&self.shared.started).push(report);
        self.shared.requests.wake();
        Ok(())
    }

    fn request(&self, request: Status, reason: &[u8]) -> Result<(), Status> {
        let interrupt = interrupt_for(request).ok_or(status::INVALID_ARG)?;
        if !self.may_request(&interrupt) {
            return Err(status::INVALID_ARG);
        }
        let reason = shortened(&String::from_utf8_lossy(reason), MAX_REASON).into_owned();
        self.shared.requests.push(Request::new(interrupt, self.cause(reason)));
        Ok(())
    }

    fn acknowledge(&self, ticket: u64) -> Result<(), Status> {
        let is_expected = self.shared.lockstep.acknowledge(self.bridge()?, ticket);
        is_expected.then_some(()).ok_or(status::NOT_FOUND)
    }

    fn report_error(&self, code: &[u8], text: &[u8]) {
        let [code, text] = [code, text].map(String::from_utf8_lossy);
        let (code, text) = (shortened(&code, MAX_CODE), shortened(&text, MAX_REASON));
        log::error!(target: &self.label, "[{code}] {text}");
        self.shared.reported.push(format!("[{code}] {}: {text}", self.label));
        self.note_error(format!("[{code}] {text}"));
    }
}

impl LockstepHost for Context {
    fn hold(&self) -> Result<(), Status> {
        let may_hold = self.shared.lockstep.hold(self.bridge()?);
        may_hold.then_some(()).ok_or(status::WRONG_STATE)
    }

    fn release_through(&self, step: u64) -> Result<(), Status> {
        let is_held = self.shared.lockstep.release_through(self.bridge()?, step);
        is_held.then_some(()).ok_or(status::WRONG_STATE)
    }
}

impl Context {
    /// The number of the bridge.
    fn bridge(&self) -> Result<u32, Status> {
        match self.owner {
            Owner::Bridge(bridge) => Ok(bridge),
            Owner::Library | Owner::Model => Err(status::UNSUPPORTED),
        }
    }

    /// This instance as the cause of a request.
    #[must_use]
    pub fn cause(&self, reason: String) -> Cause {
        let name = self.label.clone();
        match self.owner {
            Owner::Bridge(_) => Cause::Bridge { name, reason },
            Owner::Library | Owner::Model => Cause::Plugin { name, reason },
        }
    }
}
