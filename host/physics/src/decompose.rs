//! Convex parts of a mesh that moves: what has no inside cannot push, and what is not convex cannot move fast enough.

use std::panic::catch_unwind;

use bridgehead_sdf::pose::DVec3;
use rapier3d_f64::parry::transformation::vhacd::{VHACD, VHACDParameters};

/// Voxels along the longest side: finer finds thinner walls, and takes with the cube of it.
const RESOLUTION: u32 = 64;

/// How a mesh is taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decomposition {
    /// Voxels along the longest side.
    pub resolution: u32,
    /// The most parts that it may come to.
    pub parts: u32,
}

impl Default for Decomposition {
    fn default() -> Self {
        Decomposition { resolution: RESOLUTION, parts: 64 }
    }
}

/// Corners of convex parts that cover the mesh (Mamou's V-HACD, in the version of parry).
///
/// Takes a tenth of a second to seconds. The same mesh gives the same parts; none where it cannot be taken apart.
#[must_use]
pub fn convex_parts(points: &[DVec3], triangles: &[[u32; 3]], how: Decomposition) -> Vec<Vec<DVec3>> {
    let parameters = VHACDParameters {
        resolution: how.resolution,
        max_convex_hulls: how.parts,
        ..VHACDParameters::default()
    };
    // parry panics on parts that lie in a plane or a line.
    let hulls = catch_unwind(|| {
        let parts = VHACD::decompose(&parameters, points, triangles, true);
        parts.compute_exact_convex_hulls(points, triangles)
    });
    let hulls = hulls.unwrap_or_default().into_iter().map(|(points, _)| points);
    hulls.filter(|points| points.len() > 3).collect()
}
