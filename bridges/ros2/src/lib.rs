//! The bridge to ROS 2, over DDS.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses its connection
//!    string.
//! 2. [`shared_node`] is shared by all instances with equal options: one node, and its participants.
//! 3. [`topic`] sends and receives topics, under the names that [`names`] gives them.
//! 4. [`service`] offers the services of the run; [`action`] adds the topics that actions need.
//! 5. [`dds`] is DDS without types: participants, writers and readers of bytes.

mod action;
mod bridge;
mod connection;
pub mod dds;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod lock;
mod log_limiter;
mod memory;
mod names;
mod service;
mod shared_node;
mod topic;
mod wall_clock;

use bridge::Ros2Bridge;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge Ros2Bridge {
        id: "org.bridgehead.bridge.ros2",
        name: "ros2",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.model/1"],
    }
}
