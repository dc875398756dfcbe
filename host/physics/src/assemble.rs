//! Decides how a model becomes rigid bodies, trees and constraints. A pure function of the specification.
//!
//! Links that fixed joints hold together are one body. The other joints form trees of bodies, as many as possible, and
//! each of the rest, which close loops, is a constraint. A tree has at most one body that forces do not move: its root.

use super::error::PhysicsError;
use super::parts::{Coupled, Parts};
use super::spec::{JointKind, ModelSpec};

/// The most joints of one tree, because the time of a step grows with up to the third power of their number. Larger ones
/// are cut: some of their joints become constraints.
pub(super) const MAX_JOINTS: usize = 300;

/// How one joint of the parts is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Both of its links are one body, or forces move neither.
    Rigidly,
    /// By the coordinates of a tree.
    InTree,
    /// By a constraint.
    ByConstraint,
}

/// What moves a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moved {
    /// Nothing: it is fixed to the world.
    Never,
    /// The caller.
    ByCaller,
    /// Forces.
    ByForces,
}

/// A rigid body: links, in order. The indices of companions follow those of links, and then comes the world.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) members: Vec<usize>,
    pub(super) moved: Moved,
}

/// A body of a tree below its root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch {
    pub(super) group: usize,
    /// The index of its parent among the bodies of the tree; the root is 0.
    pub(super) parent: usize,
    /// The joint of the parts between the two.
    pub(super) joint: usize,
    /// True if the parent in the tree is the child of the joint.
    pub(super) is_turned: bool,
}

/// A tree of bodies; without branches it is a single body.
#[derive(Debug, Clone)]
pub(super) struct PlannedTree {
    pub(super) root: usize,
    pub(super) branches: Vec<Branch>,
}

/// The bodies and trees of a model.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) groups: Vec<Group>,
    /// The group of each link, of each companion, and of the world.
    pub(super) group_of: Vec<usize>,
    pub(super) trees: Vec<PlannedTree>,
    /// For each joint of the parts.
    pub(super) held: Vec<Held>,
}

/// Sets of nodes that are joined to each other.
struct Sets {
    parents: Vec<usize>,
    /// For the representative of a set, true if forces do not move a node of it.
    is_held: Vec<bool>,
    /// For the representative of a set, the number of its nodes.
    sizes: Vec<usize>,
}

impl Sets {
    fn new(is_held: Vec<bool>) -> Self {
        Self { parents: (0..is_held.len()).collect(), sizes: vec![1; is_held.len()], is_held }
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    /// Joins two sets, unless they are one, or forces move a part of neither.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        if one == other || (self.is_held[one] && self.is_held[other]) {
            return false;
        }
        let (low, high) = (one.min(other), one.max(other));
        self.parents[high] = low;
        self.is_held[low] |= self.is_held[high];
        self.sizes[low] += self.sizes[high];
        true
    }

    /// The number of joints of a tree that joins two sets.
    fn joints_of(&mut self, one: usize, other: usize) -> usize {
        let (one, other) = (self.root(one), self.root(other));
        self.sizes[one] + self.sizes[other] - 1
    }
}

/// Plans the bodies of a checked model that is not static.
///
/// # Errors
/// Returns an error that names the first joint that must be in a tree and cannot, or a tree with too many joints.
pub(super) fn plan(spec: &ModelSpec, parts: &Parts) -> Result<Plan, PhysicsError> {
    let world = spec.links.len() + parts.companions.len();
    let moved: Vec<Moved> = (0..=world).map(|node| moved(spec, node, world)).collect();
    let mut rigid = Sets::new(moved.iter().map(|moved| *moved != Moved::ByForces).collect());
    for joint in parts.joints.iter().filter(|joint| joint.kind == JointKind::Fixed) {
        rigid.join(joint.parent.unwrap_or(world), joint.child);
    }
    let (groups, group_of) = grouped(&mut rigid, &moved, world);
    let mut forest = Sets::new(groups.iter().map(|group| group.moved != Moved::ByForces).collect());
    let mut held = vec![Held::Rigidly; parts.joints.len()];
    let mut order: Vec<usize> = (0..parts.joints.len()).collect();
    order.sort_by_key(|&joint| rank(parts, joint));
    for joint in order {
        let ends = ends_of(parts, joint, &group_of, world);
        let neither_moves = ends.iter().all(|&group| groups[group].moved != Moved::ByForces);
        if ends[0] == ends[1] || neither_moves {
            continue;
        }
        // Only joints that must be in a tree make one too large.
        let fits = rank(parts, joint) == 0 || forest.joints_of(ends[0], ends[1]) <= MAX_JOINTS;
        let is_new = fits && forest.join(ends[0], ends[1]);
        held[joint] = if is_new { Held::InTree } else { Held::ByConstraint };
    }
    let trees = trees(parts, &groups, &group_of, &held);
    let plan = Plan { groups, group_of, trees, held };
    check(spec, parts, &plan)?;
    Ok(plan)
}

/// The bodies of a model that never moves: one for each link, because a plugin may lead a link by itself.
pub(super) fn static_plan(spec: &ModelSpec) -> Plan {
    let links = spec.links.len();
    let group = |node: usize| Group { members: vec![node], moved: Moved::Never };
    Plan {
        groups: (0..=links).map(group).collect(),
        group_of: (0..=links).collect(),
        trees: (0..=links).map(|root| PlannedTree { root, branches: Vec::new() }).collect(),
        held: Vec::new(),
    }
}

fn moved(spec: &ModelSpec, node: usize, world: usize) -> Moved {
    match spec.links.get(node) {
        Some(link) if link.kinematic => Moved::ByCaller,
        Some(_) => Moved::ByForces,
        None if node == world => Moved::Never,
        None => Moved::ByForces,
    }
}

/// Puts joints in the order in which they become part of trees: first those that must, then leaders and followers.
fn rank(parts: &Parts, joint: usize) -> usize {
    match (parts.needs_tree(joint), parts.is_coupled(joint)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

fn ends_of(parts: &Parts, joint: usize, group_of: &[usize], world: usize) -> [usize; 2] {
    let joint = &parts.joints[joint];
    [joint.parent.unwrap_or(world), joint.child].map(|node| group_of[node])
}

/// The groups in the order of their first members.
fn grouped(rigid: &mut Sets, moved: &[Moved], world: usize) -> (Vec<Group>, Vec<usize>) {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = vec![usize::MAX; world + 1];
    for node in 0..=world {
        let root = rigid.root(node);
        if group_of[root] == usize::MAX {
            group_of[root] = groups.len();
            groups.push(Group { members: Vec::new(), moved: Moved::ByForces });
        }
        group_of[node] = group_of[root];
        let group = &mut groups[group_of[node]];
        group.members.push(node);
        if moved[node] != Moved::ByForces {
            group.moved = moved[node];
        }
    }
    (groups, group_of)
}

fn trees(parts: &Parts, groups: &[Group], group_of: &[usize], held: &[Held]) -> Vec<PlannedTree> {
    let world = group_of.len() - 1;
    let edges: Vec<(usize, [usize; 2])> = (0..parts.joints.len())
        .filter(|&joint| held[joint] == Held::InTree)
        .map(|joint| (joint, ends_of(parts, joint, group_of, world)))
        .collect();
    let mut is_placed = vec![false; groups.len()];
    let mut trees = Vec::new();
    // Bodies that forces do not move are roots first.
    let rooted = (0..groups.len()).filter(|&group| groups[group].moved != Moved::ByForces);
    let others = (0..groups.len()).filter(|&group| groups[group].moved == Moved::ByForces);
    for root in rooted.chain(others) {
        if is_placed[root] {
            continue;
        }
        is_placed[root] = true;
        let mut placed = vec![root];
        let mut branches = Vec::new();
        let mut next = 0;
        while let Some(&group) = placed.get(next) {
            for &(joint, [parent, child]) in &edges {
                let is_turned = child == group;
                let other = if is_turned { parent } else { child };
                if (parent != group && child != group) || is_placed[other] {
                    continue;
                }
                is_placed[other] = true;
                placed.push(other);
                branches.push(Branch { group: other, parent: next, joint, is_turned });
            }
            next += 1;
        }
        trees.push(PlannedTree { root, branches });
    }
    trees
}

/// Refuses joints that must be in a tree but cannot be, and trees that are too large.
fn check(spec: &ModelSpec, parts: &Parts, plan: &Plan) -> Result<(), PhysicsError> {
    let is_free = |joint: usize| plan.held[joint] != Held::InTree;
    for (index, joint) in parts.joints.iter().enumerate() {
        if matches!(joint.kind, JointKind::Screw { .. }) && is_free(index) {
            return Err(refusal(spec, parts, index, &joint.name, joint.kind));
        }
    }
    for coupling in &parts.couplings {
        let Coupled::Gears { joint } = coupling.why else { continue };
        if let Some(free) = [coupling.leader, coupling.follower].into_iter().find(|&hinge| is_free(hinge)) {
            let gears = &spec.joints[joint];
            return Err(refusal(spec, parts, free, &gears.name, gears.kind));
        }
    }
    let most = plan.trees.iter().map(|tree| tree.branches.len()).max().unwrap_or(0);
    if most > MAX_JOINTS {
        let model = spec.name.clone();
        return Err(PhysicsError::TooManyJoints { model, joints: most, limit: MAX_JOINTS });
    }
    Ok(())
}

/// The error for a joint, caused by itself or by a hinge of its gears.
fn refusal(spec: &ModelSpec, parts: &Parts, stray: usize, joint: &str, kind: JointKind) -> PhysicsError {
    let is_kinematic = |link: usize| spec.links.get(link).is_some_and(|link| link.kinematic);
    let stray = &parts.joints[stray];
    let problem = if is_kinematic(stray.child) && stray.parent.is_none_or(is_kinematic) {
        "moves a kinematic link"
    } else {
        "closes a loop of joints that only such joints form"
    };
    PhysicsError::UnsupportedJoint {
        model: spec.name.clone(),
        joint: joint.to_owned(),
        kind: kind.name(),
        problem,
    }
}
