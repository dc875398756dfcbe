//! The calls of a model plugin, and what it asks the host for.

use bridgehead_abi::Status;
use serde::{Deserialize, Serialize};

use super::bytes::Bytes;

/// A call of the host into an instance of a model plugin.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) enum ModelCall<'a> {
    Awake,
    Start,
    AllStarted,
    Reset {
        scope: u32,
    },
    Sample(Step),
    Control(Step),
    Pause,
    Resume,
    Stop,
    /// `save`; the plugin answers with [`ModelRequest::Write`].
    Save,
    Load {
        state: &'a [u8],
    },
    /// Look up the extension `sample-times`, and send [`ModelRequest::SampleTimes`] if there is one.
    SampleTimes,
    /// Look up the extension `world-save`: the value that is returned is 1 if there is one.
    HasElements,
    /// `elements` of that extension; the plugin answers with [`ModelRequest::Write`].
    Elements,
}

impl ModelCall<'_> {
    /// The name of the function, for messages.
    pub(in crate::worker) const fn name(&self) -> &'static str {
        match self {
            ModelCall::Awake => "awake",
            ModelCall::Start => "start",
            ModelCall::AllStarted => "all_started",
            ModelCall::Reset { .. } => "reset",
            ModelCall::Sample(_) => "sample",
            ModelCall::Control(_) => "control",
            ModelCall::Pause => "pause",
            ModelCall::Resume => "resume",
            ModelCall::Stop => "stop",
            ModelCall::Save => "save",
            ModelCall::Load { .. } => "load",
            ModelCall::SampleTimes | ModelCall::HasElements => "get_extension",
            ModelCall::Elements => "saved_elements",
        }
    }
}

/// The step that a call belongs to.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Step {
    pub(in crate::worker) reset_epoch: u32,
    pub(in crate::worker) time_ns: i64,
    pub(in crate::worker) width_ns: i64,
    pub(in crate::worker) step: u64,
}

/// Quality of service of a topic.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) struct Qos {
    pub(in crate::worker) reliability: u32,
    pub(in crate::worker) durability: u32,
    pub(in crate::worker) depth: u32,
}

/// A call of a model plugin into the host. `handle` is the number that the host has given to a publisher, a subscription
/// or a service.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::worker) enum ModelRequest<'a> {
    /// Answered with the number of the publisher.
    Advertise {
        topic: &'a str,
        type_name: &'a str,
        qos: Qos,
    },
    /// Answered with the number of the subscription.
    Subscribe {
        topic: &'a str,
        type_name: &'a str,
        qos: Qos,
    },
    /// Answered with the number of the service.
    Offer {
        name: &'a str,
        request: &'a str,
        response: &'a str,
    },
    Listeners {
        handle: u32,
    },
    Publish {
        handle: u32,
        stamp_ns: i64,
        payload: Bytes<'a>,
    },
    Take {
        handle: u32,
    },
    TakeCall {
        handle: u32,
    },
    Reply {
        handle: u32,
        call: u64,
        status: Status,
        payload: Bytes<'a>,
    },
    /// Bytes of a saved state, or text of saved elements.
    Write {
        bytes: &'a [u8],
    },
    SampleTimes {
        steps_before: u32,
        period_ns: i64,
    },
}
