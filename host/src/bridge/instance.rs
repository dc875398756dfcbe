//! One bridge of a vehicle or of the world: its connection as a small state machine that the simulation polls.

mod end;
mod now;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bridgehead_abi::bridge::{self as raw, Notice};
use bridgehead_abi::{Status, Str, status};

use super::attendant::{Attendant, Pending};
use super::endpoints::{Endpoints, Maker, NewEnds};
use super::loops::{Loops, RawInstance};
use super::phase::{Change, Phase};
use super::registry::FactoryTable;
use crate::api::Context;
use crate::bus::{Endpoint, Router, TxQueue};
use crate::config::{BridgeRequest, Reconnect, RequestOrigin};
use crate::crash;
use crate::report::BridgeResult;
use crate::thread::lock;
use crate::watchdog::{Call, Watched};

/// First pause before a connection is tried again; it doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Longest pause between tries.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How long a notice may take before the run goes on without its answer.
const NOTICE_DEADLINE: Duration = Duration::from_secs(2);

/// A bridge instance.
pub struct BridgeInstance {
    /// Number of the instance: the source of what it brings in.
    pub id: u32,
    /// `car1/logging`, `world/logging`.
    pub label: String,
    /// Vehicle; empty for the world.
    pub vehicle: String,
    /// What was asked for.
    pub request: BridgeRequest,
    phase: Phase,
    context: Arc<Context>,
    raw: RawInstance,
    pub(super) attendant: Attendant,
    maker: Arc<Maker>,
    pub(super) endpoints: Arc<Mutex<Endpoints>>,
    pub(super) outgoing: Vec<Arc<Endpoint>>,
    /// Delivered, dropped and missed at ends that were withdrawn.
    pub(super) past: [u64; 3],
    queue: Arc<TxQueue>,
    loops: Arc<Mutex<Option<Loops>>>,
    connecting: Option<Pending<Status>>,
    pause: Duration,
    connections: u32,
    failure: String,
    watched: Watched,
}

impl BridgeInstance {
    /// Wraps what the factory made.
    ///
    /// # Errors
    /// Where the operating system makes no thread.
    pub(super) fn new(
        id: u32,
        vehicle: &str,
        request: BridgeRequest,
        context: Arc<Context>,
        instance: raw::BridgeInstance,
        table: Arc<FactoryTable>,
        queue: TxQueue,
    ) -> std::io::Result<Self> {
        let label = context.label.clone();
        let raw = RawInstance(instance);
        let maker = Maker {
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
            watched,
            attendant: Attendant::new(&label)?,
            label,
            vehicle: vehicle.to_owned(),
            request,
            phase: Phase::Idle { retry_at: None },
            context,
            raw,
            maker: Arc::new(maker),
            endpoints: Arc::default(),
            outgoing: Vec::new(),
            past: [0; 3],
            queue: Arc::new(queue),
            loops: Arc::default(),
            connecting: None,
            pause: FIRST_PAUSE,
            connections: 0,
            failure: String::new(),
        })
    }

    /// Whether messages flow.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        matches!(self.phase, Phase::Connected)
    }

    /// Whether a try to connect is running.
    #[must_use]
    pub fn is_connecting(&self) -> bool {
        matches!(self.phase, Phase::Connecting { .. })
    }

    /// Whether nobody has asked it to connect yet.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.connections == 0 && self.failure.is_empty() && !self.is_connecting()
    }

    /// Whether it came with the world: it is for a vehicle, or an element of the world asked for it.
    #[must_use]
    pub fn is_of_loaded_world(&self) -> bool {
        !self.vehicle.is_empty() || self.request.origin == RequestOrigin::World
    }

    /// Starts to connect.
    pub fn connect(&mut self, now: Instant) {
        let (raw, connection) = (self.raw, self.request.connection.clone());
        let context = Arc::clone(&self.context);
        self.connecting = Some(self.attendant.post(move || {
            drop(context.take_explanation());
            // SAFETY: this is the instance's main thread; the string lives for the call.
            crash::during(&context.label, "connect", || unsafe {
                (raw_of(&raw).connect)(raw_of(&raw).ctx, Str::new(&connection))
            })
        }));
        self.phase = Phase::Connecting { deadline: now + self.request.connect_timeout };
    }

    /// What the plugin says of its connection.
    fn status(&self) -> u32 {
        // SAFETY: may be called from any thread.
        let status = || unsafe { (self.raw.0.status)(self.raw.0.ctx) };
        let named = || crash::during(&self.label, Call::Status.name(), status);
        self.context.shared.watchdog.during(self.watched, Call::Status, named)
    }

    /// Looks at the connection, and moves on. Cheap when nothing changes.
    pub fn poll(&mut self, now: Instant, router: &mut Router) -> Option<Change> {
        match self.phase {
            Phase::Idle { retry_at: Some(at) } if now >= at => {
                self.connect(now);
                None
            }
            Phase::Connecting { deadline } => self.poll_connecting(deadline, now, router),
            Phase::Connected => self.poll_connected(now, router),
            Phase::Idle { .. } | Phase::Ended => None,
        }
    }

    fn poll_connecting(&mut self, deadline: Instant, now: Instant, router: &mut Router) -> Option<Change> {
        if let Some(code) = self.connecting.as_ref().and_then(Pending::poll) {
            self.connecting = None;
            if code < 0 {
                let reason = self.context.take_explanation().unwrap_or_else(|| status::name(code).to_owned());
                return Some(self.fail(reason, now, router));
            }
        }
        let is_returned = self.connecting.is_none();
        if is_returned && self.status() == raw::STATUS_CONNECTED {
            return Some(self.open(router));
        }
        let is_lost = is_returned && self.status() != raw::STATUS_CONNECTING;
        if !is_lost && now < deadline {
            return None;
        }
        if is_returned {
            self.retire();
        }
        let reason = match (is_lost, is_returned) {
            (true, _) => self.context.take_explanation().unwrap_or_else(|| "the peer refused".to_owned()),
            (false, true) => format!("not connected after {:?}", self.request.connect_timeout),
            (false, false) => format!("`connect` has not returned after {:?}", self.request.connect_timeout),
        };
        Some(self.fail(reason, now, router))
    }

    fn poll_connected(&mut self, now: Instant, router: &mut Router) -> Option<Change> {
        if self.status() == raw::STATUS_CONNECTED {
            return None;
        }
        // Left for the loop that may have ended for the same reason, and tells it too.
        let reason = self.context.explanation().unwrap_or_else(|| "the connection was lost".to_owned());
        self.retire();
        Some(self.fail(reason, now, router))
    }

    fn open(&mut self, router: &mut Router) -> Change {
        self.phase = Phase::Connected;
        self.pause = FIRST_PAUSE;
        self.connections += 1;
        self.queue.open();
        router.bridge_changed(self.id, true);
        Change::Connected
    }

    /// Notes a failure, and plans another try where that is wanted.
    fn fail(&mut self, reason: String, now: Instant, router: &mut Router) -> Change {
        self.queue.close();
        router.bridge_changed(self.id, false);
        self.context.shared.lockstep.forget(self.id);
        self.failure.clone_from(&reason);
        self.phase = match self.request.reconnect {
            // A hung `connect` blocks every later call: there is no use in another one.
            _ if self.connecting.is_some() => Phase::Ended,
            Reconnect::Never => Phase::Ended,
            Reconnect::Backoff => Phase::Idle { retry_at: Some(now + self.pause) },
        };
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Change::Failed(reason)
    }

    /// Ends loops and connection on the attendant, before another try.
    fn retire(&mut self) {
        let (raw, loops) = (self.raw, Arc::clone(&self.loops));
        drop(self.attendant.post(move || {
            // Taken first: the lock must not be held while the loops end.
            let running = lock(&loops).take();
            report_left(running.map(Loops::stop).unwrap_or_default());
            // SAFETY: this is the instance's main thread, its loops have ended.
            unsafe { (raw_of(&raw).disconnect)(raw_of(&raw).ctx) }
        }));
    }

    /// Makes the ends that are missing; gives what the bridge does not carry.
    pub fn sync_endpoints(&mut self, router: &mut Router) -> Vec<String> {
        let (endpoints, maker) = (Arc::clone(&self.endpoints), Arc::clone(&self.maker));
        let made = self.attendant.post(move || lock(&endpoints).sync(&maker));
        let Some(NewEnds { outgoing, mut problems }) = made.wait(NOTICE_DEADLINE) else {
            return vec![format!(
                "[BH-BRG-012] bridge `{}` hangs while its topics are announced",
                self.label
            )];
        };
        if !outgoing.is_empty() {
            // A plugin that starts beside the run may have opened a topic since the router looked.
            router.sync(&self.context.shared.bus);
        }
        for endpoint in outgoing {
            router.connect(self.id, &self.queue, &endpoint);
            self.outgoing.push(endpoint);
        }
        if self.is_connected() {
            router.bridge_changed(self.id, true);
        }
        if let (false, Some(reason)) = (problems.is_empty(), self.context.take_explanation()) {
            problems.push(format!("{}: {reason}", self.label));
        }
        problems
    }

    /// Starts the loops of a connected instance that has none.
    pub fn start_loops(&mut self) {
        if !self.is_connected() {
            return;
        }
        let mut loops = lock(&self.loops);
        if loops.is_some() {
            return;
        }
        match Loops::start(&self.context, self.raw, &self.queue) {
            Ok(started) => *loops = Some(started),
            Err(error) => log::error!(target: &self.label, "[BH-BRG-013] no thread for this bridge: {error}"),
        }
    }

    /// Tells the plugin what happens; false where it did not answer in time.
    pub fn notice(&self, notice: Notice) -> bool {
        let Some(hear) = self.raw.0.notice else {
            return true;
        };
        let (raw, ticket) = (self.raw, notice.ticket);
        let call = self.attendant.post(move || {
            // SAFETY: this is the instance's main thread; the notice lives for the call.
            unsafe { hear(raw_of(&raw).ctx, &raw const notice) }
        });
        match call.wait(NOTICE_DEADLINE) {
            Some(status::PENDING) => {
                self.context.shared.lockstep.expect(self.id, ticket);
                true
            }
            Some(_) => true,
            None => false,
        }
    }

    /// What became of it.
    #[must_use]
    pub fn result(&self) -> BridgeResult {
        let [delivered, dropped, missed] = self.counted();
        BridgeResult {
            label: self.label.clone(),
            connection: self.request.connection.clone(),
            was_connected: self.connections > 0,
            connections: self.connections,
            delivered,
            dropped: dropped + self.context.report.lost(),
            missed,
            failure: self.context.reported_error().unwrap_or_else(|| self.failure.clone()),
        }
    }
}

/// The instance inside a closure: naming the wrapper keeps it (and its `Send`) as a whole.
fn raw_of(raw: &RawInstance) -> &raw::BridgeInstance {
    &raw.0
}

fn report_left(left: Vec<String>) {
    for name in left {
        log::error!("{}", end::is_left(&name));
    }
}
