//! The transmit and receive threads of an instance, `tx:<label>` and `rx:<label>`, and the contexts that their loops
//! get.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;
use std::time::Duration;

use bridgehead_abi::bridge::{RxContext, TxContext, TxMessage};
use bridgehead_abi::message::{ENCODING_BRIDGE, ENCODING_PROTOBUF, Message};
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::objects::{BridgeRef, Offered, RxObject, TxObject, bridge_has};

use super::convert::convert;
use super::rx_signal::RxSignal;
use crate::api::context::Context;
use crate::api::hosting::host_object;
use crate::bus::{Next, Queued, TxQueue, kept, lent};
use crate::call;
use crate::thread::{Named, spawn};

/// Time limit for a transmit loop to send queued messages when the connection ends.
const DRAIN_DEADLINE: Duration = Duration::from_secs(5);
/// Time limit for a loop to return after it was interrupted.
const JOIN_DEADLINE: Duration = Duration::from_secs(2);

/// The thread of a loop, which returns the loop's status.
type LoopThread = Named<Status>;

/// The running loops of one connection.
pub(super) struct Loops {
    instance: BridgeRef,
    queue: Arc<TxQueue>,
    signal: Arc<RxSignal>,
    tx: Option<LoopThread>,
    rx: Option<LoopThread>,
}

impl Loops {
    /// Starts the loops that the instance implements.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub(super) fn start(
        context: &Arc<Context>,
        instance: BridgeRef,
        queue: &Arc<TxQueue>,
        has_left: &Arc<AtomicBool>,
    ) -> std::io::Result<Self> {
        let label = &context.label;
        has_left.store(false, Ordering::Relaxed);
        let signal = Arc::new(RxSignal::default());
        let mut loops = Loops { instance, queue: Arc::clone(queue), signal, tx: None, rx: None };
        if instance.has() & bridge_has::tx_run != 0 {
            let (queue, context, has_left) = (Arc::clone(queue), Arc::clone(context), Arc::clone(has_left));
            loops.tx = Some(spawn(format!("tx:{label}"), move || {
                let code = transmit(&context, instance, Arc::clone(&queue));
                has_left.store(code >= 0 && !queue.is_interrupted(), Ordering::Relaxed);
                report(&context, "transmit", code)
            })?);
        }
        if instance.has() & bridge_has::rx_run != 0 {
            let (signal, context) = (Arc::clone(&loops.signal), Arc::clone(context));
            let rx = spawn(format!("rx:{label}"), move || {
                report(&context, "receive", receive(&context, instance, signal))
            });
            match rx {
                Ok(rx) => loops.rx = Some(rx),
                Err(error) => {
                    drop(loops.stop());
                    return Err(error);
                }
            }
        }
        Ok(loops)
    }

    /// Ends both loops. Queued messages are sent first, within a deadline. Returns the names of threads that did not
    /// end and were left running.
    pub(super) fn stop(self) -> Vec<String> {
        self.queue.interrupt(true);
        self.signal.interrupt();
        self.instance.interrupt();
        let mut unfinished = Vec::new();
        if let Some(rx) = self.rx {
            join_loop(rx, JOIN_DEADLINE, &mut unfinished);
        }
        if let Some(tx) = self.tx {
            let deadline = crate::clock::now() + DRAIN_DEADLINE;
            while !tx.is_finished() && crate::clock::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.queue.interrupt(false);
            self.instance.interrupt();
            join_loop(tx, JOIN_DEADLINE, &mut unfinished);
        }
        self.queue.discard();
        unfinished
    }
}

/// Logs why a loop failed. If it has just returned, the simulation thread knows whether the bridge is still connected.
fn report(context: &Context, which: &str, code: Status) -> Status {
    if code < 0 && code != status::INTERRUPTED {
        let reason = context.take_explanation().unwrap_or_else(|| status::name(code).to_owned());
        drop(report_end(&context.label, which, &reason));
    }
    code
}

fn join_loop(thread: LoopThread, deadline: Duration, unfinished: &mut Vec<String>) {
    let name = thread.name().to_owned();
    match thread.join(deadline) {
        Ok(_) => {}
        Err(problem) => unfinished.push(format!("{name} ({problem:?})")),
    }
}

/// The transmit side of one connection.
struct TxCell {
    queue: Arc<TxQueue>,
    /// The message taken last, until it is settled.
    current: RefCell<Option<Queued>>,
    is_rejected: Cell<bool>,
    converted: RefCell<Option<Payload>>,
    scratch: RefCell<Vec<u8>>,
    /// The transmit thread, which alone uses the fields above.
    thread: ThreadId,
    is_over: AtomicBool,
    context: Arc<Context>,
}

// SAFETY: `next` and `reject` refuse other threads; the other functions use only the queue.
unsafe impl Send for TxCell {}
// SAFETY: as above.
unsafe impl Sync for TxCell {}

fn transmit(context: &Arc<Context>, instance: BridgeRef, queue: Arc<TxQueue>) -> Status {
    let cell = Arc::new(Offered::<TxContext, _>::new(TxCell {
        queue,
        current: RefCell::default(),
        is_rejected: Cell::default(),
        converted: RefCell::default(),
        scratch: RefCell::default(),
        thread: std::thread::current().id(),
        is_over: AtomicBool::new(false),
        context: Arc::clone(context),
    }));
    // This is the instance's transmit thread.
    let code = instance.tx_run(cell.lend());
    cell.settle();
    drop(cell.converted.take());
    cell.is_over.store(true, Ordering::Release);
    // Kept for late calls of the plugin.
    context.shared.retired.add_part(Arc::clone(&cell) as Arc<_>);
    if code < 0 {
        // The loop that would take the queued messages has ended.
        cell.queue.close();
        cell.queue.discard();
    }
    code
}

impl TxCell {
    /// Reports a rejected message whose reason the plugin has explained, once for each reason.
    fn report_rejection(&self) {
        let current = self.current.borrow();
        let topic = current.as_ref().map_or("", |queued| &queued.endpoint.topic.name);
        if let Some(reason) = self.context.take_explanation() {
            let text = format!("rejected a message of `{topic}`: {reason}");
            call::breach(call::Rule::Rejection, Some(&self.context.label), &text);
        }
    }

    /// Checks a call that is allowed on the transmit thread only, while the loop runs.
    fn check(&self, function: &str) -> Result<(), Status> {
        if std::thread::current().id() != self.thread {
            let text = format!("called `{function}`, which is allowed on the transmit thread only");
            call::breach(call::Rule::Thread, Some(&self.context.label), &text);
            return Err(status::WRONG_THREAD);
        }
        if self.is_over.load(Ordering::Acquire) {
            let text = format!("called `{function}` after `tx_run` had returned");
            call::breach(call::Rule::Gone, Some(&self.context.label), &text);
            return Err(status::WRONG_STATE);
        }
        Ok(())
    }

    /// Counts the message taken last: as dropped if the plugin rejected it, else as delivered.
    fn settle(&self) {
        let message = self.current.borrow_mut().take();
        match (message, self.is_rejected.replace(false)) {
            (Some(message), false) => message.delivered(),
            (rejected, _) => drop(rejected),
        }
    }

    /// Returns the message as the ABI passes it, converted if its endpoint has a converter; `None` if the conversion
    /// failed.
    fn prepare(&self, queued: &Queued) -> Option<TxMessage> {
        let topic = &queued.endpoint.topic;
        let mut message = Message {
            struct_size: Message::SIZE,
            type_id: topic.data_type.id,
            encoding: ENCODING_PROTOBUF,
            reset_epoch: queued.reset_epoch,
            stamp_ns: queued.stamp_ns,
            sequence: queued.sequence,
            step: queued.step,
            vehicle: Str::new(&topic.vehicle),
            topic: Str::new(&topic.name),
            payload: lent(&queued.payload),
            reserved: [0; 2],
        };
        if let Some(converter) = &queued.endpoint.converter {
            let mut scratch = self.scratch.borrow_mut();
            let len = convert(converter, &self.context.label, &message, &mut scratch).ok()?;
            let payload = kept(Payload::from_vec(scratch.get(..len)?.to_vec()));
            message.payload = lent(&payload);
            message.encoding = ENCODING_BRIDGE;
            *self.converted.borrow_mut() = Some(payload);
        }
        Some(TxMessage { struct_size: TxMessage::SIZE, reserved: 0, endpoint: queued.endpoint.ctx, message })
    }
}

host_object!(TxCell, |cell| Some(&cell.context.label));

impl TxObject for TxCell {
    fn next(&self, timeout_ns: i64) -> Result<TxMessage, Status> {
        self.check("tx.next")?;
        loop {
            self.settle();
            let timeout = u64::try_from(timeout_ns).ok().map(Duration::from_nanos);
            let queued = match self.queue.next(timeout) {
                Next::Message(queued) => queued,
                Next::TimedOut => return Err(status::TIMEOUT),
                Next::Interrupted => return Err(status::INTERRUPTED),
            };
            // What the message borrows lives in the cell until the next one.
            let prepared = self.prepare(&queued);
            if prepared.is_none() {
                self.is_rejected.set(true);
            }
            *self.current.borrow_mut() = Some(queued);
            if let Some(message) = prepared {
                return Ok(message);
            }
        }
    }

    fn reject(&self) {
        if self.check("tx.reject").is_ok() {
            self.is_rejected.set(true);
            self.report_rejection();
        }
    }

    fn pending(&self) -> u64 {
        self.queue.len() as u64
    }

    fn interrupted(&self) -> u8 {
        u8::from(self.queue.has_ended())
    }
}

/// The receive side of one connection.
struct RxCell {
    signal: Arc<RxSignal>,
}

fn receive(context: &Context, instance: BridgeRef, signal: Arc<RxSignal>) -> Status {
    let cell = Arc::new(Offered::<RxContext, _>::new(RxCell { signal }));
    // This is the instance's receive thread.
    let code = instance.rx_run(cell.lend());
    // Kept for late calls of the plugin; the signal ends their waits.
    context.shared.retired.add_part(cell);
    code
}

host_object!(RxCell, |_| None);

impl RxObject for RxCell {
    fn wait(&self, timeout_ns: i64) -> Status {
        self.signal.wait(timeout_ns)
    }

    fn interrupted(&self) -> u8 {
        u8::from(self.signal.is_interrupted())
    }
}

/// Logs that a loop has ended by itself. Returns the text.
pub(in crate::bridge) fn report_end(label: &str, which: &str, reason: &str) -> String {
    let text = format!("the {which} loop has ended: {reason}");
    log::error!(target: label, "[BH-BRG-017] {text}");
    text
}
