//! Messages and topics as stored in a snapshot. Plain values.

use bridgehead_plugin_api::Payload;
use serde::{Deserialize, Serialize};

use super::kept;
use super::router::{Delivery, Moment};

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedMessage {
    stamp_ns: i64,
    sequence: u64,
    step: u64,
    payload: Vec<u8>,
}

/// The state of a topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedTopic {
    /// Vehicle it belongs to; empty for the world.
    pub(super) vehicle: String,
    /// Full name.
    pub(super) name: String,
    /// Full name of its type.
    pub(super) type_name: String,
    pub(super) next_sequence: u64,
    /// The latched messages, in the order of their publication.
    pub(super) latched: Vec<SavedLatched>,
}

/// The latched message of a publisher.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedLatched {
    pub(super) publisher: String,
    /// Its place among the latched messages of all topics.
    pub(super) order: u64,
    pub(super) message: SavedMessage,
}

impl SavedMessage {
    /// Copies a message.
    pub fn of(delivery: &Delivery) -> Self {
        SavedMessage {
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            payload: delivery.payload.to_vec(),
        }
    }

    /// Restores the message in a run that continues at `now`.
    pub fn delivery(&self, now: Moment) -> Delivery {
        Delivery {
            stamp_ns: self.stamp_ns,
            sequence: self.sequence,
            step: self.step,
            reset_epoch: now.reset_epoch,
            payload: kept(Payload::from_vec(self.payload.clone())),
        }
    }
}
