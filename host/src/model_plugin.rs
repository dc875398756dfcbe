//! Model plugins of a run: sensors, controllers and world plugins, one instance per slot of the world.
//!
//! Their starts run in parallel on threads of their own; everything else is called by the simulation thread,
//! in document order. An instance that fails is left out from then on and named; the rest goes on.

mod instance;
mod sampling;
mod set;

pub use instance::{Fault, ModelPlugin, PluginState, Stage};
pub use set::{Gone, MakeError, ModelSet};
