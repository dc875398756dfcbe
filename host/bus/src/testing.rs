//! Endpoints and messages for tests of queues, also for those of other crates.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::{Message as _, std_msgs::Bool};

use crate::{Bus, Delivery, Endpoint, EndpointCounters, Qos, Queued, Role, Topic, TypeRegistry};

/// An outgoing endpoint of a topic.
#[must_use]
pub fn endpoint_of(topic: &Arc<Topic>) -> Arc<Endpoint> {
    let counters = EndpointCounters::default();
    Arc::new(Endpoint { topic: Arc::clone(topic), ctx: std::ptr::null_mut(), converter: None, counters })
}

/// An outgoing endpoint of some topic.
///
/// # Panics
/// Never: the topic is the first of its bus.
#[must_use]
pub fn endpoint() -> Arc<Endpoint> {
    let types = TypeRegistry::default();
    let bools = types.register(Bool::FULL_NAME, Bool::DESCRIPTOR_SET, "test").expect("registered");
    let topic = Bus::default().open("car1", "x", &bools, Qos::default(), Role::Publisher, "test");
    endpoint_of(&topic.expect("a topic"))
}

/// A message of so many bytes for an endpoint.
#[must_use]
pub fn message(endpoint: &Arc<Endpoint>, sequence: u64, len: usize) -> Queued {
    let payload = Payload::from_vec(vec![0; len]);
    Queued::new(endpoint, &Delivery { stamp_ns: 0, sequence, step: 0, reset_epoch: 0, payload })
}
