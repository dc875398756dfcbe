//! The node of the tree and the conservative test of a ray against its four boxes.
//!
//! The tree connects the nodes. Plain values, any thread.

use bridgehead_pose::DVec3;
use wide::f32x4;

use super::super::aabb::Aabb;

/// Boxes per node: as many f32 lanes as every x86-64 and AArch64 machine has.
pub(super) const CHILDREN: usize = 4;
/// `first` of a slot that holds nothing.
const NOTHING: u32 = u32::MAX;

/// Four boxes, and the references to what is below them.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// Lower x, y, z, then upper x, y, z of the four boxes.
    planes: [f32x4; 6],
    /// The index of the child node, or of the first item of a leaf.
    pub(super) first: [u32; CHILDREN],
    /// The number of items of a leaf; zero marks an inner node.
    pub(super) count: [u32; CHILDREN],
}

/// What a slot of a node holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Child {
    Empty,
    Inner { node: u32 },
    Leaf { first: u32, count: u32 },
}

impl Node {
    pub(super) fn empty() -> Self {
        let (low, high) = (f32x4::splat(f32::INFINITY), f32x4::splat(f32::NEG_INFINITY));
        Self { planes: [low, low, low, high, high, high], first: [NOTHING; CHILDREN], count: [0; CHILDREN] }
    }

    pub(super) fn children(&self) -> [Child; CHILDREN] {
        std::array::from_fn(|slot| match (self.first[slot], self.count[slot]) {
            (NOTHING, _) => Child::Empty,
            (node, 0) => Child::Inner { node },
            (first, count) => Child::Leaf { first, count },
        })
    }

    pub(super) fn set_child(&mut self, slot: usize, child: Child) {
        (self.first[slot], self.count[slot]) = match child {
            Child::Empty => (NOTHING, 0),
            Child::Inner { node } => (node, 0),
            Child::Leaf { first, count } => (first, count),
        };
    }

    /// Stores a box relative to `origin`, rounded outwards.
    pub(super) fn set_bounds(&mut self, slot: usize, bounds: &Aabb, origin: DVec3) {
        let (min, max) = ((bounds.min - origin).to_array(), (bounds.max - origin).to_array());
        for axis in 0..3 {
            self.planes[axis].as_mut_array()[slot] = below(min[axis]);
            self.planes[axis + 3].as_mut_array()[slot] = above(max[axis]);
        }
    }

    /// The distances at which the ray enters the boxes, and a bit for each box it meets before `limit`.
    #[inline]
    pub(super) fn enter_distances(&self, ray: &CullRay, limit: f64) -> ([f32; CHILDREN], u32) {
        let near = |axis: usize| {
            (self.planes[ray.near_plane[axis]] - ray.near_origin[axis]) * ray.near_inverse[axis]
        };
        let far = |axis: usize| {
            (self.planes[3 + 2 * axis - ray.near_plane[axis]] - ray.far_origin[axis]) * ray.far_inverse[axis]
        };
        let enter = near(0).fast_max(near(1)).fast_max(near(2).fast_max(ray.from));
        let leave = far(0).fast_min(far(1)).fast_min(far(2).fast_min(f32x4::splat(above(limit))));
        (enter.to_array(), enter.simd_le(leave).to_bitmask())
    }
}

/// A ray prepared for testing boxes: every rounding error is taken in the direction that meets more boxes.
#[derive(Debug, Clone)]
pub(in super::super) struct CullRay {
    near_plane: [usize; 3],
    near_origin: [f32x4; 3],
    far_origin: [f32x4; 3],
    near_inverse: [f32x4; 3],
    far_inverse: [f32x4; 3],
    from: f32x4,
}

impl CullRay {
    /// A ray from `origin`, relative to the origin of the tree, seen from the distance `from` on.
    pub(in super::super) fn new(origin: DVec3, direction: DVec3, from: f64) -> Self {
        let mut ray = Self {
            near_plane: [0; 3],
            near_origin: [f32x4::ZERO; 3],
            far_origin: [f32x4::ZERO; 3],
            near_inverse: [f32x4::ZERO; 3],
            far_inverse: [f32x4::ZERO; 3],
            from: f32x4::splat(below(from)),
        };
        for axis in 0..3 {
            ray.set_axis(axis, origin[axis], direction[axis]);
        }
        ray
    }

    fn set_axis(&mut self, axis: usize, origin: f64, direction: f64) {
        // The rounding of origin and planes to f32 moves a plane by at most this much.
        let margin = origin.abs() * 2.0 * f64::from(f32::EPSILON) + 1e-9;
        let towards = if direction < 0.0 { -margin } else { margin };
        // An infinite inverse would give 0 · ∞ for a ray inside a plane of the box.
        let inverse = 1.0 / if direction.abs() < 1e-30 { 1e-30_f64.copysign(direction) } else { direction };
        // Three f32 roundings follow: the inverse, the difference and the product.
        let slack = 4.0 * f64::from(f32::EPSILON);
        self.near_plane[axis] = if direction < 0.0 { axis + 3 } else { axis };
        self.near_origin[axis] = f32x4::splat(narrow(origin + towards));
        self.far_origin[axis] = f32x4::splat(narrow(origin - towards));
        self.near_inverse[axis] = f32x4::splat(narrow(inverse * (1.0 - slack)));
        self.far_inverse[axis] = f32x4::splat(narrow(inverse * (1.0 + slack)));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest f32 is what is wanted here")]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// The largest f32 that is not above `value`.
fn below(value: f64) -> f32 {
    let rounded = narrow(value);
    if f64::from(rounded) > value { rounded.next_down() } else { rounded }
}

/// The smallest f32 that is not below `value`.
fn above(value: f64) -> f32 {
    let rounded = narrow(value);
    if f64::from(rounded) < value { rounded.next_up() } else { rounded }
}
