//! Links and joints as the tree that a URDF has to be.

use crate::diagnostic::Code;
use crate::document::Element;
use crate::scope::WORLD;
use crate::urdf::refusal::{Refusal, refuse};
use crate::urdf::robot::{Joint, Robot};
use std::collections::BTreeMap;

/// The tree of links; indices into the links and joints of the robot.
pub(crate) struct Tree {
    /// The link that is not the child of a joint.
    pub(crate) root: usize,
    /// Parent and child of each joint.
    pub(crate) ends: Vec<(usize, usize)>,
    /// The joint of which a link is the child; `None` for the root only.
    pub(crate) joint_above: Vec<Option<usize>>,
    /// All links, each after its parent.
    pub(crate) order: Vec<usize>,
    /// True if the root is the world, and not a body.
    pub(crate) is_on_world: bool,
    joints: BTreeMap<String, usize>,
}

impl Tree {
    /// Returns a refusal if links and joints are not one tree.
    pub(crate) fn new(robot: &Robot<'_>) -> Result<Self, Refusal> {
        let links = index(robot.links.iter().map(|link| (link.name.as_str(), link.at)), "link")?;
        let joints = index(robot.joints.iter().map(|joint| (joint.name.as_str(), joint.at)), "joint")?;
        let joints = joints.into_iter().map(|(name, joint)| (name.to_owned(), joint)).collect();
        let ends = robot.joints.iter().map(|joint| ends(joint, &links)).collect::<Result<Vec<_>, _>>()?;
        let joint_above = joints_above(robot, &ends)?;
        let root = root(robot, &joint_above)?;
        let order = order(robot, root, &ends)?;
        let is_on_world = robot.links.get(root).is_some_and(|link| link.name == WORLD);
        if is_on_world && robot.links.len() == 1 {
            let found = "no link but `world`";
            return Err(refuse(Code::UrdfNoLink, robot.at.location(), found, "a link with a body"));
        }
        Ok(Self { root, ends, joint_above, order, is_on_world, joints })
    }

    /// The parent link.
    pub(crate) fn parent(&self, link: usize) -> Option<usize> {
        self.joint_above[link].map(|joint| self.ends[joint].0)
    }

    /// The joint with a name.
    pub(crate) fn joint_named(&self, name: &str) -> Option<usize> {
        self.joints.get(name).copied()
    }

    /// Returns true if a link is the world.
    pub(crate) fn is_world(&self, link: usize) -> bool {
        self.is_on_world && link == self.root
    }
}

type Index<'r> = BTreeMap<&'r str, usize>;

fn index<'r>(named: impl Iterator<Item = (&'r str, Element<'r>)>, kind: &str) -> Result<Index<'r>, Refusal> {
    let mut index = Index::new();
    for (position, (name, at)) in named.enumerate() {
        if index.insert(name, position).is_some() {
            let found = format!("a second {kind} `{name}`");
            return Err(refuse(Code::DuplicateName, at.location(), found, "names of their own"));
        }
    }
    Ok(index)
}

fn ends(joint: &Joint<'_>, links: &Index<'_>) -> Result<(usize, usize), Refusal> {
    let find = |side: &str, name: &str| {
        links.get(name).copied().ok_or_else(|| {
            let found = format!("joint `{}` with {side} `{name}`, which does not exist", joint.name);
            refuse(Code::UrdfLinkUnknown, joint.at.location(), found, "the name of a link")
        })
    };
    Ok((find("parent", joint.parent)?, find("child", joint.child)?))
}

fn joints_above(robot: &Robot<'_>, ends: &[(usize, usize)]) -> Result<Vec<Option<usize>>, Refusal> {
    let mut above: Vec<Option<usize>> = vec![None; robot.links.len()];
    for (joint, (_, child)) in ends.iter().enumerate() {
        if let Some(first) = above[*child].replace(joint) {
            let (first, second) = (&robot.joints[first], &robot.joints[joint]);
            let found =
                format!("link `{}` is the child of `{}` and of `{}`", second.child, first.name, second.name);
            return Err(refuse(Code::UrdfTwoParents, second.at.location(), found, "one parent"));
        }
    }
    Ok(above)
}

fn root(robot: &Robot<'_>, above: &[Option<usize>]) -> Result<usize, Refusal> {
    let mut roots = above.iter().enumerate().filter(|(_, joint)| joint.is_none()).map(|(link, _)| link);
    match (roots.next(), roots.next()) {
        (Some(root), None) => Ok(root),
        (Some(first), Some(second)) => {
            let (first, second) = (&robot.links[first], &robot.links[second]);
            let found = format!("`{}` and `{}` are both the child of no joint", first.name, second.name);
            Err(refuse(Code::UrdfSeveralRoots, second.at.location(), found, "one root"))
        }
        (None, _) if robot.links.is_empty() => {
            let found = "a robot without links";
            Err(refuse(Code::UrdfNoLink, robot.at.location(), found, "at least one link"))
        }
        (None, _) => {
            let found = "every link is the child of a joint";
            Err(refuse(Code::UrdfCycle, robot.at.location(), found, "one root"))
        }
    }
}

/// Every link after its parent; without recursion, because chains may be long.
fn order(robot: &Robot<'_>, root: usize, ends: &[(usize, usize)]) -> Result<Vec<usize>, Refusal> {
    let mut children = vec![Vec::new(); robot.links.len()];
    for (parent, child) in ends {
        children[*parent].push(*child);
    }
    let mut order = vec![root];
    let mut next = 0;
    while let Some(link) = order.get(next) {
        order.extend(&children[*link]);
        next += 1;
    }
    if order.len() == robot.links.len() {
        return Ok(order);
    }
    // Each link has at most one parent, so unreached links are part of a cycle or below one.
    let mut reached = vec![false; robot.links.len()];
    for link in order {
        reached[link] = true;
    }
    let lost = robot.links.iter().zip(reached).find(|(_, reached)| !reached).map(|(link, _)| link);
    let at = lost.map_or(robot.at, |link| link.at);
    let found = format!("link `{}` is attached to itself", lost.map_or("", |link| &link.name));
    Err(refuse(Code::UrdfCycle, at.location(), found, "a path to the root"))
}
