//! Which colliders are near each other, and where they touch.

use glam::DVec3;
use rapier3d_f64::parry::bounding_volume::Aabb;
use rapier3d_f64::parry::partitioning::{Bvh, BvhWorkspace};
use rapier3d_f64::parry::shape::TypedShape;

use crate::narrow;
use crate::pair::Pair;
use crate::world::World;

/// The margin of boxes in which pairs are looked for, metres.
const MARGIN: f64 = 0.02;
/// The distance at which two become a contact, metres, beside the way of a step.
const PREDICTION: f64 = 0.002;
/// How far two bodies may go until their contact points are found again, metres.
const KEPT: f64 = 1e-3;
/// The same for round shapes: a point that turned along by a micrometre would drive a wheel that rests.
const KEPT_ROUND: f64 = 1e-10;

/// The tree of boxes: made of the bounds of the colliders, and not part of the state.
#[derive(Clone, Default)]
pub(crate) struct Broad {
    tree: Bvh,
    workspace: BvhWorkspace,
    has_changed: bool,
    is_built: bool,
    steps: u32,
}

impl Broad {
    fn insert(&mut self, collider: usize, bounds: Aabb) {
        self.tree.insert(bounds, leaf(collider));
        self.has_changed = true;
    }

    pub(crate) fn remove(&mut self, collider: usize) {
        self.tree.remove(leaf(collider));
        self.has_changed = true;
    }

    fn optimise(&mut self) {
        self.steps = self.steps.wrapping_add(1);
        if self.has_changed && self.steps.is_multiple_of(32) {
            self.tree.refit(&mut self.workspace);
            self.tree.optimize_incremental(&mut self.workspace);
            self.has_changed = false;
        }
    }
}

fn leaf(collider: usize) -> u32 {
    u32::try_from(collider).unwrap_or(u32::MAX)
}

impl World {
    /// Finds what touches at the current poses. A step does this itself; between steps it makes contacts current.
    pub fn collide(&mut self) {
        self.build_broad();
        for index in 0..self.colliders.end() {
            let Some(collider) = self.colliders.get(index) else { continue };
            if self.bodies[collider.body].way >= collider.bounds_until {
                self.refit(index);
            }
        }
        self.broad.optimise();
        for index in 0..self.pairs.end() {
            self.check_pair(index);
        }
    }

    /// Inserts all colliders into the tree of boxes after a restore.
    fn build_broad(&mut self) {
        if self.broad.is_built {
            return;
        }
        self.broad.is_built = true;
        for (index, collider) in self.colliders.iter() {
            if !collider.is_plane() && collider.bounds_until > f64::NEG_INFINITY {
                self.broad.insert(index, collider.bounds);
            }
        }
    }

    /// Looks for the neighbours of a collider that may have left its box.
    fn refit(&mut self, index: usize) {
        let collider = &self.colliders[index];
        let body = &self.bodies[collider.body];
        let found = if collider.is_plane() {
            // Others find planes.
            let near: Vec<usize> = collider.near.iter().map(|(other, _)| *other).collect();
            self.colliders[index].bounds_until = f64::INFINITY;
            near
        } else {
            let [center, half] = collider.extent(&body.pose);
            let margin = MARGIN + 4.0 * body.speed * self.settings.step;
            let half = half + DVec3::splat(margin);
            let bounds = Aabb::new(center - half, center + half);
            // Half of the margin is for contacts before they touch.
            let until = body.way + 0.5 * margin;
            let collider = &mut self.colliders[index];
            (collider.bounds, collider.bounds_until) = (bounds, until);
            self.broad.insert(index, bounds);
            self.neighbours(index, center, half)
        };
        self.update_near(index, &found);
    }

    fn neighbours(&self, index: usize, center: DVec3, half: DVec3) -> Vec<usize> {
        let bounds = self.colliders[index].bounds;
        let mut found: Vec<usize> = self
            .broad
            .tree
            .intersect_aabb(&bounds)
            .map(|leaf| leaf as usize)
            .filter(|&other| other != index)
            .collect();
        for &plane in &self.planes {
            let collider = &self.colliders[plane];
            let TypedShape::HalfSpace(shape) = collider.shape.as_typed_shape() else { continue };
            let pose = self.bodies[collider.body].pose * collider.pose;
            let normal = pose.rotation * shape.normal;
            if normal.dot(center - pose.translation) < normal.abs().dot(half) {
                found.push(plane);
            }
        }
        found.sort_unstable();
        found
    }

    /// Adds pairs with new neighbours and removes those with former ones.
    fn update_near(&mut self, index: usize, found: &[usize]) {
        let old = std::mem::take(&mut self.colliders[index].near);
        for &(other, pair) in &old {
            if found.binary_search(&other).is_err() {
                self.pairs.remove(pair);
                self.colliders[other].near.retain(|entry| entry.0 != index);
            }
        }
        let mut near = Vec::with_capacity(found.len());
        for &other in found {
            let known = old.binary_search_by_key(&other, |entry| entry.0);
            let pair = known.map_or_else(|_| self.add_pair(index, other), |place| Some(old[place].1));
            near.extend(pair.map(|pair| (other, pair)));
        }
        self.colliders[index].near = near;
    }

    /// Adds a pair with its entry at the other collider, unless the two never touch.
    fn add_pair(&mut self, index: usize, other: usize) -> Option<usize> {
        let (one, two) = (&self.colliders[index], &self.colliders[other]);
        let moves = [one, two].map(|collider| self.bodies[collider.body].is_dynamic());
        let parts = if one.part < two.part { [one.part, two.part] } else { [two.part, one.part] };
        if moves == [false; 2] || !one.touches(two) || self.apart.contains(&parts) {
            return None;
        }
        let other_first =
            two.is_plane() || (!moves[1] && moves[0]) || (moves[0] == moves[1] && other < index);
        let other_first = other_first && !one.is_plane();
        let pair = self.pairs.insert(Pair::new(if other_first { [other, index] } else { [index, other] }));
        let near = &mut self.colliders[other].near;
        let place = near.partition_point(|entry| entry.0 < index);
        near.insert(place, (index, pair));
        Some(pair)
    }

    /// Finds the contact points of a pair again if its bodies have moved, and wakes a body that is hit.
    fn check_pair(&mut self, index: usize) {
        let Some(pair) = self.pairs.get(index) else { return };
        let bodies = pair.colliders.map(|collider| &self.bodies[self.colliders[collider].body]);
        let (way, step) =
            (bodies[0].way + bodies[1].way, (bodies[0].speed + bodies[1].speed) * self.settings.step);
        let moved = way - pair.stamp + if pair.touches.is_empty() { step } else { 0.0 };
        if moved > pair.budget || pair.is_placed {
            self.find_touches(index, way, step);
        }
        self.wake_if_hit(index, step);
    }

    fn find_touches(&mut self, index: usize, way: f64, step: f64) {
        let mut found = std::mem::take(&mut self.found);
        let pair = &self.pairs[index];
        let colliders = pair.colliders.map(|collider| &self.colliders[collider]);
        let poses = colliders.map(|collider| &self.bodies[collider.body].pose);
        let within = PREDICTION + 1.5 * step;
        narrow::touch(colliders, poses, within, &mut found);
        let is_round = colliders.iter().any(|collider| collider.is_round());
        let budget = match (found.is_empty(), is_round) {
            (true, _) => within,
            (false, true) => KEPT_ROUND,
            (false, false) => KEPT,
        };
        let pair = &mut self.pairs[index];
        (pair.stamp, pair.budget) = (way, budget);
        if found.is_empty() {
            pair.is_placed = false;
        }
        if !(found.is_empty() && pair.touches.is_empty()) {
            pair.take(&found);
        }
        self.found = found;
    }

    fn wake_if_hit(&mut self, index: usize, step: f64) {
        let pair = &self.pairs[index];
        if pair.touches.is_empty() {
            return;
        }
        let colliders = pair.colliders.map(|collider| &self.colliders[collider]);
        let ids = colliders.map(|collider| collider.body);
        let bodies = ids.map(|body| &self.bodies[body]);
        // Only what moves wakes: a body at rest has no speed.
        let sleeper = match bodies.map(|body| body.is_awake()) {
            [true, false] => ids[1],
            [false, true] => ids[0],
            _ => return,
        };
        if step == 0.0 || !colliders[0].pushes(colliders[1]) {
            return;
        }
        let closest = pair
            .touches
            .iter()
            .flat_map(|touch| {
                let placed = touch.manifold.at(&bodies[0].pose, &bodies[1].pose);
                placed.distances.into_iter().take(touch.manifold.count)
            })
            .fold(f64::INFINITY, f64::min);
        if closest < 1.5 * step + 1e-5 {
            self.wake(sleeper);
        }
    }

    /// Has everything about a body found again that depends on its pose. `is_placed` lets it overlap where it is.
    pub(crate) fn note_jump(&mut self, body: usize, is_placed: bool) {
        let list = self.bodies[body].colliders.clone();
        for index in list {
            let near: Vec<(usize, usize)> = self.colliders[index].near.clone();
            self.colliders[index].bounds_until = f64::NEG_INFINITY;
            for (_, pair) in near {
                let pair = &mut self.pairs[pair];
                pair.invalidate();
                pair.is_placed |= is_placed;
            }
            if self.colliders[index].is_plane() {
                // Planes are found by the others.
                self.colliders.iter_mut().for_each(|(_, other)| other.bounds_until = f64::NEG_INFINITY);
            }
        }
    }
}
