//! Messages and topics in a snapshot.

use bridgehead_plugin_api::Payload;
use serde::{Deserialize, Serialize};

use super::router::{Delivery, Moment};

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    stamp_ns: i64,
    sequence: u64,
    step: u64,
    payload: Vec<u8>,
}

/// What a topic goes on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptTopic {
    /// Vehicle it belongs to; empty for the world.
    pub(super) vehicle: String,
    /// Full name.
    pub(super) name: String,
    /// Full name of its type.
    pub(super) type_name: String,
    pub(super) next_sequence: u64,
    /// What a late listener gets.
    pub(super) latched: Option<Kept>,
}

impl Kept {
    /// A copy of a message.
    pub fn of(delivery: &Delivery) -> Self {
        Kept {
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            payload: delivery.payload.to_vec(),
        }
    }

    /// The message again, in the run that goes on at `now`.
    pub fn delivery(&self, now: Moment) -> Delivery {
        Delivery {
            stamp_ns: self.stamp_ns,
            sequence: self.sequence,
            step: self.step,
            reset_epoch: now.reset_epoch,
            payload: Payload::from_vec(self.payload.clone()),
        }
    }
}
