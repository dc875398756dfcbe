//! The topics and services of one instance: outgoing ends, incoming ends, offered services.

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::bridge::{self as raw, Incoming, ServiceReply, ServiceSink, Sink};
use bridgehead_abi::message::{ENCODING_BRIDGE, Message};
use bridgehead_abi::{Buffer, Status, Str, status};
use bridgehead_plugin_api::{Payload, rules};

use super::channel::{service_channel, topic_channel};
use super::loops::RawInstance;
use super::registry::{FactoryTable, convert};
use crate::api::{Context, Shared};
use crate::bus::{Arrival, Endpoint, EndpointCounters, ServicePoint, Topic};
use crate::guard::host_call;

/// What a creator made, to be destroyed, and where it delivers: that must outlive it. Shared pointers, because the
/// plugin holds their addresses.
struct Made {
    end: raw::Endpoint,
    sink: MadeFor,
}

/// What an end was made for.
#[expect(dead_code, reason = "a sink is kept for the plugin, which has its address")]
enum MadeFor {
    /// A topic that goes out.
    Outgoing,
    /// A topic that comes in.
    Incoming(Arc<SinkCell>),
    /// A service.
    Service(Arc<ServiceSinkCell>),
}

// SAFETY: endpoints are created and destroyed on the instance's main thread and otherwise only passed back.
unsafe impl Send for Made {}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: the endpoint was made by the plugin and is destroyed once, on the instance's main thread. Its sink
        // is dropped after this.
        unsafe { (self.end.destroy)(self.end.ctx) };
    }
}

/// The ends of one instance. Lives on its attendant; dropping it destroys them.
#[derive(Default)]
pub(super) struct Endpoints {
    made: Vec<Made>,
    seen_topics: BTreeSet<u32>,
    seen_services: BTreeSet<String>,
}

/// Whether a bridge brings a topic in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Incomer {
    /// It does.
    Made,
    /// It cannot.
    None,
    /// It could, but refused this one.
    Refused,
}

/// Who makes endpoints, for whom.
pub(super) struct Maker {
    pub(super) instance: RawInstance,
    pub(super) table: Arc<FactoryTable>,
    pub(super) shared: Arc<Shared>,
    pub(super) bridge: u32,
    pub(super) bridge_name: String,
    pub(super) vehicle: String,
}

/// What making ends gave: outgoing ends for the router, and types the bridge does not carry.
#[derive(Default)]
pub(super) struct NewEnds {
    pub(super) outgoing: Vec<Arc<Endpoint>>,
    pub(super) problems: Vec<String>,
}

impl Endpoints {
    /// Makes the ends that are missing for the topics and services of the instance's vehicle.
    pub(super) fn sync(&mut self, maker: &Maker) -> NewEnds {
        let mut new = NewEnds::default();
        let topics = maker.shared.bus.all().into_iter().filter(|topic| topic.vehicle == maker.vehicle);
        for topic in topics {
            if self.seen_topics.insert(topic.id) {
                self.add_topic(maker, &topic, &mut new);
            }
        }
        let services = maker.shared.services.all().into_iter().filter(|point| point.vehicle == maker.vehicle);
        for point in services {
            if self.seen_services.insert(point.name.clone()) {
                self.add_service(maker, point, &mut new);
            }
        }
        new
    }

    /// A topic that a plugin listens to comes in; one that it publishes goes out. A bridge that cannot bring
    /// a topic in carries it out instead, so that a recorder shows what came through the others.
    fn add_topic(&mut self, maker: &Maker, topic: &Arc<Topic>, new: &mut NewEnds) {
        let incoming =
            if topic.is_subscribed() { self.add_incoming(maker, topic, new) } else { Incomer::None };
        if topic.is_published() || incoming == Incomer::None {
            self.add_outgoing(maker, topic, new);
        }
    }

    fn add_outgoing(&mut self, maker: &Maker, topic: &Arc<Topic>, new: &mut NewEnds) {
        let data_type = topic.data_type.full_name();
        let Some(way) = maker.table.publisher(data_type) else {
            if topic.is_published() && maker.table.carries_out() {
                new.problems.push(unsupported(maker, topic, "carry out"));
            }
            return;
        };
        let bridge_type = maker.bridge_type(topic, way.converter.as_ref().map(|(name, _)| name.as_str()));
        let channel = topic_channel(topic, &bridge_type, way.converter.is_some());
        let mut out = unmade();
        // SAFETY: creator and instance belong together; the arguments live for the call.
        let code = unsafe {
            (way.creator.create)(way.creator.user, maker.instance.0.ctx, &raw const channel, &raw mut out)
        };
        if code < 0 {
            // A bridge that was told to leave a topic out says UNSUPPORTED, which is no problem.
            if code != status::UNSUPPORTED {
                new.problems.push(refused(maker, &topic.name, code));
            }
            return;
        }
        new.outgoing.push(Arc::new(Endpoint {
            topic: Arc::clone(topic),
            ctx: out.ctx,
            converter: way.converter.map(|(_, converter)| converter),
            counters: EndpointCounters::default(),
        }));
        self.made.push(Made { end: out, sink: MadeFor::Outgoing });
    }

    fn add_incoming(&mut self, maker: &Maker, topic: &Arc<Topic>, new: &mut NewEnds) -> Incomer {
        let Some(way) = maker.table.subscriber(topic.data_type.full_name()) else {
            return Incomer::None;
        };
        let bridge_type = maker.bridge_type(topic, way.converter.as_ref().map(|(name, _)| name.as_str()));
        let channel = topic_channel(topic, &bridge_type, way.converter.is_some());
        let converter = way.converter.map(|(_, converter)| converter);
        let sink = Arc::new(SinkCell::new(maker, topic, converter));
        let mut out = unmade();
        // SAFETY: as for outgoing ends; the sink is kept until after the endpoint is destroyed.
        let code = unsafe {
            let (user, ctx) = (way.creator.user, maker.instance.0.ctx);
            (way.creator.create)(user, ctx, &raw const channel, &raw const sink.abi, &raw mut out)
        };
        if code == status::UNSUPPORTED {
            return Incomer::None;
        }
        if code < 0 {
            new.problems.push(refused(maker, &topic.name, code));
            return Incomer::Refused;
        }
        self.made.push(Made { end: out, sink: MadeFor::Incoming(sink) });
        Incomer::Made
    }

    fn add_service(&mut self, maker: &Maker, point: Arc<ServicePoint>, new: &mut NewEnds) {
        let Some(creator) = maker.table.service(point.request.full_name(), point.response.full_name()) else {
            return;
        };
        let mut channel = service_channel(&point);
        let bridge_type = point.request.ros_name().to_owned();
        channel.bridge_type = Str::new(&bridge_type);
        let name = point.name.clone();
        let vehicle = point.vehicle.clone();
        (channel.topic, channel.vehicle) = (Str::new(&name), Str::new(&vehicle));
        let abi =
            ServiceSink { struct_size: ServiceSink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), call };
        let sink = Arc::new(ServiceSinkCell { abi, point });
        let mut out = unmade();
        // SAFETY: as for incoming ends.
        let code = unsafe {
            let (user, ctx) = (creator.user, maker.instance.0.ctx);
            (creator.create)(user, ctx, &raw const channel, &raw const sink.abi, &raw mut out)
        };
        if code < 0 {
            if code != status::UNSUPPORTED {
                new.problems.push(refused(maker, &name, code));
            }
            return;
        }
        self.made.push(Made { end: out, sink: MadeFor::Service(sink) });
    }

    /// Takes down the ends of all topics, and of services that are closed: their world is gone. With `keeps_topics`
    /// a message is still on its way to some of them, and the topics' ends stay for as long as the instance.
    pub(super) fn withdraw(&mut self, keeps_topics: bool) {
        self.made.retain(|made| match &made.sink {
            MadeFor::Outgoing | MadeFor::Incoming(_) => keeps_topics,
            MadeFor::Service(sink) => !sink.point.is_closed(),
        });
        let open = self.made.iter().filter_map(|made| match &made.sink {
            MadeFor::Service(sink) => Some(sink.point.name.clone()),
            MadeFor::Outgoing | MadeFor::Incoming(_) => None,
        });
        // Services that the bridge does not carry are asked about once more, which does no harm.
        self.seen_services = open.collect();
        self.seen_topics.clear();
    }
}

/// Keeps what a thread that did not end may still use, as long as the process.
#[expect(clippy::mem_forget, reason = "a hung plugin call may still use its ends and its context")]
pub(super) fn abandon(endpoints: Endpoints, context: &Arc<Context>) {
    std::mem::forget(endpoints);
    std::mem::forget(Arc::clone(context));
}

impl Maker {
    /// The type's name on the bridge's side.
    fn bridge_type(&self, topic: &Topic, converted: Option<&str>) -> String {
        let named = self.table.types.get(topic.data_type.full_name()).map(String::as_str);
        converted.or(named).unwrap_or_else(|| topic.data_type.ros_name()).to_owned()
    }
}

fn unsupported(maker: &Maker, topic: &Topic, what: &str) -> String {
    format!(
        "[BH-BRG-010] bridge `{}` does not {what} {} (topic {}): the topic stays without this bridge",
        maker.bridge_name,
        topic.data_type.full_name(),
        topic.name
    )
}

fn refused(maker: &Maker, name: &str, code: Status) -> String {
    format!(
        "[BH-BRG-011] bridge `{}` refused {name} ({}): it stays without this bridge",
        maker.bridge_name,
        status::name(code)
    )
}

fn unmade() -> raw::Endpoint {
    unsafe extern "C" fn nothing(_: *mut c_void) {}
    raw::Endpoint { ctx: std::ptr::null_mut(), destroy: nothing }
}

/// Where an incoming end delivers; the ABI part comes first, so that both have one address.
#[repr(C)]
struct SinkCell {
    abi: Sink,
    topic: Arc<Topic>,
    shared: Arc<Shared>,
    bridge: u32,
    converter: Option<raw::Converter>,
}

// SAFETY: `deliver` may run on any thread: the inbox is locked, the converter allows several threads.
unsafe impl Send for SinkCell {}
// SAFETY: as above.
unsafe impl Sync for SinkCell {}

impl SinkCell {
    fn new(maker: &Maker, topic: &Arc<Topic>, converter: Option<raw::Converter>) -> Self {
        SinkCell {
            abi: Sink { struct_size: Sink::SIZE, reserved: 0, ctx: std::ptr::null_mut(), deliver },
            topic: Arc::clone(topic),
            shared: Arc::clone(&maker.shared),
            bridge: maker.bridge,
            converter,
        }
    }

    /// The payload in the data type's form.
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

/// Where an offered service hands in calls; the ABI part comes first, so that both have one address.
#[repr(C)]
struct ServiceSinkCell {
    abi: ServiceSink,
    point: Arc<ServicePoint>,
}

// SAFETY: calls may come from any thread; the service point is `Sync`.
unsafe impl Send for ServiceSinkCell {}
// SAFETY: as above.
unsafe impl Sync for ServiceSinkCell {}

/// The caller's reply on its way to whoever answers.
struct Reply(ServiceReply);

// SAFETY: a reply may be given from any thread.
unsafe impl Send for Reply {}

impl Reply {
    fn give(self, code: Status, response: Option<&Payload>) {
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
        sink.point.call(request, Box::new(move |code, response| reply.give(code, response.as_ref())));
        status::OK
    })
}

#[cfg(test)]
mod tests;
