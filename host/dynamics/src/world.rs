//! The world: bodies, trees, colliders and constraints, by index; adding, removing, placing and reading them.

use std::collections::BTreeSet;

use glam::DVec3;
use rapier3d_f64::math::Pose;
use rapier3d_f64::parry::shape::SharedShape;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Owner};
use crate::collide::Broad;
use crate::collider::{Collider, ColliderSpec, Surface};
use crate::constraint::{AxisId, Constraint, ConstraintSpec, Coupling};
use crate::narrow::Manifold;
use crate::pair::Pair;
use crate::slots::Slots;
use crate::solver::Solver;
use crate::tree::{Mass, Tree, TreeSpec};

/// The settings of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The length of a step, seconds.
    pub step: f64,
    /// m/s².
    pub gravity: DVec3,
    /// The speed at which bodies that were placed in each other are pushed apart, m/s.
    pub overlap_speed: f64,
    /// True if bodies at rest are not simulated until something touches or commands them.
    pub sleeping: bool,
}

/// A world of rigid bodies. Everything has an index, which is given again once it was removed.
#[derive(Clone, Serialize, Deserialize)]
pub struct World {
    pub(crate) settings: Settings,
    pub(crate) bodies: Slots<Body>,
    pub(crate) trees: Slots<Tree>,
    pub(crate) colliders: Slots<Collider>,
    pub(crate) constraints: Slots<Constraint>,
    pub(crate) couplings: Slots<Coupling>,
    pub(crate) pairs: Slots<Pair>,
    /// The colliders that are planes, in order.
    pub(crate) planes: Vec<usize>,
    /// Parts that do not touch each other, the smaller one first.
    pub(crate) apart: BTreeSet<[u32; 2]>,
    /// The bodies of each group that sleeps.
    pub(crate) asleep: Slots<Vec<usize>>,
    pub(crate) steps_since_check: u32,
    /// Counts changes of what constraints connect.
    pub(crate) structure: u64,
    #[serde(skip)]
    pub(crate) broad: Broad,
    #[serde(skip)]
    pub(crate) found: Vec<Manifold>,
    #[serde(skip)]
    pub(crate) solver: Solver,
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl World {
    /// Creates an empty world.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            bodies: Slots::default(),
            trees: Slots::default(),
            colliders: Slots::default(),
            constraints: Slots::default(),
            couplings: Slots::default(),
            pairs: Slots::default(),
            planes: Vec::new(),
            apart: BTreeSet::new(),
            asleep: Slots::default(),
            steps_since_check: 0,
            structure: 0,
            broad: Broad::default(),
            found: Vec::new(),
            solver: Solver::default(),
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adds a body that forces do not move.
    pub fn add_fixed(&mut self, pose: Pose) -> usize {
        self.bodies.insert(Body::new(Owner::Caller, pose, Mass::default(), false))
    }

    /// Adds a single body that forces move. Its frame is at its centre of mass along its principal axes.
    pub fn add_free(&mut self, pose: Pose, mass: Mass, may_sleep: bool) -> usize {
        self.bodies.insert(Body::new(Owner::Forces, pose, mass, may_sleep))
    }

    /// Adds a tree. Returns its index; [`Self::bodies_of`] are its links.
    pub fn add_tree(&mut self, spec: &TreeSpec, may_sleep: bool) -> usize {
        let tree = self.trees.insert(Tree::new(spec));
        let masses = spec.links.iter().map(|link| link.mass);
        let root = (spec.root, spec.mass.unwrap_or_default());
        let links = std::iter::once(root).chain(spec.links.iter().map(|link| link.pose).zip(masses));
        let bodies = links.enumerate().map(|(link, (pose, mass))| {
            let is_held = link == 0 && spec.mass.is_none();
            let owner = if is_held { Owner::Caller } else { Owner::Tree { tree, link } };
            self.bodies.insert(Body::new(owner, pose, mass, may_sleep))
        });
        let bodies = bodies.collect();
        self.trees[tree].bodies = bodies;
        self.structure += 1;
        tree
    }

    /// The bodies of a tree's links, the root first.
    #[must_use]
    pub fn bodies_of(&self, tree: usize) -> &[usize] {
        &self.trees[tree].bodies
    }

    /// The first degree of freedom of a link of a tree.
    #[must_use]
    pub fn freedom_of(&self, tree: usize, link: usize) -> usize {
        self.trees[tree].skeleton.first_freedom(link)
    }

    /// Removes a body that is no link of a tree, with its colliders and constraints. What touched it wakes.
    pub fn remove_body(&mut self, index: usize) {
        self.wake_touching(index);
        let Some(body) = self.bodies.get(index) else { return };
        for collider in body.colliders.clone() {
            self.remove_collider(collider);
        }
        let held = self.constraints.iter().filter(|(_, one)| one.spec.bodies.contains(&index));
        let held: Vec<usize> = held.map(|(constraint, _)| constraint).collect();
        held.into_iter().for_each(|constraint| self.remove_constraint(constraint));
        self.bodies.remove(index);
    }

    /// Removes a tree with its bodies.
    pub fn remove_tree(&mut self, tree: usize) {
        let Some(found) = self.trees.get(tree) else { return };
        for body in found.bodies.clone() {
            self.remove_body(body);
        }
        let coupled = self.couplings.iter().filter(|(_, one)| {
            let of = |axis: AxisId| matches!(axis, AxisId::Tree { tree: other, .. } if other == tree);
            of(one.leader) || of(one.follower)
        });
        let coupled: Vec<usize> = coupled.map(|(index, _)| index).collect();
        for index in coupled {
            self.couplings.remove(index);
        }
        self.trees.remove(tree);
        self.structure += 1;
    }

    /// Adds a collider to a body.
    pub fn add_collider(&mut self, spec: ColliderSpec) -> usize {
        let (body, collider) = (spec.body, Collider::new(spec));
        let (reach, is_plane) = (collider.reach(), collider.is_plane());
        let index = self.colliders.insert(collider);
        let body = &mut self.bodies[body];
        body.colliders.push(index);
        if is_plane {
            self.planes.push(index);
            self.colliders.iter_mut().for_each(|(_, other)| other.bounds_until = f64::NEG_INFINITY);
        } else {
            body.radius = body.radius.max(reach);
        }
        index
    }

    fn remove_collider(&mut self, index: usize) {
        let Some(collider) = self.colliders.remove(index) else { return };
        for (other, pair) in collider.near {
            self.pairs.remove(pair);
            self.colliders[other].near.retain(|entry| entry.0 != index);
        }
        self.planes.retain(|plane| *plane != index);
        self.broad.remove(index);
    }

    /// The surface of a collider.
    #[must_use]
    pub fn surface(&self, collider: usize) -> &Surface {
        &self.colliders[collider].surface
    }

    /// The shape of a collider.
    #[must_use]
    pub fn shape(&self, collider: usize) -> &SharedShape {
        &self.colliders[collider].shape
    }

    /// The pose of a collider in the world.
    #[must_use]
    pub fn shape_pose(&self, collider: usize) -> Pose {
        let collider = &self.colliders[collider];
        self.bodies[collider.body].pose * collider.pose
    }

    /// True if forces move the body of a collider, and it may touch another one.
    #[must_use]
    pub fn may_touch(&self, collider: usize, other: usize) -> bool {
        let (one, other) = (&self.colliders[collider], &self.colliders[other]);
        self.bodies[one.body].is_dynamic() && one.touches(other)
    }

    /// Changes the surface of a collider from the next step on.
    pub fn set_surface(&mut self, collider: usize, surface: Surface) {
        self.colliders[collider].surface = surface;
    }

    /// Sets two parts apart: their colliders do not touch each other.
    pub fn set_apart(&mut self, one: u32, other: u32) {
        if self.apart.insert([one.min(other), one.max(other)]) {
            self.find_pairs_of(&[one, other]);
        }
    }

    /// Has the pairs of the colliders of some parts found again.
    fn find_pairs_of(&mut self, parts: &[u32]) {
        let list = self.colliders.iter().filter(|(_, collider)| parts.contains(&collider.part));
        for index in list.map(|(index, _)| index).collect::<Vec<_>>() {
            self.colliders[index].bounds_until = f64::NEG_INFINITY;
            for (other, pair) in std::mem::take(&mut self.colliders[index].near) {
                self.pairs.remove(pair);
                self.colliders[other].near.retain(|entry| entry.0 != index);
            }
            if self.colliders[index].is_plane() {
                self.colliders.iter_mut().for_each(|(_, other)| other.bounds_until = f64::NEG_INFINITY);
            }
        }
    }

    /// Lets two parts touch again.
    pub fn unset_apart(&mut self, one: u32, other: u32) {
        self.apart.remove(&[one.min(other), one.max(other)]);
        self.find_pairs_of(&[one, other]);
    }

    /// Forgets what was set apart from a part.
    pub fn forget_part(&mut self, part: u32) {
        self.apart.retain(|pair| !pair.contains(&part));
    }

    /// Adds a joint between two bodies.
    pub fn add_constraint(&mut self, spec: ConstraintSpec) -> usize {
        self.structure += 1;
        spec.bodies.into_iter().for_each(|body| self.wake(body));
        self.constraints.insert(Constraint::new(spec))
    }

    /// Removes a joint between two bodies, which wakes both.
    pub fn remove_constraint(&mut self, index: usize) {
        let Some(constraint) = self.constraints.remove(index) else { return };
        self.structure += 1;
        constraint.spec.bodies.into_iter().for_each(|body| self.wake(body));
        let axis = AxisId::Constraint(index);
        let coupled = self.couplings.iter();
        let coupled = coupled.filter(|(_, one)| [one.leader, one.follower].contains(&axis));
        let coupled: Vec<usize> = coupled.map(|(index, _)| index).collect();
        for index in coupled {
            self.couplings.remove(index);
        }
    }

    /// Couples two axes.
    pub fn add_coupling(&mut self, coupling: Coupling) -> usize {
        self.structure += 1;
        self.couplings.insert(coupling)
    }

    /// Changes the offset of a coupling.
    pub fn set_coupling_offset(&mut self, index: usize, offset: f64) {
        self.couplings[index].offset = offset;
    }
}
