//! Why a bridge could not be attached. A plain value.

use thiserror::Error;

/// Why a bridge could not be attached. Every variant but `Thread` is a configuration error.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum AttachError {
    /// No such bridge plugin.
    #[error("[BH-BRG-020] {place}{text}")]
    NoSuchBridge {
        /// `file:line: `, or empty.
        place: String,
        /// The missing bridge, and the available ones.
        text: String,
    },
    /// The bridge rejects the connection string.
    #[error("[BH-BRG-021] {place}bridge `{name}` refuses the connection string `{connection}`: {reason}")]
    Connection {
        /// `file:line: `, or empty.
        place: String,
        /// The bridge.
        name: String,
        /// The connection string.
        connection: String,
        /// Reason given by the bridge.
        reason: String,
    },
    /// The pattern is malformed.
    #[error("[BH-BRG-022] `{pattern}` is not a vehicle pattern: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why it is malformed.
        reason: String,
    },
    /// The pattern matches no vehicle.
    #[error(
        "[BH-BRG-023] {place}bridge `{name}` is for `{pattern}`, but the world has no such vehicle; it has: {vehicles}"
    )]
    NoVehicle {
        /// `file:line: `, or empty.
        place: String,
        /// The bridge.
        name: String,
        /// The pattern.
        pattern: String,
        /// The vehicles of the world.
        vehicles: String,
    },
    /// The factory did not create an instance.
    #[error("[BH-BRG-024] bridge `{name}` could not be created for {vehicle}: {reason}")]
    Create {
        /// The bridge.
        name: String,
        /// The vehicle, or `the world`.
        vehicle: String,
        /// Reason given by the bridge.
        reason: String,
    },
    /// The operating system refused its thread.
    #[error("[BH-BRG-025] the thread of bridge `{name}` could not be created for {vehicle}: {reason}")]
    Thread {
        /// The bridge.
        name: String,
        /// The vehicle, or `the world`.
        vehicle: String,
        /// Reason given by the operating system.
        reason: String,
    },
}
