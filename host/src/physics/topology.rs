//! Decides which joints become multibody joints and which impulse joints.
//!
//! A multibody is a tree: each link has at most one joint above it and there is no way around. A pure function of the
//! specification.

use super::spec::{JointModelling, ModelSpec};

/// How one joint is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modelled {
    Impulse,
    Multibody,
}

/// One decision per joint, in order.
pub(super) fn decide(model: &ModelSpec) -> Vec<Modelled> {
    let in_tree = tree_joints(model);
    let multibody = match model.modelling {
        JointModelling::Impulse => false,
        JointModelling::Multibody => true,
        JointModelling::Auto => longest_chain(model, &in_tree) > 2,
    };
    let decide = |in_tree: &bool| if multibody && *in_tree { Modelled::Multibody } else { Modelled::Impulse };
    in_tree.iter().map(decide).collect()
}

/// Which joints form the forest, taken in document order; the rest close loops.
fn tree_joints(model: &ModelSpec) -> Vec<bool> {
    let mut groups: Vec<usize> = (0..model.links.len()).collect();
    let mut has_parent = vec![false; model.links.len()];
    let mut accept = |parent: Option<usize>, child: usize| {
        // Only the root of a multibody may be other than dynamic.
        if has_parent[child] || model.links[child].kinematic {
            return false;
        }
        if let Some(parent) = parent {
            let (above, below) = (root(&groups, parent), root(&groups, child));
            if above == below {
                return false;
            }
            groups[below] = above;
        }
        has_parent[child] = true;
        true
    };
    model.joints.iter().map(|joint| accept(joint.parent, joint.child)).collect()
}

fn root(groups: &[usize], mut link: usize) -> usize {
    while groups[link] != link {
        link = groups[link];
    }
    link
}

/// The greatest number of moving joints on a way from a root downwards.
fn longest_chain(model: &ModelSpec, in_tree: &[bool]) -> usize {
    let mut above = vec![None; model.links.len()];
    for (joint, _) in model.joints.iter().zip(in_tree).filter(|(_, in_tree)| **in_tree) {
        above[joint.child] = Some((joint.parent, joint.kind.has_position()));
    }
    let depth = |mut link: usize| {
        let mut moving = 0;
        while let Some((parent, moves)) = above[link] {
            moving += usize::from(moves);
            let Some(parent) = parent else { break };
            link = parent;
        }
        moving
    };
    (0..model.links.len()).map(depth).max().unwrap_or(0)
}
