//! Model plugins of a run: sensors, controllers and world plugins, one instance per slot of the world.
//!
//! Their starts run in parallel on threads of their own. All other calls are made by the simulation thread, in document
//! order. An instance that fails is reported and disabled; the others continue.

mod fault;
mod instance;
mod sampling;
mod set;

pub use fault::{Fault, Stage};
pub use instance::{ModelPlugin, PluginState};
pub use set::{AddError, ModelSet, Removed};

/// Code of a plugin that could not start.
pub const NOT_STARTED: &str = "BH-PLG-097";
