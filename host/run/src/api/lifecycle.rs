//! `bridgehead.lifecycle/1`, `bridgehead.lockstep/1` and `bridgehead.stepping/1`: what instances report, ask for, and
//! hold.

use std::time::Duration;

use bridgehead_abi::stepping::{LATE_CONTINUE, LATE_END, LATE_WAIT, Tick};
use bridgehead_abi::{Status, status};
use bridgehead_lifecycle::{Cause, Interrupt, Request, ResetRequest, ResetScope};
use bridgehead_plugin_api::hosting::{LifecycleHost, LockstepHost, SteppingHost};

pub(super) use super::shared::requests::StartReport;

use super::context::{Context, Owner};
use super::shared::held_step::Late;
use super::shared::lockstep::{NoTick, NotReleased};
use crate::text::shortened;
use crate::thread::lock;

/// Longest reason or error text of a plugin in characters; longer ones are truncated.
pub(super) const MAX_REASON: usize = 4096;

/// Longest time in which a call waits for the end of a step: a worker makes no other call on its thread meanwhile.
const MAX_WAIT: Duration = Duration::from_secs(1);

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
        self.hold_with(None, Late::Wait)
    }

    fn release_through(&self, step: u64) -> Result<(), Status> {
        self.release_steps(None, step)
    }
}

impl SteppingHost for Context {
    fn hold(&self, limit_ns: u64, late: u32) -> Result<(), Status> {
        let late = match late {
            LATE_WAIT => Late::Wait,
            LATE_CONTINUE => Late::Continue,
            LATE_END => Late::End,
            _ => return Err(status::INVALID_ARG),
        };
        self.hold_with((limit_ns > 0).then(|| Duration::from_nanos(limit_ns)), late)
    }

    fn wait(&self, timeout_ns: u64) -> Result<Tick, Status> {
        let time = Duration::from_nanos(timeout_ns).min(MAX_WAIT);
        let complete =
            self.shared.lockstep.wait_for_tick(self.bridge()?, time).map_err(|none| match none {
                NoTick::NotHeld => status::WRONG_STATE,
                NoTick::TimedOut => status::TIMEOUT,
            })?;
        Ok(Tick {
            struct_size: Tick::SIZE,
            reset_epoch: complete.reset_epoch,
            step: complete.step,
            time_ns: complete.time_ns,
            width_ns: self.shared.clock.read().1,
        })
    }

    fn release(&self, reset_epoch: u32, step: u64) -> Result<(), Status> {
        self.release_steps(Some(reset_epoch), step)
    }
}

impl Context {
    /// Holds the simulation.
    fn hold_with(&self, limit: Option<Duration>, late: Late) -> Result<(), Status> {
        let bridge = self.bridge()?;
        let may_hold = self.shared.lockstep.hold(bridge, limit, late);
        may_hold.then_some(()).ok_or(status::WRONG_STATE)
    }

    fn release_steps(&self, reset_epoch: Option<u32>, step: u64) -> Result<(), Status> {
        match self.shared.lockstep.release(self.bridge()?, reset_epoch, step) {
            Ok(None) => Ok(()),
            Ok(Some(missed)) => {
                log::info!(target: &self.label, "releases steps again, after {missed} without it");
                Ok(())
            }
            Err(NotReleased::NotHeld) => Err(status::WRONG_STATE),
            Err(NotReleased::Reset) => {
                self.shared.inbox.forget_source(self.bridge()?);
                Err(status::NOT_FOUND)
            }
        }
    }

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
