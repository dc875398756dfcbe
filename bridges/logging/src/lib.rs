//! The logging bridge: writes every message of a vehicle or of the world to a file that other tools can open.
//!
//! It is the reference for bridge authors. Its modules, in the order in which a message passes them:
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread.
//! 2. [`connection`] parses the connection string; [`place`] resolves the path of its target.
//! 3. [`topic`] is what a publisher holds: the type's plan, compiled once.
//! 4. [`log_file`] is one log, shared by every instance with the same target; [`merge`] orders their messages by step.
//! 5. [`part`] is one file of it, which is complete after every commit; at its size, the log continues in the next one.
//! 6. [`format`] encodes messages: [`format::lines`] as text, [`format::mcap`] as MCAP.
//! 7. [`stream`] collects the bytes, optionally compressed, and [`disk`] writes them.
//!
//! Only [`bridge`] uses the host; everything below it is plain code with its own tests.

mod bridge;
mod connection;
mod disk;
mod format;
mod log_file;
mod merge;
mod part;
mod place;
#[cfg(test)]
#[path = "../../../tests/it/support/skip.rs"]
mod skip;
#[cfg(test)]
#[path = "../../../tests/it/support/small_disk.rs"]
mod small_disk;
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
