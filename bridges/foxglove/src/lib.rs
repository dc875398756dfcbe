//! The bridge to Foxglove, Lichtblick and other clients of the Foxglove WebSocket protocol.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses its connection string.
//! 2. [`session`] is shared by all instances with equal connection strings: channels, services and clients, behind one
//!    server of `bridgehead-websocket`.
//! 3. [`outgoing`] is a topic of the host; [`codec`] converts its messages and describes its type.
//! 4. [`scene`] describes the world for 3D panels; [`assets`] serves its meshes.
//! 5. [`protocol`] is the wire format.

mod assets;
mod bridge;
mod codec;
mod codes;
mod connection;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod lock;
mod outgoing;
mod protocol;
mod scene;
mod session;
mod wall_clock;

use bridge::FoxgloveBridge;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge FoxgloveBridge {
        id: "org.bridgehead.bridge.foxglove",
        name: "foxglove",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.description/1", "bridgehead.scene/1", "bridgehead.threads/1"],
    }
}
