//! `<equality>` and `<contact>`: joints that follow others, loops, and bodies that do not touch each other.

use super::class_table::MAIN;
use super::index::Index;
use super::{At, Reader};
use crate::document::Element;
use crate::mjcf::robot::{Closure, Follow, JointKind, Robot, WORLD_BODY};

impl<'d> Reader<'d> {
    /// Reads `<contact>`.
    pub(super) fn read_contact(&mut self, section: Element<'d>, index: &Index<'d>, robot: &mut Robot<'d>) {
        self.check_known(section);
        for exclude in self.children(section).into_iter().filter(|child| child.name() == "exclude") {
            self.check_known(exclude);
            let bodies = ["body1", "body2"].map(|name| self.body_named(exclude, name, index));
            if let [Some(one), Some(other)] = bodies {
                robot.excludes.push([one, other]);
            }
        }
    }

    /// Reads `<equality>`.
    pub(super) fn read_equality(&mut self, section: Element<'d>, index: &Index<'d>, robot: &mut Robot<'d>) {
        self.check_known(section);
        for element in self.children(section) {
            let class = self.class(element, "class", MAIN);
            let at = At { element, class };
            if !matches!(element.name(), "joint" | "connect" | "weld") {
                continue;
            }
            self.check_known_as(element, "equality joint");
            if self.flag(at, "active") == Some(false) {
                self.leave_out_thing(element, "equality constraints that are not active");
                continue;
            }
            if element.name() == "joint" {
                self.follow(at, index, robot);
            } else {
                self.closure(at, index, robot);
            }
        }
    }

    /// One joint as a polynomial of another; SDF has the linear part.
    fn follow(&mut self, at: At<'d>, index: &Index<'d>, robot: &mut Robot<'d>) {
        let follower = self.joint_named(at.element, "joint1", index);
        if at.element.attribute("joint2").is_none() {
            return self.leave_out_thing(at.element, "equality constraints of one joint");
        }
        let leader = self.joint_named(at.element, "joint2", index);
        let (Some(follower), Some(leader)) = (follower, leader) else { return };
        if [follower, leader].into_iter().any(|joint| robot.joint(joint).kind == JointKind::Ball) {
            return self.leave_out_thing(at.element, "equality constraints of ball joints");
        }
        if !self.followers.insert(follower) {
            return self.leave_out_thing(at.element, "further equality constraints of a joint");
        }
        let polynomial = self.list(at, "polycoef", 0).unwrap_or_else(|| vec![0.0, 1.0]);
        if polynomial.iter().skip(2).any(|factor| *factor != 0.0) {
            self.leave_out_thing(at.element, "squares and higher powers of equality constraints");
        }
        let factor = |index: usize| polynomial.get(index).copied().unwrap_or(0.0);
        let (offset, multiplier) = (factor(0), factor(1));
        robot.follows.push(Follow { follower, leader, multiplier, offset });
    }

    /// Two bodies held together at a point, or as a whole.
    fn closure(&mut self, at: At<'d>, index: &Index<'d>, robot: &mut Robot<'d>) {
        let element = at.element;
        if element.attribute("body1").is_none() {
            return self.leave_out_thing(element, "equality constraints of sites");
        }
        let one = self.body_named(element, "body1", index);
        let other = match element.attribute("body2") {
            Some(_) => self.body_named(element, "body2", index),
            None => Some(WORLD_BODY),
        };
        let (Some(one), Some(other)) = (one, other) else { return };
        if element.attribute("relpose").is_some() {
            self.leave_out_thing(element, "relative poses of welds (`relpose`); that of the start is kept");
        }
        robot.closures.push(Closure {
            name: self.word(at, "name").unwrap_or_default().to_owned(),
            kind: if element.name() == "weld" { "fixed" } else { "ball" },
            bodies: [one, other],
            anchor: self.vector(at, "anchor").unwrap_or_default(),
        });
    }
}
