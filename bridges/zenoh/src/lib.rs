//! The bridges to Zenoh: one for ROS 2 and one for programs of Zenoh.
//!
//! 1. [`ros2`] is the bridge `zenoh`: the run is a node of ROS 2, like those of `rmw_zenoh`.
//! 2. [`plain`] is the bridge `zenoh_plain`: topics and services are keys below a prefix, in JSON, protobuf or CDR.
//! 3. Both have a [`session`] somewhere in a [`network`], send by an [`outlet`], and answer by [`replies`]; [`waiting`]
//!    limits what they have to answer.

mod codes;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod network;
mod outlet;
mod plain;
mod replies;
mod ros2;
mod session;
mod waiting;

use bridgehead_ros2_node::bridge::NodeBridge;

use crate::plain::bridge::PlainBridge;
use crate::ros2::transport::Zenoh;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge NodeBridge<Zenoh> {
        id: "org.bridgehead.bridge.zenoh",
        name: "zenoh",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.model/1"],
    }
    bridge PlainBridge {
        id: "org.bridgehead.bridge.zenoh_plain",
        name: "zenoh_plain",
        vendor: "Bridgehead",
    }
}
