//! The bridge to programs that speak gz-transport: `gz topic`, `gz service`, `ros_gz_bridge` and what is built on them.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses its connection string.
//! 2. [`endpoint`] has the topics that the host opens. They exist before and after connections.
//! 3. [`node`] is one process of gz-transport, shared by instances with equal connection strings: [`discovery`] has its
//!    datagrams, [`multicast`] their sockets, [`name`] the names on the wire.
//! 4. [`convert`] is the table of messages; [`msgs`] has those of Gazebo.
//! 5. [`world`] is what tools expect of a world without being asked: its clock, statistics and poses; [`service`] answers
//!    the services of a world with those of the run.

mod bridge;
mod codes;
mod connection;
mod convert;
mod discovery;
mod endpoint;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod ids;
mod lock;
mod msgs;
mod multicast;
mod name;
mod node;
mod service;
mod wall_clock;
mod world;

use bridge::GzBridge;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge GzBridge {
        id: "org.bridgehead.bridge.gz",
        name: "gz",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.description/1", "bridgehead.model/1", "bridgehead.scene/1", "bridgehead.threads/1"],
    }
}
