//! `<physics>`: the step and the pace the world asks for; engine names and solver settings are not taken over.
//! Choosing one profile of several is done by the reader, applying it by the simulation.
//! Plain values, usable from any thread.

use crate::sdf::Origin;

/// The physics profile in use: the one marked `default`, else the first, else SDF's defaults.
#[derive(Clone, Debug)]
pub struct Physics {
    /// Name of the profile; may be empty.
    pub name: String,
    /// Whether it is marked as the default.
    pub is_default: bool,
    /// Engine the author had in mind (`ode`, `dart`, ...); kept as data, rapier steps them all.
    pub engine: String,
    /// Width of one step, seconds; SDF's default is 0.001.
    pub max_step_size: f64,
    /// Simulated seconds per wall-clock second that the world asks for; SDF's default is 1.
    pub real_time_factor: f64,
    /// Where the element stands in its file.
    pub origin: Origin,
}

impl Default for Physics {
    fn default() -> Self {
        Self {
            name: String::new(),
            is_default: false,
            engine: String::new(),
            max_step_size: 0.001,
            real_time_factor: 1.0,
            origin: Origin::default(),
        }
    }
}
