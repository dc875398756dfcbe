//! Endpoints of the plugin in a worker by the numbers that the host has given to them, their sinks, and the service calls
//! that wait for an answer.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_abi::bridge::{Endpoint, Incoming, ServiceReply, ServiceSink, Sink};
use bridgehead_abi::{Buffer, Status, status};
use bridgehead_plugin_api::Payload;

use super::super::wire::Request;
use super::{link, place};
use crate::bus::{kept, lent};
use crate::guard::host_call;
use crate::thread::lock;

/// An endpoint, and the address of its sink, which is never freed: a late call of the plugin must not meet other memory.
struct Made(Endpoint);

// SAFETY: endpoints are created and destroyed on the main thread, and otherwise only passed back.
unsafe impl Send for Made {}

static ENDPOINTS: Mutex<BTreeMap<u32, Made>> = Mutex::new(BTreeMap::new());

/// Remembers an endpoint.
pub(super) fn add(number: u32, endpoint: Endpoint) {
    lock(&ENDPOINTS).insert(number, Made(endpoint));
}

/// Forgets an endpoint, and returns it.
pub(super) fn take(number: u32) -> Option<Endpoint> {
    lock(&ENDPOINTS).remove(&number).map(|made| made.0)
}

/// Forgets all endpoints, and returns them.
pub(super) fn take_all() -> Vec<Endpoint> {
    std::mem::take(&mut *lock(&ENDPOINTS)).into_values().map(|made| made.0).collect()
}

/// The `ctx` of an endpoint; null for an unknown one.
pub(super) fn context_of(number: u32) -> *mut c_void {
    lock(&ENDPOINTS).get(&number).map_or(std::ptr::null_mut(), |made| made.0.ctx)
}

/// A sink of the worker. The ABI struct is the first field, so that both have one address.
#[repr(C)]
struct RemoteSink<T> {
    abi: T,
    endpoint: u32,
}

/// The sink of an endpoint that receives a topic.
pub(super) fn sink(endpoint: u32) -> *const Sink {
    let abi = Sink { struct_size: Sink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), deliver };
    std::ptr::from_ref(Box::leak(Box::new(RemoteSink { abi, endpoint }))).cast()
}

/// The sink of an endpoint that offers a service.
pub(super) fn service_sink(endpoint: u32) -> *const ServiceSink {
    let abi = ServiceSink { struct_size: ServiceSink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), call };
    std::ptr::from_ref(Box::leak(Box::new(RemoteSink { abi, endpoint }))).cast()
}

unsafe extern "C" fn deliver(sink: *const Sink, incoming: *const Incoming) -> Status {
    host_call("sink.deliver", status::PANIC, || {
        // SAFETY: the plugin passes back its sink, and a message valid for the call.
        let (endpoint, incoming, payload) = unsafe {
            let (Some(sink), Some(incoming)) = (sink.cast::<RemoteSink<Sink>>().as_ref(), incoming.as_ref())
            else {
                return status::INVALID_ARG;
            };
            (sink.endpoint, incoming, place::payload(incoming.payload, "sink.deliver"))
        };
        let bytes = match payload {
            Ok(bytes) => bytes,
            Err(code) => return code,
        };
        let (at_step, stamp_ns) = (incoming.at_step, incoming.stamp_ns);
        link().ask_with(
            bytes,
            |payload| Request::Deliver { endpoint, at_step, stamp_ns, payload },
            |answer| answer.status(),
        )
    })
}

/// A function of the plugin that waits for an answer.
struct Waiting(ServiceReply);

// SAFETY: the ABI allows a reply from any thread.
unsafe impl Send for Waiting {}

static WAITING: Mutex<BTreeMap<u64, Waiting>> = Mutex::new(BTreeMap::new());
static NEXT_CALL: AtomicU64 = AtomicU64::new(1);

unsafe extern "C" fn call(
    sink: *const ServiceSink,
    request: *const Buffer,
    reply: *const ServiceReply,
) -> Status {
    host_call("service_sink.call", status::PANIC, || {
        // SAFETY: the plugin passes back its sink, and values valid for the call.
        let (endpoint, bytes, reply) = unsafe {
            let sink = sink.cast::<RemoteSink<ServiceSink>>().as_ref();
            let (Some(sink), Some(reply)) = (sink, reply.as_ref()) else {
                return status::INVALID_ARG;
            };
            let bytes = match place::payload(request, "service_sink.call") {
                Ok(bytes) => bytes,
                Err(code) => return code,
            };
            (sink.endpoint, bytes, *reply)
        };
        let call = NEXT_CALL.fetch_add(1, Ordering::Relaxed);
        // Before the request: the answer may come before this call returns.
        lock(&WAITING).insert(call, Waiting(reply));
        let code = link().ask_with(
            bytes,
            |payload| Request::CallService { endpoint, call, payload },
            |answer| answer.status(),
        );
        if code < 0 {
            lock(&WAITING).remove(&call);
        }
        code
    })
}

/// Answers a call of the plugin.
pub(super) fn reply(call: u64, code: Status, response: Option<&[u8]>) {
    let waiting = lock(&WAITING).remove(&call);
    if let Some(Waiting(reply)) = waiting {
        let response = response.map(|bytes| kept(Payload::from_vec(bytes.to_vec())));
        let raw = response.as_ref().map_or(std::ptr::null(), lent);
        // SAFETY: the plugin's function is called once; the response is alive for the call.
        unsafe { (reply.reply)(reply.user, code, raw) };
    }
}

/// Answers all calls that are open: no other answer will come.
pub(super) fn interrupt_calls() {
    let waiting = std::mem::take(&mut *lock(&WAITING));
    for Waiting(reply) in waiting.into_values() {
        // SAFETY: as above.
        unsafe { (reply.reply)(reply.user, status::INTERRUPTED, std::ptr::null()) };
    }
}
