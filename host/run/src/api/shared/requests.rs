//! What instances and other threads report to the simulation: errors, and requests to the lifecycle.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bridgehead_lifecycle::{Interrupt, Request};

use super::bell::Bell;

use crate::thread::lock;

/// Errors that instances reported from any thread, until the simulation takes them for the result.
#[derive(Default)]
pub struct ReportedErrors {
    waiting: Mutex<Vec<String>>,
    has_any: AtomicBool,
}

impl ReportedErrors {
    /// Maximum number of errors that wait; the log has all of them.
    const MAX: usize = 1000;

    pub(crate) fn push(&self, text: String) {
        let mut waiting = lock(&self.waiting);
        if waiting.len() < Self::MAX {
            waiting.push(text);
        }
        self.has_any.store(true, Ordering::Release);
    }

    /// Takes the errors that were reported since the last call, in order. Cheap if there are none.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        if !self.has_any.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        std::mem::take(&mut *lock(&self.waiting))
    }
}

/// Requests to the lifecycle from any thread, which the simulation takes between two states.
#[derive(Default)]
pub struct RequestInbox {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    is_urgent: AtomicBool,
    /// When the end of the run was first requested.
    end_requested_at: Mutex<Option<Instant>>,
}

pub(super) fn is_end(request: &Request) -> bool {
    matches!(request.interrupt, Interrupt::Abort | Interrupt::Quit | Interrupt::Stop)
}

/// Work for the simulation thread.
#[derive(Default)]
pub(super) struct Waiting {
    requests: Vec<Request>,
    /// Whether another thread woke the simulation without a request.
    is_woken: bool,
    /// What wakes the simulation while it waits for descriptors; otherwise `changed` does.
    bell: Option<Arc<Bell>>,
}

/// How long a full queue may hold the simulation after the end of the run was requested.
pub(super) const QUEUE_GRACE: Duration = Duration::from_secs(3);

impl RequestInbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }

    /// Adds a request and wakes the simulation.
    pub fn push(&self, request: Request) {
        let mut waiting = self.waiting();
        self.note(&request);
        waiting.requests.push(request);
        self.notify(waiting);
    }

    /// Takes notice of a request that reaches the lifecycle directly: a request for the end shortens waits.
    pub fn note(&self, request: &Request) {
        if is_end(request) {
            lock(&self.end_requested_at).get_or_insert_with(crate::clock::now);
        }
    }

    /// Ends the urgency of an end that has come while the host stays: the next run waits for its bridges again.
    pub fn clear_urgency(&self) {
        let waiting = self.waiting();
        if !waiting.requests.iter().any(is_end) {
            *lock(&self.end_requested_at) = None;
            self.is_urgent.store(false, Ordering::Relaxed);
        }
    }

    /// Makes every wait of the simulation end.
    pub fn set_urgent(&self) {
        self.is_urgent.store(true, Ordering::Relaxed);
        self.notify(self.waiting());
    }

    /// Whether waits of the simulation should end.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        let is_overdue =
            |since: &Instant| crate::clock::now().saturating_duration_since(*since) > QUEUE_GRACE;
        self.is_urgent.load(Ordering::Relaxed)
            || lock(&self.end_requested_at).as_ref().is_some_and(is_overdue)
    }

    /// Whether the end of the run was requested.
    #[must_use]
    pub fn is_end_requested(&self) -> bool {
        lock(&self.end_requested_at).is_some()
    }

    /// Takes all requests.
    pub fn take(&self) -> Vec<Request> {
        std::mem::take(&mut self.waiting().requests)
    }

    /// Whether a request to abort waits to be taken.
    #[must_use]
    pub fn has_abort(&self) -> bool {
        self.waiting().requests.iter().any(|request| request.interrupt == Interrupt::Abort)
    }

    /// Wakes the simulation without a request.
    pub fn wake(&self) {
        let mut waiting = self.waiting();
        waiting.is_woken = true;
        self.notify(waiting);
    }

    /// Ends a wait of the simulation.
    fn notify(&self, waiting: MutexGuard<'_, Waiting>) {
        if let Some(bell) = &waiting.bell {
            bell.ring();
        }
        drop(waiting);
        self.changed.notify_all();
    }

    /// Waits in `sleep`, which returns early if the descriptor of the bell becomes readable: that is the case as soon as
    /// [`Self::wait`] would return. Does not wait if there is a request.
    pub fn wait_with(&self, bell: &Arc<Bell>, sleep: impl FnOnce(&Bell)) {
        let mut waiting = self.waiting();
        if waiting.requests.is_empty() && !waiting.is_woken {
            waiting.bell = Some(Arc::clone(bell));
            drop(waiting);
            sleep(bell);
            waiting = self.waiting();
            waiting.bell = None;
            bell.silence();
        }
        waiting.is_woken = false;
    }

    /// Waits at most `time` for a request or [`Self::wake`].
    pub fn wait(&self, time: Duration) {
        let mut waiting = self.waiting();
        if waiting.requests.is_empty() && !waiting.is_woken {
            waiting = self.changed.wait_timeout(waiting, time).unwrap_or_else(PoisonError::into_inner).0;
        }
        waiting.is_woken = false;
    }
}

/// A start that ended in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartReport {
    /// Label of the instance.
    pub label: String,
    /// The reason, where it failed.
    pub failure: Option<String>,
}
