//! The calls of a model plugin, and what it asks the host for.

use bridgehead_abi::Status;
use serde::{Deserialize, Serialize};

use super::{Bytes, Pose};

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

/// The optional functions of an instance, as bits.
pub(in crate::worker) struct HasModel;

impl HasModel {
    pub(in crate::worker) const START: u32 = 1;
    pub(in crate::worker) const ALL_STARTED: u32 = 2;
    pub(in crate::worker) const SAMPLE: u32 = 4;
    pub(in crate::worker) const CONTROL: u32 = 8;
    pub(in crate::worker) const PAUSE: u32 = 16;
    pub(in crate::worker) const RESUME: u32 = 32;
    pub(in crate::worker) const STOP: u32 = 64;
    pub(in crate::worker) const SAVE: u32 = 128;
    pub(in crate::worker) const LOAD: u32 = 256;
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

/// A struct of the ABI without pointers, which is answered as its bytes: host and worker are the same program.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(in crate::worker) enum Plain {
    LinkState { link: u32 },
    JointState { joint: u32 },
    Gravity,
    Environment,
    AttachedJoint,
    JointFrame { joint: u32 },
    JointWrench { joint: u32 },
    Links,
    Volume { link: u32, normal: [f64; 3], height: f64 },
}

/// An effect on the world.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::worker) enum Command {
    JointVelocity { joint: u32, velocity: f64, max_effort: f64 },
    JointPosition { joint: u32, position: f64, stiffness: f64, damping: f64, max_effort: f64 },
    JointEffort { joint: u32, effort: f64 },
    LinkWrench { link: u32, force: [f64; 3], torque: [f64; 3] },
    ModelVelocity { link: u32, linear: [f64; 3], angular: [f64; 3] },
    ModelPose(Pose),
    ForceAt { link: u32, force: [f64; 3], point: [f64; 3] },
    Slip { collision: u32, slips: [f64; 2] },
    Drive { collision: u32, flags: u32, axis: [f64; 3], speed: f64, center: [f64; 3] },
    MoveLink { link: u32, pose: Pose },
    WatchJoint { joint: u32 },
    Remove { entity: u64 },
    Detach { bond: u64 },
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
    /// Calls a service.
    Call {
        name: &'a str,
        request_type: &'a str,
        payload: Bytes<'a>,
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
    Read(Plain),
    /// The payload has `count` directions and, if `has_origins`, as many origins, of three numbers each. Answered with the
    /// bytes of the hits.
    CastRays {
        ignore_link: u32,
        frame: Pose,
        range: [f64; 2],
        count: u32,
        has_origins: bool,
        payload: Bytes<'a>,
    },
    Act(Command),
    Entity {
        index: u32,
    },
    FindEntity {
        name: &'a str,
    },
    FindLink {
        name: &'a str,
    },
    Body {
        link: u32,
    },
    Collision {
        index: u32,
    },
    /// Answered with the bytes of at most `capacity` contacts, and their whole number.
    Contacts {
        collision: u32,
        capacity: u32,
    },
    CollisionName {
        collision: u32,
    },
    Bridge {
        index: u32,
    },
    Spawn {
        sdf: &'a str,
        name: &'a str,
        pose: Pose,
        flags: u32,
    },
    Attach {
        parent_link: u32,
        child_link: u32,
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
