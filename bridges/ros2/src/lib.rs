//! The bridge to ROS 2, over DDS.
//!
//! 1. [`bridge`] is the plugin itself: what the host calls, and on which thread; [`connection`] reads its string.
//! 2. [`shared_participant`] is what all instances with equal options share: one participant, one node.
//! 3. [`topic`] carries topics out and in, under the names that [`names`] gives them.
//! 4. [`service`] offers the services of the run, [`action`] what actions need beside their services.
//! 5. [`dds`] is DDS without types: participants, writers and readers of bytes.

mod action;
mod bridge;
mod connection;
pub mod dds;
mod lock;
mod names;
mod service;
mod shared_participant;
mod topic;
mod wall;

use bridge::Ros2Bridge;

bridgehead_plugin_api::export_plugin! {
    bridge Ros2Bridge {
        id: "org.bridgehead.bridge.ros2",
        name: "ros2",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.model/1"],
    }
}
