//! The bridge to CLOiSim's clients: an unmodified `cloisim_ros` finds the worlds, receives their sensor data and
//! drives their robots.
//!
//! Modules in the order in which a device is created and a message travels:
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses its connection
//!    string.
//! 2. [`service`] is shared by all instances with the same service address; [`member`] is what each instance
//!    contributes.
//! 3. [`device`] derives the devices of a world from its description alone ([`describe`], [`xml`]); [`info`] answers
//!    requests about a device; [`ports`] assigns its ports.
//! 4. [`device_server`] serves one device; [`convert`] converts messages to those of CLOiSim ([`msgs`]) and commands
//!    back.
//! 5. [`publish_port`] sends through a bounded [`queue`]; [`socket`] wraps ZeroMQ with two libraries; [`frame`] and
//!    [`tag`] are the wire format.
//! 6. [`discovery`] is the WebSocket on which clients list devices, in CLOiSim's JSON dialect ([`pseudo_json`]);
//!    [`reset`] notifies a client of a reset of the simulation.
//!
//! Only [`bridge`], [`describe`] and [`member`] use the host; everything else is plain code with its own tests.

mod bridge;
mod codes;
mod connection;
mod control;
mod convert;
mod describe;
mod device;
mod device_server;
mod discovery;
pub mod frame;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod info;
mod lock;
mod member;
pub mod msgs;
mod ports;
mod pose;
mod pseudo_json;
mod publish_port;
mod queue;
mod repeat_counter;
mod reset;
mod service;
pub mod socket;
pub mod tag;
mod wall_clock;
mod xml;

use bridge::CloisimBridge;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge CloisimBridge {
        id: "org.bridgehead.bridge.cloisim",
        name: "cloisim",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.description/1", "bridgehead.model/1"],
    }
}
