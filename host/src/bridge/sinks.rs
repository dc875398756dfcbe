//! The sinks of endpoints: functions that the plugin calls to deliver received messages and service calls.
//!
//! Called on any thread of the plugin; a sink lives as long as its endpoint.

use std::sync::Arc;

use bridgehead_abi::bridge::{self as raw, Incoming, ServiceReply, ServiceSink, Sink};
use bridgehead_abi::message::{ENCODING_BRIDGE, Message};
use bridgehead_abi::{Buffer, Status, Str, status};
use bridgehead_plugin_api::{Payload, rules};

use super::endpoints::EndpointContext;
use super::registry::convert;
use crate::api::Shared;
use crate::bus::{Arrival, ServicePoint, Topic};
use crate::guard::host_call;

/// The sink that an incoming endpoint delivers to. The ABI struct is the first field, so that both have the same
/// address.
#[repr(C)]
pub(super) struct SinkCell {
    pub(super) abi: Sink,
    topic: Arc<Topic>,
    shared: Arc<Shared>,
    bridge: u32,
    converter: Option<raw::Converter>,
}

// SAFETY: `deliver` may run on any thread: the inbox is locked, and the ABI requires converters to be thread-safe.
unsafe impl Send for SinkCell {}
// SAFETY: as above.
unsafe impl Sync for SinkCell {}

impl SinkCell {
    pub(super) fn new(
        endpoint_context: &EndpointContext,
        topic: &Arc<Topic>,
        converter: Option<raw::Converter>,
    ) -> Self {
        SinkCell {
            abi: Sink { struct_size: Sink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), deliver },
            topic: Arc::clone(topic),
            shared: Arc::clone(&endpoint_context.shared),
            bridge: endpoint_context.bridge,
            converter,
        }
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
            payload: payload.as_raw(),
        };
        let mut scratch = Vec::new();
        let len = convert(converter, &message, &mut scratch)?;
        scratch.truncate(len);
        Ok(Payload::from_vec(scratch))
    }
}

unsafe extern "C" fn deliver(sink: *const Sink, incoming: *const Incoming) -> Status {
    host_call("sink.deliver", status::PANIC, || {
        // SAFETY: the plugin passes back its sink, and a message valid for the call.
        let (sink, incoming) = unsafe { (&*sink.cast::<SinkCell>(), &*incoming) };
        if incoming.payload.is_null() {
            return status::INVALID_ARG;
        }
        // SAFETY: the payload is alive for the call.
        let payload = unsafe { Payload::retain(incoming.payload) };
        let payload = match sink.accept(payload) {
            Ok(payload) => payload,
            Err(code) => return code,
        };
        if let Err(error) = sink.topic.data_type.message.check(&payload) {
            let (topic, ros_name) = (&sink.topic.name, sink.topic.data_type.ros_name());
            log::warn!("{}", rules::not_of_type(topic, ros_name, &error));
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
}

// SAFETY: calls may come from any thread; the service point is `Sync`.
unsafe impl Send for ServiceSinkCell {}
// SAFETY: as above.
unsafe impl Sync for ServiceSinkCell {}

impl ServiceSinkCell {
    pub(super) fn new(point: Arc<ServicePoint>) -> Self {
        let abi =
            ServiceSink { struct_size: ServiceSink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), call };
        ServiceSinkCell { abi, point }
    }
}

/// The reply function of a call, to be moved to the thread that answers.
struct Reply(ServiceReply);

// SAFETY: the ABI allows a reply from any thread.
unsafe impl Send for Reply {}

impl Reply {
    fn send(self, code: Status, response: Option<&Payload>) {
        let response: *const Buffer = response.map_or(std::ptr::null(), Payload::as_raw);
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
        // SAFETY: the plugin passes back its sink, and values valid for the call.
        let (sink, request, reply) =
            unsafe { (&*sink.cast::<ServiceSinkCell>(), Payload::retain(request), Reply(*reply)) };
        sink.point.call(request, Box::new(move |code, response| reply.send(code, response.as_ref())));
        status::OK
    })
}
