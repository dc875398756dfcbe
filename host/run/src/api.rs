//! The host as plugins see it: the function tables of the ABI's extensions, and the context behind each
//! host object.
//!
//! A plugin passes the same host pointer back with every call; [`Context::of`] turns it into the instance's
//! context. The tables are thin shells over `bus`, `world` and `lifecycle`, each inside [`crate::guard::host_call`]; none of
//! them holds a lock while plugin code runs.

mod actions;
mod bridges;
mod budget;
mod bus;
pub(crate) mod caller;
mod calls;
mod clock;
mod command;
mod contacts;
mod context;
mod description;
mod dynamics;
mod encodings;
mod entities;
mod environment;
pub(crate) mod hosting;
mod joints;
mod lifecycle;
mod log;
mod model;
mod params;
mod report;
mod retired;
mod scene;
mod scope;
mod services;
mod shared;
mod threads;
pub(crate) mod types;
mod world;
mod world_edit;

pub use bridges::{BridgeBoard, BridgeRow};
pub use clock::SimClock;
pub use context::{Context, Owner};
pub use lifecycle::{LockstepGate, StartReport, interrupt_for};
pub use params::ParamsView;
pub use retired::Retired;
pub use scope::enter as enter_world;
pub use shared::{RequestInbox, Shared};

#[cfg(test)]
mod panics;
#[cfg(test)]
mod tests;
