//! Joints, their axes, limits and dynamics.

use super::Reader;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Axis, Dynamics, Joint, JointKind, Limit, Mimic, SoftStop};
use std::f64::consts::TAU;

/// Before SDF 1.10 "no limit" was written as a number this large (sdformat `Migration.md`, 1.9 to 1.10).
const PRACTICALLY_INFINITE: f64 = 1e16;

impl Reader<'_> {
    /// A `<joint>`.
    pub(super) fn joint(&mut self, element: Element<'_>) -> Joint {
        self.check_children(element);
        let name = self.name(element);
        let kind = self.joint_kind(element);
        let axis = self.single(element, "axis").map(|axis| self.axis(axis));
        let axis2 = self.single(element, "axis2").map(|axis| self.axis(axis));
        let uses_axis = kind.axis_count() > 0;
        if uses_axis && axis.is_none() {
            let found = format!("a {} joint without `<axis>`", kind.as_str());
            // libsdformat accepts it, and Gazebo then uses its default axis.
            self.warning(Code::ElementMissing, element, found, "`<axis>`; 0 0 1 is used");
        }
        Joint {
            name,
            parent: self.joint_side(element, "parent"),
            child: self.joint_side(element, "child"),
            pose: self.pose(element),
            axis: axis.or_else(|| uses_axis.then(Axis::default)),
            axis2: axis2.or_else(|| (kind.axis_count() > 1).then(Axis::default)),
            sensors: self.sensors(element),
            kind,
            origin: element.origin(),
        }
    }

    /// The name in `<parent>` or `<child>`.
    fn joint_side(&mut self, joint: Element<'_>, side: &str) -> String {
        let name = self.text(joint, side);
        if name.is_none() {
            let code = if side == "parent" { Code::JointParentInvalid } else { Code::JointChildInvalid };
            self.error(code, joint, format!("a joint without `<{side}>`"), format!("`<{side}>` with a name"));
        }
        name.unwrap_or_default()
    }

    fn joint_kind(&mut self, element: Element<'_>) -> JointKind {
        match element.attribute("type").unwrap_or_default() {
            "fixed" => JointKind::Fixed,
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "ball" => JointKind::Ball,
            "universal" => JointKind::Universal,
            "revolute2" => JointKind::Revolute2,
            "screw" => JointKind::Screw { pitch: self.screw_pitch(element) },
            "gearbox" => JointKind::Gearbox {
                ratio: self.number(element, "gearbox_ratio").unwrap_or(1.0),
                reference_body: self.text(element, "gearbox_reference_body").unwrap_or_default(),
            },
            other => {
                let found = format!("joint type `{other}`");
                self.error(Code::JointTypeInvalid, element, found, "one of SDF's types");
                JointKind::Fixed
            }
        }
    }

    /// `screw_thread_pitch` is metres per turn; the older `thread_pitch` is radians per metre with the sign reversed.
    fn screw_pitch(&mut self, element: Element<'_>) -> f64 {
        if let Some(pitch) = self.number(element, "screw_thread_pitch") {
            return pitch;
        }
        match self.number(element, "thread_pitch") {
            Some(radians_per_metre) if radians_per_metre != 0.0 => -TAU / radians_per_metre,
            Some(_) | None => 1.0,
        }
    }

    fn axis(&mut self, element: Element<'_>) -> Axis {
        self.check_children(element);
        let default = Axis::default();
        let xyz = element.child("xyz");
        let expressed_in =
            xyz.and_then(|xyz| xyz.attribute("expressed_in")).filter(|frame| !frame.is_empty());
        Axis {
            xyz: self.direction(element, "xyz").unwrap_or(default.xyz),
            expressed_in: expressed_in.map(str::to_owned).or_else(|| self.old_axis_frame(element)),
            limit: self.limit(element),
            dynamics: self.dynamics(element),
            mimic: element.child("mimic").map(|mimic| self.mimic(mimic)),
        }
    }

    /// Before SDF 1.7 a flag chose between the joint frame and the model frame; before 1.5 it was the model frame.
    fn old_axis_frame(&mut self, axis: Element<'_>) -> Option<String> {
        let is_old = !self.version.has_frame_semantics();
        let default = self.version.has_axes_in_model_frame();
        let in_model = is_old && self.flag(axis, "use_parent_model_frame").unwrap_or(default);
        in_model.then(|| "__model__".to_owned())
    }

    fn limit(&mut self, axis: Element<'_>) -> Limit {
        let default = Limit::default();
        let Some(limit) = self.single(axis, "limit") else { return default };
        self.check_children(limit);
        let lower = self.unbounded(limit, "lower").filter(|lower| *lower > -PRACTICALLY_INFINITE);
        let upper = self.unbounded(limit, "upper").filter(|upper| *upper < PRACTICALLY_INFINITE);
        let (lower, upper) = (lower.unwrap_or(default.lower), upper.unwrap_or(default.upper));
        // A negative effort or velocity means "no limit" (the default before SDF 1.10 was -1).
        let effort = self.unbounded(limit, "effort").filter(|effort| *effort >= 0.0);
        let velocity = self.unbounded(limit, "velocity").filter(|velocity| *velocity >= 0.0);
        let rest = Limit {
            effort: effort.unwrap_or(default.effort),
            velocity: velocity.unwrap_or(default.velocity),
            stop: self.soft_stop(limit),
            ..default
        };
        if lower > upper {
            let found = format!("lower limit {lower} above upper limit {upper}");
            self.warning(Code::ValueInvalid, limit, found, "lower not above upper; no limit is used");
            return rest;
        }
        Limit { lower, upper, ..rest }
    }

    /// The stop of a `<limit>` that has at least one of its two elements.
    fn soft_stop(&mut self, limit: Element<'_>) -> Option<SoftStop> {
        let default = SoftStop::default();
        let stiffness = self.not_negative(limit, "stiffness");
        let dissipation = self.not_negative(limit, "dissipation");
        (stiffness.is_some() || dissipation.is_some()).then_some(SoftStop {
            stiffness: stiffness.unwrap_or(default.stiffness),
            dissipation: dissipation.unwrap_or(default.dissipation),
        })
    }

    fn dynamics(&mut self, axis: Element<'_>) -> Dynamics {
        let Some(dynamics) = self.single(axis, "dynamics") else { return Dynamics::default() };
        self.check_children(dynamics);
        Dynamics {
            damping: self.not_negative(dynamics, "damping").unwrap_or(0.0),
            friction: self.not_negative(dynamics, "friction").unwrap_or(0.0),
            spring_reference: self.number(dynamics, "spring_reference").unwrap_or(0.0),
            spring_stiffness: self.not_negative(dynamics, "spring_stiffness").unwrap_or(0.0),
        }
    }

    fn mimic(&mut self, element: Element<'_>) -> Mimic {
        Mimic {
            joint: element.attribute("joint").unwrap_or_default().to_owned(),
            axis: element.attribute("axis").unwrap_or("axis").to_owned(),
            multiplier: self.number(element, "multiplier").unwrap_or(1.0),
            offset: self.number(element, "offset").unwrap_or(0.0),
            reference: self.number(element, "reference").unwrap_or(0.0),
        }
    }
}
