//! Converts SDF joints into joints of the physics crate. Plain functions.

use bridgehead_physics::{AxisSpec, JointKind as SpecJointKind, JointSpec, MimicSpec, SoftStop};
use bridgehead_sdf::element::JointKind;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::{Axis, Body, Joint, Model};

/// Returns the physics joints of a model, with the index in that list for each joint of the model.
pub(super) fn joint_specs(model: &Model) -> (Vec<JointSpec>, Vec<Option<usize>>) {
    let mut specs = Vec::new();
    let mut indices = Vec::with_capacity(model.joints.len());
    for joint in &model.joints {
        let spec = joint_spec(model, joint).filter(|_| !model.is_static);
        indices.push(spec.as_ref().map(|_| specs.len()));
        specs.extend(spec);
    }
    for (joint, index) in model.joints.iter().zip(&indices) {
        let Some(spec) = index.and_then(|index| specs.get_mut(index)) else { continue };
        spec.mimic = joint.axis.as_ref().and_then(|axis| mimic_spec(axis, &indices));
        if let (Some(second), Some(axis)) = (&mut spec.second, &joint.axis2) {
            second.mimic = mimic_spec(axis, &indices);
        }
    }
    (specs, indices)
}

fn joint_spec(model: &Model, joint: &Joint) -> Option<JointSpec> {
    let (parent, child, flip) = match (joint.parent, joint.child) {
        (Body::Link(parent), Body::Link(child)) => (Some(parent), child, 1.0),
        (Body::World, Body::Link(child)) => (None, child, 1.0),
        // Physics needs the moving side as the child, which reverses the axes.
        (Body::Link(parent), Body::World) => (None, parent, -1.0),
        (Body::World, Body::World) => return None,
    };
    let kind = joint_kind(joint)?;
    let direction = joint.axis.as_ref().map_or(DVec3::Z, |axis| axis.direction_in_model);
    let pose: Pose = model.pose * joint.pose;
    let axis = model.pose.rotation * direction * flip;
    let mut spec = JointSpec::new(&joint.name, kind, parent, child, pose, axis);
    if let Some(axis) = &joint.axis {
        fill_axis(&mut spec, axis);
    }
    let has_second = joint.kind.axis_count() > 1;
    spec.second = joint.axis2.as_ref().filter(|_| has_second).map(|axis| {
        let direction = model.pose.rotation * axis.direction_in_model * flip;
        second_axis(direction, axis)
    });
    spec.is_reversed = flip < 0.0;
    Some(spec)
}

/// Returns the physics joint of a world joint, without its links. `sign` is -1 if the sides are swapped.
pub(crate) fn world_joint_spec(joint: &Joint, sign: f64) -> Option<JointSpec> {
    let direction = joint.axis.as_ref().map_or(DVec3::Z, |axis| axis.direction_in_model);
    let kind = joint_kind(joint)?;
    let mut spec = JointSpec::new(&joint.name, kind, None, 0, joint.pose, direction * sign);
    if let Some(axis) = &joint.axis {
        fill_axis(&mut spec, axis);
    }
    let second = joint.axis2.as_ref();
    spec.second = second.map(|axis| second_axis(axis.direction_in_model * sign, axis));
    Some(spec)
}

/// Returns `None` for a gearbox without a reference body, which the reader reported.
fn joint_kind(joint: &Joint) -> Option<SpecJointKind> {
    Some(match &joint.kind {
        JointKind::Fixed => SpecJointKind::Fixed,
        JointKind::Revolute => SpecJointKind::Revolute,
        JointKind::Continuous => SpecJointKind::Continuous,
        JointKind::Prismatic => SpecJointKind::Prismatic,
        JointKind::Ball => SpecJointKind::Ball,
        JointKind::Universal => SpecJointKind::Universal,
        JointKind::Revolute2 => SpecJointKind::Revolute2,
        JointKind::Screw { pitch } => SpecJointKind::Screw { pitch: *pitch },
        JointKind::Gearbox { ratio, .. } => {
            let reference = match joint.gear_reference? {
                Body::World => None,
                Body::Link(link) => Some(link),
            };
            SpecJointKind::Gearbox { ratio: *ratio, reference }
        }
    })
}

fn fill_axis(spec: &mut JointSpec, axis: &Axis) {
    spec.limits = [axis.limit.lower, axis.limit.upper];
    spec.stop = soft_stop(axis);
    spec.effort = axis.limit.effort;
    spec.velocity = axis.limit.velocity;
    spec.damping = axis.dynamics.damping;
    spec.friction = axis.dynamics.friction;
    spec.spring_stiffness = axis.dynamics.spring_stiffness;
    spec.spring_reference = axis.dynamics.spring_reference;
}

fn second_axis(direction: DVec3, axis: &Axis) -> AxisSpec {
    AxisSpec {
        limits: [axis.limit.lower, axis.limit.upper],
        stop: soft_stop(axis),
        effort: axis.limit.effort,
        velocity: axis.limit.velocity,
        damping: axis.dynamics.damping,
        friction: axis.dynamics.friction,
        spring_stiffness: axis.dynamics.spring_stiffness,
        spring_reference: axis.dynamics.spring_reference,
        ..AxisSpec::new(direction)
    }
}

fn soft_stop(axis: &Axis) -> Option<SoftStop> {
    let stop = axis.limit.stop?;
    Some(SoftStop { stiffness: stop.stiffness, dissipation: stop.dissipation })
}

fn mimic_spec(axis: &Axis, indices: &[Option<usize>]) -> Option<MimicSpec> {
    let (mimic, leader) = (axis.mimic.as_ref()?, axis.leader?);
    let index = indices.get(leader.joint).copied().flatten()?;
    let offset = mimic.offset - mimic.multiplier * mimic.reference;
    Some(MimicSpec { leader: index, second_axis: leader.axis2, multiplier: mimic.multiplier, offset })
}
