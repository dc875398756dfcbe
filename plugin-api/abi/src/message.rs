//! Messages, their payload buffers, quality of service and type descriptions.

use core::ffi::c_void;

use crate::{Bytes, Str};

abi_struct! {
    /// An immutable, reference-counted payload. The holder of a reference may read `data`; nothing writes it.
    ///
    /// A receiver that wants to keep the payload beyond the call calls `retain` once and later `release`
    /// once, from any thread; it never copies the struct itself for that purpose.
    pub struct Buffer {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0 in buffers of plugins; in buffers of the host, a mark of its own.
        pub reserved: u32,
        /// First payload byte.
        pub data: *const u8,
        /// Payload length in bytes.
        pub len: usize,
        /// Belongs to the buffer's owner.
        pub ctx: *mut c_void,
        /// Adds a reference.
        /// `[thread: any] [state: any]`
        pub retain: unsafe extern "C" fn(*const Buffer),
        /// Drops a reference; the owner takes the memory back with the last one.
        /// `[thread: any] [state: any]`
        pub release: unsafe extern "C" fn(*const Buffer),
    }
}

/// The payload is the wire form of the protobuf message that the type description names.
pub const ENCODING_PROTOBUF: u32 = 1;
/// The payload is in a form of the bridge's own, made by a converter that a plugin registered.
pub const ENCODING_BRIDGE: u32 = 2;

abi_struct! {
    /// One message on its way. Texts and payload are borrowed for the call that hands it over.
    pub struct Message {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Type id as given by `bridgehead.types/1`.
        pub type_id: u32,
        /// One of the `ENCODING_` constants.
        pub encoding: u32,
        /// Counts the resets before this message; time may run backwards between two epochs.
        pub reset_epoch: u32,
        /// Simulated time of the sample in nanoseconds, equal to `header.stamp` where there is one.
        pub stamp_ns: i64,
        /// Per topic, from 0, without gaps at the publisher; starts again at 0 with each reset epoch.
        pub sequence: u64,
        /// The step in which the message was published.
        pub step: u64,
        /// Vehicle the topic belongs to; empty for topics of the world.
        pub vehicle: Str,
        /// Full topic name, `/vehicle/topic`.
        pub topic: Str,
        /// The bytes.
        pub payload: *const Buffer,
        /// 0.
        pub reserved: [u64; 2],
    }
}

/// Messages may be dropped under load.
pub const RELIABILITY_BEST_EFFORT: u32 = 0;
/// Messages should arrive.
pub const RELIABILITY_RELIABLE: u32 = 1;
/// A late subscriber gets nothing of the past.
pub const DURABILITY_VOLATILE: u32 = 0;
/// A late subscriber gets the last message: "latched", transient-local in ROS 2.
pub const DURABILITY_LATCHED: u32 = 1;

abi_struct! {
    /// Quality of service of a topic, fixed when it is advertised.
    pub struct Qos {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// One of the `RELIABILITY_` constants.
        pub reliability: u32,
        /// One of the `DURABILITY_` constants.
        pub durability: u32,
        /// How many messages a queue should hold at least; 0 leaves it to the host.
        pub depth: u32,
        /// 0.
        pub reserved: [u64; 2],
    }
}

abi_struct! {
    /// A message type: its protobuf full name and a self-contained descriptor.
    pub struct TypeDesc {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// Type id, filled by the host; 0 when a plugin describes a type.
        pub type_id: u32,
        /// Protobuf full name, e.g. `bridgehead.sensor_msgs.v1.LaserScan`.
        pub name: Str,
        /// Encoded `google.protobuf.FileDescriptorSet` with the file of the type and all it imports,
        /// custom options included. When filled by the host it stays valid until the process ends.
        pub descriptor_set: Bytes,
        /// 0.
        pub reserved: [u64; 2],
    }
}
