//! Decides which joints become multibody joints and which impulse joints.
//!
//! A multibody is a tree: each link has at most one joint above it, and there are no loops. A pure function
//! of the specification.

use super::error::PhysicsError;
use super::parts::{Coupled, Parts};
use super::spec::{JointKind, JointModelling, JointSpec, ModelSpec};

/// How one joint is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JointModel {
    Impulse,
    Multibody,
    /// A multibody joint from the child to the parent, because the child has a joint above it already.
    Turned,
}

impl JointModel {
    pub(super) fn is_multibody(self) -> bool {
        match self {
            Self::Multibody | Self::Turned => true,
            Self::Impulse => false,
        }
    }
}

/// One decision per joint of the parts, in order.
pub(super) fn decide(model: &ModelSpec, parts: &Parts) -> Vec<JointModel> {
    let in_tree = tree_joints(model, parts);
    let is_in_tree: Vec<bool> = in_tree.iter().map(|modelled| modelled.is_multibody()).collect();
    let any_special =
        (0..parts.joints.len()).any(|joint| parts.needs_multibody(joint) || parts.is_coupled(joint));
    let multibody = match model.modelling {
        JointModelling::Impulse => false,
        JointModelling::Multibody => true,
        JointModelling::Auto => {
            let has_chain = longest_chain(model, parts, &is_in_tree) > 1;
            any_special || (has_chain && largest_multibody(model, parts, &in_tree) <= MOST_IN_AUTO)
        }
    };
    let decide = |(joint, in_tree): (usize, JointModel)| {
        let wanted = multibody || parts.needs_multibody(joint);
        if wanted { in_tree } else { JointModel::Impulse }
    };
    in_tree.into_iter().enumerate().map(decide).collect()
}

/// Returns true if the joints depend on each other: they form a chain or a loop, or a multibody.
pub(super) fn has_chain(model: &ModelSpec, parts: &Parts, decided: &[JointModel]) -> bool {
    let is_in_tree: Vec<bool> = tree_joints(model, parts).iter().map(|joint| joint.is_multibody()).collect();
    decided.iter().any(|joint| joint.is_multibody())
        || is_in_tree.contains(&false)
        || longest_chain(model, parts, &is_in_tree) > 1
}

/// The greatest number of joints for which a chain becomes a multibody by itself. A step of a multibody takes as long as one
/// of impulse joints at 5 joints, 2.6 times as long at 15, 6 times at 30 and 18 times at 60.
const MOST_IN_AUTO: usize = 32;

/// The greatest number of joints in one multibody. The time of a step grows with more than its square: 300 joints take
/// about a second.
pub(super) const MAX_JOINTS: usize = 300;

/// Refuses a multibody of more than [`MAX_JOINTS`] joints.
///
/// # Errors
/// Returns an error that names the model.
pub(super) fn check_size(
    model: &ModelSpec,
    parts: &Parts,
    decided: &[JointModel],
) -> Result<(), PhysicsError> {
    let joints = largest_multibody(model, parts, decided);
    if model.is_static || joints <= MAX_JOINTS {
        return Ok(());
    }
    Err(PhysicsError::TooManyJoints { model: model.name.clone(), joints, limit: MAX_JOINTS })
}

/// Returns the number of joints of the multibody with the most joints.
fn largest_multibody(model: &ModelSpec, parts: &Parts, decided: &[JointModel]) -> usize {
    let links = model.links.len() + parts.companions.len();
    let mut groups: Vec<usize> = (0..links).collect();
    let is_joined = |(joint, decided): (_, &JointModel)| decided.is_multibody().then_some(joint);
    let joined: Vec<&JointSpec> = parts.joints.iter().zip(decided).filter_map(is_joined).collect();
    for joint in &joined {
        if let Some(parent) = joint.parent {
            let (above, below) = (root(&mut groups, parent), root(&mut groups, joint.child));
            groups[below] = above;
        }
    }
    let mut sizes = vec![0; links];
    for joint in joined {
        sizes[root(&mut groups, joint.child)] += 1;
    }
    sizes.into_iter().max().unwrap_or(0)
}

/// Refuses joints that must be part of a multibody but cannot be.
///
/// # Errors
/// Returns an error that names the first thread or gearbox in a loop or between links that are moved from
/// outside.
pub(super) fn check(model: &ModelSpec, parts: &Parts, decided: &[JointModel]) -> Result<(), PhysicsError> {
    let is_free = |joint: usize| !decided.get(joint).is_some_and(|modelled| modelled.is_multibody());
    for (index, joint) in parts.joints.iter().enumerate() {
        if matches!(joint.kind, JointKind::Screw { .. }) && is_free(index) {
            return Err(refusal(model, joint, joint));
        }
    }
    for coupling in &parts.couplings {
        let Coupled::Gears { joint } = coupling.why else { continue };
        if let Some(free) = [coupling.leader, coupling.follower].into_iter().find(|&hinge| is_free(hinge)) {
            return Err(refusal(model, &model.joints[joint], &parts.joints[free]));
        }
    }
    Ok(())
}

/// The error for a joint, caused by itself or by a hinge of its gears.
fn refusal(model: &ModelSpec, joint: &JointSpec, stray: &JointSpec) -> PhysicsError {
    let is_kinematic = |link: usize| is_kinematic(model, link);
    let problem = if is_kinematic(stray.child) && stray.parent.is_none_or(is_kinematic) {
        "moves a kinematic link"
    } else {
        "closes a loop of joints that only such joints form"
    };
    let (model, name) = (model.name.clone(), joint.name.clone());
    PhysicsError::UnsupportedJoint { model, joint: name, kind: joint.kind.name(), problem }
}

/// Returns true if a link is moved from outside; companions are not.
fn is_kinematic(model: &ModelSpec, link: usize) -> bool {
    model.links.get(link).is_some_and(|link| link.kinematic)
}

/// Decides which joints form the forest: first those that must, then leaders and followers, then the others,
/// each in document order. The rest close loops. Joints of the first two groups may be turned around to fit.
fn tree_joints(model: &ModelSpec, parts: &Parts) -> Vec<JointModel> {
    let links = model.links.len() + parts.companions.len();
    let mut groups: Vec<usize> = (0..links).collect();
    let mut has_parent = vec![false; links];
    let mut accept = |parent: Option<usize>, child: usize| {
        // Only the root of a multibody may be non-dynamic.
        if has_parent[child] || is_kinematic(model, child) {
            return false;
        }
        if let Some(parent) = parent {
            let (above, below) = (root(&mut groups, parent), root(&mut groups, child));
            if above == below {
                return false;
            }
            groups[below] = above;
        }
        has_parent[child] = true;
        true
    };
    let rank = |joint: usize| match (parts.needs_multibody(joint), parts.is_coupled(joint)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    let mut order: Vec<usize> = (0..parts.joints.len()).collect();
    order.sort_by_key(|&joint| rank(joint));
    let mut in_tree = vec![JointModel::Impulse; parts.joints.len()];
    for index in order {
        let joint = &parts.joints[index];
        let may_turn = rank(index) < 2;
        if accept(joint.parent, joint.child) {
            in_tree[index] = JointModel::Multibody;
        } else if joint.parent.is_some_and(|parent| may_turn && accept(Some(joint.child), parent)) {
            in_tree[index] = JointModel::Turned;
        }
    }
    in_tree
}

/// Returns the representative of the group of a link, and shortens the path to it.
fn root(groups: &mut [usize], mut link: usize) -> usize {
    while groups[link] != link {
        groups[link] = groups[groups[link]];
        link = groups[link];
    }
    link
}

/// The greatest number of joints on a path from a root downwards that can move a link, or that hold the root at the world:
/// with impulse joints, a light base between the world and a heavy link lets that link tilt.
fn longest_chain(model: &ModelSpec, parts: &Parts, in_tree: &[bool]) -> usize {
    let links = model.links.len() + parts.companions.len();
    let mut above = vec![None; links];
    for (joint, _) in parts.joints.iter().zip(in_tree).filter(|(_, in_tree)| **in_tree) {
        above[joint.child] = Some((joint.parent, joint.kind.has_position()));
    }
    let depth = |mut link: usize| {
        let mut moving = 0;
        while let Some((parent, moves)) = above[link] {
            moving += usize::from(moves || parent.is_none());
            let Some(parent) = parent else { break };
            link = parent;
        }
        moving
    };
    (0..links).map(depth).max().unwrap_or(0)
}
