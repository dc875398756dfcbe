//! Checks joints that follow others.

use crate::error::PhysicsError;
use crate::spec::{JointKind, JointSpec, MimicSpec, ModelSpec};

/// The greatest multiplier and offset; larger ones are typing errors.
const MAX: f64 = 1e6;

pub(super) fn check(spec: &ModelSpec) -> Result<(), PhysicsError> {
    for (index, joint) in spec.joints.iter().enumerate() {
        let second = joint.second.as_ref().and_then(|axis| axis.mimic);
        for (is_second, mimic) in [(false, joint.mimic), (true, second)] {
            let problem = mimic.and_then(|mimic| problem(spec, (index, is_second), &mimic));
            if let Some(problem) = problem {
                let (model, joint) = (spec.name.clone(), joint.name.clone());
                return Err(PhysicsError::BadMimic { model, joint, problem });
            }
        }
    }
    Ok(())
}

fn problem(spec: &ModelSpec, (index, is_second): (usize, bool), mimic: &MimicSpec) -> Option<String> {
    let joint = &spec.joints[index];
    let Some(leader) = spec.joints.get(mimic.leader) else {
        return Some(format!("there is no joint number {}", mimic.leader));
    };
    if (mimic.leader, mimic.second_axis) == (index, is_second) {
        return Some("it would follow itself".into());
    }
    if leads_back(spec, (index, is_second), mimic) {
        return Some("its leader follows it".into());
    }
    if !has_axis(leader, mimic.second_axis) {
        return Some(format!("{} of type {} has no such axis", leader.name, leader.kind.name()));
    }
    if !has_axis(joint, is_second) {
        return Some(format!("it is of type {} and has no position", joint.kind.name()));
    }
    let numbers = [("multiplier", mimic.multiplier), ("offset", mimic.offset)];
    let bad = numbers.into_iter().find(|(_, value)| value.is_nan() || value.abs() > MAX);
    bad.map(|(name, value)| format!("the {name} is {value}; it must be within ±{MAX}"))
}

/// Returns true if the chain of leaders leads back to an axis.
fn leads_back(spec: &ModelSpec, to: (usize, bool), from: &MimicSpec) -> bool {
    let mut at = Some(*from);
    // Every cycle closes within as many steps as there are axes.
    for _ in 0..2 * spec.joints.len() {
        let Some(mimic) = at else { return false };
        if (mimic.leader, mimic.second_axis) == to {
            return true;
        }
        at = mimic_of(spec, mimic.leader, mimic.second_axis);
    }
    false
}

fn mimic_of(spec: &ModelSpec, joint: usize, second: bool) -> Option<MimicSpec> {
    let joint = spec.joints.get(joint)?;
    if second { joint.second.as_ref()?.mimic } else { joint.mimic }
}

/// Returns true if an axis of a joint has a position.
fn has_axis(joint: &JointSpec, second: bool) -> bool {
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic | JointKind::Screw { .. } => {
            !second
        }
        JointKind::Universal | JointKind::Revolute2 => true,
        JointKind::Fixed | JointKind::Ball | JointKind::Gearbox { .. } => false,
    }
}
