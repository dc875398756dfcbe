//! Axes that follow others: names into joints, and circles broken.

use super::graph::Graph;
use crate::diagnostic::Code;
use crate::element::Mimic;
use crate::resolved::{Axis, Joint, Leader, Model};

/// The greatest multiplier and offset that physics takes.
const MOST: f64 = 1e6;

/// Finds the leader of each axis that follows another one. An invalid reference is reported, and the axis
/// moves independently.
pub(super) fn find_leaders(graph: &mut Graph<'_>, model: &mut Model) {
    for index in 0..model.joints.len() {
        for axis2 in [false, true] {
            let own = Leader { joint: index, axis2 };
            let Some(mimic) = axis_of(model, own).and_then(|axis| axis.mimic.clone()) else { continue };
            match leader(model, own, &mimic) {
                Ok(leader) => set_leader(model, own, leader),
                Err(problem) => report(graph, &model.joints[index], &mimic, &problem),
            }
        }
    }
}

/// Reports mimics of joints of the world: they connect models, whose axes are not in one multibody.
pub(super) fn refuse_in_world(graph: &mut Graph<'_>, joint: &Joint) {
    for mimic in [&joint.axis, &joint.axis2].into_iter().flatten().filter_map(|axis| axis.mimic.as_ref()) {
        report(graph, joint, mimic, "joints of the world cannot follow another joint");
    }
}

fn report(graph: &mut Graph<'_>, joint: &Joint, mimic: &Mimic, problem: &str) {
    let found =
        format!("joint `{}` follows `{}` by its `{}`: {problem}", joint.name, mimic.joint, mimic.axis);
    graph.report(Code::MimicInvalid, &joint.origin, found, "another axis of the model that has a position");
}

fn leader(model: &Model, own: Leader, mimic: &Mimic) -> Result<Leader, String> {
    let joint = &model.joints[own.joint];
    // Names are relative to the scope of the joint.
    let scope = joint.name.rfind("::").map_or("", |end| &joint.name[..end + 2]);
    let wanted = format!("{scope}{}", mimic.joint);
    let Some(index) = model.joints.iter().position(|joint| joint.name == wanted) else {
        return Err("its model has no such joint".into());
    };
    let axis2 = match mimic.axis.as_str() {
        "axis" => false,
        "axis2" => true,
        _ => return Err("expected `axis` or `axis2`".into()),
    };
    let leader = Leader { joint: index, axis2 };
    let kind = &model.joints[index].kind;
    if !kind.has_position(axis2) {
        return Err(format!("a {} joint has no position there", kind.as_str()));
    }
    if !joint.kind.has_position(own.axis2) {
        return Err(format!("a {} joint has no position that could follow", joint.kind.as_str()));
    }
    if leads_back(model, leader, own) {
        return Err("its leaders lead back to it".into());
    }
    let constant = mimic.offset - mimic.multiplier * mimic.reference;
    let is_sound = |value: f64| value.abs() <= MOST;
    if !(is_sound(mimic.multiplier) && is_sound(constant)) {
        let Mimic { multiplier, offset, reference, .. } = mimic;
        return Err(format!(
            "multiplier {multiplier}, offset {offset} and reference {reference} must be within ±{MOST}"
        ));
    }
    Ok(leader)
}

/// Returns true if the leaders found so far lead from one axis to another.
fn leads_back(model: &Model, from: Leader, to: Leader) -> bool {
    let mut at = Some(from);
    while let Some(leader) = at {
        if leader == to {
            return true;
        }
        at = axis_of(model, leader).and_then(|axis| axis.leader);
    }
    false
}

fn axis_of(model: &Model, of: Leader) -> Option<&Axis> {
    let joint = model.joints.get(of.joint)?;
    if of.axis2 { joint.axis2.as_ref() } else { joint.axis.as_ref() }
}

fn set_leader(model: &mut Model, own: Leader, leader: Leader) {
    let Some(joint) = model.joints.get_mut(own.joint) else { return };
    let axis = if own.axis2 { &mut joint.axis2 } else { &mut joint.axis };
    if let Some(axis) = axis {
        axis.leader = Some(leader);
    }
}
