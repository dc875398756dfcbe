//! Triangle meshes with their own tree, without leaks at shared edges.
//!
//! Files are read elsewhere; a mesh is given as points and triples of indices. Plain values, any thread.

use bridgehead_pose::DVec3;

use super::aabb::Aabb;
use super::bvh::{Bvh, CullRay};

/// Triangles per leaf: one triangle test costs about as much as the test of a node.
const MAX_LEAF: usize = 2;

/// A mesh for ray casts; build it once and share it between shapes.
#[derive(Debug)]
pub struct TriMesh {
    /// Sorted by the leaves of the tree.
    triangles: Vec<[DVec3; 3]>,
    tree: Bvh,
    bounds: Aabb,
}

/// Why points and indices do not form a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// A triangle refers to a point that does not exist.
    #[error(
        "[BH-PHY-002] triangle {triangle} of the mesh refers to point {point}, but there are only {points} points"
    )]
    NoSuchPoint {
        /// The index of the triangle.
        triangle: usize,
        /// The index of the point.
        point: u32,
        /// The number of points.
        points: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("[BH-PHY-003] point {point} of the mesh has a coordinate that is not finite")]
    NotFinite {
        /// The index of the point.
        point: usize,
    },
    /// A mesh without triangles.
    #[error("[BH-PHY-004] the mesh has no triangles")]
    Empty,
}

impl TriMesh {
    /// Builds the mesh and its tree; points in metres in the frame of the shape, scale already applied.
    ///
    /// # Errors
    /// Returns an error if an index is out of range, a coordinate is not finite, or there is no triangle.
    pub fn new(points: &[DVec3], indices: &[[u32; 3]]) -> Result<Self, MeshError> {
        if let Some(point) = points.iter().position(|point| !point.is_finite()) {
            return Err(MeshError::NotFinite { point });
        }
        let corners: Vec<[DVec3; 3]> =
            (0..).zip(indices).map(|(i, t)| corners(points, i, t)).collect::<Result<_, _>>()?;
        if corners.is_empty() {
            return Err(MeshError::Empty);
        }
        let boxes: Vec<Aabb> = corners.iter().map(|&triangle| Aabb::of_points(triangle)).collect();
        let tree = Bvh::build(&boxes, MAX_LEAF);
        let triangles = tree.order().iter().map(|&item| corners[item as usize]).collect();
        Ok(Self { triangles, tree, bounds: boxes.into_iter().fold(Aabb::EMPTY, Aabb::union) })
    }

    /// The corners of its triangles.
    #[must_use]
    pub fn triangles(&self) -> &[[DVec3; 3]] {
        &self.triangles
    }

    /// The number of triangles of the mesh.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    pub(super) fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The nearest crossing at a distance in `from..=limit`, with the normal of the triangle (not oriented).
    pub(super) fn cast(
        &self,
        origin: DVec3,
        direction: DVec3,
        from: f64,
        limit: f64,
    ) -> Option<(f64, DVec3)> {
        let ray = CullRay::new(origin - self.tree.origin(), direction, from);
        let shear = Shear::new(origin, direction);
        let mut best: Option<(f64, usize)> = None;
        let mut limit = limit;
        self.tree.traverse(&ray, limit, |places| {
            for place in places.start as usize..places.end as usize {
                let distance =
                    shear.crossing(&self.triangles[place]).filter(|at| (from..=limit).contains(at));
                if let Some(distance) = distance {
                    limit = distance;
                    best = Some((distance, place));
                }
            }
            limit
        });
        best.map(|(distance, place)| (distance, normal(&self.triangles[place])))
    }
}

fn corners(points: &[DVec3], triangle: usize, indices: &[u32; 3]) -> Result<[DVec3; 3], MeshError> {
    let mut corners = [DVec3::ZERO; 3];
    for (corner, &point) in corners.iter_mut().zip(indices) {
        let found = points.get(point as usize);
        *corner = *found.ok_or(MeshError::NoSuchPoint { triangle, point, points: points.len() })?;
    }
    Ok(corners)
}

fn normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or(DVec3::Z)
}

/// The watertight triangle test of Woop, Benthin and Wald (Journal of Computer Graphics Techniques 2(1), 2013).
///
/// Points are sheared into a frame in which the ray runs along z from the origin. Both triangles at an edge
/// compute the same product for it, with opposite signs, so that no ray passes between them.
struct Shear {
    origin: DVec3,
    axes: [usize; 3],
    factors: DVec3,
}

impl Shear {
    fn new(origin: DVec3, direction: DVec3) -> Self {
        let size = direction.abs();
        let z = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        let factors = DVec3::new(direction[x], direction[y], 1.0) / direction[z];
        Self { origin, axes: [x, y, z], factors }
    }

    fn apply(&self, point: DVec3) -> DVec3 {
        let [x, y, z] = self.axes;
        let p = point - self.origin;
        DVec3::new(p[x] - self.factors.x * p[z], p[y] - self.factors.y * p[z], self.factors.z * p[z])
    }

    /// The distance along the ray (or behind it, if negative) at which it crosses the triangle.
    fn crossing(&self, triangle: &[DVec3; 3]) -> Option<f64> {
        let [a, b, c] = triangle.map(|corner| self.apply(corner));
        let u = c.x * b.y - c.y * b.x;
        let v = a.x * c.y - a.y * c.x;
        let w = b.x * a.y - b.y * a.x;
        if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
            return None;
        }
        let sum = u + v + w;
        (sum != 0.0).then(|| (u * a.z + v * b.z + w * c.z) / sum)
    }
}
