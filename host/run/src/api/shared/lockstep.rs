//! Steps that wait for bridges. Usable from any thread.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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

    pub(crate) fn acknowledge(&self, bridge: u32, ticket: u64) -> bool {
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
