//! A four-wide tree over boxes that finds the items a ray may hit.
//!
//! Node bounds are f32, rounded outwards and tested with an error margin, so that the tree never loses an
//! item that the exact f64 intersection would hit. The caller decides which items are hit, and where.
//! Coordinates are relative to `origin`, the middle of the scene, so that the margins stay small far from the
//! world's origin. Plain values, any thread.

mod build;
mod node;

use bridgehead_pose::DVec3;
pub(super) use node::CullRay;
use node::{CHILDREN, Child, Node};

use super::aabb::Aabb;

/// Levels of a tree: the builder halves by count below this, see [`build`], so deeper trees cannot arise.
const MAX_DEPTH: usize = 64;
/// Each level leaves at most all but one of its children on the stack.
const STACK: usize = MAX_DEPTH * (CHILDREN - 1) + 1;

/// The tree. Items are identified by their index in the slice from which it was built.
#[derive(Debug, Clone, Default)]
pub(super) struct Bvh {
    /// Parents come before their children.
    nodes: Vec<Node>,
    /// Item indices; a leaf owns a run of them.
    order: Vec<u32>,
    origin: DVec3,
    built_cost: f64,
}

impl Bvh {
    /// Builds a tree over the boxes; items with a box that is not finite are left out.
    pub(super) fn build(boxes: &[Aabb], max_leaf: usize) -> Self {
        build::build(boxes, max_leaf)
    }

    /// The point to which the origin of a [`CullRay`] is relative.
    pub(super) fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The items in the order of the leaves.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Adapts the node bounds to moved items without changing the tree.
    ///
    /// Returns true if the tree has become so much worse than when it was built that rebuilding it is
    /// cheaper.
    pub(super) fn refit(&mut self, boxes: &[Aabb]) -> bool {
        self.fit(boxes) > 2.0 * self.built_cost
    }

    /// Sets all node bounds; returns the sum of their areas, to which the expected number of node visits of a
    /// ray is proportional.
    fn fit(&mut self, boxes: &[Aabb]) -> f64 {
        let mut bounds = vec![Aabb::EMPTY; self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            for (slot, child) in self.nodes[index].children().into_iter().enumerate() {
                let bound = match child {
                    Child::Empty => continue,
                    Child::Inner { node } => bounds[node as usize],
                    Child::Leaf { first, count } => self.leaf_bounds(boxes, first, count),
                };
                bounds[index] = bounds[index].union(bound);
                self.nodes[index].set_bounds(slot, &bound, self.origin);
            }
        }
        bounds.iter().map(Aabb::area).sum()
    }

    fn leaf_bounds(&self, boxes: &[Aabb], first: u32, count: u32) -> Aabb {
        let items = &self.order[first as usize..(first + count) as usize];
        let bounds = items.iter().map(|&item| boxes[item as usize]);
        bounds.filter(Aabb::is_finite).fold(Aabb::EMPTY, Aabb::union)
    }

    /// Calls `visit` with runs of indices in the leaf order, nearest first, until all that may contain a hit
    /// were visited.
    ///
    /// `visit` gets a range of indices and returns the distance beyond which hits no longer matter.
    pub(super) fn traverse(
        &self,
        ray: &CullRay,
        mut limit: f64,
        mut visit: impl FnMut(std::ops::Range<u32>) -> f64,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        let mut stack = [(0.0_f32, 0_u32, 0_u32); STACK];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (enter, index, count) = stack[depth];
            if f64::from(enter) > limit {
                continue;
            }
            if count > 0 {
                limit = limit.min(visit(index..index + count));
                continue;
            }
            depth = self.push_children(index, ray, limit, &mut stack, depth);
        }
    }

    /// Pushes the children that the ray meets, the nearest last; returns the new height of the stack.
    #[inline]
    fn push_children(
        &self,
        index: u32,
        ray: &CullRay,
        limit: f64,
        stack: &mut [(f32, u32, u32); STACK],
        bottom: usize,
    ) -> usize {
        let node = &self.nodes[index as usize];
        let (enter, mut met) = node.enter_distances(ray, limit);
        let mut top = bottom;
        while met != 0 {
            let slot = met.trailing_zeros() as usize;
            met &= met - 1;
            let entry = (enter[slot], node.first[slot], node.count[slot]);
            let mut place = top;
            while place > bottom && stack[place - 1].0 < entry.0 {
                stack[place] = stack[place - 1];
                place -= 1;
            }
            stack[place] = entry;
            top += 1;
        }
        top
    }
}
