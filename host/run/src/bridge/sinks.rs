//! The sinks of endpoints: functions that the plugin calls to deliver received messages and service calls.
//!
//! Called on any thread of the plugin; a sink lives as long as its endpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bridgehead_abi::message::{ENCODING_BRIDGE, Message};
use bridgehead_abi::{Status, Str, bridge as raw, status};
use bridgehead_plugin_api::objects::{
    BorrowedPayload, IncomingMessage, Reply, ServiceSinkObject, SinkObject,
};
use bridgehead_plugin_api::{Payload, rules};

use super::convert::convert;
use super::endpoint::EndpointContext;
use crate::api::hosting::host_object;
use crate::api::shared::Shared;
use crate::bus::{Arrival, BufferPool, Converter, ServicePoint, Topic, kept, lend, lent};
use crate::call as calls;

/// Steps after the present one for which a message may be delivered: a year of steps of 1 ms is 3.2e10.
const FARTHEST: u64 = 1 << 36;

/// The sink that an incoming endpoint delivers to.
pub(super) struct SinkCell {
    topic: Arc<Topic>,
    shared: Arc<Shared>,
    bridge: u32,
    converter: Option<Converter>,
    label: String,
    pool: Arc<BufferPool>,
    is_over: AtomicBool,
}

host_object!(SinkCell, |sink| Some(&sink.label));

impl SinkCell {
    pub(super) fn new(
        endpoint_context: &EndpointContext,
        topic: &Arc<Topic>,
        converter: Option<Converter>,
    ) -> Self {
        SinkCell {
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
    fn check_time(&self, incoming: &IncomingMessage<'_>) -> Result<(), Status> {
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

impl SinkObject for SinkCell {
    fn deliver(&self, incoming: IncomingMessage<'_>) -> Status {
        if let Err(code) =
            check_life(&self.is_over, &self.label, "sink.deliver").and(self.check_time(&incoming))
        {
            return code;
        }
        let payload = match self.accept(self.pool.keep(incoming.payload.retain())) {
            Ok(payload) => payload,
            Err(code) => return code,
        };
        if let Err(error) = self.topic.data_type.message.check(&payload) {
            let (topic, ros_name) = (&self.topic.name, self.topic.data_type.ros_name());
            log::warn!(target: &self.label, "{}", rules::not_of_type(topic, ros_name, &error));
            return status::SCHEMA;
        }
        self.shared.inbox.push(Arrival {
            topic: self.topic.id,
            source: self.bridge,
            at_step: (incoming.at_step != raw::NEXT_STEP).then_some(incoming.at_step),
            stamp_ns: (incoming.stamp_ns != raw::STAMP_NOW).then_some(incoming.stamp_ns),
            payload,
        });
        status::OK
    }
}

/// The sink that an offered service passes calls to.
pub(super) struct ServiceSinkCell {
    pub(super) point: Arc<ServicePoint>,
    label: String,
    is_over: AtomicBool,
}

host_object!(ServiceSinkCell, |sink| Some(&sink.label));

impl ServiceSinkCell {
    pub(super) fn new(point: Arc<ServicePoint>, label: &str) -> Self {
        ServiceSinkCell { point, label: label.to_owned(), is_over: AtomicBool::new(false) }
    }

    /// Refuses calls from now on.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }
}

impl ServiceSinkObject for ServiceSinkCell {
    fn call(&self, request: BorrowedPayload<'_>, reply: Reply) -> Status {
        if let Err(code) = check_life(&self.is_over, &self.label, "service_sink.call") {
            return code;
        }
        let answer = move |code, response: Option<Payload>| {
            let response = response.map(kept);
            reply.send(code, response.as_ref().map(lend));
        };
        self.point.call(request.retain(), Box::new(answer));
        status::OK
    }
}
