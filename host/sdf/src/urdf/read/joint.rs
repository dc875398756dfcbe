//! Joints, their axes, limits and dynamics.

use super::value::Range;
use super::{Reader, required_name};
use crate::diagnostic::{Code, excerpt};
use crate::document::Element;
use crate::urdf::refusal::{Refusal, refuse};
use crate::urdf::robot::{Joint, JointExtension, JointKind, Limit, Mimic};

impl<'d> Reader<'d> {
    pub(super) fn joint(&mut self, element: Element<'d>) -> Result<Joint<'d>, Refusal> {
        self.check_known(element);
        let kind = self.joint_kind(element);
        let dynamics = self.single(element, "dynamics").filter(|_| kind.has_axis());
        Ok(Joint {
            name: required_name(element)?,
            at: element,
            kind,
            origin: self.origin(element),
            parent: self.joint_side(element, "parent")?,
            child: self.joint_side(element, "child")?,
            axis: if kind.has_axis() { self.axis(element) } else { DEFAULT_AXIS },
            limit: if kind.has_axis() { self.limit(element, kind) } else { Limit::default() },
            damping: dynamics.and_then(|dynamics| self.number(dynamics, "damping", Range::NotNegative)),
            friction: dynamics.and_then(|dynamics| self.number(dynamics, "friction", Range::NotNegative)),
            mimic: self.mimic(element),
            extension: JointExtension::default(),
        })
    }

    fn joint_kind(&mut self, element: Element<'d>) -> JointKind {
        match element.attribute("type").unwrap_or_default() {
            "fixed" => JointKind::Fixed,
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "spherical" => JointKind::Ball,
            "floating" => JointKind::Floating,
            "planar" => JointKind::Planar,
            other => {
                let found = format!("joint type `{}`", excerpt(other));
                self.error(Code::UrdfJointTypeInvalid, element, found, "one of URDF's types; read as fixed");
                JointKind::Fixed
            }
        }
    }

    /// The link that `<parent>` or `<child>` names.
    fn joint_side(&mut self, joint: Element<'d>, side: &'d str) -> Result<&'d str, Refusal> {
        let element = self.single(joint, side);
        element.inspect(|element| self.check_known(*element));
        element.and_then(|element| element.attribute("link")).filter(|link| !link.is_empty()).ok_or_else(
            || {
                let found = format!("a joint without `<{side} link=\"…\"/>`");
                refuse(Code::UrdfLinkUnknown, joint.location(), found, "the name of a link")
            },
        )
    }

    fn axis(&mut self, joint: Element<'d>) -> [f64; 3] {
        let Some(axis) = self.single(joint, "axis") else { return DEFAULT_AXIS };
        self.check_known(axis);
        let xyz = self.numbers(axis, "xyz").unwrap_or(DEFAULT_AXIS);
        if xyz.iter().all(|part| part.abs() < 1e-9) {
            let found = format!("xyz=\"{}\"", axis.attribute("xyz").unwrap_or_default());
            self.error(Code::ValueInvalid, axis, found, "a direction; 1 0 0 is used");
            return DEFAULT_AXIS;
        }
        xyz
    }

    fn limit(&mut self, joint: Element<'d>, kind: JointKind) -> Limit {
        let Some(limit) = self.single(joint, "limit") else {
            if kind != JointKind::Continuous {
                let found = format!("a {} joint without `<limit>`", kind.sdf().unwrap_or_default());
                self.warning(Code::ElementMissing, joint, found, "`<limit>`; read as unlimited");
            }
            return Limit::default();
        };
        self.check_known(limit);
        let (effort, velocity) = self.effort_and_velocity(limit);
        let (lower, upper) = if kind == JointKind::Continuous { (None, None) } else { self.positions(limit) };
        Limit { lower, upper, effort, velocity }
    }

    /// Largest force and speed. Exporters write 0 for both if they are not known.
    fn effort_and_velocity(&mut self, limit: Element<'d>) -> (Option<f64>, Option<f64>) {
        let effort = self.number_or_infinite(limit, "effort").filter(|effort| *effort >= 0.0);
        let velocity = self.number_or_infinite(limit, "velocity").filter(|velocity| *velocity >= 0.0);
        if velocity != Some(0.0) {
            return (effort, velocity);
        }
        let found = "velocity=\"0\", with which the joint could never move";
        self.note(
            Code::UrdfLimitInvalid,
            limit,
            found,
            "a speed above 0; read as no limit, and so is an effort of 0",
        );
        (effort.filter(|effort| *effort > 0.0), None)
    }

    /// Lowest and highest position. A missing one is 0, or no limit from URDF 1.2 on.
    fn positions(&mut self, limit: Element<'d>) -> (Option<f64>, Option<f64>) {
        let default = if self.version >= (1, 2) { None } else { Some(0.0) };
        let lower = self.number_or_infinite(limit, "lower").or(default);
        let upper = self.number_or_infinite(limit, "upper").or(default);
        match (lower, upper) {
            (Some(low), Some(high)) if low > high => {
                let found = format!("lower limit {low} above upper limit {high}");
                self.warning(Code::UrdfLimitInvalid, limit, found, "lower below upper; they are swapped");
                (upper, lower)
            }
            (Some(low), Some(high)) if low == high => {
                let found = format!("lower and upper limit {low}: the joint cannot move");
                self.note(Code::UrdfLimitInvalid, limit, found, "a range, unless that is meant");
                (lower, upper)
            }
            _ => (lower, upper),
        }
    }

    /// A number that may be infinite, which then is no limit but is not replaced by a default either.
    fn number_or_infinite(&mut self, limit: Element<'d>, name: &str) -> Option<f64> {
        let number: Option<f64> = limit.attribute(name)?.trim().parse().ok();
        number.filter(|number| number.is_infinite()).or_else(|| self.number(limit, name, Range::Finite))
    }

    fn mimic(&mut self, joint: Element<'d>) -> Option<Mimic<'d>> {
        let mimic = self.single(joint, "mimic")?;
        self.check_known(mimic);
        let Some(leader) = mimic.attribute("joint").filter(|leader| !leader.is_empty()) else {
            self.missing_attribute(mimic, "joint");
            return None;
        };
        Some(Mimic {
            joint: leader,
            multiplier: self.number(mimic, "multiplier", Range::Finite).unwrap_or(1.0),
            offset: self.number(mimic, "offset", Range::Finite).unwrap_or(0.0),
            at: mimic,
        })
    }
}

/// URDF's default; SDF's is 0 0 1.
const DEFAULT_AXIS: [f64; 3] = [1.0, 0.0, 0.0];
