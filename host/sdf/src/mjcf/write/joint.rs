//! Joints: those of bodies, those that fix bodies, and those that close loops.

use super::Writer;
use crate::mjcf::robot::{Joint, JointKind, JointRef, WORLD_BODY};
use crate::number::{number, numbers};
use crate::scope::WORLD;
use bridgehead_pose::Pose;

impl Writer<'_, '_> {
    pub(super) fn joints(&mut self) {
        for body in 1..self.robot.bodies.len() {
            if self.placed.is_link(body) && !self.robot.bodies[body].is_free {
                self.joints_of(body);
            }
        }
        self.closures();
    }

    /// The chain of joints between a body and the link above it.
    fn joints_of(&mut self, body: usize) {
        let names = &self.placed.names;
        let own = names.bodies[body].clone();
        let (above, _) = self.placed.above(self.robot, body);
        let mut parent = if above == WORLD_BODY { WORLD.to_owned() } else { names.bodies[above].clone() };
        let count = self.robot.bodies[body].joints.len();
        if count == 0 {
            let name = names.fixed[body].clone();
            return self.fixed(&name, &parent, &own);
        }
        for joint in 0..count {
            let joint = JointRef { body, joint };
            let child = self.placed.names.between.get(&joint).unwrap_or(&own).clone();
            self.joint(joint, &parent, &child);
            parent = child;
        }
    }

    pub(super) fn fixed(&mut self, name: &str, parent: &str, child: &str) {
        self.out.open("joint", &[("name", name), ("type", "fixed")]);
        self.out.leaf("parent", parent);
        self.out.leaf("child", child);
        self.out.close("joint");
    }

    fn joint(&mut self, index: JointRef, parent: &str, child: &str) {
        let robot = self.robot;
        let joint = robot.joint(index);
        let kind = match (joint.kind, joint.range) {
            (JointKind::Hinge, None) => "continuous",
            (JointKind::Hinge, Some(_)) => "revolute",
            (JointKind::Slide, _) => "prismatic",
            (JointKind::Ball, _) => "ball",
        };
        let name = self.placed.names.joints[&index].clone();
        self.out.open("joint", &[("name", &name), ("type", kind)]);
        self.pose(None, &Pose::from_position(joint.position));
        self.out.leaf("parent", parent);
        self.out.leaf("child", child);
        if joint.kind != JointKind::Ball {
            self.out.open("axis", &[]);
            self.out.leaf("xyz", &numbers(&joint.axis.to_array()));
            self.limit(index, joint);
            self.dynamics(joint);
            self.mimic(index);
            self.out.close("axis");
        }
        self.out.close("joint");
    }

    fn limit(&mut self, index: JointRef, joint: &Joint<'_>) {
        let range = joint.range.map(|range| range.map(|position| position - joint.reference));
        let effort = self.driven.get(&index).map(|(_, effort)| effort.min(joint.effort));
        let effort = effort.filter(|effort| effort.is_finite());
        if range.is_none() && effort.is_none() {
            return;
        }
        self.out.open("limit", &[]);
        if let Some([lower, upper]) = range {
            self.out.leaf("lower", &number(lower));
            self.out.leaf("upper", &number(upper));
        }
        if let Some(effort) = effort {
            self.out.leaf("effort", &number(effort));
        }
        self.out.close("limit");
    }

    fn dynamics(&mut self, joint: &Joint<'_>) {
        let mut values = vec![("damping", joint.damping), ("friction", joint.friction)];
        if joint.stiffness > 0.0 {
            values.push(("spring_reference", joint.rest - joint.reference));
            values.push(("spring_stiffness", joint.stiffness));
        }
        values.retain(|(_, value)| *value != 0.0);
        if values.is_empty() {
            return;
        }
        self.out.open("dynamics", &[]);
        for (name, value) in values {
            self.out.leaf(name, &number(value));
        }
        self.out.close("dynamics");
    }

    fn mimic(&mut self, index: JointRef) {
        let Some(follow) = self.follows.get(&index).copied() else { return };
        let leader = self.placed.names.joints[&follow.leader].clone();
        self.out.open("mimic", &[("joint", &leader)]);
        self.out.leaf("multiplier", &number(follow.multiplier));
        self.out.leaf("offset", &number(follow.offset));
        self.out.leaf("reference", "0");
        self.out.close("mimic");
    }

    fn closures(&mut self) {
        for (index, closure) in self.robot.closures.iter().enumerate() {
            let [one, other] = closure.bodies.map(|body| self.placed.host[body]);
            // The second body may be the world; SDF has it as a parent only.
            let (child, parent) = if one == WORLD_BODY { (other, one) } else { (one, other) };
            if child == parent {
                continue;
            }
            let names = &self.placed.names;
            let name = names.closures[index].clone();
            let of =
                |body: usize| if body == WORLD_BODY { WORLD.to_owned() } else { names.bodies[body].clone() };
            let (child_name, parent_name) = (of(child), of(parent));
            let anchor = self.placed.in_host[closure.bodies[0]].transform_point(closure.anchor);
            self.out.open("joint", &[("name", &name), ("type", closure.kind)]);
            let frame = if one == WORLD_BODY { "__model__".to_owned() } else { of(one) };
            self.pose(Some(&frame), &Pose::from_position(anchor));
            self.out.leaf("parent", &parent_name);
            self.out.leaf("child", &child_name);
            self.out.close("joint");
        }
    }
}
