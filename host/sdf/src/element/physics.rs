//! `<physics>`: step width and real-time factor of the world; solver settings of other engines are ignored.
//! The reader selects the profile, the simulation applies it. Plain values, usable from any thread.

use crate::document::Origin;
use glam::DVec3;

/// Default gravity of a world, m/s² (sdformat `sdf/1.12/world.sdf`; not 9.81).
pub const DEFAULT_GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.8);

/// Default magnetic field of a world, tesla (sdformat `sdf/1.12/world.sdf`).
pub const DEFAULT_MAGNETIC_FIELD: DVec3 = DVec3::new(5.5645e-6, 22.8758e-6, -42.3884e-6);

/// A physics profile. The one named by the run is used, otherwise the one marked `default`, otherwise the
/// first, otherwise SDF's defaults.
#[derive(Clone, Debug)]
pub struct Physics {
    /// Name of the profile; may be empty.
    pub name: String,
    /// True if it is marked as the default.
    pub is_default: bool,
    /// Engine the author had in mind (`ode`, `dart`, ...); kept as data, there is one solver here.
    pub engine: String,
    /// Width of one step, seconds; SDF's default is 0.001.
    pub max_step_size: f64,
    /// Simulated seconds per wall-clock second; SDF's default is 1.
    pub real_time_factor: f64,
    /// Gravity while this profile is used, m/s²: the world's, or its own as in SDF up to 1.5.
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
