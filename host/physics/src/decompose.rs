//! Convex decomposition of meshes that move: a surface without a volume cannot push, and contacts of concave
//! shapes are too slow.

use std::panic::catch_unwind;

use bridgehead_pose::DVec3;
use rapier3d_f64::parry::transformation::vhacd::{VHACD, VHACDParameters};

/// Voxels along the longest side: more of them find thinner walls, in time proportional to their cube.
const RESOLUTION: u32 = 64;

/// Parameters of a decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decomposition {
    /// Voxels along the longest side.
    pub resolution: u32,
    /// The greatest number of parts.
    pub parts: u32,
}

impl Default for Decomposition {
    fn default() -> Self {
        Decomposition { resolution: RESOLUTION, parts: 64 }
    }
}

/// Returns the corners of convex parts that cover the mesh (Mamou's V-HACD, as implemented by parry).
///
/// Takes a tenth of a second to seconds. The same mesh gives the same parts; empty if the mesh cannot be
/// decomposed.
#[must_use]
pub fn convex_parts(points: &[DVec3], triangles: &[[u32; 3]], how: Decomposition) -> Vec<Vec<DVec3>> {
    let parameters = VHACDParameters {
        resolution: how.resolution,
        max_convex_hulls: how.parts,
        ..VHACDParameters::default()
    };
    // parry panics on some parts that lie in a plane or on a line.
    let hulls = catch_unwind(|| {
        let parts = VHACD::decompose(&parameters, points, triangles, true);
        parts.compute_exact_convex_hulls(points, triangles)
    });
    let hulls = hulls.unwrap_or_default().into_iter().map(|(points, _)| points);
    hulls.filter(|points| points.len() > 3).collect()
}
