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
pub(crate) mod check;
mod clock;
mod command;
mod contacts;
pub(super) mod context;
mod description;
mod dynamics;
mod encodings;
mod entities;
mod environment;
mod handle;
mod host_object;
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
pub(super) mod shared;
mod threads;
pub(crate) mod types;
mod world;
mod world_edit;

pub use context::params::ParamsView;
pub use context::{Context, Owner};
pub use lifecycle::interrupt_for;
pub use retired::Retired;
pub use scope::enter as enter_world;
pub use shared::Shared;
pub use shared::bell::Bell;
pub use shared::bridges::{BridgeBoard, BridgeRow};
pub use shared::clock::SimClock;
pub use shared::held_step::{Late, StepLimits};
pub use shared::lockstep::LockstepGate;
pub use shared::requests::{RequestInbox, StartReport};

#[cfg(test)]
mod panics;
#[cfg(test)]
mod tests;
