//! What a connection is doing, and since when: decides which connections are closed while other clients wait.
//!
//! Updated by the stream of the connection ([`ClientStream`](super::client_stream::ClientStream)) and by the requests
//! that arrive over it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::Instant;

use crate::thread::lock;

/// Time without a request after which a connection is idle. If it were shorter, a request could be on its way.
const IDLE: Duration = Duration::from_millis(250);
/// How long a client may keep the server waiting within a request while other clients wait.
const PATIENCE: Duration = Duration::from_secs(1);

/// The slot of one connection, and of the WebSocket that it becomes.
pub(super) struct ConnectionSlot {
    _permit: OwnedSemaphorePermit,
    /// Number of clients that wait for a slot.
    waiting: Arc<AtomicUsize>,
    activity: Mutex<Activity>,
    /// Ends the stream of the connection; `None` once it was told to end.
    dismissal: Mutex<Option<oneshot::Sender<()>>>,
}

impl ConnectionSlot {
    /// Returns a slot, and the receiver that is told if its connection must end.
    pub(super) fn new(
        permit: OwnedSemaphorePermit,
        waiting: Arc<AtomicUsize>,
    ) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (dismissal, dismissed) = oneshot::channel();
        let activity = Mutex::new(Activity::new(Instant::now()));
        let dismissal = Mutex::new(Some(dismissal));
        (Arc::new(ConnectionSlot { _permit: permit, waiting, activity, dismissal }), dismissed)
    }

    fn activity(&self) -> MutexGuard<'_, Activity> {
        lock(&self.activity)
    }

    /// Notes that the head of a request is complete.
    pub(super) fn begin(&self) {
        self.activity().enter(Phase::Serving, Instant::now());
    }

    /// Notes that the response to a request is known. Returns true if the connection must end with it because other
    /// clients wait.
    pub(super) fn end(&self) -> bool {
        self.activity().enter(Phase::Idle, Instant::now());
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Notes that the connection is a WebSocket, and whether its client has subscriptions.
    pub(super) fn serves_socket(&self, has_subscriptions: bool) {
        let phase = if has_subscriptions { Phase::Socket } else { Phase::Head };
        self.activity().enter(phase, Instant::now());
    }

    /// Notes that the server waits for the body of a request, until the returned value is dropped.
    pub(super) fn reads_body(&self) -> BodyPhase<'_> {
        self.activity().enter(Phase::Body, Instant::now());
        BodyPhase(self)
    }

    /// Notes that bytes were received.
    pub(super) fn received(&self) {
        self.activity().receive(Instant::now());
    }

    /// Notes that bytes were sent.
    pub(super) fn sent(&self) {
        self.activity().send(Instant::now());
    }

    /// Notes that bytes cannot be sent because the client does not read.
    pub(super) fn blocked(&self) {
        self.activity().block(Instant::now());
    }

    /// Returns since when the client has kept the server waiting, if that is long enough to lose its slot to another
    /// client.
    pub(super) fn overdue_since(&self, now: Instant) -> Option<Instant> {
        self.activity().overdue_since(now)
    }

    /// Returns true if the connection was told to end.
    pub(super) fn is_dismissed(&self) -> bool {
        lock(&self.dismissal).is_none()
    }

    /// Tells the connection to end.
    pub(super) fn dismiss(&self) {
        if let Some(dismissal) = lock(&self.dismissal).take() {
            // An error says that the connection has ended.
            let _ = dismissal.send(());
        }
    }
}

/// The time in which the server waits for the body of a request.
pub(super) struct BodyPhase<'a>(&'a ConnectionSlot);

impl Drop for BodyPhase<'_> {
    fn drop(&mut self) {
        self.0.begin();
    }
}

/// What the server waits for on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// For the first request, for the rest of a head, or for a subscription.
    Head,
    /// For the next request.
    Idle,
    /// For the run.
    Serving,
    /// For the body of a request.
    Body,
    /// For messages to a client with subscriptions.
    Socket,
}

/// The state of a connection.
#[derive(Debug)]
struct Activity {
    phase: Phase,
    since: Instant,
    /// When the client stopped reading what is sent to it.
    blocked_since: Option<Instant>,
}

impl Activity {
    fn new(now: Instant) -> Self {
        Activity { phase: Phase::Head, since: now, blocked_since: None }
    }

    fn enter(&mut self, phase: Phase, now: Instant) {
        (self.phase, self.since) = (phase, now);
    }

    /// The time of a head counts from its first byte: a client that sends it byte by byte makes no progress.
    fn receive(&mut self, now: Instant) {
        if self.phase == Phase::Idle {
            self.enter(Phase::Head, now);
        }
    }

    fn send(&mut self, now: Instant) {
        self.blocked_since = None;
        if self.phase == Phase::Idle {
            self.since = now;
        }
    }

    fn block(&mut self, now: Instant) {
        self.blocked_since.get_or_insert(now);
    }

    fn overdue_since(&self, now: Instant) -> Option<Instant> {
        let (since, limit) = match (self.blocked_since, self.phase) {
            (Some(since), _) => (since, PATIENCE),
            (None, Phase::Head | Phase::Body) => (self.since, PATIENCE),
            (None, Phase::Idle) => (self.since, IDLE),
            (None, Phase::Serving | Phase::Socket) => return None,
        };
        (now.saturating_duration_since(since) >= limit).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change, and its time in milliseconds.
    type Change = (u64, fn(&mut Activity, Instant));

    /// Applies changes, and returns since when the activity is overdue at `at`.
    fn overdue(changes: &[Change], at: u64) -> Option<u64> {
        let start = Instant::now();
        let time = |millis| start + Duration::from_millis(millis);
        let mut activity = Activity::new(start);
        changes.iter().for_each(|(millis, change)| change(&mut activity, time(*millis)));
        let since = activity.overdue_since(time(at))?;
        u64::try_from(since.saturating_duration_since(start).as_millis()).ok()
    }

    fn serve(activity: &mut Activity, now: Instant) {
        activity.enter(Phase::Serving, now);
    }

    fn end(activity: &mut Activity, now: Instant) {
        activity.enter(Phase::Idle, now);
    }

    fn subscribe(activity: &mut Activity, now: Instant) {
        activity.enter(Phase::Socket, now);
    }

    #[test]
    fn a_head_counts_from_its_first_byte() {
        assert_eq!(overdue(&[], 999), None);
        assert_eq!(overdue(&[], 1000), Some(0));
        assert_eq!(overdue(&[(900, Activity::receive)], 1000), Some(0));
        let drips: [Change; 4] =
            [(0, serve), (100, end), (200, Activity::receive), (1100, Activity::receive)];
        assert_eq!(overdue(&drips, 1199), None);
        assert_eq!(overdue(&drips, 1200), Some(200));
    }

    #[test]
    fn a_client_that_waits_for_the_run_keeps_its_place() {
        assert_eq!(overdue(&[(10, serve)], 1_000_000), None);
        assert_eq!(overdue(&[(10, serve), (20, end)], 269), None);
        assert_eq!(overdue(&[(10, serve), (20, end)], 270), Some(20));
    }

    #[test]
    fn a_client_that_reads_a_long_response_is_not_idle_and_one_that_does_not_read_is_overdue() {
        let reads: [Change; 4] =
            [(0, end), (200, Activity::send), (300, Activity::block), (1200, Activity::send)];
        assert_eq!(overdue(&reads[..3], 1299), None);
        assert_eq!(overdue(&reads[..3], 1300), Some(300));
        assert_eq!(overdue(&reads, 1449), None);
        assert_eq!(overdue(&reads, 1450), Some(1200));
    }

    #[test]
    fn a_subscriber_keeps_its_place_while_it_reads() {
        assert_eq!(overdue(&[(0, subscribe)], 1_000_000), None);
        let blocked: [Change; 3] = [(0, subscribe), (50, Activity::block), (900, Activity::block)];
        assert_eq!(overdue(&blocked, 1050), Some(50));
    }
}
