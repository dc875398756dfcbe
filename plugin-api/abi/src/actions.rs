//! The actions of the run: tasks with a goal, feedback and a result, which clients can cancel.
//!
//! An action is three services and two topics, with the messages that ROS 2 gives them, so a bridge transports it as it
//! transports any other service and topic. This extension tells which of them belong together.

use crate::{Buffer, Host, Status};

abi_struct! {
    /// Extension `bridgehead.actions/1`: the actions that the host and its plugins offer.
    pub struct HostActions {
        /// `sizeof` this struct.
        pub struct_size: u32,
        /// 0.
        pub reserved: u32,
        /// Gives the encoded `bridgehead.bridgehead_simulation_interfaces.v1.ActionDescriptions` of this moment. Whenever a
        /// bridge gets the service that accepts the goals of an action, the action is in it. The caller has a reference of
        /// its own, and calls `release` of the buffer once. Never waits for the simulation.
        /// `[thread: any] [state: any]`
        pub read: unsafe extern "C" fn(host: *const Host, out: *mut *const Buffer) -> Status,
    }
}
