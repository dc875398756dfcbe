//! Builds the tree: binned surface area splits, four boxes per node.
//!
//! The same boxes in the same order always give the same tree. Pure functions, any thread.

use std::ops::Range;

use bridgehead_pose::DVec3;

use super::super::aabb::Aabb;
use super::node::{CHILDREN, Child, Node};
use super::{Bvh, MAX_DEPTH};

/// Candidate split planes per axis, plus one.
const BINS: usize = 16;

pub(super) fn build(boxes: &[Aabb], max_leaf: usize) -> Bvh {
    let order: Vec<u32> =
        (0_u32..).zip(boxes).filter(|(_, bounds)| bounds.is_finite()).map(|(item, _)| item).collect();
    let mut builder =
        Builder { boxes, order, nodes: Vec::new(), max_leaf: max_leaf.max(1), origin: DVec3::ZERO };
    let all = 0..builder.order.len();
    if all.is_empty() {
        return Bvh::default();
    }
    builder.origin = builder.bounds(&all).center();
    builder.add_node(all, 0);
    let mut tree =
        Bvh { nodes: builder.nodes, order: builder.order, origin: builder.origin, built_cost: 0.0 };
    tree.built_cost = tree.fit(boxes);
    tree
}

struct Builder<'a> {
    boxes: &'a [Aabb],
    order: Vec<u32>,
    nodes: Vec<Node>,
    max_leaf: usize,
    origin: DVec3,
}

impl Builder<'_> {
    /// Adds the node over a run of the order and all that is below it; returns its index.
    fn add_node(&mut self, run: Range<usize>, depth: usize) -> u32 {
        let index = self.nodes.len();
        self.nodes.push(Node::empty());
        for (slot, part) in self.parts(run, depth).into_iter().enumerate() {
            let child = if part.len() <= self.max_leaf {
                Child::Leaf { first: number(part.start), count: number(part.len()) }
            } else {
                Child::Inner { node: self.add_node(part, depth + 1) }
            };
            self.nodes[index].set_child(slot, child);
        }
        number(index)
    }

    /// Splits a run into up to four, always the part with the greatest surface next.
    fn parts(&mut self, run: Range<usize>, depth: usize) -> Vec<Range<usize>> {
        let mut parts = vec![run];
        while parts.len() < CHILDREN {
            let areas = parts
                .iter()
                .map(|part| if part.len() > self.max_leaf { self.bounds(part).area() } else { -1.0 });
            let widest = areas.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((widest, _)) = widest.filter(|(_, area)| *area >= 0.0) else { break };
            let (left, right) = self.split(parts[widest].clone(), depth);
            parts[widest] = left;
            parts.push(right);
        }
        parts
    }

    /// Divides a run of at least two items into two that are not empty.
    fn split(&mut self, run: Range<usize>, depth: usize) -> (Range<usize>, Range<usize>) {
        // Halving by count bounds the depth for all boxes: 2^32 items need at most 32 more levels.
        let best = if depth < MAX_DEPTH / 2 { self.best_plane(&run) } else { None };
        let middle = match best {
            Some(plane) => run.start + self.partition(run.clone(), &plane),
            None => run.start + run.len() / 2,
        };
        (run.start..middle, middle..run.end)
    }

    /// Moves the items below the plane to the front of the run; returns how many there are.
    fn partition(&mut self, run: Range<usize>, plane: &Plane) -> usize {
        let boxes = self.boxes;
        let (below, above): (Vec<u32>, Vec<u32>) = self.order[run.clone()]
            .iter()
            .partition(|&&item| plane.bin(boxes[item as usize].center()) < plane.at);
        let front = below.len();
        self.order[run.start..run.start + front].copy_from_slice(&below);
        self.order[run.start + front..run.end].copy_from_slice(&above);
        front
    }

    fn best_plane(&self, run: &Range<usize>) -> Option<Plane> {
        let centers = Aabb::of_points(self.items(run).map(|bounds| bounds.center()));
        let planes = (0..3).filter_map(|axis| self.best_plane_along(run, &centers, axis));
        planes.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    fn best_plane_along(&self, run: &Range<usize>, centers: &Aabb, axis: usize) -> Option<Plane> {
        let size = centers.max[axis] - centers.min[axis];
        let scale = BINS_F64 / size;
        if !scale.is_finite() {
            return None;
        }
        let mut plane = Plane { axis, low: centers.min[axis], scale, at: 0, cost: f64::INFINITY };
        let mut bins = [(Aabb::EMPTY, 0_u32); BINS];
        for bounds in self.items(run) {
            let bin = &mut bins[plane.bin(bounds.center())];
            *bin = (bin.0.union(*bounds), bin.1 + 1);
        }
        let below = costs(bins.iter());
        let above = costs(bins.iter().rev());
        for at in 1..BINS {
            let cost = below[at - 1] + above[BINS - 1 - at];
            if cost < plane.cost && cost.is_finite() {
                (plane.at, plane.cost) = (at, cost);
            }
        }
        (plane.at > 0).then_some(plane)
    }

    fn items(&self, run: &Range<usize>) -> impl Iterator<Item = &Aabb> {
        self.order[run.clone()].iter().map(|&item| &self.boxes[item as usize])
    }

    fn bounds(&self, run: &Range<usize>) -> Aabb {
        self.items(run).fold(Aabb::EMPTY, |sum, bounds| sum.union(*bounds))
    }
}

const BINS_F64: f64 = BINS as f64;

/// A candidate plane across one axis, at the lower side of the bin `at`.
struct Plane {
    axis: usize,
    low: f64,
    scale: f64,
    at: usize,
    cost: f64,
}

impl Plane {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the bins by min")]
    fn bin(&self, center: DVec3) -> usize {
        (((center[self.axis] - self.low) * self.scale) as usize).min(BINS - 1)
    }
}

/// Area times count of the first 1, 2, 3… bins; infinite while they are empty.
fn costs<'a>(bins: impl Iterator<Item = &'a (Aabb, u32)>) -> [f64; BINS] {
    let mut result = [f64::INFINITY; BINS];
    let mut sum = (Aabb::EMPTY, 0_u32);
    for (cost, bin) in result.iter_mut().zip(bins) {
        sum = (sum.0.union(bin.0), sum.1 + bin.1);
        if sum.1 > 0 {
            *cost = sum.0.area() * f64::from(sum.1);
        }
    }
    result
}

/// Indices of nodes and items are 32 bits wide; a scene with more would not fit into memory.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
