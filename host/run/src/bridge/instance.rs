//! One bridge of a vehicle or of the world: its connection as a state machine that the simulation thread polls.

mod announcement;
pub(super) mod health;
mod late;
mod status_report;
mod termination;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_abi::bridge::Notice;
use bridgehead_abi::{Status, bridge as raw, status};
use bridgehead_plugin_api::objects::{BridgeRef, bridge_has};

pub(crate) use super::instance_thread::unfinished_thread;

use super::endpoint::EndpointContext;
use super::endpoints::Endpoints;
use super::instance_thread::{InstanceThread, Pending};
use super::loops::Loops;
use super::phase::{Change, Phase};
use super::registry::FactoryTable;
use crate::api::context::Context;
use crate::bus::{Endpoint, Router, TxQueue};
use crate::call;
use crate::call::{Owner, StepCall};
use crate::config::{BridgeRequest, Reconnect, RequestOrigin};
use crate::report::BridgeResult;
use crate::text::without_secrets;
use crate::thread::lock;
use crate::watchdog::{Call, Watched};
use late::LateAnnouncements;

/// First pause before another connection attempt; it doubles up to [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Longest pause between attempts.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// What is said of a bridge that is not connected, or no longer, and has not explained it.
const NO_REASON: &str = "it reports that it is not connected, and does not say why";
/// How long the run waits for the answer to a notice.
const NOTICE_DEADLINE: Duration = Duration::from_secs(2);

/// The result of `connect`.
struct Attempt {
    code: Status,
    /// What the plugin says about a failure.
    reason: Option<String>,
}

/// A bridge instance.
pub struct BridgeInstance {
    /// Number of the instance, and the source of the messages it receives.
    pub id: u32,
    /// `car1/logging`, `world/logging`.
    pub label: String,
    owner: Owner,
    /// Vehicle; empty for the world.
    pub vehicle: String,
    /// The request it was created for.
    pub request: BridgeRequest,
    phase: Phase,
    context: Arc<Context>,
    raw: BridgeRef,
    pub(super) instance_thread: InstanceThread,
    endpoint_context: Arc<EndpointContext>,
    pub(super) endpoints: Arc<Mutex<Endpoints>>,
    pub(super) outgoing: Vec<Arc<Endpoint>>,
    pub(super) late: LateAnnouncements,
    /// Delivered, dropped and missed messages of withdrawn endpoints.
    pub(super) past_totals: [u64; 3],
    queue: Arc<TxQueue>,
    loops: Arc<Mutex<Option<Loops>>>,
    /// Whether the transmit loop has returned without having been told to.
    has_left: Arc<AtomicBool>,
    polls: Polls,
    connecting: Option<Pending<Attempt>>,
    /// The end of the last connection, which may still be in progress.
    retiring: Option<Pending<()>>,
    pause: Duration,
    connections: u32,
    failure: String,
    watched: Watched,
}

impl BridgeInstance {
    /// Wraps the instance that the factory created, and starts its thread.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub(super) fn new(
        id: u32,
        vehicle: &str,
        request: BridgeRequest,
        context: Arc<Context>,
        raw: BridgeRef,
        table: Arc<FactoryTable>,
        queue: TxQueue,
    ) -> std::io::Result<Self> {
        let label = context.label.clone();
        let endpoint_context = EndpointContext {
            label: label.clone(),
            instance: raw,
            table,
            shared: Arc::clone(&context.shared),
            bridge: id,
            bridge_name: request.name.clone(),
            vehicle: vehicle.to_owned(),
        };
        let watched = context.shared.watchdog.register(&label);
        Ok(BridgeInstance {
            id,
            owner: Owner::new(&label),
            watched,
            instance_thread: InstanceThread::new(&label)?,
            label,
            vehicle: vehicle.to_owned(),
            request,
            phase: Phase::Idle { retry_at: None },
            context,
            raw,
            endpoint_context: Arc::new(endpoint_context),
            endpoints: Arc::default(),
            outgoing: Vec::new(),
            late: LateAnnouncements::default(),
            past_totals: [0; 3],
            queue: Arc::new(queue),
            loops: Arc::default(),
            has_left: Arc::default(),
            polls: Polls::default(),
            connecting: None,
            retiring: None,
            pause: FIRST_PAUSE,
            connections: 0,
            failure: String::new(),
        })
    }

    /// Returns true if the connection is established.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        matches!(self.phase, Phase::Connected)
    }

    /// Returns true if a connection attempt is running.
    #[must_use]
    pub fn is_connecting(&self) -> bool {
        matches!(self.phase, Phase::Connecting { .. })
    }

    /// Returns true if no connection attempt was made yet.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.connections == 0 && self.failure.is_empty() && !self.is_connecting()
    }

    /// Returns true if the first connection attempt is running.
    #[must_use]
    pub fn is_in_first_attempt(&self) -> bool {
        self.is_connecting() && self.connections == 0 && self.failure.is_empty()
    }

    /// Returns true if the instance belongs to the loaded world: it is attached to a vehicle, or an element of the
    /// world requested it.
    #[must_use]
    pub fn is_of_loaded_world(&self) -> bool {
        !self.vehicle.is_empty() || self.request.origin == RequestOrigin::World
    }

    /// Starts a connection attempt.
    pub fn connect(&mut self, now: Instant) {
        let (raw, connection) = (self.raw, self.request.connection.clone());
        let context = Arc::clone(&self.context);
        self.connecting = Some(self.instance_thread.enqueue(move || {
            drop(context.take_explanation());
            // This is the instance's main thread.
            let connect = || raw.connect(connection.as_bytes());
            let code = call::during(&context.label, "connect", connect);
            // Taken here: the explanation of a later call would replace it.
            let reason = (code < 0).then(|| context.take_explanation()).flatten();
            Attempt { code, reason }
        }));
        self.enter(Phase::Connecting { deadline: now + self.request.connect_timeout });
    }

    /// The status that the plugin reports for its connection.
    fn status(&self) -> u32 {
        let named = || call::in_step(&self.owner, StepCall::Status, || self.raw.status());
        self.context.shared.watchdog.during(self.watched, Call::Status, named)
    }

    /// Polls the connection and applies its changes. Cheap if nothing changed.
    pub fn poll(&mut self, now: Instant, router: &mut Router) -> Option<Change> {
        match self.phase {
            // The end of the last connection has its own time, which does not count for the next attempt.
            Phase::Idle { retry_at: Some(at) } if now >= at => {
                if self.has_retired() {
                    self.connect(now);
                }
                None
            }
            Phase::Connecting { deadline } => self.poll_connecting(deadline, now, router),
            Phase::Connected => self.poll_connected(now, router),
            Phase::Idle { .. } | Phase::Ended => None,
        }
    }

    fn poll_connecting(&mut self, deadline: Instant, now: Instant, router: &mut Router) -> Option<Change> {
        if let Some(Attempt { code, reason }) = self.connecting.as_ref().and_then(Pending::poll) {
            self.connecting = None;
            if code < 0 {
                let reason = reason.unwrap_or_else(|| status::name(code).to_owned());
                return Some(self.fail(reason, now, router));
            }
        }
        let is_returned = self.connecting.is_none();
        // Read once: it may change at any time.
        let status = is_returned.then(|| self.status());
        if status == Some(raw::STATUS_CONNECTED) {
            return Some(self.open(router));
        }
        let is_lost = status.is_some_and(|status| status != raw::STATUS_CONNECTING);
        if !is_lost && now < deadline {
            return None;
        }
        if is_returned {
            self.retire();
        }
        let reason = match (is_lost, is_returned) {
            (true, _) => self.context.take_explanation().unwrap_or_else(|| NO_REASON.to_owned()),
            (false, true) => format!("not connected after {:?}", self.request.connect_timeout),
            (false, false) => format!("`connect` has not returned after {:?}", self.request.connect_timeout),
        };
        Some(self.fail(reason, now, router))
    }

    fn poll_connected(&mut self, now: Instant, router: &mut Router) -> Option<Change> {
        if self.status() == raw::STATUS_CONNECTED {
            self.check_flow();
            return None;
        }
        // Not taken: a loop that ended for the same reason reports the explanation too.
        let reason = self.context.explanation().unwrap_or_else(|| NO_REASON.to_owned());
        self.retire();
        self.fail(reason.clone(), now, router);
        Some(Change::Lost(reason))
    }

    fn open(&mut self, router: &mut Router) -> Change {
        self.enter(Phase::Connected);
        self.pause = FIRST_PAUSE;
        self.connections += 1;
        self.queue.open();
        router.bridge_changed(self.id, true);
        Change::Connected
    }

    /// Records a failure, and schedules another attempt if the request asks for reconnects.
    fn fail(&mut self, reason: String, now: Instant, router: &mut Router) -> Change {
        self.queue.close();
        router.bridge_changed(self.id, false);
        // A `connect` that returns late holds nothing.
        if self.connecting.is_some() {
            self.context.shared.lockstep.abandon(self.id);
        } else {
            self.context.shared.lockstep.forget(self.id);
        }
        self.failure.clone_from(&reason);
        self.enter(match self.request.reconnect {
            // A `connect` that does not return blocks every later call, so another attempt is useless.
            _ if self.connecting.is_some() => Phase::Ended,
            Reconnect::Never => Phase::Ended,
            Reconnect::Backoff => Phase::Idle { retry_at: Some(now + self.pause) },
        });
        self.pause = (self.pause * 2).min(MAX_PAUSE);
        Change::Failed(reason)
    }

    /// Ends loops and connection on the instance thread, before another attempt.
    fn retire(&mut self) {
        let (raw, loops, context) = (self.raw, Arc::clone(&self.loops), Arc::clone(&self.context));
        self.retiring = Some(self.instance_thread.enqueue(move || {
            // Taken first, so that the lock is not held while the loops end.
            let running = lock(&loops).take();
            report_unfinished(running.map(Loops::stop).unwrap_or_default());
            // This is the instance's main thread, its loops have ended.
            call::during(&context.label, "disconnect", || raw.disconnect());
        }));
    }

    /// Returns true if no end of a connection is in progress.
    fn has_retired(&mut self) -> bool {
        if self.retiring.as_ref().is_some_and(|retiring| retiring.poll().is_some()) {
            self.retiring = None;
        }
        self.retiring.is_none()
    }

    /// Starts the loops if the instance is connected and has none. Returns the failure if the operating system refuses
    /// their threads.
    pub fn start_loops(&mut self, router: &mut Router) -> Option<Change> {
        if !self.is_connected() || lock(&self.loops).is_some() {
            return None;
        }
        match Loops::start(&self.context, self.raw, &self.queue, &self.has_left) {
            Ok(started) => {
                *lock(&self.loops) = Some(started);
                None
            }
            Err(error) => {
                self.retire();
                let reason = format!("[BH-BRG-013] the threads of this bridge could not be created: {error}");
                Some(self.fail(reason, crate::clock::now(), router))
            }
        }
    }

    /// Sends a lifecycle notice to the plugin. Returns false if it did not answer in time.
    pub fn notice(&self, notice: Notice) -> bool {
        if self.raw.has() & bridge_has::notice == 0 {
            return true;
        }
        let (raw, ticket) = (self.raw, notice.ticket);
        let lockstep = &self.context.shared.lockstep;
        // Before the call: a thread of the bridge may acknowledge before the call has returned.
        if notice.kind == raw::NOTICE_RESET {
            lockstep.expect(self.id, ticket);
        }
        let context = Arc::clone(&self.context);
        let pending = self.instance_thread.enqueue(move || {
            // This is the instance's main thread.
            call::during(&context.label, "notice", || raw.notice(&notice))
        });
        let answer = pending.wait(NOTICE_DEADLINE);
        if answer != Some(status::PENDING) {
            lockstep.expect_no_more(self.id);
        }
        answer.is_some()
    }

    /// The result so far.
    #[must_use]
    pub fn result(&self) -> BridgeResult {
        let [delivered, dropped, missed] = self.totals();
        BridgeResult {
            label: self.label.clone(),
            connection: without_secrets(&self.request.connection).into_owned(),
            was_connected: self.connections > 0,
            connections: self.connections,
            delivered,
            dropped,
            lost: self.context.report.lost(),
            missed,
            drops: self.queue.drops(),
            polling: self.polls.busy,
            failure: self.context.reported_error().unwrap_or_else(|| self.failure.clone()),
        }
    }
}

fn report_unfinished(threads: Vec<String>) {
    for name in threads {
        log::error!("{}", unfinished_thread(&name));
    }
}

/// What the polls of one bridge took.
#[derive(Debug, Default)]
pub(in crate::bridge::instance) struct Polls {
    /// Time of the polls that were measured.
    pub(in crate::bridge::instance) busy: Duration,
    slow: u32,
}
