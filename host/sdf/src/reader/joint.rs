//! Joints, their axes, limits and dynamics.

use super::children::{check_children, single};
use super::names::name;
use super::plugin::sensors;
use super::report::Report;
use super::value::{direction, flag, not_negative, number, pose, text, unbounded};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Axis, Dynamics, Joint, JointKind, Limit, Mimic, SoftStop};
use crate::version::Version;
use std::f64::consts::TAU;

/// Before SDF 1.10 "no limit" was written as a number this large (sdformat `Migration.md`, 1.9 to 1.10).
const PRACTICALLY_INFINITE: f64 = 1e16;

/// A `<joint>`.
pub(super) fn joint(element: Element<'_>, report: &mut Report) -> Joint {
    check_children(element, report);
    let name = name(element, report);
    let kind = joint_kind(element, report);
    let axis = single(element, "axis", report).map(|axis| axis_of(axis, report));
    let axis2 = single(element, "axis2", report).map(|axis| axis_of(axis, report));
    let uses_axis = kind.axis_count() > 0;
    if uses_axis && axis.is_none() {
        let found = format!("a {} joint without `<axis>`", kind.as_str());
        // libsdformat accepts it, and Gazebo then uses its default axis.
        report.warning(Code::ElementMissing, element, found, "`<axis>`; 0 0 1 is used");
    }
    Joint {
        name,
        parent: joint_side(element, "parent", report),
        child: joint_side(element, "child", report),
        pose: pose(element, report),
        axis: axis.or_else(|| uses_axis.then(Axis::default)),
        axis2: axis2.or_else(|| (kind.axis_count() > 1).then(Axis::default)),
        sensors: sensors(element, report),
        kind,
        origin: element.origin(),
    }
}

/// The name in `<parent>` or `<child>`.
fn joint_side(joint: Element<'_>, side: &str, report: &mut Report) -> String {
    let name = text(joint, side);
    if name.is_none() {
        let code = if side == "parent" { Code::JointParentInvalid } else { Code::JointChildInvalid };
        report.error(code, joint, format!("a joint without `<{side}>`"), format!("`<{side}>` with a name"));
    }
    name.unwrap_or_default()
}

fn joint_kind(element: Element<'_>, report: &mut Report) -> JointKind {
    match element.attribute("type").unwrap_or_default() {
        "fixed" => JointKind::Fixed,
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        "ball" => JointKind::Ball,
        "universal" => JointKind::Universal,
        "revolute2" => JointKind::Revolute2,
        "screw" => JointKind::Screw { pitch: screw_pitch(element, report) },
        "gearbox" => JointKind::Gearbox {
            ratio: number(element, "gearbox_ratio", report).unwrap_or(1.0),
            reference_body: text(element, "gearbox_reference_body").unwrap_or_default(),
        },
        other => {
            let found = format!("joint type `{other}`");
            report.error(Code::JointTypeInvalid, element, found, "one of SDF's types");
            JointKind::Fixed
        }
    }
}

/// `screw_thread_pitch` is metres per turn; the older `thread_pitch` is radians per metre with the sign reversed.
fn screw_pitch(element: Element<'_>, report: &mut Report) -> f64 {
    if let Some(pitch) = number(element, "screw_thread_pitch", report) {
        return pitch;
    }
    match number(element, "thread_pitch", report) {
        Some(radians_per_metre) if radians_per_metre != 0.0 => -TAU / radians_per_metre,
        Some(_) | None => 1.0,
    }
}

fn axis_of(element: Element<'_>, report: &mut Report) -> Axis {
    check_children(element, report);
    let default = Axis::default();
    let xyz = element.child("xyz");
    let expressed_in = xyz.and_then(|xyz| xyz.attribute("expressed_in")).filter(|frame| !frame.is_empty());
    Axis {
        xyz: direction(element, "xyz", report).unwrap_or(default.xyz),
        expressed_in: expressed_in.map(str::to_owned).or_else(|| old_axis_frame(element, report)),
        limit: limit(element, report),
        dynamics: dynamics(element, report),
        mimic: element.child("mimic").map(|element| mimic(element, report)),
    }
}

/// Before SDF 1.7 a flag chose between the joint frame and the model frame; before 1.5 it was the model frame.
fn old_axis_frame(axis: Element<'_>, report: &mut Report) -> Option<String> {
    let is_old = !Version::of(axis).has_frame_semantics();
    let default = Version::of(axis).has_axes_in_model_frame();
    let in_model = is_old && flag(axis, "use_parent_model_frame", report).unwrap_or(default);
    in_model.then(|| "__model__".to_owned())
}

fn limit(axis: Element<'_>, report: &mut Report) -> Limit {
    let default = Limit::default();
    let Some(limit) = single(axis, "limit", report) else { return default };
    check_children(limit, report);
    let lower = unbounded(limit, "lower", report).filter(|lower| *lower > -PRACTICALLY_INFINITE);
    let upper = unbounded(limit, "upper", report).filter(|upper| *upper < PRACTICALLY_INFINITE);
    let (lower, upper) = (lower.unwrap_or(default.lower), upper.unwrap_or(default.upper));
    // A negative effort or velocity means "no limit" (the default before SDF 1.10 was -1).
    let effort = unbounded(limit, "effort", report).filter(|effort| *effort >= 0.0);
    let velocity = unbounded(limit, "velocity", report).filter(|velocity| *velocity >= 0.0);
    let rest = Limit {
        effort: effort.unwrap_or(default.effort),
        velocity: velocity.unwrap_or(default.velocity),
        stop: soft_stop(limit, report),
        ..default
    };
    if lower > upper {
        let found = format!("lower limit {lower} above upper limit {upper}");
        report.warning(Code::ValueInvalid, limit, found, "lower not above upper; no limit is used");
        return rest;
    }
    Limit { lower, upper, ..rest }
}

/// The stop of a `<limit>` that has at least one of its two elements.
fn soft_stop(limit: Element<'_>, report: &mut Report) -> Option<SoftStop> {
    let default = SoftStop::default();
    let stiffness = not_negative(limit, "stiffness", report);
    let dissipation = not_negative(limit, "dissipation", report);
    (stiffness.is_some() || dissipation.is_some()).then_some(SoftStop {
        stiffness: stiffness.unwrap_or(default.stiffness),
        dissipation: dissipation.unwrap_or(default.dissipation),
    })
}

fn dynamics(axis: Element<'_>, report: &mut Report) -> Dynamics {
    let Some(dynamics) = single(axis, "dynamics", report) else { return Dynamics::default() };
    check_children(dynamics, report);
    Dynamics {
        damping: not_negative(dynamics, "damping", report).unwrap_or(0.0),
        friction: not_negative(dynamics, "friction", report).unwrap_or(0.0),
        spring_reference: number(dynamics, "spring_reference", report).unwrap_or(0.0),
        spring_stiffness: not_negative(dynamics, "spring_stiffness", report).unwrap_or(0.0),
    }
}

fn mimic(element: Element<'_>, report: &mut Report) -> Mimic {
    Mimic {
        joint: element.attribute("joint").unwrap_or_default().to_owned(),
        axis: element.attribute("axis").unwrap_or("axis").to_owned(),
        multiplier: number(element, "multiplier", report).unwrap_or(1.0),
        offset: number(element, "offset", report).unwrap_or(0.0),
        reference: number(element, "reference", report).unwrap_or(0.0),
    }
}
