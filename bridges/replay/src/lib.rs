//! The replay bridge: plays a recording into the subscribers of a run, each message at its recorded step.
//!
//! 1. [`bridge`] is the plugin itself: what the host calls, and on which thread.
//! 2. [`connection`] reads the connection string.
//! 3. [`recording`] reads files: [`recording::lines`] JSON lines, [`recording::mcap`] MCAP.
//! 4. [`subscribers`] finds who hears a message, and turns it into a payload of their type.
//! 5. [`player`] keeps the simulation exactly as far behind the recording as it must be.
//!
//! Only [`bridge`] knows the host; everything below it is plain code with tests of its own.

mod bridge;
mod connection;
mod player;
mod recording;
mod subscribers;

use bridge::ReplayBridge;

bridgehead_plugin_api::export_plugin! {
    bridge ReplayBridge {
        id: "org.bridgehead.bridge.replay",
        name: "replay",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.lockstep/1"],
    }
}
