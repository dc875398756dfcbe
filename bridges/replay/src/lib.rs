//! The replay bridge: plays a recording to the subscribers of a run, each message at its recorded step.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread.
//! 2. [`connection`] parses the connection string.
//! 3. [`recording`] reads files: [`recording::lines`] JSON lines, [`recording::mcap`] MCAP.
//! 4. [`subscribers`] finds the subscribers of a message and encodes it as their type.
//! 5. [`player`] delivers messages ahead of the simulation and releases its steps.
//!
//! Only [`bridge`] uses the host; everything below it is plain code with its own tests.

mod bridge;
mod connection;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod player;
mod recording;
mod subscribers;

use bridge::ReplayBridge;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge ReplayBridge {
        id: "org.bridgehead.bridge.replay",
        name: "replay",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.lockstep/1"],
    }
}
