//! The bridge to ROS 2, over DDS.
//!
//! 1. [`bridge`] is the plugin itself: what the host calls, and on which thread.
//! 2. [`dds`] is DDS without types: participants, writers and readers of bytes.
//! 3. [`service`] offers the services and actions of the run.

mod bridge;
pub mod dds;
mod service;

use bridge::Ros2Bridge;

bridgehead_plugin_api::export_plugin! {
    bridge Ros2Bridge {
        id: "org.bridgehead.bridge.ros2",
        name: "ros2",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.model/1"],
    }
}
