//! The bridge to MAVLink: PX4 in lockstep, as its simulator, and ground stations that watch vehicles.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses the connection string.
//! 2. [`message`] has the messages and their frames, [`link`] the bytes of one connection, [`server`] the port for autopilots.
//! 3. [`place`] and [`numbers`] have the units of messages.
//! 4. [`hil`] is the loop with an autopilot: [`sample`] is what it gets, [`peer`] what is known of it, [`controls`] what it
//!    commands.
//! 5. [`station`] is the loop with a ground station: [`telemetry`] is what it gets.
//!
//! The side of the simulator is that of PX4's `SimulatorMavlink.cpp`, and of `common.xml` of the MAVLink project.

mod bridge;
mod codes;
mod connection;
mod controls;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod hil;
mod link;
mod message;
mod numbers;
mod peer;
mod place;
mod sample;
mod server;
mod station;
mod telemetry;

use bridge::MavLink;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge MavLink {
        id: "org.bridgehead.bridge.mavlink",
        name: "mavlink",
        vendor: "Bridgehead",
        requires: ["bridgehead.stepping/1"],
    }
}
