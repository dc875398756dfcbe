//! Renews participants: moves the endpoints of one to a new one, while both exist, and closes it.
//!
//! Peers that are there discover the new endpoints before the old ones are closed, and readers receive through both
//! meanwhile. Peers that join meanwhile find only the new participant: a client that finds both may send its request to
//! one of them and not know the other one yet, from which the reply comes; and `rustdds` announces endpoints that are gone
//! to each new peer, which may take them for servers. A remote reader that only one of two endpoints knows gets samples
//! and replies from that one.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::Result;
use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::wall_clock;

use super::moving::{IgnoringNewPeers, Moving};
use super::open_participants::OpenParticipants;
use crate::dds::participant::Participant;
use crate::memory;

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

/// Renews the participants of a node. Its thread exists only during a renewal.
pub(super) struct Renewal {
    participants: Arc<OpenParticipants>,
    /// Remote endpoints that may depart before a participant is renewed.
    departed: u32,
    times: Times,
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
    /// Creates it without a thread. Participants that `departed` remote endpoints have left are renewed.
    pub(super) fn new(participants: &Arc<OpenParticipants>, departed: u32, times: Times) -> Self {
        Renewal {
            participants: Arc::clone(participants),
            departed,
            times,
            state: Mutex::default(),
            has_ended: Condvar::new(),
        }
    }

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

    /// Starts a renewal if so many remote endpoints have left a participant. Runs on the thread of that participant, so
    /// it must not wait.
    pub(super) fn renew_if_due(self: &Arc<Self>, departed: u32) {
        if departed < self.departed {
            return;
        }
        let mut state = lock(&self.state);
        let is_running = state.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        let is_early = state.last.is_some_and(|last| last.elapsed() < self.times.interval);
        if state.is_over || is_running || is_early {
            return;
        }
        let renewal = Arc::clone(self);
        let thread = std::thread::Builder::new().name("ros2-renew".to_owned()).spawn(move || {
            if renewal.renew_one() {
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
        self.participants.open().into_iter().find(|participant| participant.departed() >= self.departed)
    }

    /// Renews one participant, if one is due. Returns true if it is closed.
    fn renew_one(&self) -> bool {
        let Some(old) = self.due() else { return false };
        let renewed = self.renew(&old);
        lock(&self.state).last = Some(wall_clock::now());
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
        if self.is_over_after(self.times.last_joining) {
            return Ok(0);
        }
        let new = self.participants.open_successor(old)?;
        let mut moved = 0;
        for round in 0..ROUNDS {
            let moving = Moving(old.endpoints());
            if moving.0.is_empty() && round > 0 {
                break;
            }
            moving.open_others(&new)?;
            self.participants.hand_lead(old, &new);
            if !self.move_all(&moving) {
                break;
            }
            moved += moving.0.len();
        }
        Ok(moved)
    }

    /// Moves endpoints. Returns false if the node has ended meanwhile; each endpoint then closes both of its own.
    fn move_all(&self, moving: &Moving) -> bool {
        let times = self.times;
        let mut missing = moving.matches();
        if self.wait_while(times.discovery, || moving.is_any_missing(&mut missing)) {
            log::warn!("peers do not respond to a new DDS participant within {:?}", times.discovery);
        }
        moving.for_each(|endpoint| endpoint.send_first_heartbeats());
        if self.is_over_after(times.settling) {
            return false;
        }
        for endpoint in moving.0.iter().filter_map(Weak::upgrade) {
            endpoint.swap();
            if self.is_over_after(Duration::ZERO) {
                return false;
            }
        }
        if self.is_over_after(times.late_requests) {
            return false;
        }
        self.wait_while(times.acknowledgments, || !moving.have_others_delivered());
        moving.for_each(|endpoint| endpoint.close_other());
        !self.is_over_after(times.before_close)
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
            if self.is_over_after(POLL) {
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests;
