//! Steps that wait for bridges, and acknowledgements of resets. Usable from any thread.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::held_step::{Hold, Late, Lateness, StepLimits};
use crate::bus::Moment;

/// Steps that may run, as bridges that feed exact steps allow, and acknowledgements of resets.
#[derive(Debug, Default)]
pub struct LockstepGate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    /// By bridge.
    holds: BTreeMap<u32, Hold>,
    /// The last complete step; `None` until the run begins, and after a reset until it goes on.
    complete: Option<Moment>,
    /// Number of resets so far.
    epoch: u32,
    /// Ticket each bridge still has to acknowledge.
    unacknowledged: BTreeMap<u32, u64>,
    /// What the configuration says of bridges.
    limits: BTreeMap<u32, StepLimits>,
    /// Bridges that may hold no more: the host does not wait for their calls.
    abandoned: BTreeSet<u32>,
}

/// Why a bridge gets no tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTick {
    /// The bridge holds nothing.
    NotHeld,
    /// The step is not complete yet.
    TimedOut,
}

/// Why a step is not released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReleased {
    /// The bridge holds nothing.
    NotHeld,
    /// There was a reset after the one that the bridge has named.
    Reset,
}

impl LockstepGate {
    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets what the configuration says of a bridge.
    pub fn configure(&self, bridge: u32, limits: StepLimits) {
        self.state().limits.insert(bridge, limits);
    }

    /// A bridge holds the simulation before its first step; false if it was abandoned. The configuration may have another
    /// limit for it.
    pub fn hold(&self, bridge: u32, limit: Option<Duration>, late: Late) -> bool {
        let mut state = self.state();
        let is_allowed = !state.abandoned.contains(&bridge);
        if is_allowed {
            let given = state.limits.get(&bridge).copied().unwrap_or_default();
            let hold = Hold::with_limit(given.timeout.or(limit), given.late.unwrap_or(late));
            state.holds.insert(bridge, hold);
        }
        is_allowed
    }

    /// A bridge allows the steps up to and including `step`, in the epoch that it names, if any. Returns how many steps ran
    /// without it, if it was absent.
    ///
    /// # Errors
    /// Returns an error if the bridge holds nothing, or there was a reset after that epoch.
    pub fn release(&self, bridge: u32, epoch: Option<u32>, step: u64) -> Result<Option<u64>, NotReleased> {
        let mut state = self.state();
        let (current, next) = (state.epoch, state.complete.map_or(0, |now| now.step + 1));
        let hold = state.holds.get_mut(&bridge).ok_or(NotReleased::NotHeld)?;
        if epoch.is_some_and(|epoch| epoch != current) {
            return Err(NotReleased::Reset);
        }
        let first_missed = hold.release_before(step.saturating_add(1));
        if step == u64::MAX {
            state.holds.remove(&bridge);
        }
        drop(state);
        self.changed.notify_all();
        Ok(first_missed.map(|first| next.saturating_sub(first)))
    }

    /// Waits until the last step that a bridge has released is complete, at most `time`.
    ///
    /// # Errors
    /// Returns an error if the bridge holds nothing, or the step is not complete.
    pub fn wait_for_tick(&self, bridge: u32, time: Duration) -> Result<Moment, NoTick> {
        let tick = |state: &GateState| match state.holds.get(&bridge) {
            None => Err(NoTick::NotHeld),
            Some(hold) => state.complete.filter(|now| hold.awaits(now.step + 1)).ok_or(NoTick::TimedOut),
        };
        let waits = |state: &mut GateState| tick(state) == Err(NoTick::TimedOut);
        let waited = self.changed.wait_timeout_while(self.state(), time, waits);
        tick(&waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// A reset begins: nothing is released in the new epoch yet.
    pub fn begin_epoch(&self, epoch: u32) {
        let mut state = self.state();
        state.epoch = epoch;
        state.complete = None;
        state.holds.values_mut().for_each(Hold::rearm);
    }

    /// Ends the hold of a bridge that is gone.
    pub fn forget(&self, bridge: u32) {
        let mut state = self.state();
        state.holds.remove(&bridge);
        state.unacknowledged.remove(&bridge);
        drop(state);
        self.changed.notify_all();
    }

    /// Ends the hold of a bridge for good: a call of it that returns late can hold nothing.
    pub fn abandon(&self, bridge: u32) {
        self.state().abandoned.insert(bridge);
        self.forget(bridge);
    }

    /// The step of `now` is complete: waits until the next one may run, at most `time`. Gives the bridges that still hold
    /// it.
    pub fn wait_after(&self, now: Moment, time: Duration) -> Vec<u32> {
        let mut state = self.state();
        if state.holds.is_empty() {
            return Vec::new();
        }
        if state.complete != Some(now) {
            state.complete = Some(now);
            self.changed.notify_all();
        }
        let next = now.step + 1;
        let waited = self
            .changed
            .wait_timeout_while(state, time, |state| state.holds.values().any(|hold| hold.holds(next)));
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.holds.iter().filter(|(_, hold)| hold.holds(next)).map(|(bridge, _)| *bridge).collect()
    }

    /// Returns what has to be said or done about the bridges that hold a step at `now`, once for each.
    pub fn late(&self, step: u64, now: Instant) -> Vec<(u32, Lateness)> {
        let mut state = self.state();
        let late = state.holds.iter_mut().filter(|(_, hold)| hold.holds(step));
        late.filter_map(|(bridge, hold)| Some((*bridge, hold.lateness(step, now)?))).collect()
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

    /// The end of a step.
    fn end_of(step: u64, reset_epoch: u32) -> Moment {
        Moment { step, time_ns: 0, reset_epoch }
    }

    #[test]
    fn a_step_waits_for_every_bridge_that_holds() {
        let gate = LockstepGate::default();
        let holders = |step: u64| gate.wait_after(end_of(step, 0), Duration::ZERO);
        assert!(gate.hold(1, None, Late::Wait) && gate.hold(2, None, Late::Wait));
        assert_eq!(holders(0), [1, 2]);
        assert_eq!(gate.release(1, None, 5), Ok(None));
        assert_eq!(holders(0), [2]);
        assert_eq!(gate.release(2, None, u64::MAX), Ok(None));
        assert!(holders(4).is_empty());
        assert_eq!(holders(5), [1]);
        gate.forget(1);
        assert!(holders(5).is_empty());
        assert_eq!(gate.release(1, None, 9), Err(NotReleased::NotHeld));
    }

    #[test]
    fn an_abandoned_bridge_holds_nothing_any_more() {
        let gate = LockstepGate::default();
        assert!(gate.hold(1, None, Late::Wait) && gate.hold(2, None, Late::Wait));
        gate.abandon(1);
        gate.forget(2);
        assert!(!gate.hold(1, None, Late::Wait) && gate.hold(2, None, Late::Wait));
        assert_eq!(gate.wait_after(end_of(0, 0), Duration::ZERO), [2]);
    }

    #[test]
    fn a_bridge_gets_a_tick_when_its_last_released_step_is_complete() {
        let gate = LockstepGate::default();
        assert_eq!(gate.wait_for_tick(1, Duration::ZERO), Err(NoTick::NotHeld));
        assert!(gate.hold(1, None, Late::Wait));
        assert_eq!(gate.wait_for_tick(1, Duration::ZERO), Err(NoTick::TimedOut), "the run has not begun");
        gate.wait_after(end_of(0, 0), Duration::ZERO);
        assert_eq!(gate.wait_for_tick(1, Duration::ZERO), Ok(end_of(0, 0)));
        assert_eq!(gate.release(1, Some(0), 2), Ok(None));
        for step in 0..2 {
            assert!(gate.wait_after(end_of(step, 0), Duration::ZERO).is_empty());
            assert_eq!(gate.wait_for_tick(1, Duration::ZERO), Err(NoTick::TimedOut));
        }
        gate.wait_after(end_of(2, 0), Duration::ZERO);
        assert_eq!(gate.wait_for_tick(1, Duration::ZERO), Ok(end_of(2, 0)));
    }

    #[test]
    fn nothing_is_released_after_a_reset_until_the_bridge_names_it() {
        let gate = LockstepGate::default();
        assert!(gate.hold(1, None, Late::Wait) && gate.hold(2, None, Late::Wait));
        assert_eq!((gate.release(1, Some(0), 1072), gate.release(2, None, 1072)), (Ok(None), Ok(None)));
        gate.begin_epoch(1);
        assert_eq!(
            gate.wait_for_tick(1, Duration::ZERO),
            Err(NoTick::TimedOut),
            "the run does not go on yet"
        );
        assert_eq!(gate.release(1, Some(0), 1073), Err(NotReleased::Reset));
        assert_eq!(gate.wait_after(end_of(0, 1), Duration::ZERO), [1, 2]);
        assert_eq!(gate.wait_for_tick(1, Duration::ZERO), Ok(end_of(0, 1)));
        assert_eq!((gate.release(1, Some(1), 1), gate.release(2, None, 1)), (Ok(None), Ok(None)));
        assert!(gate.wait_after(end_of(0, 1), Duration::ZERO).is_empty());
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
