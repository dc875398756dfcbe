//! Attaches the joints of a model that is being added, once its bodies exist.

use bridgehead_dynamics::ConstraintSpec;

use super::add::Adding;
use super::assemble::Held;
use super::id::{JointId, LinkId};
use super::joint::{self, Holder, Joint};
use super::link::to_core;
use super::motor::JointCommand;
use super::parts::SplitJoint;
use super::spec::{JointKind, JointSpec};
use super::world::Physics;

impl Physics {
    /// Adds the joints of a model. Returns one for each joint of the specification, and its second axis.
    pub(super) fn add_joints(
        &mut self,
        adding: &Adding<'_>,
        links: &[LinkId],
    ) -> (Vec<JointId>, Vec<Option<JointId>>) {
        let ids: Vec<JointId> =
            (0..adding.parts.joints.len()).map(|part| self.add_part(adding, links, part)).collect();
        let mut joints = Vec::with_capacity(adding.spec.joints.len());
        let mut second_axes = Vec::with_capacity(adding.spec.joints.len());
        for (joint, split) in adding.spec.joints.iter().zip(&adding.parts.of) {
            if let Some(parent) = joint.parent {
                self.world.set_apart(links[parent].index(), links[joint.child].index());
            }
            let (first, second) = match *split {
                SplitJoint::One(index) => (ids[index], None),
                SplitJoint::Two([first, second]) => (ids[first], Some(ids[second])),
                SplitJoint::Gears => (self.add_gears(adding, links, joint), None),
            };
            if let Some(second) = second {
                self.join_twins(adding, links, joint, [first, second]);
            }
            joints.push(first);
            second_axes.push(second);
        }
        for coupling in &adding.parts.couplings {
            self.couple(coupling, ids[coupling.leader], ids[coupling.follower]);
        }
        if let Some(model) = self.models.get_mut(adding.model) {
            model.joints = joints.iter().copied().chain(second_axes.iter().copied().flatten()).collect();
        }
        (joints, second_axes)
    }

    /// Adds a joint of the parts.
    fn add_part(&mut self, adding: &Adding<'_>, links: &[LinkId], part: usize) -> JointId {
        let spec = &adding.parts.joints[part];
        let world = adding.plan.group_of.len() - 1;
        let groups = [spec.parent.unwrap_or(world), spec.child].map(|node| adding.plan.group_of[node]);
        let bodies = groups.map(|group| adding.bodies[group]);
        let frames = joint::frames(spec, &bodies[0].1, &bodies[1].1);
        let holder = match adding.plan.held[part] {
            Held::Rigidly => Holder::Rigid,
            Held::InTree => self.holder_in_tree(adding, groups, part),
            Held::ByConstraint => {
                let free = joint::core_free(spec.kind).unwrap_or(bridgehead_dynamics::Free::Nothing);
                let frames = frames.map(|frame| to_core(&frame));
                let bodies = bodies.map(|(body, _)| body);
                Holder::Constraint(self.world.add_constraint(ConstraintSpec { bodies, frames, free }))
            }
        };
        let of = |node: usize| links.get(node).copied();
        self.add_to_table(Joint {
            model: adding.model,
            parent_model: spec.parent.map(|_| adding.model),
            spec: spec.clone(),
            links: [spec.parent.and_then(of), of(spec.child)],
            // A body that both share is that of a link fixed to the world.
            bodies: bodies.map(|(body, _)| body),
            frames,
            holder,
            command: JointCommand::Passive,
            follows: None,
            twin: None,
        })
    }

    fn holder_in_tree(&self, adding: &Adding<'_>, groups: [usize; 2], part: usize) -> Holder {
        let branches = adding.plan.trees.iter().flat_map(|tree| &tree.branches);
        let branch = branches.into_iter().find(|branch| branch.joint == part);
        let group = branch.map_or(groups[1], |branch| branch.group);
        match adding.places[group] {
            Some((tree, link)) => Holder::Tree { tree, freedom: self.world.freedom_of(tree, link) },
            None => Holder::Rigid,
        }
    }

    /// Adds a gearbox. It has an id like every joint but no holder of its own: it is a coupling of two others.
    fn add_gears(&mut self, adding: &Adding<'_>, links: &[LinkId], spec: &JointSpec) -> JointId {
        let body = |node: usize| adding.bodies[adding.plan.group_of[node]];
        let child = body(spec.child);
        let parent = spec.parent.map_or(child, body);
        self.add_to_table(Joint {
            model: adding.model,
            parent_model: spec.parent.map(|_| adding.model),
            spec: spec.clone(),
            links: [spec.parent.map(|parent| links[parent]), Some(links[spec.child])],
            bodies: [parent.0, child.0],
            frames: joint::frames(spec, &parent.1, &child.1),
            holder: Holder::Coupling,
            command: JointCommand::Passive,
            follows: None,
            twin: None,
        })
    }

    /// Adds a joint to the table, and sets what acts along its axis.
    pub(super) fn add_to_table(&mut self, joint: Joint) -> JointId {
        let axis = joint::axis_of(&joint.spec);
        if let Some(of_joint) = joint.axis().and_then(|id| self.world.axis_mut(id)) {
            *of_joint = axis;
        } else if let (JointKind::Ball, Holder::Tree { tree, freedom }) = (joint.spec.kind, joint.holder) {
            for freedom in freedom..freedom + 3 {
                let id = bridgehead_dynamics::AxisId::Tree { tree, freedom };
                if let Some(of_joint) = self.world.axis_mut(id) {
                    (of_joint.damping, of_joint.friction) = (axis.damping, axis.friction);
                }
            }
        }
        self.joints.push(joint)
    }

    /// Records that two joints are the axes of one, between the same links.
    fn join_twins(&mut self, adding: &Adding<'_>, links: &[LinkId], spec: &JointSpec, twins: [JointId; 2]) {
        let ends = [spec.parent.map(|parent| links[parent]), Some(links[spec.child])];
        for (one, other) in [(0, 1), (1, 0)] {
            if let Some(joint) = self.joints.get_mut(twins[one]) {
                joint.twin = Some(twins[other]);
                joint.links = ends;
                joint.model = adding.model;
            }
        }
    }
}
