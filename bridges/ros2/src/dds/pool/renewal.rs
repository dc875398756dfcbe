//! Renews participants: moves the endpoints of one to a new one, while both exist, and closes it.
//!
//! Peers that are there discover the new endpoints before the old ones are closed, and readers receive through both
//! meanwhile. Peers that join meanwhile find only the new participant: a client that finds both may send its request to
//! one of them and not know the other one yet, from which the reply comes; and `rustdds` announces endpoints that are gone
//! to each new peer, which may take them for servers. A remote reader that only one of two endpoints knows gets samples
//! and replies from that one.

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Result;

use super::{Inner, Participant};
use crate::dds::guid::Guid;
use crate::dds::movable::Movable;
use crate::lock::lock;
use crate::{memory, wall_clock};

/// Interval at which matches are compared.
const POLL: Duration = Duration::from_millis(50);
/// Most rounds of moving: endpoints may be created in the old participant during a round.
const ROUNDS: usize = 3;

/// How long the parts of a renewal take.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// How long peers that have just joined may take to discover the old endpoints. Those that join later find nothing
    /// until the new participant is open.
    pub(super) last_joining: Duration,
    /// How long peers may take to discover the new endpoints. A peer that has died keeps a renewal waiting until its
    /// lease ends, 10 s in the default of Cyclone DDS, 20 s in that of Fast DDS.
    pub(super) discovery: Duration,
    /// How long both are used after that: a peer may know a new endpoint later than that endpoint knows the peer.
    pub(super) settling: Duration,
    /// How long the old endpoints receive after the new ones have taken over.
    pub(super) late_requests: Duration,
    /// How long they may take in addition, until readers have what was written to them.
    pub(super) acknowledgments: Duration,
    /// How long a participant stays after its last endpoint, so that peers learn that the endpoints are gone.
    pub(super) before_close: Duration,
    /// Least time between two renewals, whatever peers do.
    pub(super) interval: Duration,
}

/// The thread that renews; it exists only during a renewal.
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
        if thread.is_some_and(|thread| thread.join().is_err()) {
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
    /// it must not wait.
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
        let thread = std::thread::Builder::new().name("ros2-renew".to_owned()).spawn(move || {
            if inner.renew_one() {
                memory::release();
            }
        });
        match thread {
            Ok(thread) => state.thread = Some(thread),
            Err(error) => {
                log::warn!("a DDS participant is not renewed: its thread cannot be started: {error}")
            }
        }
        state.last = Some(wall_clock::now());
    }

    /// Returns a participant that must be renewed.
    fn due(&self) -> Option<Arc<Participant>> {
        // Dropped after the lock: one of them may be closed by it.
        let open: Vec<_> = lock(&self.state).all.iter().filter_map(Weak::upgrade).collect();
        open.into_iter().find(|participant| participant.departed() >= self.limits.departed)
    }

    /// Renews one participant, if one is due. Returns true if it is closed.
    fn renew_one(&self) -> bool {
        let Some(old) = self.due() else { return false };
        let renewed = self.renew(&old);
        lock(&self.renewal.state).last = Some(wall_clock::now());
        match renewed {
            Ok(moved) => {
                log::debug!("{moved} endpoints have moved to a new DDS participant");
                moved > 0
            }
            Err(error) => {
                log::warn!("{error}; a DDS participant is not renewed and keeps its memory");
                false
            }
        }
    }

    /// Moves all endpoints of a participant to a new one and returns their number.
    fn renew(&self, old: &Arc<Participant>) -> Result<usize> {
        let _ignoring = IgnoringNewPeers::begin(old);
        if self.renewal.is_over_after(self.limits.times.last_joining) {
            return Ok(0);
        }
        let new = self.open_successor(old)?;
        let mut moved = 0;
        for round in 0..ROUNDS {
            let moving = Moving(old.endpoints());
            if moving.0.is_empty() && round > 0 {
                break;
            }
            moving.open_others(&new)?;
            self.replace(old, &new);
            if !self.move_all(&moving) {
                break;
            }
            moved += moving.0.len();
        }
        Ok(moved)
    }

    /// Moves endpoints. Returns false if the node has ended meanwhile; each endpoint then closes both of its own.
    fn move_all(&self, moving: &Moving) -> bool {
        let times = self.limits.times;
        let mut missing = moving.matches();
        if self.wait_while(times.discovery, || moving.is_any_missing(&mut missing)) {
            log::warn!("peers do not respond to a new DDS participant within {:?}", times.discovery);
        }
        moving.for_each(|endpoint| endpoint.send_first_heartbeats());
        if self.renewal.is_over_after(times.settling) {
            return false;
        }
        for endpoint in moving.0.iter().filter_map(Weak::upgrade) {
            endpoint.swap();
            if self.renewal.is_over_after(Duration::ZERO) {
                return false;
            }
        }
        if self.renewal.is_over_after(times.late_requests) {
            return false;
        }
        self.wait_while(times.acknowledgments, || !moving.have_others_delivered());
        moving.for_each(|endpoint| endpoint.close_other());
        !self.renewal.is_over_after(times.before_close)
    }

    /// Waits as long as something is so, for at most `time` or until renewals end, and returns whether it still is.
    fn wait_while(&self, time: Duration, mut is_so: impl FnMut() -> bool) -> bool {
        let deadline = wall_clock::now() + time;
        loop {
            if !is_so() {
                return false;
            }
            if wall_clock::now() >= deadline {
                return true;
            }
            if self.renewal.is_over_after(POLL) {
                return false;
            }
        }
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
            new.lead();
            state.lead = Arc::clone(new);
        }
    }
}

/// A participant ignores peers that are new while this exists. If it still has endpoints then, new peers find them.
struct IgnoringNewPeers<'a>(&'a Participant);

impl<'a> IgnoringNewPeers<'a> {
    fn begin(participant: &'a Participant) -> Self {
        participant.ignore_new(true);
        IgnoringNewPeers(participant)
    }
}

impl Drop for IgnoringNewPeers<'_> {
    fn drop(&mut self) {
        self.0.ignore_new(false);
    }
}

/// Endpoints that move. Some may be dropped meanwhile.
struct Moving(Vec<Weak<dyn Movable<Participant>>>);

/// The remote endpoints that the new ones must still discover, by endpoint.
type Missing = Vec<HashSet<Guid>>;

impl Moving {
    fn for_each(&self, act: impl FnMut(Arc<dyn Movable<Participant>>)) {
        self.0.iter().filter_map(Weak::upgrade).for_each(act);
    }

    /// # Errors
    /// Returns the error of the first endpoint that cannot be opened, after those before it were closed.
    fn open_others(&self, to: &Arc<Participant>) -> Result {
        for endpoint in self.0.iter().filter_map(Weak::upgrade) {
            if let Err(error) = endpoint.open_other(to) {
                self.for_each(|endpoint| endpoint.close_other());
                return Err(error);
            }
        }
        Ok(())
    }

    fn have_others_delivered(&self) -> bool {
        self.0.iter().filter_map(Weak::upgrade).all(|endpoint| endpoint.has_other_delivered())
    }

    fn matches(&self) -> Missing {
        let matched =
            |endpoint: &Weak<dyn Movable<Participant>>| endpoint.upgrade().map(|endpoint| endpoint.matched());
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
                    let (matched, found) = (endpoint.matched(), endpoint.other_matched());
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
