//! `<actuator>`: which joints are driven by what.

use super::class_table::MAIN;
use super::index::Index;
use super::{At, Reader};
use crate::document::Element;
use crate::mjcf::robot::{Drive, DriveKind, JointKind, Robot};

impl<'d> Reader<'d> {
    pub(super) fn read_actuators(&mut self, section: Element<'d>, index: &Index<'d>, robot: &mut Robot<'d>) {
        self.check_known(section);
        for element in self.children(section) {
            if !matches!(element.name(), "motor" | "position" | "velocity" | "general") {
                continue;
            }
            let class = self.class(element, "class", MAIN);
            self.check_known_as(element, "actuator");
            let Some(attribute) =
                ["joint", "jointinparent"].into_iter().find(|name| element.attribute(name).is_some())
            else {
                self.leave_out_thing(element, "actuators of something else than a joint");
                continue;
            };
            let Some(joint) = self.joint_named(element, attribute, index) else { continue };
            if robot.joint(joint).kind == JointKind::Ball {
                self.leave_out_thing(element, "actuators of ball joints");
                continue;
            }
            let at = At { element, class };
            let kind = self.drive_kind(at);
            let effort = self.force(at, kind);
            robot.drives.push(Drive { joint, kind, effort, at: element });
        }
    }

    /// A general actuator is a motor unless its bias is that of a position or velocity controller.
    fn drive_kind(&mut self, at: At<'d>) -> DriveKind {
        match at.element.name() {
            "position" => return DriveKind::Position,
            "velocity" => return DriveKind::Velocity,
            "motor" => return DriveKind::Effort,
            _ => {}
        }
        if self.word(at, "dyntype").is_some_and(|kind| kind != "none") {
            self.leave_out_thing(at.element, "dynamics of activations (`dyntype`)");
        }
        let gain = self.list(at, "gainprm", 1).and_then(|gain| gain.first().copied()).unwrap_or(1.0);
        let bias = self.list(at, "biasprm", 1).unwrap_or_default();
        let part = |index: usize| bias.get(index).copied().unwrap_or(0.0);
        match self.word(at, "biastype").unwrap_or("none") {
            "affine" if part(1) != 0.0 => DriveKind::Position,
            "affine" if part(2) != 0.0 && part(2) == -gain => DriveKind::Velocity,
            _ => DriveKind::Effort,
        }
    }

    /// The greatest force on the joint: that of `forcerange`, and for motors that of the greatest command.
    fn force(&mut self, at: At<'d>, kind: DriveKind) -> f64 {
        let gear = self.list(at, "gear", 1).and_then(|gear| gear.first().copied()).unwrap_or(1.0).abs();
        let gain = match at.element.name() {
            "general" => self.list(at, "gainprm", 1).and_then(|gain| gain.first().copied()).unwrap_or(1.0),
            _ => 1.0,
        };
        let force = self.greatest(at, "forcerange", "forcelimited");
        let command = match kind {
            DriveKind::Effort => self.greatest(at, "ctrlrange", "ctrllimited") * gain.abs(),
            DriveKind::Position | DriveKind::Velocity => f64::INFINITY,
        };
        let greatest = force.min(command) * gear;
        if greatest.is_nan() { f64::INFINITY } else { greatest }
    }

    /// The greatest magnitude in a range; infinite without a range or if it does not limit.
    fn greatest(&mut self, at: At<'d>, range: &str, flag: &str) -> f64 {
        let Some([lower, upper]) = self.numbers::<2>(at, range) else { return f64::INFINITY };
        let is_limited = self.flag(at, flag).unwrap_or(self.compiler.has_auto_limits);
        if is_limited { lower.abs().max(upper.abs()) } else { f64::INFINITY }
    }
}
