//! Bridges of a run: which factories there are and what they carry, one instance per vehicle or world, their
//! connections, endpoints and threads.
//!
//! Calls of one instance tagged `[main]` run on a thread of its own ([`attendant`]), so that a slow or hung
//! bridge delays nobody else; its loops run on its `tx:` and `rx:` threads. The simulation thread only polls.

mod attendant;
mod channel;
mod endpoints;
mod instance;
mod loops;
mod phase;
mod registry;
mod set;
mod withdraw;

pub use instance::BridgeInstance;
pub use phase::Phase;
pub use registry::{BridgeRegistry, FactoryTable};
pub use set::{AttachError, BridgeSet, WORLD, Workshop, targets};
