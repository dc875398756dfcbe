//! Answers what only model plugins ask for: topics, services and the bytes of a state; and calls the functions that are
//! declared in [`hosting`].
//!
//! Handles never come from the worker. It names publishers, subscriptions and services by numbers, which are looked up
//! here.

use std::ffi::c_void;
use std::sync::Mutex;

use bridgehead_abi::host::{HostBus, HostServices, ServiceRequest};
use bridgehead_abi::message::{Message as RawMessage, Qos};
use bridgehead_abi::model::StateWriter;
use bridgehead_abi::{Bytes as RawBytes, Status, Str, extension, status};
use bridgehead_plugin_api::hosting::{Hosting, Message, Served};
use bridgehead_plugin_api::objects::WriterRef;
use bridgehead_plugin_api::{Payload, hosting};

use super::forward::{HostObject, result, text_of};
use super::memory::SharedMemory;
use super::payload::{Pack, bytes_of, owned};
use super::slot::Slot;
use super::wire;
use super::wire::{Answer, Bytes, Lane, ModelRequest};
use crate::api::context::Context;
use crate::guard::host_call;
use crate::thread::lock;

/// A handle that the host has given to the plugin.
#[derive(Clone, Copy)]
enum Handle {
    Publisher(*mut c_void),
    Subscription(*mut c_void),
    Service(*mut c_void),
}

// SAFETY: handles are pointers of the host, whose functions say on which threads they can be used, and check it.
unsafe impl Send for Handle {}

/// The state of a model plugin in a worker.
#[derive(Default)]
pub(super) struct ModelDispatcher {
    /// In the order of their numbers.
    handles: Mutex<Vec<Handle>>,
    /// Where the call that is running writes.
    pub(super) writer: Slot<StateWriter>,
    sample_times: Mutex<Option<(u32, i64)>>,
    /// For each lane, what its last answer borrows.
    lent: [Mutex<Option<Payload>>; Lane::ALL.len()],
    messages: [Mutex<Message>; Lane::ALL.len()],
}

/// A request, and what it is answered with.
#[derive(Clone, Copy)]
pub(super) struct AnswerContext<'a> {
    /// What puts payloads into messages.
    pub(super) packer: &'a dyn Pack,
    /// The host object of the instance.
    pub(super) object: &'a HostObject,
    pub(super) memory: &'a SharedMemory,
    /// The lane of the request. Each is served by one thread at a time.
    pub(super) lane: Lane,
}

impl ModelDispatcher {
    /// What the plugin has said about its steps.
    pub(super) fn sample_times(&self) -> Option<(u32, i64)> {
        *lock(&self.sample_times)
    }

    /// Answers a request.
    pub(super) fn answer<'a>(&'a self, request: &ModelRequest<'_>, context: AnswerContext<'_>) -> Answer<'a> {
        match request {
            ModelRequest::Advertise { .. }
            | ModelRequest::Subscribe { .. }
            | ModelRequest::Listeners { .. }
            | ModelRequest::Publish { .. }
            | ModelRequest::Take { .. } => self.bus(request, context),
            ModelRequest::Offer { .. } | ModelRequest::TakeCall { .. } | ModelRequest::Reply { .. } => {
                self.services(request, context)
            }
            ModelRequest::Write { bytes } => Answer::Status(self.write(bytes)),
            ModelRequest::SampleTimes { steps_before, period_ns } => {
                *lock(&self.sample_times) = Some((*steps_before, *period_ns));
                Answer::Status(status::OK)
            }
        }
    }

    /// Calls a function that is declared in `hosting` for the instance, as the plugin would have in this process.
    pub(super) fn host<'a>(
        &'a self,
        number: u16,
        arguments: Bytes<'_>,
        context: AnswerContext<'_>,
    ) -> Answer<'a> {
        let Some(function) = hosting::function(number) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        let copied;
        let arguments = match arguments {
            Bytes::Inline(bytes) => bytes,
            Bytes::Shared { slot, len } => {
                copied = context.memory.copy(context.lane, slot, len).unwrap_or_default();
                &copied
            }
        };
        let served = host_call(function.name, Err(status::PANIC), || {
            // SAFETY: the object is that of a context.
            let host = unsafe { Context::entered(context.object.raw, function) }?;
            if !hosting::is_offered(host.caller(), function) {
                return Err(status::UNSUPPORTED);
            }
            hosting::serve(host, function, arguments)
        });
        match served {
            Ok(Served::Payload(payload)) => Answer::Payload(self.lend(payload, context)),
            Ok(Served::Message(message)) if message.bytes().is_empty() => Answer::Status(status::OK),
            Ok(Served::Message(message)) => {
                let bytes = self.keep_message(message, context.lane);
                Answer::Payload(context.packer.packed(bytes, context.memory))
            }
            Err(code) => Answer::Status(code),
        }
    }

    /// Keeps a message until the next one on a lane, and borrows its bytes for this answer.
    fn keep_message(&self, message: Message, lane: Lane) -> &[u8] {
        let Some(place) = self.messages.get(lane.number()) else { return &[] };
        let mut kept = lock(place);
        *kept = message;
        let bytes = std::ptr::from_ref(kept.bytes());
        // SAFETY: as in `borrow`: one thread serves the lane, and the message stays where it is until its next answer.
        unsafe { &*bytes }
    }

    fn write(&self, bytes: &[u8]) -> Status {
        // SAFETY: the writer is valid while it is set.
        unsafe { WriterRef::of(self.writer.get()) }.map_or(status::WRONG_STATE, |writer| writer.write(bytes))
    }

    /// Keeps a handle. Returns its number.
    fn keep<'a>(&self, code: Status, handle: Handle) -> Answer<'a> {
        if code < status::OK {
            return Answer::Status(code);
        }
        let mut handles = lock(&self.handles);
        handles.push(handle);
        Answer::Number(handles.len() as u64 - 1)
    }

    fn handle(&self, number: u32) -> Option<Handle> {
        lock(&self.handles).get(number as usize).copied()
    }

    /// Keeps a payload until the next answer on a lane, and borrows its bytes for this one.
    pub(super) fn borrow(&self, payload: Payload, lane: Lane) -> &[u8] {
        let Some(place) = self.lent.get(lane.number()) else { return &[] };
        let mut kept = lock(place);
        // SAFETY: the bytes are alive until the payload is replaced, by the next answer on this lane: this one has been sent
        // by then, because one thread serves the lane.
        unsafe { bytes_of(kept.insert(payload).as_raw()) }
    }

    /// The same, in the shared memory if it is large.
    fn lend<'a>(&'a self, payload: Payload, context: AnswerContext<'_>) -> Bytes<'a> {
        context.packer.packed(self.borrow(payload, context.lane), context.memory)
    }

    fn bus<'a>(&'a self, request: &ModelRequest<'_>, context: AnswerContext<'_>) -> Answer<'a> {
        let object = context.object;
        let Some(table) = object.table::<HostBus>(extension::BUS) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        let mut handle = std::ptr::null_mut();
        // SAFETY: the object and its handles are valid, texts and values live for the call, and `handle` is memory for a
        // result.
        unsafe {
            match request {
                ModelRequest::Advertise { topic, type_name, qos } => {
                    let (topic, type_name, qos) = (Str::new(topic), Str::new(type_name), qos_of(*qos));
                    let code =
                        (table.advertise)(object.raw, topic, type_name, &raw const qos, &raw mut handle);
                    self.keep(code, Handle::Publisher(handle))
                }
                ModelRequest::Subscribe { topic, type_name, qos } => {
                    let (topic, type_name, qos) = (Str::new(topic), Str::new(type_name), qos_of(*qos));
                    let code =
                        (table.subscribe)(object.raw, topic, type_name, &raw const qos, &raw mut handle);
                    self.keep(code, Handle::Subscription(handle))
                }
                ModelRequest::Listeners { handle } => match self.handle(*handle) {
                    Some(Handle::Publisher(publisher)) => Answer::Number((table.listeners)(publisher).into()),
                    _ => Answer::Number(0),
                },
                ModelRequest::Publish { handle, stamp_ns, payload } => {
                    let payload = owned(context.memory, context.lane, *payload);
                    Answer::Status(match (self.handle(*handle), payload) {
                        (Some(Handle::Publisher(publisher)), Some(payload)) => {
                            (table.publish)(publisher, *stamp_ns, payload.as_raw())
                        }
                        _ => status::INVALID_ARG,
                    })
                }
                ModelRequest::Take { handle } => match self.handle(*handle) {
                    Some(Handle::Subscription(subscription)) => {
                        let mut out = result!(RawMessage);
                        match (table.take)(subscription, &raw mut out) {
                            status::OK => Answer::Message(self.message(out, context)),
                            code => Answer::Status(code),
                        }
                    }
                    _ => Answer::Status(status::INVALID_ARG),
                },
                _ => Answer::Status(status::UNSUPPORTED),
            }
        }
    }

    /// # Safety
    /// The message must be one that the host has just given.
    unsafe fn message<'a>(&'a self, message: RawMessage, context: AnswerContext<'_>) -> wire::Message<'a> {
        // SAFETY: the texts belong to the topic, which exists as long as the instance; the payload is alive until the next
        // `take`, and the reference is kept until the next answer.
        let (vehicle, topic, payload) = unsafe {
            let payload = Payload::retain(message.payload);
            (text_of(message.vehicle), text_of(message.topic), payload)
        };
        wire::Message {
            endpoint: 0,
            type_id: message.type_id,
            encoding: message.encoding,
            reset_epoch: message.reset_epoch,
            stamp_ns: message.stamp_ns,
            sequence: message.sequence,
            step: message.step,
            vehicle,
            topic,
            payload: self.lend(payload, context),
        }
    }

    fn services<'a>(&'a self, request: &ModelRequest<'_>, context: AnswerContext<'_>) -> Answer<'a> {
        let object = context.object;
        let Some(table) = object.table::<HostServices>(extension::SERVICES) else {
            return Answer::Status(status::UNSUPPORTED);
        };
        // SAFETY: as in `bus`.
        unsafe {
            match request {
                ModelRequest::Offer { name, request, response } => {
                    let [name, request, response] = [*name, *request, *response].map(Str::new);
                    let mut handle = std::ptr::null_mut();
                    let code = (table.advertise)(object.raw, name, request, response, &raw mut handle);
                    self.keep(code, Handle::Service(handle))
                }
                ModelRequest::TakeCall { handle } => {
                    let Some(Handle::Service(service)) = self.handle(*handle) else {
                        return Answer::Status(status::INVALID_ARG);
                    };
                    let mut out = result!(ServiceRequest);
                    match (table.take)(service, &raw mut out) {
                        status::OK => {
                            let payload = self.lend(Payload::retain(out.payload), context);
                            Answer::ServiceCall { call: out.id, payload }
                        }
                        code => Answer::Status(code),
                    }
                }
                ModelRequest::Reply { handle, call, status: code, payload } => {
                    let payload = owned(context.memory, context.lane, *payload);
                    Answer::Status(match (self.handle(*handle), payload) {
                        (Some(Handle::Service(service)), Some(payload)) => {
                            (table.reply)(service, *call, *code, RawBytes::new(bytes_of(payload.as_raw())))
                        }
                        _ => status::INVALID_ARG,
                    })
                }
                _ => Answer::Status(status::UNSUPPORTED),
            }
        }
    }
}

fn qos_of(qos: wire::Qos) -> Qos {
    Qos {
        struct_size: Qos::SIZE,
        reliability: qos.reliability,
        durability: qos.durability,
        depth: qos.depth,
        reserved: [0; 2],
    }
}
