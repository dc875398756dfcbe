//! The logging bridge: writes every message of a vehicle or of the world into a file that other tools can
//! open.
//!
//! It is the reference for bridge authors, so it is laid out in the order a message takes:
//!
//! 1. [`bridge`] is the plugin itself: what the host calls, and on which thread.
//! 2. [`connection`] reads the connection string; [`place`] says where on the disk its target is.
//! 3. [`topic`] is what a publisher holds: the type's plan, compiled once.
//! 4. [`log_file`] is one open file, shared by every instance with the same target; [`merge`] keeps their
//!    messages in the order of the run.
//! 5. [`format`] turns a message into bytes: [`format::lines`] for text, [`format::mcap`] for MCAP.
//! 6. [`stream`] is the way to the disk: buffered, counted, compressed if asked.
//!
//! Only [`bridge`] knows the host; everything below it is plain code with tests of its own.

mod bridge;
mod connection;
mod format;
mod log_file;
mod merge;
mod place;
mod stream;
#[cfg(test)]
mod test_support;
mod topic;

use bridge::LoggingBridge;

bridgehead_plugin_api::export_plugin! {
    bridge LoggingBridge {
        id: "org.bridgehead.bridge.logging",
        name: "logging",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.lifecycle/1"],
    }
}
