//! Bridges of a run: the factories and the data types they support, one instance per vehicle or world, and their
//! connections, endpoints and threads.
//!
//! The `[main]` calls of an instance run on a thread of its own ([`instance_thread`]), so that a slow bridge delays no
//! other. Its loops run on its `tx:` and `rx:` threads. The simulation thread only polls.

mod attach_error;
mod channel;
mod convert;
mod endpoint;
mod endpoints;
mod instance;
mod instance_thread;
mod loops;
mod phase;
mod registry;
mod rx_signal;
mod set;
mod sinks;
mod withdraw;

pub use attach_error::AttachError;
pub use instance::BridgeInstance;
pub(crate) use instance_thread::unfinished_thread;
pub use phase::Phase;
pub use registry::{BridgeRegistry, FactoryTable};
pub use set::{BridgeBuilder, BridgeSet, NOT_CONNECTED, WORLD, targets};
