//! The bridge to Betaflight's SITL: the state of a quadrotor to it, the outputs of its motors back.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses the connection string.
//! 2. [`exchange`] is the loop: the end of a step, the state, the answer, the release of steps.
//! 3. [`packet`] has the packets.
//!
//! The protocol is that of Betaflight's `src/platform/SIMULATOR/sitl.c`.

mod bridge;
mod codes;
mod connection;
mod exchange;
mod packet;

use bridge::Betaflight;

bridgehead_plugin_api::export_plugin! {
    bridge Betaflight {
        id: "org.bridgehead.bridge.betaflight",
        name: "betaflight",
        vendor: "Bridgehead",
        requires: ["bridgehead.stepping/1"],
    }
}
