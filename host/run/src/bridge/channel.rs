//! Descriptions of topics and services as the ABI passes them to bridges. Pure conversions, usable from any thread.

use bridgehead_abi::bridge::Channel;
use bridgehead_abi::message::{ENCODING_BRIDGE, ENCODING_PROTOBUF, TypeDesc};
use bridgehead_abi::{Bytes, Str};
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::rules;

use crate::api::types::describe_type;
use crate::bus::{ServicePoint, Topic};

/// An empty type description.
const NO_TYPE: TypeDesc = TypeDesc {
    struct_size: TypeDesc::SIZE,
    type_id: 0,
    name: Str::EMPTY,
    descriptor_set: Bytes::EMPTY,
    reserved: [0; 2],
};

pub(super) fn topic_channel(topic: &Topic, bridge_type: &str, is_converted: bool) -> Channel {
    Channel {
        struct_size: Channel::SIZE,
        reserved: 0,
        vehicle: Str::new(&topic.vehicle),
        topic: Str::new(&topic.name),
        bridge_type: Str::new(bridge_type),
        data_type: describe_type(&topic.data_type),
        response_type: NO_TYPE,
        qos: rules::raw_qos(topic.qos),
        encoding: if is_converted { ENCODING_BRIDGE } else { ENCODING_PROTOBUF },
        reserved2: 0,
    }
}

pub(super) fn service_channel(point: &ServicePoint) -> Channel {
    Channel {
        struct_size: Channel::SIZE,
        reserved: 0,
        vehicle: Str::EMPTY,
        topic: Str::EMPTY,
        bridge_type: Str::EMPTY,
        data_type: describe_type(&point.request),
        response_type: describe_type(&point.response),
        qos: rules::raw_qos(Qos::default()),
        encoding: ENCODING_PROTOBUF,
        reserved2: 0,
    }
}
