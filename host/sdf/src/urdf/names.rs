//! The names that links, joints, collisions and visuals have in SDF.
//! There, links and joints share one set of names, `::` separates scopes, and a few names are reserved.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::urdf::robot::Robot;
use crate::urdf::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// Names by the indices of links and joints.
pub(crate) struct Names {
    pub(crate) model: String,
    pub(crate) links: Vec<String>,
    pub(crate) joints: Vec<String>,
}

impl Names {
    /// Chooses a name for everything, with a finding if it differs from the URDF.
    pub(crate) fn new(robot: &Robot<'_>, tree: &Tree, findings: &mut Vec<Diagnostic>) -> Self {
        let mut scope = Scope::default();
        // Names of links and joints take precedence over invented ones.
        let all =
            robot.links.iter().map(|link| &link.name).chain(robot.joints.iter().map(|joint| &joint.name));
        scope.wanted = all.cloned().collect();
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
        let model = allowed(&robot.name, "model");
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

/// A scope in which each name is used once.
#[derive(Default)]
pub(crate) struct Scope {
    given: BTreeSet<String>,
    /// Names that will be needed.
    wanted: BTreeSet<String>,
    /// The next number to try for a name.
    counts: BTreeMap<String, usize>,
}

impl Scope {
    /// The name itself, or with `_kind`, or with a number.
    pub(crate) fn take(&mut self, name: &str, kind: &str) -> String {
        let name = allowed(name, kind);
        if self.given.insert(name.clone()) {
            return name;
        }
        let with_kind = if name.ends_with(kind) { name } else { format!("{name}_{kind}") };
        if self.is_free(&with_kind) {
            self.given.insert(with_kind.clone());
            return with_kind;
        }
        loop {
            let count = self.counts.entry(with_kind.clone()).or_insert(0);
            *count += 1;
            let numbered = format!("{with_kind}_{count}");
            if self.is_free(&numbered) {
                self.given.insert(numbered.clone());
                return numbered;
            }
        }
    }

    fn is_free(&self, name: &str) -> bool {
        !self.given.contains(name) && !self.wanted.contains(name)
    }
}

/// A name without what SDF reserves: `::`, `world`, and everything between double underscores.
fn allowed(name: &str, kind: &str) -> String {
    let name = name.replace("::", "__");
    let is_reserved = name == crate::urdf::tree::WORLD
        || (name.len() >= 4 && name.starts_with("__") && name.ends_with("__"));
    if is_reserved { format!("{name}_{kind}") } else { name }
}
