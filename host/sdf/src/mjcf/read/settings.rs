//! Settings of `<compiler>` and `<option>`, with the defaults of MuJoCo.

use crate::mjcf::inertia::Bounds;
use bridgehead_pose::DVec3;

/// Settings of `<compiler>`; the defaults are those of MuJoCo.
pub(super) struct Compiler<'d> {
    /// Angles are in degrees otherwise.
    pub(super) is_in_radians: bool,
    /// Three letters, each x, y or z in lower or upper case.
    pub(super) euler_sequence: &'d str,
    /// A range limits a joint also without `limited`.
    pub(super) has_auto_limits: bool,
    /// `None`: from the geoms of bodies without `<inertial>`.
    pub(super) inertia_from_geoms: Option<bool>,
    /// Groups of geoms that have mass.
    pub(super) groups_with_mass: [f64; 2],
    pub(super) bounds: Bounds,
    pub(super) total_mass: Option<f64>,
    /// The folder of meshes, relative to that of the main file; may be empty.
    pub(super) mesh_folder: &'d str,
    /// True if only the last part of the addresses of meshes counts.
    pub(super) strips_paths: bool,
}

impl Default for Compiler<'_> {
    fn default() -> Self {
        Self {
            is_in_radians: false,
            euler_sequence: "xyz",
            has_auto_limits: true,
            inertia_from_geoms: None,
            groups_with_mass: [0.0, 5.0],
            bounds: Bounds::default(),
            total_mass: None,
            mesh_folder: "",
            strips_paths: false,
        }
    }
}

/// Settings of `<option>`.
pub(super) struct Options {
    /// m/s².
    pub(super) gravity: DVec3,
    /// Seconds.
    pub(super) timestep: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { gravity: DVec3::new(0.0, 0.0, -9.81), timestep: 0.002 }
    }
}
