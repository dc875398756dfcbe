//! Endpoints of the plugin in a worker by the numbers that the host has given to them, their sinks, and the service calls
//! that wait for an answer.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::objects::{
    BorrowedPayload, EndpointRef, IncomingMessage, Offered, Reply, ServiceSinkObject, SinkObject, Table,
};

use super::super::wire::Request;
use super::link;
use crate::api::hosting::host_object;
use crate::bus::{kept, lend};
use crate::thread::lock;

static ENDPOINTS: Mutex<BTreeMap<u32, EndpointRef>> = Mutex::new(BTreeMap::new());

/// Remembers an endpoint.
pub(super) fn add(number: u32, endpoint: EndpointRef) {
    lock(&ENDPOINTS).insert(number, endpoint);
}

/// Forgets an endpoint, and returns it.
pub(super) fn take(number: u32) -> Option<EndpointRef> {
    lock(&ENDPOINTS).remove(&number)
}

/// Forgets all endpoints, and returns them.
pub(super) fn take_all() -> Vec<EndpointRef> {
    std::mem::take(&mut *lock(&ENDPOINTS)).into_values().collect()
}

/// The `ctx` of an endpoint; null for an unknown one.
pub(super) fn context_of(number: u32) -> *mut c_void {
    lock(&ENDPOINTS).get(&number).map_or(std::ptr::null_mut(), EndpointRef::ctx)
}

/// A sink of the worker. It is never freed: a late call of the plugin must not meet other memory.
pub(super) struct RemoteSink {
    endpoint: u32,
}

host_object!(RemoteSink, |_| None);

/// The sink of an endpoint that receives a topic, or that offers a service.
pub(super) fn sink<A: Table<RemoteSink>>(endpoint: u32) -> &'static Offered<A, RemoteSink> {
    Box::leak(Box::new(Offered::new(RemoteSink { endpoint })))
}

impl SinkObject for RemoteSink {
    fn deliver(&self, incoming: IncomingMessage<'_>) -> Status {
        let (endpoint, at_step, stamp_ns) = (self.endpoint, incoming.at_step, incoming.stamp_ns);
        link().ask_with(
            incoming.payload.bytes(),
            |payload| Request::Deliver { endpoint, at_step, stamp_ns, payload },
            |answer| answer.status(),
        )
    }
}

/// Functions of the plugin that wait for an answer.
static WAITING: Mutex<BTreeMap<u64, Reply>> = Mutex::new(BTreeMap::new());
static NEXT_CALL: AtomicU64 = AtomicU64::new(1);

impl ServiceSinkObject for RemoteSink {
    fn call(&self, request: BorrowedPayload<'_>, reply: Reply) -> Status {
        let call = NEXT_CALL.fetch_add(1, Ordering::Relaxed);
        // Before the request: the answer may come before this call returns.
        lock(&WAITING).insert(call, reply);
        let endpoint = self.endpoint;
        let code = link().ask_with(
            request.bytes(),
            |payload| Request::CallService { endpoint, call, payload },
            |answer| answer.status(),
        );
        if code < 0 {
            lock(&WAITING).remove(&call);
        }
        code
    }
}

/// Answers a call of the plugin.
pub(super) fn reply(call: u64, code: Status, response: Option<&[u8]>) {
    let waiting = lock(&WAITING).remove(&call);
    if let Some(reply) = waiting {
        let response = response.map(|bytes| kept(Payload::from_vec(bytes.to_vec())));
        reply.send(code, response.as_ref().map(lend));
    }
}

/// Answers all calls that are open: no other answer will come.
pub(super) fn interrupt_calls() {
    let waiting = std::mem::take(&mut *lock(&WAITING));
    waiting.into_values().for_each(|reply| reply.send(status::INTERRUPTED, None));
}
