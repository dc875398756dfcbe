//! The bridge to ROS 2, over DDS.
//!
//! 1. The plugin is that of [`bridgehead_ros2_node`], which maps topics, services and actions of a run to those of a node of
//!    ROS 2; [`transport`] connects it by DDS. [`connection`] parses the connection string.
//! 2. [`shared_node`] is shared by all instances with equal options: one node, and its participants.
//! 3. [`service`] offers services.
//! 4. [`dds`] is DDS without types: participants, writers and readers of bytes.

mod connection;
pub mod dds;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod memory;
mod service;
mod shared_node;
mod transport;

use bridgehead_ros2_node::bridge::NodeBridge;

use crate::transport::Dds;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge NodeBridge<Dds> {
        id: "org.bridgehead.bridge.ros2",
        name: "ros2",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.model/1"],
    }
}
