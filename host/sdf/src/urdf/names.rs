//! The names that links, joints, collisions and visuals have in SDF.
//! There, links and joints share one set of names, `::` separates scopes, and a few names are reserved.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::scope::{self, Scope};
use crate::urdf::robot::Robot;
use crate::urdf::tree::Tree;

/// Names by the indices of links and joints.
pub(crate) struct Names {
    pub(crate) model: String,
    pub(crate) links: Vec<String>,
    pub(crate) joints: Vec<String>,
}

impl Names {
    /// Chooses a name for everything, with a finding if it differs from the URDF.
    pub(crate) fn new(robot: &Robot<'_>, tree: &Tree, findings: &mut Vec<Diagnostic>) -> Self {
        // Names of links and joints take precedence over invented ones.
        let all =
            robot.links.iter().map(|link| &link.name).chain(robot.joints.iter().map(|joint| &joint.name));
        let mut scope = Scope::wanting(all.cloned());
        let mut take = |name: &str, kind: &str, at: Element<'_>| {
            let given = scope.take(name, kind);
            if given != name {
                let found = format!("{kind} `{name}`");
                let finding =
                    Diagnostic::new(Severity::Warning, Code::UrdfNameChanged, Some(at.location()), found);
                findings.push(finding.expected(format!("a name that SDF allows there; it is now `{given}`")));
            }
            given
        };
        let model = scope::allowed(&robot.name, "model");
        let mut links = Vec::new();
        for (index, link) in robot.links.iter().enumerate() {
            let name =
                if tree.is_world(index) { link.name.clone() } else { take(&link.name, "link", link.at) };
            links.push(name);
        }
        let joints = robot.joints.iter().map(|joint| take(&joint.name, "joint", joint.at)).collect();
        Self { model, links, joints }
    }

    /// The frame that a joint's pose is given in.
    pub(crate) fn frame(&self, link: usize, tree: &Tree) -> &str {
        if tree.is_world(link) { "__model__" } else { &self.links[link] }
    }
}
