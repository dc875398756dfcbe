//! The trait of Rust types that can be published: their name and descriptor.
//!
//! `build.rs` implements [`Message`] for every generated type; plugins implement it for their own. Services are
//! pairs of messages.

use crate::{
    Schema,
    std_srvs::{
        EmptyRequest, EmptyResponse, SetBoolRequest, SetBoolResponse, TriggerRequest, TriggerResponse,
    },
};

/// A prost type with its schema.
pub trait Message: prost::Message + Default {
    /// Protobuf full name, for example `bridgehead.sensor_msgs.v1.LaserScan`.
    const FULL_NAME: &'static str;

    /// Encoded `google.protobuf.FileDescriptorSet` with every file that the message needs, including ROS annotations.
    const DESCRIPTOR_SET: &'static [u8];

    /// Returns the two constants as a [`Schema`].
    fn schema() -> Schema
    where
        Self: Sized,
    {
        Schema::of::<Self>()
    }
}

/// A call with one request and one response.
pub trait Service {
    /// ROS name of the service, for example `std_srvs/srv/SetBool`.
    const ROS_NAME: &'static str;
    /// The request.
    type Request: Message;
    /// The response.
    type Response: Message;
}

/// Does something that needs no arguments and has no result (`std_srvs/srv/Empty`).
#[derive(Debug, Clone, Copy)]
pub enum EmptyService {}

impl Service for EmptyService {
    const ROS_NAME: &'static str = "std_srvs/srv/Empty";
    type Request = EmptyRequest;
    type Response = EmptyResponse;
}

/// Switches something on or off (`std_srvs/srv/SetBool`).
#[derive(Debug, Clone, Copy)]
pub enum SetBool {}

impl Service for SetBool {
    const ROS_NAME: &'static str = "std_srvs/srv/SetBool";
    type Request = SetBoolRequest;
    type Response = SetBoolResponse;
}

/// Starts something and returns the outcome (`std_srvs/srv/Trigger`).
#[derive(Debug, Clone, Copy)]
pub enum Trigger {}

impl Service for Trigger {
    const ROS_NAME: &'static str = "std_srvs/srv/Trigger";
    type Request = TriggerRequest;
    type Response = TriggerResponse;
}
