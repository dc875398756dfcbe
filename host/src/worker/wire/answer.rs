//! What the host answers to the requests of a plugin.

use bridgehead_abi::Status;
use serde::{Deserialize, Serialize};

use super::Bytes;

/// The answer to a request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Answer<'a> {
    /// A status, and nothing else.
    Status(Status),
    /// A number.
    Number(u64),
    /// A text.
    Text(&'a str),
    /// The clock.
    Clock(Clock),
    /// A message type.
    Type { id: u32, name: &'a str, descriptor_set: &'a [u8] },
    /// The attachment of the instance.
    Attachment(Attachment<'a>),
    /// A link.
    Link { link: u32, name: &'a str, frame_id: &'a str, pose: Pose, mass: f64 },
    /// A joint.
    Joint { joint: u32, kind: u32, name: &'a str, limits: [f64; 4] },
    /// A payload.
    Payload(Bytes<'a>),
    /// A message, for the transmit loop or of a subscription.
    Message(Message<'a>),
    /// A call of a service.
    ServiceCall { call: u64, payload: Bytes<'a> },
    /// The bytes of a struct of the ABI, and the texts that it points to.
    Named { plain: &'a [u8], names: [&'a str; 2] },
    /// Some of the values that there are, as their bytes, and the number of all of them.
    Some { values: Bytes<'a>, of: u32 },
}

impl Answer<'_> {
    /// The status of an answer; OK for one that has something else.
    pub(in crate::worker) fn status(self) -> Status {
        match self {
            Answer::Status(code) => code,
            _ => bridgehead_abi::status::OK,
        }
    }
}

/// The simulated clock.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Clock {
    pub(in crate::worker) reset_epoch: u32,
    pub(in crate::worker) time_ns: i64,
    pub(in crate::worker) step_width_ns: i64,
    pub(in crate::worker) step: u64,
    pub(in crate::worker) real_time_factor: f64,
    pub(in crate::worker) paused: u32,
}

/// Position and orientation.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Pose {
    pub(in crate::worker) position: [f64; 3],
    pub(in crate::worker) orientation: [f64; 4],
}

/// What an instance is attached to.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Attachment<'a> {
    pub(in crate::worker) parent_link: u32,
    pub(in crate::worker) vehicle: &'a str,
    pub(in crate::worker) model: &'a str,
    pub(in crate::worker) element: &'a str,
    pub(in crate::worker) path: &'a str,
    pub(in crate::worker) frame_id: &'a str,
    pub(in crate::worker) topic: &'a str,
    pub(in crate::worker) xml: &'a str,
    pub(in crate::worker) pose: Pose,
    pub(in crate::worker) update_period_ns: i64,
    pub(in crate::worker) seed: u64,
}

/// A message.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Message<'a> {
    /// Of a bridge; 0 for a subscription.
    pub(in crate::worker) endpoint: u32,
    pub(in crate::worker) type_id: u32,
    pub(in crate::worker) encoding: u32,
    pub(in crate::worker) reset_epoch: u32,
    pub(in crate::worker) stamp_ns: i64,
    pub(in crate::worker) sequence: u64,
    pub(in crate::worker) step: u64,
    pub(in crate::worker) vehicle: &'a str,
    pub(in crate::worker) topic: &'a str,
    pub(in crate::worker) payload: Bytes<'a>,
}
