//! `<physics>`: the step and the pace the world asks for; engine names and solver settings are not taken over.
//! Choosing one profile of several is done by the reader, applying it by the simulation.
//! Plain values, usable from any thread.

use super::world::{DEFAULT_GRAVITY, DEFAULT_MAGNETIC_FIELD};
use crate::Origin;
use glam::DVec3;

/// A physics profile. In use is the one that the run names, else the one marked `default`, else the first, else SDF's
/// defaults.
#[derive(Clone, Debug)]
pub struct Physics {
    /// Name of the profile; may be empty.
    pub name: String,
    /// True if it is marked as the default.
    pub is_default: bool,
    /// Engine the author had in mind (`ode`, `dart`, ...); kept as data, rapier steps them all.
    pub engine: String,
    /// Width of one step, seconds; SDF's default is 0.001.
    pub max_step_size: f64,
    /// Simulated seconds per wall-clock second that the world asks for; SDF's default is 1.
    pub real_time_factor: f64,
    /// Gravity while it is in use, m/s²: the world's, else its own, as up to SDF 1.5.
    pub gravity: DVec3,
    /// Magnetic field while it is in use, tesla; as gravity.
    pub magnetic_field: DVec3,
    /// The element in its file.
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
            gravity: DEFAULT_GRAVITY,
            magnetic_field: DEFAULT_MAGNETIC_FIELD,
            origin: Origin::default(),
        }
    }
}
