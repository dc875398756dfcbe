//! The sinks of endpoints: functions that the plugin calls to deliver received messages and service calls.
//!
//! Called on any thread of the plugin; a sink lives as long as its endpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bridgehead_abi::bridge::{self as raw, Incoming, ServiceReply, ServiceSink, Sink};
use bridgehead_abi::message::{ENCODING_BRIDGE, Message};
use bridgehead_abi::{Buffer, Status, Str, status};
use bridgehead_plugin_api::{Payload, rules};

use super::convert::convert;
use super::endpoints::EndpointContext;
use crate::api::Shared;
use crate::api::caller::{self, check_pointer};
use crate::bus::{Arrival, BufferPool, Converter, ServicePoint, Topic, kept, lent};
use crate::call as calls;
use crate::guard::host_call;

/// Steps after the present one for which a message may be delivered: a year of steps of 1 ms is 3.2e10.
const FARTHEST: u64 = 1 << 36;

/// The sink that an incoming endpoint delivers to. The ABI struct is the first field, so that both have the same
/// address.
#[repr(C)]
pub(super) struct SinkCell {
    pub(super) abi: Sink,
    topic: Arc<Topic>,
    shared: Arc<Shared>,
    bridge: u32,
    converter: Option<Converter>,
    label: String,
    pool: Arc<BufferPool>,
    is_over: AtomicBool,
}

// SAFETY: `deliver` may run on any thread: the inbox is locked, and the ABI requires converters to be thread-safe.
unsafe impl Send for SinkCell {}
// SAFETY: as above.
unsafe impl Sync for SinkCell {}

impl SinkCell {
    pub(super) fn new(
        endpoint_context: &EndpointContext,
        topic: &Arc<Topic>,
        converter: Option<Converter>,
    ) -> Self {
        SinkCell {
            abi: Sink { struct_size: Sink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), deliver },
            topic: Arc::clone(topic),
            shared: Arc::clone(&endpoint_context.shared),
            bridge: endpoint_context.bridge,
            converter,
            label: endpoint_context.label.clone(),
            pool: Arc::new(BufferPool::new(&endpoint_context.label, &topic.name)),
            is_over: AtomicBool::new(false),
        }
    }

    /// Refuses calls from now on.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// Checks that a message is for a time that can come.
    fn check_time(&self, incoming: &Incoming) -> Result<(), Status> {
        let of_step = incoming.at_step != raw::NEXT_STEP
            && incoming.at_step > self.shared.clock.read().0.step.saturating_add(FARTHEST);
        let of_time = incoming.stamp_ns != raw::STAMP_NOW && incoming.stamp_ns < 0;
        if !of_step && !of_time {
            return Ok(());
        }
        let found = if of_step {
            format!("for step {}, which does not come", incoming.at_step)
        } else {
            format!("with the stamp {} ns: time begins at 0", incoming.stamp_ns)
        };
        let text = format!("delivered a message on `{}` {found}", self.topic.name);
        calls::breach(calls::Rule::Stamp, Some(&self.label), &text);
        Err(status::INVALID_ARG)
    }

    /// Returns the payload in the encoding of the data type.
    fn accept(&self, payload: Payload) -> Result<Payload, Status> {
        let Some(converter) = &self.converter else {
            return Ok(payload);
        };
        let message = Message {
            struct_size: Message::SIZE,
            type_id: self.topic.data_type.id,
            encoding: ENCODING_BRIDGE,
            reset_epoch: 0,
            stamp_ns: 0,
            sequence: 0,
            step: 0,
            vehicle: Str::new(&self.topic.vehicle),
            topic: Str::new(&self.topic.name),
            payload: lent(&payload),
            reserved: [0; 2],
        };
        let mut scratch = Vec::new();
        let len = convert(converter, &self.label, &message, &mut scratch)?;
        scratch.truncate(len);
        Ok(self.pool.keep(Payload::from_vec(scratch)))
    }
}

/// Refuses a call of an endpoint that was destroyed.
fn check_life(is_over: &AtomicBool, label: &str, function: &str) -> Result<(), Status> {
    if !is_over.load(Ordering::Acquire) {
        return Ok(());
    }
    let text = format!("called `{function}` of an endpoint that was destroyed");
    calls::breach(calls::Rule::Gone, Some(label), &text);
    Err(status::WRONG_STATE)
}

unsafe extern "C" fn deliver(sink: *const Sink, incoming: *const Incoming) -> Status {
    host_call("sink.deliver", status::PANIC, || {
        const NAME: &str = "sink.deliver";
        if check_pointer("", sink, "sink", NAME).is_err()
            || check_pointer("", incoming, "message", NAME).is_err()
        {
            return status::INVALID_ARG;
        }
        // SAFETY: the plugin passes back its sink, and a message valid for the call.
        let (sink, incoming) = unsafe { (&*sink.cast::<SinkCell>(), &*incoming) };
        if let Err(code) = check_life(&sink.is_over, &sink.label, NAME) {
            return code;
        }
        // SAFETY: the payload is alive for the call.
        let payload = unsafe { caller::payload(&sink.label, incoming.payload, NAME) };
        let payload = sink.check_time(incoming).and(payload).map(|payload| sink.pool.keep(payload));
        let payload = match payload.and_then(|payload| sink.accept(payload)) {
            Ok(payload) => payload,
            Err(code) => return code,
        };
        if let Err(error) = sink.topic.data_type.message.check(&payload) {
            let (topic, ros_name) = (&sink.topic.name, sink.topic.data_type.ros_name());
            log::warn!(target: &sink.label, "{}", rules::not_of_type(topic, ros_name, &error));
            return status::SCHEMA;
        }
        sink.shared.inbox.push(Arrival {
            topic: sink.topic.id,
            source: sink.bridge,
            at_step: (incoming.at_step != raw::NEXT_STEP).then_some(incoming.at_step),
            stamp_ns: (incoming.stamp_ns != raw::STAMP_NOW).then_some(incoming.stamp_ns),
            payload,
        });
        status::OK
    })
}

/// The sink that an offered service passes calls to. The ABI struct is the first field, so that both have the same
/// address.
#[repr(C)]
pub(super) struct ServiceSinkCell {
    pub(super) abi: ServiceSink,
    pub(super) point: Arc<ServicePoint>,
    label: String,
    is_over: AtomicBool,
}

// SAFETY: calls may come from any thread; the service point is `Sync`.
unsafe impl Send for ServiceSinkCell {}
// SAFETY: as above.
unsafe impl Sync for ServiceSinkCell {}

impl ServiceSinkCell {
    pub(super) fn new(point: Arc<ServicePoint>, label: &str) -> Self {
        let abi =
            ServiceSink { struct_size: ServiceSink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), call };
        ServiceSinkCell { abi, point, label: label.to_owned(), is_over: AtomicBool::new(false) }
    }

    /// Refuses calls from now on.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }
}

/// The reply function of a call, to be moved to the thread that answers.
struct Reply(ServiceReply);

// SAFETY: the ABI allows a reply from any thread.
unsafe impl Send for Reply {}

impl Reply {
    fn send(self, code: Status, response: Option<Payload>) {
        let response = response.map(kept);
        let response: *const Buffer = response.as_ref().map_or(std::ptr::null(), lent);
        // SAFETY: the plugin's reply function is called once; the response is alive for the call.
        unsafe { (self.0.reply)(self.0.user, code, response) };
    }
}

unsafe extern "C" fn call(
    sink: *const ServiceSink,
    request: *const Buffer,
    reply: *const ServiceReply,
) -> Status {
    host_call("service_sink.call", status::PANIC, || {
        const NAME: &str = "service_sink.call";
        if check_pointer("", sink, "sink", NAME).is_err() || check_pointer("", reply, "reply", NAME).is_err()
        {
            return status::INVALID_ARG;
        }
        // SAFETY: the plugin passes back its sink, and values valid for the call.
        let (sink, reply) = unsafe { (&*sink.cast::<ServiceSinkCell>(), Reply(*reply)) };
        // SAFETY: as above.
        let request = unsafe { caller::payload(&sink.label, request, NAME) };
        let request = match check_life(&sink.is_over, &sink.label, NAME).and(request) {
            Ok(request) => request,
            Err(code) => return code,
        };
        sink.point.call(request, Box::new(move |code, response| reply.send(code, response)));
        status::OK
    })
}
