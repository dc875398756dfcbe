//! Joints, and frames for joints of URDF that connect nothing in SDF.

use super::Writer;
use crate::diagnostic::{Code, Severity};
use crate::document::Element;
use crate::number::{number, numbers};
use crate::scope::WORLD;
use crate::urdf::robot::{Joint, JointExtension, JointKind, Limit, Robot, Settings};
use crate::urdf::tree::Tree;

impl Writer<'_, '_> {
    pub(super) fn joints(&mut self) {
        for (index, joint) in self.robot.joints.iter().enumerate() {
            match joint.kind.sdf() {
                Some(_) if self.is_folded(index) => self.frame(index, joint),
                Some(kind) => self.joint(index, joint, kind),
                None => {
                    self.free(index, joint);
                    self.frame(index, joint);
                }
            }
        }
    }

    /// Returns true if both sides of a joint are the same body.
    fn is_folded(&self, joint: usize) -> bool {
        let (parent, child) = self.tree.ends[joint];
        self.bodies.of(parent) == self.bodies.of(child)
    }

    /// The frame of a joint that is not a joint in SDF; its child and its children are relative to it.
    fn frame(&mut self, index: usize, joint: &Joint<'_>) {
        let (parent, child) = self.tree.ends[index];
        let body = self.names.links[self.bodies.of(child)].clone();
        let stands_in = self.names.frame(parent, self.tree).to_owned();
        let name = self.names.joints[index].clone();
        self.out.open("frame", &[("name", &name), ("attached_to", &body)]);
        self.pose(Some(&stands_in), &joint.origin);
        self.out.close("frame");
        if let Some(mimic) = joint.mimic {
            self.mimic_lost(mimic.at, format!("mimic of `{}`, which has no axis", joint.name));
        }
        if let Some(at) = joint.extension.at {
            let found = format!("`<{}>` for joint `{name}`, which is a frame of `{body}`", at.name());
            self.find(
                Severity::Warning,
                Code::UrdfExtensionLost,
                at,
                found,
                "a joint between two bodies".to_owned(),
            );
        }
    }

    /// A floating joint to the world is omitted, because every model has it; elsewhere the child moves
    /// freely.
    fn free(&mut self, index: usize, joint: &Joint<'_>) {
        let (parent, _) = self.tree.ends[index];
        if joint.kind == JointKind::Floating && self.tree.is_world(parent) {
            return;
        }
        let kind = if joint.kind == JointKind::Planar { "planar" } else { "floating" };
        let found = format!("{kind} joint `{}`", joint.name);
        let expected = format!("a joint that SDF has; `{}` moves freely", joint.child);
        self.find(Severity::Warning, Code::UrdfJointFree, joint.at, found, expected);
    }

    fn joint(&mut self, index: usize, joint: &Joint<'_>, kind: &str) {
        let (parent, child) = self.tree.ends[index];
        let stands_in = self.names.frame(parent, self.tree).to_owned();
        let name = self.names.joints[index].clone();
        self.out.open("joint", &[("name", &name), ("type", kind)]);
        self.pose(Some(&stands_in), &joint.origin);
        let parent =
            if self.tree.is_world(parent) { WORLD } else { &self.names.links[self.bodies.of(parent)] };
        self.out.leaf("parent", parent);
        self.out.leaf("child", &self.names.links[self.bodies.of(child)]);
        if joint.kind.has_axis() {
            self.axis(index, joint);
        } else if let Some(mimic) = joint.mimic {
            self.mimic_lost(mimic.at, format!("mimic of `{}`, which has no axis", joint.name));
        }
        self.physics(&joint.extension);
        self.copies(&joint.extension.rest);
        self.out.close("joint");
    }

    fn axis(&mut self, index: usize, joint: &Joint<'_>) {
        self.out.open("axis", &[]);
        self.out.leaf("xyz", &numbers(&joint.axis));
        self.limit(joint.limit);
        self.dynamics(joint);
        self.mimic(index, joint);
        self.out.close("axis");
    }

    fn limit(&mut self, limit: Limit) {
        let values = [
            ("lower", limit.lower),
            ("upper", limit.upper),
            ("effort", limit.effort),
            ("velocity", limit.velocity),
        ];
        let finite: Vec<_> = values
            .into_iter()
            .filter_map(|(name, value)| value.filter(|value| value.is_finite()).map(|value| (name, value)))
            .collect();
        if finite.is_empty() {
            return;
        }
        self.out.open("limit", &[]);
        for (name, value) in finite {
            self.out.leaf(name, &number(value));
        }
        self.out.close("limit");
    }

    fn dynamics(&mut self, joint: &Joint<'_>) {
        let own = [("damping", joint.damping), ("friction", joint.friction)];
        if joint.damping.is_none() && joint.friction.is_none() && joint.extension.dynamics.is_empty() {
            return;
        }
        self.out.open("dynamics", &[]);
        for (name, value) in own {
            if let Some(value) = value {
                self.out.leaf(name, &number(value));
            }
        }
        self.settings(&joint.extension.dynamics);
        self.out.close("dynamics");
    }

    /// SDF: multiplier · (leader − reference) + offset; URDF has no reference.
    fn mimic(&mut self, index: usize, joint: &Joint<'_>) {
        let Some(mimic) = joint.mimic else { return };
        let Some(leader) = self.leaders[index] else {
            return self.mimic_lost(mimic.at, format!("mimic of `{}`, which has no position", mimic.joint));
        };
        if self.leads_back(index) {
            return self.mimic_lost(mimic.at, format!("`{}` follows itself", joint.name));
        }
        let leader = self.names.joints[leader].clone();
        self.out.open("mimic", &[("joint", &leader)]);
        self.out.leaf("multiplier", &number(mimic.multiplier));
        self.out.leaf("offset", &number(mimic.offset));
        self.out.leaf("reference", "0");
        self.out.close("mimic");
    }

    fn mimic_lost(&mut self, at: Element<'_>, found: String) {
        let expected = "another joint with an axis; left out".to_owned();
        self.find(Severity::Warning, Code::UrdfMimicInvalid, at, found, expected);
    }

    /// Returns true if following the leaders of a joint leads back to it.
    fn leads_back(&self, start: usize) -> bool {
        let mut at = start;
        for _ in 0..self.leaders.len() {
            match self.leaders[at] {
                None => return false,
                Some(leader) if leader == start => return true,
                Some(leader) => at = leader,
            }
        }
        // A circle further up, which its own joints report.
        false
    }

    fn physics(&mut self, extension: &JointExtension<'_>) {
        let parts = [&extension.physics, &extension.ode, &extension.ode_limit];
        if parts.iter().all(|settings| settings.is_empty()) {
            return;
        }
        self.out.open("physics", &[]);
        self.settings(&extension.physics);
        self.out.open("ode", &[]);
        self.settings(&extension.ode);
        self.part("limit", &extension.ode_limit);
        self.out.close("ode");
        self.out.close("physics");
    }

    fn part(&mut self, name: &str, settings: &Settings) {
        if !settings.is_empty() {
            self.out.open(name, &[]);
            self.settings(settings);
            self.out.close(name);
        }
    }
}

/// For each joint the one that it follows, if that has a position.
pub(super) fn leaders(robot: &Robot<'_>, tree: &Tree) -> Vec<Option<usize>> {
    let leader = |joint: &Joint<'_>| tree.joint_named(joint.mimic?.joint);
    let leaders = robot.joints.iter().map(leader);
    leaders.map(|leader| leader.filter(|leader| robot.joints[*leader].kind.has_axis())).collect()
}
