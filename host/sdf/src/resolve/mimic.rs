//! Axes that follow others: names into joints, and circles broken.

use super::graph::Graph;
use crate::diagnostic::Code;
use crate::element::Mimic;
use crate::resolved::{Axis, Joint, Leader, Model};
use std::collections::HashMap;

/// The greatest multiplier and offset that physics takes.
const MAX: f64 = 1e6;

/// Finds the leader of each axis that follows another one. An invalid reference is reported, and the axis
/// moves independently.
pub(super) fn find_leaders(graph: &mut Graph<'_>, model: &mut Model) {
    let mut chains = Chains::of(model);
    for index in 0..model.joints.len() {
        for axis2 in [false, true] {
            let own = Leader { joint: index, axis2 };
            let Some(mimic) = axis_of(model, own).and_then(|axis| axis.mimic.clone()) else { continue };
            match leader(model, &mut chains, own, &mimic) {
                Ok(leader) => {
                    chains.join(own, leader);
                    set_leader(model, own, leader);
                }
                Err(problem) => report(graph, &model.joints[index], &mimic, &problem),
            }
        }
    }
}

/// Reports mimics of joints of the world: they connect models, whose axes are not coupled.
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

fn leader(model: &Model, chains: &mut Chains, own: Leader, mimic: &Mimic) -> Result<Leader, String> {
    let joint = &model.joints[own.joint];
    // Names are relative to the scope of the joint.
    let scope = joint.name.rfind("::").map_or("", |end| &joint.name[..end + 2]);
    let wanted = format!("{scope}{}", mimic.joint);
    let Some(index) = chains.by_name.get(&wanted).copied() else {
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
    if chains.end(leader) == slot(own) {
        return Err("its leaders lead back to it".into());
    }
    let constant = mimic.offset - mimic.multiplier * mimic.reference;
    let is_sound = |value: f64| value.abs() <= MAX;
    if !(is_sound(mimic.multiplier) && is_sound(constant)) {
        let Mimic { multiplier, offset, reference, .. } = mimic;
        return Err(format!(
            "multiplier {multiplier}, offset {offset} and reference {reference} must be within ±{MAX}"
        ));
    }
    Ok(leader)
}

/// The leaders found so far, as chains of axes. A chain is shortened whenever it is followed, so that long ones cost
/// little.
struct Chains {
    /// The joints by their names; the first one of equal names.
    by_name: HashMap<String, usize>,
    /// For each axis, itself or an axis further along its chain.
    next: Vec<usize>,
}

/// The position of an axis in [`Chains`].
fn slot(axis: Leader) -> usize {
    2 * axis.joint + usize::from(axis.axis2)
}

impl Chains {
    fn of(model: &Model) -> Self {
        let mut by_name = HashMap::new();
        for (index, joint) in model.joints.iter().enumerate() {
            by_name.entry(joint.name.clone()).or_insert(index);
        }
        Chains { by_name, next: (0..2 * model.joints.len()).collect() }
    }

    /// Returns the axis at the end of the chain of an axis.
    fn end(&mut self, axis: Leader) -> usize {
        let mut at = slot(axis);
        while self.next[at] != at {
            self.next[at] = self.next[self.next[at]];
            at = self.next[at];
        }
        at
    }

    /// Lets an axis follow another one.
    fn join(&mut self, own: Leader, leader: Leader) {
        self.next[slot(own)] = self.end(leader);
    }
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
