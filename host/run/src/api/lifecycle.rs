//! `bridgehead.lifecycle/1` and `bridgehead.lockstep/1`: what instances report, ask for, and hold.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_abi::{Status, status};
use bridgehead_lifecycle::{Cause, Interrupt, Request, ResetRequest, ResetScope};
use bridgehead_plugin_api::hosting::{LifecycleHost, LockstepHost};

use super::{Context, Owner};
use crate::text::shortened;
use crate::thread::lock;

/// Longest reason or error text of a plugin in characters; longer ones are truncated.
const MAX_REASON: usize = 4096;
/// Longest error code of a plugin in characters.
const MAX_CODE: usize = 64;

/// A start that ended in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartReport {
    /// Label of the instance.
    pub label: String,
    /// The reason, where it failed.
    pub failure: Option<String>,
}

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

/// Steps that may run, as bridges that feed exact steps allow, and acknowledgements of resets.
#[derive(Debug, Default)]
pub struct LockstepGate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    /// First step that a bridge does not allow yet.
    held: BTreeMap<u32, u64>,
    /// Ticket each bridge still has to acknowledge.
    unacknowledged: BTreeMap<u32, u64>,
    /// Bridges that may hold no more: the host does not wait for their calls.
    abandoned: BTreeSet<u32>,
}

impl LockstepGate {
    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A bridge holds the simulation before its first step; false if it was abandoned.
    pub fn hold(&self, bridge: u32) -> bool {
        let mut state = self.state();
        let is_allowed = !state.abandoned.contains(&bridge);
        if is_allowed {
            state.held.insert(bridge, 0);
        }
        is_allowed
    }

    /// A bridge allows the steps up to and including `step`; false where it holds nothing.
    pub fn release_through(&self, bridge: u32, step: u64) -> bool {
        let mut state = self.state();
        let Some(first_held) = state.held.get_mut(&bridge) else {
            return false;
        };
        match step.checked_add(1) {
            Some(next) => *first_held = next.max(*first_held),
            None => drop(state.held.remove(&bridge)),
        }
        drop(state);
        self.changed.notify_all();
        true
    }

    /// Ends the hold of a bridge that is gone.
    pub fn forget(&self, bridge: u32) {
        let mut state = self.state();
        state.held.remove(&bridge);
        state.unacknowledged.remove(&bridge);
        drop(state);
        self.changed.notify_all();
    }

    /// Ends the hold of a bridge for good: a call of it that returns late can hold nothing.
    pub fn abandon(&self, bridge: u32) {
        self.state().abandoned.insert(bridge);
        self.forget(bridge);
    }

    /// Waits until `step` may run, at most `time`. Gives the bridges that still hold it.
    pub fn wait_for(&self, step: u64, time: Duration) -> Vec<u32> {
        let state = self.state();
        if state.held.is_empty() {
            return Vec::new();
        }
        let waited = self
            .changed
            .wait_timeout_while(state, time, |state| state.held.values().any(|held| *held <= step));
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.held.iter().filter(|(_, held)| **held <= step).map(|(bridge, _)| *bridge).collect()
    }

    /// A bridge may acknowledge a reset from now on.
    pub fn expect(&self, bridge: u32, ticket: u64) {
        self.state().unacknowledged.insert(bridge, ticket);
    }

    /// A bridge has nothing to acknowledge.
    pub fn expect_no_more(&self, bridge: u32) {
        self.state().unacknowledged.remove(&bridge);
        self.changed.notify_all();
    }

    fn acknowledge(&self, bridge: u32, ticket: u64) -> bool {
        let mut state = self.state();
        let is_expected = state.unacknowledged.get(&bridge) == Some(&ticket);
        if is_expected {
            state.unacknowledged.remove(&bridge);
            drop(state);
            self.changed.notify_all();
        }
        is_expected
    }

    /// Waits until every reset is acknowledged, at most `time`. Gives the bridges that have not.
    pub fn wait_for_acknowledgements(&self, time: Duration) -> Vec<u32> {
        let waited =
            self.changed.wait_timeout_while(self.state(), time, |state| !state.unacknowledged.is_empty());
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        std::mem::take(&mut state.unacknowledged).into_keys().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_waits_for_every_bridge_that_holds() {
        let gate = LockstepGate::default();
        assert!(gate.hold(1) && gate.hold(2));
        assert_eq!(gate.wait_for(0, Duration::ZERO), [1, 2]);
        assert!(gate.release_through(1, 5));
        assert_eq!(gate.wait_for(0, Duration::ZERO), [2]);
        assert!(gate.release_through(2, u64::MAX));
        assert!(gate.wait_for(5, Duration::ZERO).is_empty());
        assert_eq!(gate.wait_for(6, Duration::ZERO), [1]);
        gate.forget(1);
        assert!(gate.wait_for(6, Duration::ZERO).is_empty());
    }

    #[test]
    fn an_abandoned_bridge_holds_nothing_any_more() {
        let gate = LockstepGate::default();
        assert!(gate.hold(1) && gate.hold(2));
        gate.abandon(1);
        gate.forget(2);
        assert!(!gate.hold(1) && gate.hold(2));
        assert_eq!(gate.wait_for(0, Duration::ZERO), [2]);
    }

    #[test]
    fn an_acknowledgement_counts_only_with_its_ticket() {
        let gate = LockstepGate::default();
        gate.expect(1, 7);
        assert!(!gate.acknowledge(1, 6));
        assert_eq!(gate.wait_for_acknowledgements(Duration::ZERO), [1]);
        gate.expect(1, 8);
        assert!(gate.acknowledge(1, 8));
        assert!(gate.wait_for_acknowledgements(Duration::ZERO).is_empty());
    }
}
