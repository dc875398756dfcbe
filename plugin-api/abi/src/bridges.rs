//! The bridges of a vehicle as its sensors see them.

use crate::{Host, Status, Str};

abi_struct! {
    /// One bridge of a vehicle.
    pub struct BridgeState {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// One of the `STATUS_` constants of bridges, as the host has found it in this step.
        pub status: u32,
        /// Short name of the plugin, the family of the bridge: `ros2`. Valid until the next step begins.
        pub name: Str,
        /// Name of the instance: `car1/ros2`. Valid until the next step begins.
        pub label: Str,
    }
}

abi_struct! {
    /// Extension `bridgehead.bridges/1`: the bridges that carry the topics of the instance, those of its vehicle. Peers
    /// decide about their status: a plugin whose messages depend on it makes runs differ.
    pub struct HostBridges {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Describes bridge `index` of the vehicle, in the order of their attachment; NOT_FOUND beyond the last.
        /// `[thread: sim] [state: started]`
        pub at: unsafe extern "C" fn(host: *const Host, index: u32, out: *mut BridgeState) -> Status,
    }
}
