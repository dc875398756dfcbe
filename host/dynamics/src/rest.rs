//! Rest: which bodies sleep, that is, are not simulated until something touches or commands them.
//!
//! A body rests if it was slow for half a second and stayed where it was. Bodies that touch each other or share joints
//! sleep and wake together. Motion that a force maintains adds up over this time; the vibration of a contact does not.

use rapier3d_f64::math::Pose;

use crate::body::{Body, Owner};
use crate::constraint::AxisId;
use crate::world::World;

/// Seconds between two checks of all bodies.
const PERIOD: f64 = 0.1;
/// The time for which a body must rest, seconds.
const TIME: f64 = 0.5;
/// A body whose fastest point is faster does not rest, m/s.
const SLOW: f64 = 0.1;
/// A body that moves further in that time does not rest: metres, and radians at a distance of one metre.
const STILL: f64 = 1e-5;

/// How far a body has moved: metres, and radians at a distance of one metre.
fn distance(from: &Pose, to: &Pose) -> f64 {
    // The vector part of the turn between both is half the angle, for small angles.
    let turn = from.rotation.conjugate() * to.rotation;
    from.translation.distance(to.translation) + 2.0 * turn.xyz().length()
}

impl Body {
    fn has_rested(&self, step: f64) -> bool {
        self.rest.may_sleep && self.rest.time >= TIME.max(4.0 * step)
    }
}

/// Bodies and trees as the nodes of a graph, joined into groups. The root of a group is its smallest node.
pub(crate) struct Nodes {
    parents: Vec<usize>,
    bodies: usize,
}

impl Nodes {
    pub(crate) fn new(world: &World) -> Self {
        let bodies = world.bodies.end();
        Self { parents: (0..bodies + world.trees.end()).collect(), bodies }
    }

    /// The node of a body; `None` if forces do not move it.
    fn node(&self, world: &World, body: usize) -> Option<usize> {
        match world.bodies[body].owner {
            Owner::Caller => None,
            Owner::Forces => Some(body),
            Owner::Tree { tree, .. } => Some(self.bodies + tree),
        }
    }

    pub(crate) fn find(&mut self, world: &World, body: usize) -> Option<usize> {
        self.node(world, body).map(|node| self.root(node))
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    pub(crate) fn join(&mut self, world: &World, bodies: &[usize]) {
        let mut first: Option<usize> = None;
        for &body in bodies {
            let Some(root) = self.find(world, body) else { continue };
            match first {
                None => first = Some(root),
                Some(other) => {
                    let (low, high) = if other < root { (other, root) } else { (root, other) };
                    self.parents[high] = low;
                    first = Some(low);
                }
            }
        }
    }
}

impl World {
    /// Counts how long bodies have rested, and puts groups to sleep whose bodies all have.
    pub(crate) fn rest(&mut self) {
        if !self.settings.sleeping {
            return;
        }
        let step = self.settings.step;
        self.steps_since_check += 1;
        let checks = f64::from(self.steps_since_check) * step >= PERIOD;
        if checks {
            self.steps_since_check = 0;
        }
        let mut any = false;
        for (_, body) in self.bodies.iter_mut().filter(|(_, body)| body.is_dynamic() && body.is_awake()) {
            if body.speed >= SLOW {
                body.restart_rest();
                continue;
            }
            body.rest.time += step;
            if checks && distance(&body.rest.since, &body.pose) > STILL {
                body.restart_rest();
            }
            any |= body.has_rested(step);
        }
        if checks && any {
            self.put_to_sleep();
        }
    }

    fn put_to_sleep(&mut self) {
        let mut nodes = Nodes::new(self);
        for (_, pair) in self.pairs.iter() {
            let bears = pair.touches.iter().any(|touch| touch.normal.iter().any(|&impulse| impulse > 0.0));
            if bears {
                nodes.join(self, &pair.colliders.map(|collider| self.colliders[collider].body));
            }
        }
        for (_, constraint) in self.constraints.iter() {
            nodes.join(self, &constraint.spec.bodies);
        }
        for (_, coupling) in self.couplings.iter() {
            let [one, other] = [coupling.leader, coupling.follower].map(|axis| self.body_of(axis));
            nodes.join(self, &[one, other]);
        }
        let mut is_awake = vec![false; nodes.parents.len()];
        let mut members: Vec<(usize, usize)> = Vec::new();
        let step = self.settings.step;
        for (index, body) in self.bodies.iter() {
            let Some(root) = nodes.find(self, index) else { continue };
            is_awake[root] |= !body.has_rested(step) || self.is_moved_at_root(body);
            if body.is_awake() {
                members.push((root, index));
            }
        }
        members.retain(|(root, _)| !is_awake[*root]);
        members.sort_unstable();
        for group in members.chunk_by(|one, other| one.0 == other.0) {
            self.sleep_group(group.iter().map(|(_, body)| *body).collect());
        }
    }

    /// True if a body belongs to a tree whose root the caller moves.
    fn is_moved_at_root(&self, body: &Body) -> bool {
        let Owner::Tree { tree, .. } = body.owner else { return false };
        self.bodies[self.trees[tree].bodies[0]].target.is_some()
    }

    fn sleep_group(&mut self, members: Vec<usize>) {
        let id = self.asleep.insert(members.clone());
        for index in members {
            let body = &mut self.bodies[index];
            body.rest.asleep = Some(id);
            body.velocity = Default::default();
            body.speed = 0.0;
            if let Owner::Tree { tree, .. } = body.owner {
                let tree = &mut self.trees[tree];
                tree.velocities.fill(0.0);
                tree.move_links();
            }
        }
    }

    /// Wakes a body with all bodies that sleep together with it.
    pub fn wake(&mut self, body: usize) {
        let Some(body) = self.bodies.get_mut(body) else { return };
        body.restart_rest();
        let Some(group) = body.rest.asleep else { return };
        for member in self.asleep.remove(group).unwrap_or_default() {
            if let Some(body) = self.bodies.get_mut(member) {
                body.rest.asleep = None;
                body.restart_rest();
            }
        }
    }

    /// Wakes what touches a body, because it may have rested on it.
    pub fn wake_touching(&mut self, body: usize) {
        let Some(found) = self.bodies.get(body) else { return };
        let near = found.colliders.iter().flat_map(|&collider| &self.colliders[collider].near);
        let touching = near.filter(|(_, pair)| !self.pairs[*pair].touches.is_empty());
        let others: Vec<usize> = touching.map(|(other, _)| self.colliders[*other].body).collect();
        self.wake(body);
        others.into_iter().for_each(|other| self.wake(other));
    }

    /// A body that an axis moves.
    pub(crate) fn body_of(&self, axis: AxisId) -> usize {
        match axis {
            AxisId::Tree { tree, .. } => self.trees[tree].bodies.last().copied().unwrap_or_default(),
            AxisId::Constraint(index) => {
                let bodies = self.constraints[index].spec.bodies;
                if self.bodies[bodies[1]].is_dynamic() { bodies[1] } else { bodies[0] }
            }
        }
    }

    /// Returns true if an axis is simulated in the next step.
    pub(crate) fn is_axis_awake(&self, axis: AxisId) -> bool {
        match axis {
            AxisId::Tree { tree, .. } => self.is_tree_awake(tree),
            AxisId::Constraint(index) => self.constraints[index].is_active(self),
        }
    }

    /// Returns true if there is a tree of this index which is simulated in the next step: its links sleep together.
    pub(crate) fn is_tree_awake(&self, tree: usize) -> bool {
        let last = self.trees.get(tree).and_then(|tree| tree.bodies.last());
        last.is_some_and(|&body| self.bodies[body].is_awake())
    }
}
