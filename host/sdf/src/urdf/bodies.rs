//! Which links become bodies.
//!
//! A link with mass becomes one. A link without mass cannot be simulated: if a fixed joint connects it to a body, it
//! becomes a frame of that body, with its shapes and sensors on the body. libsdformat does this to every link on a
//! fixed joint ("lumping") and drops massless links that move; here fixed joints and all links stay.

use crate::urdf::robot::{Inertial, JointKind, Robot};
use crate::urdf::tree::Tree;

/// The body or frame that each link and joint becomes.
pub(crate) struct Bodies {
    /// The link whose body a link belongs to: itself, or the one it is a frame of.
    body: Vec<usize>,
    /// Links that were given a mass.
    invented: Vec<bool>,
    /// Mass and moments of each link that is a body.
    inertials: Vec<Option<Inertial>>,
}

impl Bodies {
    /// Decides for each link.
    pub(crate) fn new(robot: &Robot<'_>, tree: &Tree) -> Self {
        let mut inertials: Vec<_> = robot.links.iter().map(|link| link.inertial).collect();
        let group = rigid_groups(robot, tree);
        // The first link with mass of each group, in the order of the tree.
        let mut heaviest: Vec<Option<usize>> = vec![None; robot.links.len()];
        for link in tree.order.iter().copied().filter(|link| inertials[*link].is_some()) {
            heaviest[group[link]].get_or_insert(link);
        }
        let mut invented = vec![false; robot.links.len()];
        for link in tree.order.iter().copied().filter(|link| group[*link] == *link && !tree.is_world(*link)) {
            if heaviest[link].is_none() {
                heaviest[link] = Some(link);
                inertials[link] = Some(Inertial::small());
                invented[link] = true;
            }
        }
        let body = bodies(tree, &group, &heaviest, &inertials);
        Self { body, invented, inertials }
    }

    /// The link whose body a link belongs to.
    pub(crate) fn of(&self, link: usize) -> usize {
        self.body[link]
    }

    /// Returns true if a link is only a frame of another one.
    pub(crate) fn is_folded(&self, link: usize) -> bool {
        self.body[link] != link
    }

    /// Returns true if a link was given a mass.
    pub(crate) fn is_invented(&self, link: usize) -> bool {
        self.invented[link]
    }

    /// Mass and moments of a body.
    pub(crate) fn inertial(&self, link: usize) -> Option<Inertial> {
        self.inertials[link]
    }

    /// For each link the links that belong to its body, in the order of the file.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.body.len()];
        for (link, body) in self.body.iter().enumerate() {
            members[*body].push(link);
        }
        members
    }
}

/// For each link the topmost link that is reached by fixed joints, excluding the world.
fn rigid_groups(robot: &Robot<'_>, tree: &Tree) -> Vec<usize> {
    let mut group: Vec<usize> = (0..robot.links.len()).collect();
    for link in &tree.order {
        let Some(joint) = tree.joint_above[*link] else { continue };
        let parent = tree.ends[joint].0;
        if robot.joints[joint].kind == JointKind::Fixed && !tree.is_world(parent) {
            group[*link] = group[parent];
        }
    }
    group
}

/// A link with mass is a body. Another one belongs to the body of its parent, or to the first body below.
fn bodies(
    tree: &Tree,
    group: &[usize],
    heaviest: &[Option<usize>],
    inertials: &[Option<Inertial>],
) -> Vec<usize> {
    let mut body: Vec<usize> = (0..group.len()).collect();
    for link in tree.order.iter().copied() {
        if inertials[link].is_some() || tree.is_world(link) {
            continue;
        }
        let above =
            tree.parent(link).filter(|parent| group[*parent] == group[link]).map(|parent| body[parent]);
        body[link] = above.or(heaviest[group[link]]).unwrap_or(link);
    }
    body
}
