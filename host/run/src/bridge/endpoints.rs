//! The endpoints of one instance: outgoing and incoming endpoints of topics, and offered services.
//!
//! Endpoints are created and destroyed on the instance thread.

use std::collections::BTreeSet;
use std::sync::Arc;

use bridgehead_abi::{Status, Str, bridge as raw, status};
use bridgehead_plugin_api::objects::{EndpointRef, Offered};

use super::channel::{service_channel, topic_channel};
use super::endpoint::EndpointContext;
use super::sinks::{ServiceSinkCell, SinkCell};
use crate::api::context::Context;
use crate::api::shared::Shared;
use crate::bus::{Endpoint, EndpointCounters, ServicePoint, Topic};
use crate::call;

/// The endpoints of one instance. Used on the instance thread only; dropping it destroys them.
#[derive(Default)]
pub(super) struct Endpoints {
    created: Vec<CreatedEndpoint>,
    seen_topics: BTreeSet<u32>,
    seen_services: BTreeSet<String>,
}

/// Result of creating an incoming endpoint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IncomingOutcome {
    /// The endpoint was created.
    Created,
    /// The bridge cannot receive topics of this type.
    Unsupported,
    /// The bridge supports the type but refused this topic.
    Refused,
}

/// Result of [`Endpoints::sync`].
#[derive(Default)]
pub(super) struct NewEndpoints {
    /// New outgoing endpoints, to be connected to the router.
    pub(super) outgoing: Vec<Arc<Endpoint>>,
    /// One message for each topic or service without an endpoint.
    pub(super) problems: Vec<String>,
}

impl Endpoints {
    /// Creates the missing endpoints for the topics and services of the instance's vehicle.
    pub(super) fn sync(&mut self, endpoint_context: &EndpointContext) -> NewEndpoints {
        let mut new = NewEndpoints::default();
        let topics = endpoint_context
            .shared
            .bus
            .all()
            .into_iter()
            .filter(|topic| topic.vehicle == endpoint_context.vehicle);
        for topic in topics {
            if self.seen_topics.insert(topic.id) {
                self.add_topic(endpoint_context, &topic, &mut new);
            }
        }
        let services = endpoint_context
            .shared
            .services
            .all()
            .into_iter()
            .filter(|point| point.vehicle == endpoint_context.vehicle);
        for point in services {
            if self.seen_services.insert(point.name.clone()) {
                self.add_service(endpoint_context, point, &mut new);
            }
        }
        new
    }

    /// The bridge receives topics that plugins subscribe to, and sends topics that plugins publish. If it cannot
    /// receive a subscribed topic, it sends it, so that a recorder shows messages that other bridges received.
    fn add_topic(&mut self, endpoint_context: &EndpointContext, topic: &Arc<Topic>, new: &mut NewEndpoints) {
        let incoming = if topic.is_subscribed() {
            self.add_incoming(endpoint_context, topic, new)
        } else {
            IncomingOutcome::Unsupported
        };
        if topic.is_published() || incoming == IncomingOutcome::Unsupported {
            self.add_outgoing(endpoint_context, topic, new);
        }
    }

    fn add_outgoing(
        &mut self,
        endpoint_context: &EndpointContext,
        topic: &Arc<Topic>,
        new: &mut NewEndpoints,
    ) {
        let data_type = topic.data_type.full_name();
        let Some(way) = endpoint_context.table.publisher(data_type) else {
            if topic.is_published() && endpoint_context.table.has_publishers() {
                new.problems.push(unsupported(endpoint_context, topic, "send"));
            }
            return;
        };
        let bridge_type =
            endpoint_context.bridge_type(topic, way.converter.as_ref().map(|(name, _)| name.as_str()));
        let channel = topic_channel(topic, &bridge_type, way.converter.is_some());
        let create = || way.creator.create(&endpoint_context.instance, &channel);
        let created = call::during(&endpoint_context.label, "create (publisher)", create);
        let endpoint = match created {
            Ok(endpoint) => endpoint,
            // A bridge returns UNSUPPORTED for a topic that it is configured to leave out: not a problem.
            Err(status::UNSUPPORTED) => return,
            Err(code) => return new.problems.push(refused(endpoint_context, &topic.name, code)),
        };
        new.outgoing.push(Arc::new(Endpoint {
            topic: Arc::clone(topic),
            ctx: endpoint.ctx(),
            converter: way.converter.map(|(_, converter)| converter),
            counters: EndpointCounters::default(),
        }));
        self.created.push(endpoint_context.created(endpoint, EndpointKind::Outgoing));
    }

    fn add_incoming(
        &mut self,
        endpoint_context: &EndpointContext,
        topic: &Arc<Topic>,
        new: &mut NewEndpoints,
    ) -> IncomingOutcome {
        let Some(way) = endpoint_context.table.subscriber(topic.data_type.full_name()) else {
            return IncomingOutcome::Unsupported;
        };
        let bridge_type =
            endpoint_context.bridge_type(topic, way.converter.as_ref().map(|(name, _)| name.as_str()));
        let channel = topic_channel(topic, &bridge_type, way.converter.is_some());
        let converter = way.converter.map(|(_, converter)| converter);
        let sink = Arc::new(Offered::new(SinkCell::new(endpoint_context, topic, converter)));
        // The sink is dropped after the endpoint is destroyed.
        let create = || way.creator.create(&endpoint_context.instance, &channel, sink.lend());
        let endpoint = match call::during(&endpoint_context.label, "create (subscriber)", create) {
            Ok(endpoint) => endpoint,
            Err(status::UNSUPPORTED) => return IncomingOutcome::Unsupported,
            Err(code) => {
                new.problems.push(refused(endpoint_context, &topic.name, code));
                return IncomingOutcome::Refused;
            }
        };
        self.created.push(endpoint_context.created(endpoint, EndpointKind::Incoming(sink)));
        IncomingOutcome::Created
    }

    fn add_service(
        &mut self,
        endpoint_context: &EndpointContext,
        point: Arc<ServicePoint>,
        new: &mut NewEndpoints,
    ) {
        let Some(creator) =
            endpoint_context.table.service(point.request.full_name(), point.response.full_name())
        else {
            return;
        };
        let mut channel = service_channel(&point);
        let bridge_type = point.request.ros_name().to_owned();
        channel.bridge_type = Str::new(&bridge_type);
        let name = point.name.clone();
        let vehicle = point.vehicle.clone();
        (channel.topic, channel.vehicle) = (Str::new(&name), Str::new(&vehicle));
        let sink = Arc::new(Offered::new(ServiceSinkCell::new(point, &endpoint_context.label)));
        let create = || creator.create(&endpoint_context.instance, &channel, sink.lend());
        let endpoint = match call::during(&endpoint_context.label, "create (service)", create) {
            Ok(endpoint) => endpoint,
            Err(status::UNSUPPORTED) => return,
            Err(code) => return new.problems.push(refused(endpoint_context, &name, code)),
        };
        self.created.push(endpoint_context.created(endpoint, EndpointKind::Service(sink)));
    }

    /// Destroys the endpoints of all topics and of closed services, after their world was unloaded. With `keeps_topics`
    /// messages are still in flight, and the topics' endpoints live as long as the instance.
    pub(super) fn withdraw(&mut self, keeps_topics: bool) {
        self.created.retain(|endpoint| match &endpoint.kind {
            EndpointKind::Outgoing | EndpointKind::Incoming(_) => keeps_topics,
            EndpointKind::Service(sink) => !sink.point.is_closed(),
        });
        let open = self.created.iter().filter_map(|endpoint| match &endpoint.kind {
            EndpointKind::Service(sink) => Some(sink.point.name.clone()),
            EndpointKind::Outgoing | EndpointKind::Incoming(_) => None,
        });
        // Unsupported services are tried once more, which is harmless.
        self.seen_services = open.collect();
        self.seen_topics.clear();
    }
}

/// Keeps endpoints and context alive until the process ends, because a running thread may still use them.
#[expect(
    clippy::mem_forget,
    reason = "a plugin call that does not return may still use its endpoints and context"
)]
pub(super) fn leak(endpoints: Endpoints, context: &Arc<Context>) {
    std::mem::forget(endpoints);
    std::mem::forget(Arc::clone(context));
}

fn unsupported(endpoint_context: &EndpointContext, topic: &Topic, what: &str) -> String {
    let data_type = topic.data_type.full_name();
    let why = endpoint_context.table.unused_converter(data_type);
    format!(
        "[BH-BRG-010] bridge `{}` does not {what} {data_type} (topic {}): the topic is not available through this bridge{}",
        endpoint_context.bridge_name,
        topic.name,
        why.map(|why| format!("; {why}")).unwrap_or_default()
    )
}

fn refused(endpoint_context: &EndpointContext, name: &str, code: Status) -> String {
    format!(
        "[BH-BRG-011] bridge `{}` refused {name} ({}): it is not available through this bridge",
        endpoint_context.bridge_name,
        status::name(code)
    )
}

/// An endpoint of the plugin, destroyed on drop, with the sink it delivers to. The plugin holds the sink's address, so
/// the sink outlives the endpoint.
pub(super) struct CreatedEndpoint {
    endpoint: EndpointRef,
    pub(super) kind: EndpointKind,
    /// Name of the instance.
    owner: String,
    shared: Arc<Shared>,
}

/// The purpose of an endpoint.
pub(super) enum EndpointKind {
    /// The bridge sends a topic.
    Outgoing,
    /// The bridge receives a topic.
    Incoming(Arc<Offered<raw::Sink, SinkCell>>),
    /// The bridge offers a service.
    Service(Arc<Offered<raw::ServiceSink, ServiceSinkCell>>),
}

impl Drop for CreatedEndpoint {
    fn drop(&mut self) {
        // SAFETY: the plugin created the endpoint, which is destroyed once, on the instance's main thread.
        let destroy = || unsafe { self.endpoint.destroy() };
        call::during(&self.owner, "destroy (endpoint)", destroy);
        // The sink refuses calls from here on; it is kept for late ones.
        match &self.kind {
            EndpointKind::Outgoing => {}
            EndpointKind::Incoming(sink) => {
                sink.end();
                self.shared.retired.add_part(sink.clone() as Arc<_>);
            }
            EndpointKind::Service(sink) => {
                sink.end();
                self.shared.retired.add_part(sink.clone() as Arc<_>);
            }
        }
    }
}

impl EndpointContext {
    pub(super) fn created(&self, endpoint: EndpointRef, kind: EndpointKind) -> CreatedEndpoint {
        CreatedEndpoint { endpoint, kind, owner: self.label.clone(), shared: Arc::clone(&self.shared) }
    }
}

#[cfg(test)]
mod tests;
