//! What geoms refer to.

use crate::mjcf::robot::Mesh;
use std::collections::BTreeMap;

/// Meshes and materials by their names.
#[derive(Default)]
pub(super) struct Assets<'d> {
    pub(super) meshes: Vec<Mesh>,
    pub(super) mesh_names: BTreeMap<&'d str, usize>,
    /// Red, green, blue, alpha.
    pub(super) materials: BTreeMap<&'d str, [f64; 4]>,
}
