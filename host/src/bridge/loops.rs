//! The transmit and receive threads of an instance, and what their loops are given.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use bridgehead_abi::bridge::{self as raw, RxContext, TxContext, TxMessage};
use bridgehead_abi::message::{ENCODING_BRIDGE, ENCODING_PROTOBUF, Message};
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::Payload;

use super::registry::convert;
use crate::api::Context;
use crate::bus::{Next, Queued, TxQueue};
use crate::guard::host_call;
use crate::thread::{Named, spawn};

/// How long a transmit loop may take to send what waits when the connection ends.
const DRAIN_DEADLINE: Duration = Duration::from_secs(5);
/// How long a loop may take to end once it was told to.
const END_DEADLINE: Duration = Duration::from_secs(2);

/// Tells a receive loop to end.
#[derive(Debug, Default)]
pub(super) struct RxSignal {
    is_interrupted: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl RxSignal {
    fn interrupt(&self) {
        self.is_interrupted.store(true, Ordering::Release);
        // Taking the lock orders this after a waiter's check, so that no wake-up is lost.
        drop(self.lock.lock());
        self.changed.notify_all();
    }

    fn is_interrupted(&self) -> bool {
        self.is_interrupted.load(Ordering::Acquire)
    }

    fn wait(&self, timeout_ns: i64) -> Status {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let running = |_: &mut ()| !self.is_interrupted();
        match u64::try_from(timeout_ns) {
            Ok(time) => drop(self.changed.wait_timeout_while(guard, Duration::from_nanos(time), running)),
            Err(_) => drop(self.changed.wait_while(guard, running)),
        }
        if self.is_interrupted() { status::INTERRUPTED } else { status::OK }
    }
}

/// An instance's functions on their way to another thread.
#[derive(Clone, Copy)]
pub(super) struct RawInstance(pub(super) raw::BridgeInstance);

// SAFETY: the ABI says which threads may call which function; `ctx` is only passed back.
unsafe impl Send for RawInstance {}
// SAFETY: as above.
unsafe impl Sync for RawInstance {}

/// How a loop ended: its status.
type Ended = Named<Status>;

/// The running loops of one connection.
pub(super) struct Loops {
    instance: RawInstance,
    queue: Arc<TxQueue>,
    signal: Arc<RxSignal>,
    tx: Option<Ended>,
    rx: Option<Ended>,
}

impl Loops {
    /// Starts the loops that the instance has.
    ///
    /// # Errors
    /// Where the operating system makes no thread.
    pub(super) fn start(
        context: &Arc<Context>,
        instance: RawInstance,
        queue: &Arc<TxQueue>,
    ) -> std::io::Result<Self> {
        let label = &context.label;
        let signal = Arc::new(RxSignal::default());
        let mut loops = Loops { instance, queue: Arc::clone(queue), signal, tx: None, rx: None };
        if instance.0.tx_run.is_some() {
            let (queue, context) = (Arc::clone(queue), Arc::clone(context));
            loops.tx = Some(spawn(format!("tx:{label}"), move || {
                report(&context, "transmit", transmit(instance, queue))
            })?);
        }
        if instance.0.rx_run.is_some() {
            let (signal, context) = (Arc::clone(&loops.signal), Arc::clone(context));
            loops.rx = Some(spawn(format!("rx:{label}"), move || {
                report(&context, "receive", receive(instance, signal))
            })?);
        }
        Ok(loops)
    }

    /// Ends both loops: what waits is sent first, within a deadline. Gives the names of threads that did not
    /// end and were left alone.
    pub(super) fn stop(self) -> Vec<String> {
        self.queue.interrupt(true);
        self.signal.interrupt();
        wake(self.instance);
        let mut left = Vec::new();
        if let Some(rx) = self.rx {
            end(rx, END_DEADLINE, &mut left);
        }
        if let Some(tx) = self.tx {
            let deadline = crate::clock::now() + DRAIN_DEADLINE;
            while !tx.is_finished() && crate::clock::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.queue.interrupt(false);
            wake(self.instance);
            end(tx, END_DEADLINE, &mut left);
        }
        self.queue.discard();
        left
    }
}

/// Says why a loop ended by itself.
fn report(context: &Context, which: &str, code: Status) -> Status {
    if code < 0 && code != status::INTERRUPTED {
        let reason = context.take_explanation().unwrap_or_else(|| status::name(code).to_owned());
        log::error!(target: &context.label, "[BH-BRG-017] the {which} loop has ended: {reason}");
    }
    code
}

fn end(thread: Ended, deadline: Duration, left: &mut Vec<String>) {
    let name = thread.name().to_owned();
    match thread.join(deadline) {
        Ok(_) => {}
        Err(problem) => left.push(format!("{name} ({problem:?})")),
    }
}

/// Wakes the loops from whatever they block on.
fn wake(instance: RawInstance) {
    if let Some(interrupt) = instance.0.interrupt {
        // SAFETY: may be called from any thread.
        unsafe { interrupt(instance.0.ctx) };
    }
}

/// The transmit side as the plugin sees it; the ABI part comes first, so that both have one address.
#[repr(C)]
struct TxCell {
    abi: TxContext,
    queue: Arc<TxQueue>,
    /// The message last taken, until it is settled.
    current: RefCell<Option<Queued>>,
    is_rejected: Cell<bool>,
    converted: RefCell<Option<Payload>>,
    scratch: RefCell<Vec<u8>>,
}

fn transmit(instance: RawInstance, queue: Arc<TxQueue>) -> Status {
    let Some(tx_run) = instance.0.tx_run else {
        return status::OK;
    };
    let cell = TxCell {
        abi: TxContext {
            struct_size: TxContext::SIZE,
            reserved: 0,
            ctx: std::ptr::null_mut(),
            next,
            reject,
            pending,
            interrupted,
        },
        queue,
        current: RefCell::default(),
        is_rejected: Cell::default(),
        converted: RefCell::default(),
        scratch: RefCell::default(),
    };
    // SAFETY: this is the instance's transmit thread; the context lives for the loop.
    let code = unsafe { tx_run(instance.0.ctx, &raw const cell.abi) };
    cell.settle();
    if code < 0 {
        // Nobody will take what waits any more.
        cell.queue.close();
        cell.queue.discard();
    }
    code
}

impl TxCell {
    /// # Safety
    /// `tx` must be the first field of a live `TxCell`.
    unsafe fn of<'a>(tx: *const TxContext) -> &'a Self {
        // SAFETY: the caller vouches for it.
        unsafe { &*tx.cast::<Self>() }
    }

    /// Counts the message last taken.
    fn settle(&self) {
        let Some(message) = self.current.borrow_mut().take() else {
            return;
        };
        let counters = &message.endpoint.counters;
        if self.is_rejected.replace(false) {
            counters.dropped.fetch_add(1, Ordering::Relaxed);
        } else {
            counters.delivered.fetch_add(1, Ordering::Relaxed);
            counters.bytes.fetch_add(message.payload.len() as u64, Ordering::Relaxed);
        }
    }

    /// The message as the ABI passes it, converted where its endpoint says so; `None` where that failed.
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
            payload: queued.payload.as_raw(),
        };
        if let Some(converter) = &queued.endpoint.converter {
            let mut scratch = self.scratch.borrow_mut();
            let len = convert(converter, &message, &mut scratch).ok()?;
            let payload = Payload::from_vec(scratch.get(..len)?.to_vec());
            message.payload = payload.as_raw();
            message.encoding = ENCODING_BRIDGE;
            *self.converted.borrow_mut() = Some(payload);
        }
        Some(TxMessage { struct_size: TxMessage::SIZE, reserved: 0, endpoint: queued.endpoint.ctx, message })
    }
}

unsafe extern "C" fn next(tx: *const TxContext, timeout_ns: i64, out: *mut TxMessage) -> Status {
    host_call("tx.next", status::PANIC, || {
        // SAFETY: the plugin passes back its context, on its transmit thread.
        let cell = unsafe { TxCell::of(tx) };
        loop {
            cell.settle();
            let timeout = u64::try_from(timeout_ns).ok().map(Duration::from_nanos);
            let queued = match cell.queue.next(timeout) {
                Next::Message(queued) => queued,
                Next::TimedOut => return status::TIMEOUT,
                Next::Interrupted => return status::INTERRUPTED,
            };
            let prepared = cell.prepare(&queued);
            if prepared.is_none() {
                cell.is_rejected.set(true);
            }
            *cell.current.borrow_mut() = Some(queued);
            if let Some(message) = prepared {
                // SAFETY: `out` is writable; what it borrows lives in the cell until the next message.
                unsafe { out.write(message) };
                return status::OK;
            }
        }
    })
}

unsafe extern "C" fn reject(tx: *const TxContext) {
    host_call("tx.reject", (), || {
        // SAFETY: as in `next`.
        unsafe { TxCell::of(tx) }.is_rejected.set(true);
    })
}

unsafe extern "C" fn pending(tx: *const TxContext) -> u64 {
    host_call("tx.pending", 0, || {
        // SAFETY: as in `next`.
        unsafe { TxCell::of(tx) }.queue.len() as u64
    })
}

unsafe extern "C" fn interrupted(tx: *const TxContext) -> u8 {
    host_call("tx.interrupted", 1, || {
        // SAFETY: the queue may be asked from any thread.
        u8::from(unsafe { TxCell::of(tx) }.queue.has_ended())
    })
}

/// The receive side as the plugin sees it; the ABI part comes first, so that both have one address.
#[repr(C)]
struct RxCell {
    abi: RxContext,
    signal: Arc<RxSignal>,
}

fn receive(instance: RawInstance, signal: Arc<RxSignal>) -> Status {
    let Some(rx_run) = instance.0.rx_run else {
        return status::OK;
    };
    let abi = RxContext {
        struct_size: RxContext::SIZE,
        reserved: 0,
        ctx: std::ptr::null_mut(),
        wait,
        interrupted: rx_interrupted,
    };
    let cell = RxCell { abi, signal };
    // SAFETY: this is the instance's receive thread; the context lives for the loop.
    unsafe { rx_run(instance.0.ctx, &raw const cell.abi) }
}

unsafe extern "C" fn wait(rx: *const RxContext, timeout_ns: i64) -> Status {
    host_call("rx.wait", status::PANIC, || {
        // SAFETY: the plugin passes back its context.
        unsafe { &*rx.cast::<RxCell>() }.signal.wait(timeout_ns)
    })
}

unsafe extern "C" fn rx_interrupted(rx: *const RxContext) -> u8 {
    host_call("rx.interrupted", 1, || {
        // SAFETY: the plugin passes back its context.
        u8::from(unsafe { &*rx.cast::<RxCell>() }.signal.is_interrupted())
    })
}
