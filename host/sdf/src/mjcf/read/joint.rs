//! `<joint>` and `<freejoint>`.

use super::value::Range;
use super::{At, Reader};
use crate::diagnostic::{Code, excerpt};
use crate::mjcf::robot::{Body, Joint, JointKind, WORLD_BODY};
use crate::mjcf::rotation::direction;
use bridgehead_pose::{DVec3, Pose};

impl<'d> Reader<'d> {
    /// Reads a joint of a body, in a frame of it.
    pub(super) fn read_joint(&mut self, at: At<'d>, frame: Pose, body: usize, bodies: &mut [Body<'d>]) {
        self.check_known(at.element);
        let kind =
            if at.element.name() == "freejoint" { "free" } else { self.word(at, "type").unwrap_or("hinge") };
        let kind = match kind {
            "hinge" => JointKind::Hinge,
            "slide" => JointKind::Slide,
            "ball" => JointKind::Ball,
            "free" => return self.free(at, body, bodies),
            other => {
                let found = format!("type=\"{}\"", excerpt(other));
                self.error(
                    Code::ValueInvalid,
                    at.element,
                    found,
                    "hinge, slide, ball or free; it is left out",
                );
                return;
            }
        };
        if body == WORLD_BODY {
            self.error(Code::ValueInvalid, at.element, "a joint of the world", "a joint in a `<body>`");
            return;
        }
        let joint = self.joint(at, kind, frame);
        bodies[body].joints.push(joint);
    }

    /// A free joint is the absence of joints.
    fn free(&mut self, at: At<'d>, body: usize, bodies: &mut [Body<'d>]) {
        let is_top = body != WORLD_BODY && bodies[body].parent == WORLD_BODY;
        if !is_top || !bodies[body].joints.is_empty() {
            let expected = "a free joint as the only one of a body of the world; it is left out";
            self.error(Code::ValueInvalid, at.element, "a free joint", expected);
            return;
        }
        bodies[body].is_free = true;
    }

    fn joint(&mut self, at: At<'d>, kind: JointKind, frame: Pose) -> Joint<'d> {
        let position = self.vector(at, "pos").unwrap_or_default();
        let axis = self.vector(at, "axis").unwrap_or(DVec3::Z);
        let axis = direction(axis).unwrap_or_else(|| {
            self.error(Code::ValueInvalid, at.element, "an axis of length 0", "a direction; z is used");
            DVec3::Z
        });
        let reference = self.angle(at, "ref", kind).unwrap_or(0.0);
        if reference != 0.0 {
            let found = format!("positions that begin at {reference} (`ref`)");
            let expected = "positions that begin at 0: those of commands and messages are smaller by `ref`";
            self.note(Code::MjcfChanged, at.element, found, expected);
        }
        let passive = ["damping", "frictionloss", "stiffness"];
        let [damping, friction, stiffness] = passive.map(|name| self.or(at, name, Range::NotNegative, 0.0));
        if kind == JointKind::Ball && damping + friction + stiffness > 0.0 {
            self.leave_out_thing(at.element, "springs, damping and friction of ball joints");
        }
        Joint {
            name: at.element.attribute("name").map(str::trim).unwrap_or_default(),
            at: at.element,
            kind,
            position: frame.transform_point(position),
            axis: frame.rotate(axis),
            range: self.limits(at, kind),
            effort: self.effort(at),
            damping,
            friction,
            stiffness,
            rest: self.angle(at, "springref", kind).unwrap_or(0.0),
            reference,
        }
    }

    /// A position of a joint: an angle, except for slides.
    fn angle(&mut self, at: At<'d>, name: &str, kind: JointKind) -> Option<f64> {
        let number = self.number(at, name, Range::Finite)?;
        Some(if kind == JointKind::Slide { number } else { self.radians(number) })
    }

    /// Lowest and highest position; `None` without limits.
    fn limits(&mut self, at: At<'d>, kind: JointKind) -> Option<[f64; 2]> {
        let range: [f64; 2] = self.numbers(at, "range")?;
        let is_limited = self.flag(at, "limited").unwrap_or(self.compiler.has_auto_limits);
        if !is_limited {
            return None;
        }
        if kind == JointKind::Ball {
            self.leave_out_thing(at.element, "limits of ball joints");
            return None;
        }
        let [lower, upper] = range;
        if lower > upper {
            let found = format!("range=\"{lower} {upper}\"");
            self.error(Code::ValueInvalid, at.element, found, "the lower one first; no limit is used");
            return None;
        }
        Some(if kind == JointKind::Slide { range } else { range.map(|angle| self.radians(angle)) })
    }

    /// The greatest force of all actuators of the joint together.
    fn effort(&mut self, at: At<'d>) -> f64 {
        let Some([lower, upper]) = self.numbers::<2>(at, "actuatorfrcrange") else { return f64::INFINITY };
        let is_limited = self.flag(at, "actuatorfrclimited").unwrap_or(self.compiler.has_auto_limits);
        if is_limited { lower.abs().max(upper.abs()) } else { f64::INFINITY }
    }
}
