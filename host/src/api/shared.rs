//! What every instance of a run shares.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bridgehead_lifecycle::{Interrupt, Request};

use super::{LockstepGate, SimClock, StartReport};
use crate::bus::{Bus, Inbox, Services, TypeRegistry};
use crate::description::Description;
use crate::watchdog::Watchdog;

/// The process-wide services behind every host object. Nothing here is global: a test makes its own.
#[derive(Default)]
pub struct Shared {
    /// Message types.
    pub types: TypeRegistry,
    /// Topics.
    pub bus: Bus,
    /// Services.
    pub services: Services,
    /// Messages from peers.
    pub inbox: Inbox,
    /// Whether any instance has published since the simulation last looked.
    pub has_published: Arc<AtomicBool>,
    /// What the world consists of.
    pub description: Arc<Description>,
    /// The simulated clock.
    pub clock: SimClock,
    /// What was asked of the lifecycle.
    pub asks: Asks,
    /// Holds of bridges that feed exact steps.
    pub lockstep: LockstepGate,
    /// Starts that ended in the background.
    pub started: Mutex<Vec<StartReport>>,
    /// The calls that the simulation thread makes.
    pub watchdog: Arc<Watchdog>,
    /// Seed of the run.
    pub seed: u64,
}

impl Shared {
    /// Services of a run with that seed.
    #[must_use]
    pub fn new(seed: u64) -> Arc<Self> {
        Arc::new(Shared { seed, ..Shared::default() })
    }
}

/// Requests to the lifecycle from any thread, taken by the simulation between states.
#[derive(Default)]
pub struct Asks {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    is_urgent: AtomicBool,
    /// When somebody first asked for the end of the run.
    end_asked: Mutex<Option<Instant>>,
}

fn is_end(request: &Request) -> bool {
    matches!(request.interrupt, Interrupt::Abort | Interrupt::Quit | Interrupt::Stop)
}

/// What the simulation has to look at.
#[derive(Default)]
struct Waiting {
    requests: Vec<Request>,
    /// Whether somebody has something else for it.
    is_woken: bool,
}

/// How long a full queue may hold the simulation after its end was asked for.
const PATIENCE: Duration = Duration::from_secs(3);

impl Asks {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for something.
    pub fn push(&self, request: Request) {
        let mut waiting = self.waiting();
        self.expect(&request);
        waiting.requests.push(request);
        drop(waiting);
        self.changed.notify_all();
    }

    /// A request that does not come this way is on its way: if it is for the end, waits become short.
    pub fn expect(&self, request: &Request) {
        if is_end(request) {
            self.end_asked().get_or_insert_with(crate::clock::now);
        }
    }

    fn end_asked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.end_asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end that was asked for has come, and the host goes on: the next run waits for its bridges again.
    pub fn calm(&self) {
        let waiting = self.waiting();
        if !waiting.requests.iter().any(is_end) {
            *self.end_asked() = None;
            self.is_urgent.store(false, Ordering::Relaxed);
        }
    }

    /// From now on nothing that blocks the simulation goes on waiting.
    pub fn hurry(&self) {
        self.is_urgent.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether waits of the simulation should end.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        let is_overdue = |asked: &Instant| crate::clock::now().saturating_duration_since(*asked) > PATIENCE;
        self.is_urgent.load(Ordering::Relaxed) || self.end_asked().as_ref().is_some_and(is_overdue)
    }

    /// Whether somebody has asked for the end of the run.
    #[must_use]
    pub fn wants_end(&self) -> bool {
        self.end_asked().is_some()
    }

    /// Takes what was asked.
    pub fn take(&self) -> Vec<Request> {
        std::mem::take(&mut self.waiting().requests)
    }

    /// Whether requests wait to be taken.
    #[must_use]
    pub fn has_requests(&self) -> bool {
        !self.waiting().requests.is_empty()
    }

    /// Wakes whoever waits, without a request.
    pub fn wake(&self) {
        self.waiting().is_woken = true;
        self.changed.notify_all();
    }

    /// Waits until something is asked or somebody wakes the simulation, at most `time`.
    pub fn wait(&self, time: Duration) {
        let mut waiting = self.waiting();
        if waiting.requests.is_empty() && !waiting.is_woken {
            waiting = self.changed.wait_timeout(waiting, time).unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.is_woken = false;
    }
}
