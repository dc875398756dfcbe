//! Descriptions of joints for plugins. A joint with two axes is described as two joints of one axis each. Plain
//! functions.

use bridgehead_abi::host as raw;
use bridgehead_sdf::element::JointKind;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::{Axis, Body, Joint, Model};

use super::attachment::JointFacts;

/// Describes a joint with its first axis.
pub(super) fn joint_facts(joint: &Joint, handle: u32, links: &[u32]) -> Option<JointFacts> {
    let kind = joint_number(&joint.kind, joint.axis.as_ref());
    facts(joint, (joint.name.clone(), kind), joint.axis.as_ref(), handle, links)
}

/// Describes the second axis of a joint.
pub(super) fn second_axis_facts(
    joint: &Joint,
    name: String,
    handle: u32,
    links: &[u32],
) -> Option<JointFacts> {
    let kind = joint_number(&joint.kind, joint.axis2.as_ref());
    facts(joint, (name, kind), joint.axis2.as_ref(), handle, links)
}

/// Returns the name of the second axis of a joint, with the suffix of the SDF element. The suffix is repeated until the
/// name is free.
pub(super) fn second_axis_name(model: &Model, joint: &Joint) -> String {
    let mut name = format!("{}_axis2", joint.name);
    while model.joint(&name).is_some() {
        name.push('_');
    }
    name
}

/// Describes one axis. The moving side is the child, as in physics.
fn facts(
    joint: &Joint,
    (name, kind): (String, u32),
    axis: Option<&Axis>,
    handle: u32,
    links: &[u32],
) -> Option<JointFacts> {
    let link = |body| match body {
        Body::World => None,
        Body::Link(index) => links.get(index).copied(),
    };
    let (parent, child, pose, sign) = match joint.child {
        Body::Link(_) => (link(joint.parent), link(joint.child)?, joint.pose_in_child, 1.0),
        Body::World => (None, link(joint.parent)?, joint.pose_in_parent, -1.0),
    };
    let limit = axis.map(|axis| axis.limit).unwrap_or_default();
    Some(JointFacts {
        joint: handle,
        kind,
        name,
        lower: limit.lower,
        upper: limit.upper,
        effort: limit.effort,
        velocity: limit.velocity,
        parent,
        child,
        pose: Pose { ..pose },
        axis: axis.map_or(DVec3::ZERO, |axis| axis.direction * sign),
    })
}

/// Returns the ABI number of a joint's kind, by the axis that has the joint's name.
fn joint_number(kind: &JointKind, axis: Option<&Axis>) -> u32 {
    match kind {
        JointKind::Fixed => raw::JOINT_FIXED,
        JointKind::Revolute => raw::JOINT_REVOLUTE,
        JointKind::Continuous => raw::JOINT_CONTINUOUS,
        JointKind::Prismatic => raw::JOINT_PRISMATIC,
        JointKind::Universal | JointKind::Revolute2 | JointKind::Screw { .. } => {
            let is_limited = axis.is_some_and(|axis| axis.limit.is_limited());
            if is_limited { raw::JOINT_REVOLUTE } else { raw::JOINT_CONTINUOUS }
        }
        JointKind::Ball | JointKind::Gearbox { .. } => raw::JOINT_OTHER,
    }
}
