//! Model plugins of a run: sensors, controllers and world plugins, one instance per slot of the world.
//!
//! Their starts run in parallel on threads of their own. All other calls are made by the simulation thread, in document
//! order. An instance that fails is reported and disabled; the others continue.

mod instance;
mod sampling;
mod set;

pub use instance::{Fault, ModelPlugin, PluginState, Stage};
pub use set::{AddError, ModelSet, Removed};

/// Code of a plugin that could not start.
pub const NOT_STARTED: &str = "BH-PLG-097";
