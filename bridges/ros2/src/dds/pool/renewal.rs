//! Renews participants: moves the endpoints of one to a new one, while both exist, and closes it.
//!
//! Peers that have stayed discover the new endpoints before the old ones are closed, and readers receive through both
//! meanwhile, so no sample is lost or handed over twice. A call in progress is answered through the new endpoints.

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Result;

use super::{Inner, Participant};
use crate::dds::Guid;
use crate::dds::movable::Movable;
use crate::lock::lock;
use crate::wall;

/// Interval at which matches are compared.
const POLL: Duration = Duration::from_millis(50);
/// How often endpoints are looked for that were created in the old participant while the others moved.
const PASSES: usize = 3;

/// How long the parts of a renewal take.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// How long peers may take to discover the new endpoints. A peer that has died keeps a renewal waiting until its
    /// lease ends, 10 s in the default of Cyclone DDS, 20 s in that of Fast DDS.
    pub(super) discovery: Duration,
    /// How long both are used after that: a peer may know a new endpoint later than that endpoint knows the peer. New
    /// participants discover only the new endpoints then.
    pub(super) settling: Duration,
    /// How long the old endpoints receive after the new ones have taken over.
    pub(super) stragglers: Duration,
    /// How long a participant stays after its last endpoint, so that peers learn that the endpoints are gone.
    pub(super) farewell: Duration,
    /// Least time between two renewals, whatever peers do.
    pub(super) interval: Duration,
}

/// The thread that renews, which exists only meanwhile.
#[derive(Default)]
pub(super) struct Renewal {
    state: Mutex<State>,
    has_ended: Condvar,
}

#[derive(Default)]
struct State {
    thread: Option<JoinHandle<()>>,
    last: Option<Instant>,
    is_over: bool,
}

impl Renewal {
    /// Ends a renewal in progress and starts no further ones.
    pub(super) fn end(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        let thread = state.thread.take();
        drop(state);
        self.has_ended.notify_all();
        // The thread that renews may hold the last reference to what owns this.
        let other = thread.filter(|thread| thread.thread().id() != std::thread::current().id());
        if other.is_some_and(|thread| thread.join().is_err()) {
            log::error!("the thread that renews participants has panicked");
        }
    }

    /// Waits; returns true if renewals have ended.
    fn is_over_after(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        let waited = self.has_ended.wait_timeout_while(state, time, |state| !state.is_over);
        waited.unwrap_or_else(PoisonError::into_inner).0.is_over
    }
}

impl Inner {
    /// Starts a renewal if so many remote endpoints have left a participant. Runs on the thread of that participant, so
    /// it neither waits nor holds a participant, which it might close.
    pub(super) fn renew_if_due(self: &Arc<Self>, departed: u32) {
        if departed < self.limits.departed {
            return;
        }
        let mut state = lock(&self.renewal.state);
        let is_running = state.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        let is_early = state.last.is_some_and(|last| last.elapsed() < self.limits.times.interval);
        if state.is_over || is_running || is_early {
            return;
        }
        let inner = Arc::clone(self);
        let thread =
            std::thread::Builder::new().name("ros2-renew".to_owned()).spawn(move || inner.renew_one());
        match thread {
            Ok(thread) => state.thread = Some(thread),
            Err(error) => {
                log::warn!("a DDS participant is not renewed: its thread cannot be started: {error}")
            }
        }
        state.last = Some(wall::now());
    }

    /// Returns a participant that must be renewed.
    fn due(&self) -> Option<Arc<Participant>> {
        let state = lock(&self.state);
        let mut open = state.all.iter().filter_map(Weak::upgrade);
        open.find(|participant| participant.departed() >= self.limits.departed)
    }

    fn renew_one(&self) {
        let Some(old) = self.due() else { return };
        match self.renew(&old) {
            Ok(moved) => log::debug!("{moved} endpoints have moved to a new DDS participant"),
            Err(error) => log::warn!("{error}; a DDS participant is not renewed and keeps its memory"),
        }
        lock(&self.renewal.state).last = Some(wall::now());
    }

    /// Moves all endpoints of a participant to a new one and returns their number.
    fn renew(&self, old: &Arc<Participant>) -> Result<usize> {
        let new = self.open_successor(old)?;
        let mut moved = 0;
        for pass in 0..PASSES {
            let moving = Moving(old.endpoints());
            if moving.0.is_empty() && pass > 0 {
                break;
            }
            if !self.move_all(&moving, old, &new)? {
                break;
            }
            moved += moving.0.len();
        }
        Ok(moved)
    }

    /// Moves endpoints. Returns false if the node has ended meanwhile; each endpoint then closes both of its own.
    fn move_all(&self, moving: &Moving, old: &Arc<Participant>, new: &Arc<Participant>) -> Result<bool> {
        let (times, is_over_after) = (self.limits.times, |time| self.renewal.is_over_after(time));
        moving.open_twins(new)?;
        let mut missing = moving.matches();
        let deadline = wall::now() + times.discovery;
        while moving.is_any_missing(&mut missing) && wall::now() < deadline {
            if is_over_after(POLL) {
                return Ok(false);
            }
        }
        // A client that finds the old endpoints when they are about to be closed would send its request to nobody.
        old.close_to_new();
        if is_over_after(times.settling) {
            return Ok(false);
        }
        for endpoint in moving.0.iter().filter_map(Weak::upgrade) {
            endpoint.use_twin();
            if is_over_after(Duration::ZERO) {
                return Ok(false);
            }
        }
        self.replace(old, new);
        let is_over = is_over_after(times.stragglers);
        moving.for_each(|endpoint| endpoint.close_twin());
        Ok(!is_over && !is_over_after(times.farewell))
    }

    /// Opens the participant to which the endpoints of another one move. It creates the next endpoints if the other one
    /// did so.
    fn open_successor(&self, old: &Arc<Participant>) -> Result<Arc<Participant>> {
        let mut state = lock(&self.state);
        let new = self.open(&mut state)?;
        if Arc::ptr_eq(&state.current, old) {
            let moving = u32::try_from(old.endpoints().len()).unwrap_or(u32::MAX);
            state.until = moving.saturating_add(self.limits.endpoints);
            state.current = Arc::clone(&new);
        }
        Ok(new)
    }

    /// Lets the new participant lead if the old one did.
    fn replace(&self, old: &Arc<Participant>, new: &Arc<Participant>) {
        let mut state = lock(&self.state);
        if Arc::ptr_eq(&state.lead, old) {
            self.node.hand_lead_to(&new.core);
            state.lead = Arc::clone(new);
        }
    }
}

/// Endpoints that move. Some may be dropped meanwhile.
struct Moving(Vec<Weak<dyn Movable>>);

/// The remote endpoints that the twins must still discover, by endpoint.
type Missing = Vec<HashSet<Guid>>;

impl Moving {
    fn for_each(&self, act: impl FnMut(Arc<dyn Movable>)) {
        self.0.iter().filter_map(Weak::upgrade).for_each(act);
    }

    /// # Errors
    /// Returns the error of the first twin that cannot be opened, after those before it were closed.
    fn open_twins(&self, to: &Arc<Participant>) -> Result {
        for endpoint in self.0.iter().filter_map(Weak::upgrade) {
            if let Err(error) = endpoint.open_twin(to) {
                self.for_each(|endpoint| endpoint.close_twin());
                return Err(error);
            }
        }
        Ok(())
    }

    fn matches(&self) -> Missing {
        let matched = |endpoint: &Weak<dyn Movable>| endpoint.upgrade().map(|endpoint| endpoint.matched());
        self.0.iter().map(|endpoint| matched(endpoint).unwrap_or_default()).collect()
    }

    /// Removes what was discovered or has departed, and returns whether something is left.
    fn is_any_missing(&self, missing: &mut Missing) -> bool {
        for (endpoint, missing) in self.0.iter().zip(missing.iter_mut()) {
            if missing.is_empty() {
                continue;
            }
            match endpoint.upgrade() {
                Some(endpoint) => {
                    let (matched, found) = (endpoint.matched(), endpoint.twin_matched());
                    missing.retain(|remote| matched.contains(remote) && !found.contains(remote));
                }
                None => missing.clear(),
            }
        }
        missing.iter().any(|missing| !missing.is_empty())
    }
}

#[cfg(test)]
mod tests;
