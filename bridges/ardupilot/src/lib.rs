//! The bridge to ArduPilot's SITL: each frame of the autopilot is a number of steps, and the simulation waits for it.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread.
//! 2. [`connection`] parses the connection string.
//! 3. [`exchange`] is the loop: the end of a step, the answer to the autopilot, its next packet, the release.
//! 4. [`packet`] reads the packets of the autopilot, [`answer`] writes those to it.
//! 5. [`vehicle`] keeps what sensors measured last.
//! 6. [`outputs`] turns pulse widths into commands of rotors and joints.
//!
//! The protocol is that of ArduPilot's `libraries/SITL/examples/JSON/readme.md` and `SIM_JSON.cpp`.

mod answer;
mod bridge;
mod codes;
mod connection;
mod exchange;
mod outputs;
mod packet;
mod vehicle;

use bridge::ArduPilot;

bridgehead_plugin_api::export_plugin! {
    bridge ArduPilot {
        id: "org.bridgehead.bridge.ardupilot",
        name: "ardupilot",
        vendor: "Bridgehead",
        requires: ["bridgehead.stepping/1"],
    }
}
