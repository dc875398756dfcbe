//! Shared by unit tests: topics and messages without a host.

use std::sync::Arc;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Durability;
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::messages::{Message, RecordTime};

use crate::topic::{Record, Topic};

/// `/<vehicle>/speed` of type Float64.
pub(crate) fn topic(vehicle: &str) -> Arc<Topic> {
    topic_of::<Float64>(vehicle, "speed")
}

/// `/<vehicle>/<name>` of any type.
pub(crate) fn topic_of<M: Message>(vehicle: &str, name: &str) -> Arc<Topic> {
    topic_with::<M>(vehicle, name, Durability::Volatile)
}

/// A topic of any type and durability.
pub(crate) fn topic_with<M: Message>(vehicle: &str, name: &str, durability: Durability) -> Arc<Topic> {
    Topic::new(vehicle, &format!("/{vehicle}/{name}"), &M::schema(), durability).unwrap()
}

/// A message with the step as its value and a stamp for a step width of 1 ms.
pub(crate) fn record(topic: &Arc<Topic>, epoch: u32, step: u64) -> Record {
    record_of(topic, epoch, step, &Float64 { data: step as f64 })
}

/// A message of any type.
pub(crate) fn record_of(topic: &Arc<Topic>, epoch: u32, step: u64, message: &impl Message) -> Record {
    let stamp_ns = i64::try_from(step * 1_000_000).unwrap();
    Record {
        topic: Arc::clone(topic),
        time: RecordTime { stamp_ns, sequence: step, step, epoch },
        payload: Payload::from_vec(message.encode_to_vec()),
    }
}
