//! Answers the requests of a plugin in a worker: calls the host function that the plugin would have called in this
//! process, with the plugin's own host object, on the thread that has made the call.
//!
//! Pointers never come from the worker. It names endpoints by numbers, which are looked up here.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use bridgehead_abi::{Status, bridge as raw, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::objects::{IncomingMessage, RxRef, ServiceSinkRef, SinkRef, TxRef};

use super::answers::{AnswerContext, ModelDispatcher};
use super::connection::LastConnection;
use super::forward::{HostObject, forward, text_of};
use super::memory::{SMALLEST, SharedMemory};
use super::payload::{Pack, bytes_of, owned};
use super::slot::Slot;
use super::wire;
use super::wire::{Answer, Bytes, Caller, Lane, Request};
use crate::guard::host_call;
use crate::thread::lock;

/// A message of the host for the worker that answers no request.
pub(super) enum Outgoing {
    /// `interrupt` of the instance.
    Interrupt,
    /// The answer to a call of a service.
    Reply {
        /// Number that the worker has given to the call.
        call: u64,
        status: Status,
        response: Option<Vec<u8>>,
    },
}

/// Where a received message or a call goes.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Sink(SinkRef<'static>),
    Service(ServiceSinkRef<'static>),
}

/// What the requests of one worker refer to.
pub(super) struct Dispatcher {
    library: HostObject,
    instance: Mutex<Option<HostObject>>,
    targets: Mutex<BTreeMap<u32, Target>>,
    /// The running loops.
    pub(super) tx: Slot<raw::TxContext>,
    pub(super) rx: Slot<raw::RxContext>,
    /// True while the worker has a message of the transmit loop that is not confirmed.
    has_message: AtomicBool,
    /// Where `register` announces; empty outside of that call.
    pub(super) announced: Slot<raw::Registrar>,
    /// What only model plugins ask for.
    pub(super) model: ModelDispatcher,
    /// How many calls of `interrupt` have returned.
    interrupts: Mutex<u64>,
    interrupted: Condvar,
    /// True after a payload did not fit into the shared memory for the first time.
    is_memory_reported: AtomicBool,
}

/// The number behind the `ctx` of an endpoint, for messages of the transmit loop.
pub(super) trait Numbered {
    /// # Safety
    /// `ctx` must be that of an endpoint that is alive.
    unsafe fn number(ctx: *mut c_void) -> u32;
}

impl Dispatcher {
    pub(super) fn new(library: HostObject, instance: Option<HostObject>) -> Arc<Self> {
        Arc::new(Dispatcher {
            library,
            instance: Mutex::new(instance),
            targets: Mutex::default(),
            tx: Slot::default(),
            rx: Slot::default(),
            has_message: AtomicBool::new(false),
            announced: Slot::default(),
            model: ModelDispatcher::default(),
            interrupts: Mutex::default(),
            interrupted: Condvar::new(),
            is_memory_reported: AtomicBool::new(false),
        })
    }

    /// The object to report with: that of the instance, if there is one.
    pub(super) fn reporter(&self) -> HostObject {
        lock(&self.instance).clone().unwrap_or_else(|| self.library.clone())
    }

    /// Uses the object of an instance that is not made yet, for a call of its factory.
    pub(super) fn speak_for(&self, instance: Option<HostObject>) {
        *lock(&self.instance) = instance;
    }

    pub(super) fn add(&self, endpoint: u32, target: Target) {
        lock(&self.targets).insert(endpoint, target);
    }

    /// Forgets an endpoint. No delivery to it is running afterwards.
    pub(super) fn remove(&self, endpoint: u32) {
        lock(&self.targets).remove(&endpoint);
    }

    /// Returns true if a loop is running.
    pub(super) fn has_loops(&self) -> bool {
        !self.tx.get().is_null() || !self.rx.get().is_null()
    }

    pub(super) fn interrupts(&self) -> u64 {
        *lock(&self.interrupts)
    }

    /// Waits until more calls of `interrupt` have returned than `before`, for `time` at most. Returns true if they have.
    pub(super) fn await_interrupt(&self, before: u64, time: Duration) -> bool {
        let waiting = |returned: &mut u64| *returned <= before;
        let waited = self.interrupted.wait_timeout_while(lock(&self.interrupts), time, waiting);
        waited.is_ok_and(|(_, timeout)| !timeout.timed_out())
    }

    /// Counts the message that a worker has taken before it ended as dropped. On the thread of the transmit loop.
    pub(super) fn reject_taken(&self) {
        if self.has_message.swap(false, Ordering::AcqRel)
            && let Some(tx) = self.tx()
        {
            tx.reject();
        }
    }

    fn tx(&self) -> Option<TxRef<'_>> {
        // SAFETY: the context is valid while it is set; it is taken away when the loop has returned.
        unsafe { TxRef::of(self.tx.get()) }
    }

    fn rx(&self) -> Option<RxRef<'_>> {
        // SAFETY: as above.
        unsafe { RxRef::of(self.rx.get()) }
    }

    /// Answers a request that came on a lane. The last argument is the memory, the outgoing queue and the connection status
    /// of its worker.
    pub(super) fn answer<'a, N: Numbered>(
        &'a self,
        request: &Request<'_>,
        lane: Lane,
        (memory, outgoing, connection): (&SharedMemory, &Sender<Outgoing>, &LastConnection),
    ) -> Answer<'a> {
        if request.lane().is_some_and(|required| required != lane) {
            return Answer::Status(status::WRONG_THREAD);
        }
        match request {
            Request::Next { timeout_ns } => self.next::<N>(*timeout_ns, memory),
            Request::Reject => {
                self.reject_taken();
                Answer::Status(status::OK)
            }
            Request::Pending => Answer::Number(self.tx().map_or(0, |tx| tx.pending())),
            Request::TxInterrupted => Answer::Number(self.tx().map_or(1, |tx| tx.interrupted().into())),
            Request::Interrupted => {
                *lock(&self.interrupts) += 1;
                self.interrupted.notify_all();
                Answer::Status(status::OK)
            }
            Request::Wait { timeout_ns } => {
                Answer::Status(self.rx().map_or(status::INTERRUPTED, |rx| rx.wait(*timeout_ns)))
            }
            Request::RxInterrupted => Answer::Number(self.rx().map_or(1, |rx| rx.interrupted().into())),
            Request::Status(read) => {
                connection.update(*read);
                Answer::Status(status::OK)
            }
            Request::AddType { data_type, bridge_type } => {
                Answer::Status(self.announced.add_type(data_type, bridge_type))
            }
            Request::AddCreator { role, data_type, response, creator } => {
                Answer::Status(self.announced.add_creator(*role, data_type, response, *creator))
            }
            Request::Deliver { endpoint, at_step, stamp_ns, payload } => {
                let payload = owned(memory, lane, *payload);
                Answer::Status(self.deliver(*endpoint, *at_step, *stamp_ns, payload))
            }
            Request::CallService { endpoint, call, payload } => {
                let payload = owned(memory, lane, *payload);
                Answer::Status(self.call_service(*endpoint, *call, payload, outgoing))
            }
            Request::Host { caller, function, arguments } => {
                let object = match caller {
                    Caller::Library => self.library.clone(),
                    Caller::Instance => self.reporter(),
                };
                self.model.host(
                    *function,
                    *arguments,
                    AnswerContext { packer: self, object: &object, memory, lane },
                )
            }
            Request::Model(request) => {
                let object = self.reporter();
                self.model.answer(request, AnswerContext { packer: self, object: &object, memory, lane })
            }
            other => forward(&self.reporter(), &self.library, other),
        }
    }

    /// Takes the next message of the transmit loop.
    fn next<'a, N: Numbered>(&'a self, timeout_ns: i64, memory: &SharedMemory) -> Answer<'a> {
        // Taking the next one confirms the one before.
        self.has_message.store(false, Ordering::Release);
        let Some(tx) = self.tx() else { return Answer::Status(status::INTERRUPTED) };
        let taken = match tx.next(timeout_ns) {
            Ok(taken) => taken,
            Err(code) => return Answer::Status(code),
        };
        self.has_message.store(true, Ordering::Release);
        let message = taken.message;
        // SAFETY: what the message borrows lives until the next `next`, which only this thread calls, and the endpoint is one
        // of ours.
        let (endpoint, bytes) = unsafe { (N::number(taken.endpoint), bytes_of(message.payload)) };
        // SAFETY: as above; both texts are UTF-8, because the host has made them.
        let (vehicle, topic) = unsafe { (text_of(message.vehicle), text_of(message.topic)) };
        Answer::Message(wire::Message {
            endpoint,
            type_id: message.type_id,
            encoding: message.encoding,
            reset_epoch: message.reset_epoch,
            stamp_ns: message.stamp_ns,
            sequence: message.sequence,
            step: message.step,
            vehicle,
            topic,
            payload: self.packed(bytes, memory),
        })
    }

    #[cold]
    fn report_memory(&self, error: &std::io::Error) {
        if !self.is_memory_reported.swap(true, Ordering::Relaxed) {
            let text = format!(
                "there is no shared memory left ({error}): large messages are sent through a socket, which takes longer"
            );
            self.reporter().report_error("BH-PLG-144", &text);
        }
    }

    fn deliver(&self, endpoint: u32, at_step: u64, stamp_ns: i64, payload: Option<Payload>) -> Status {
        let Some(payload) = payload else { return status::INVALID_ARG };
        let incoming = IncomingMessage { at_step, stamp_ns, payload: (&payload).into() };
        // Locked during the call, which does not wait: an endpoint is not destroyed under a delivery.
        let targets = lock(&self.targets);
        match targets.get(&endpoint) {
            // It is valid until its endpoint is removed.
            Some(Target::Sink(sink)) => sink.deliver(incoming),
            Some(Target::Service(_)) | None => status::NOT_FOUND,
        }
    }

    fn call_service(
        &self,
        endpoint: u32,
        call: u64,
        payload: Option<Payload>,
        outgoing: &Sender<Outgoing>,
    ) -> Status {
        let Some(payload) = payload else { return status::INVALID_ARG };
        let target = lock(&self.targets).get(&endpoint).copied();
        let Some(Target::Service(sink)) = target else { return status::NOT_FOUND };
        let outgoing = outgoing.clone();
        // The host keeps sinks for late calls.
        sink.start(&payload, move |status, response| {
            host_call("worker.reply", (), || {
                let response = response.map(|response| response.to_vec());
                // If the worker has ended, nobody waits for the answer.
                drop(outgoing.send(Outgoing::Reply { call, status, response }));
            });
        })
    }
}

impl Pack for Dispatcher {
    fn packed<'a>(&self, bytes: &'a [u8], memory: &SharedMemory) -> Bytes<'a> {
        if bytes.len() < SMALLEST {
            return Bytes::Inline(bytes);
        }
        match memory.lend(bytes) {
            Ok(Some(slot)) => Bytes::Shared { slot, len: bytes.len() as u64 },
            Ok(None) => Bytes::Inline(bytes),
            Err(error) => {
                self.report_memory(&error);
                Bytes::Inline(bytes)
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
