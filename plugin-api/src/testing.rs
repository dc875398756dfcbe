//! A host in the test process: what a plugin's own `cargo test` runs it against.
//!
//! A plugin under test is made by its factory and called through its C functions, and the host functions it
//! calls are C functions too, so a test crosses the same boundary as a run. Time is virtual, nothing is
//! global, and every wait has a deadline; the tests of one file may run in parallel.

mod actions;
mod bridge;
mod bridges;
mod bus;
mod calls;
mod capture;
mod clock;
mod command;
mod converters;
mod description;
mod encodings;
mod host;
mod lifecycle;
mod log;
mod model;
mod model_plugin;
mod outcome;
mod params;
mod report;
mod scene;
mod service;
mod service_calls;
mod setup;
mod stepping;
mod surroundings;
mod threads;
mod types;
mod world;

pub use self::bridge::{Delivery, Registrations, TestBridge, TestPublisher, TestSink, TxCounts};
pub use self::bus::{TestMessage, TestTopic};
pub use self::calls::InstanceState;
pub use self::command::TestCommand;
pub use self::converters::TestConverters;
pub use self::host::TestHost;
pub use self::log::LogLine;
pub use self::model_plugin::TestModel;
pub use self::outcome::Outcome;
pub use self::service::CallId;
pub use self::service_calls::TestServiceCall;
pub use self::setup::TestHostBuilder;
pub use self::surroundings::TestEdit;
pub use self::world::Ray;

/// The encoded form of a message, for tests that look at bytes.
#[must_use]
pub fn encode<T: crate::messages::Message>(message: &T) -> Vec<u8> {
    message.encode_to_vec()
}
