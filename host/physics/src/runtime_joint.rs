//! Joints that are added and removed at run time: between links of different models, or between a link and
//! the world.
//!
//! They are constraints. Models that are attached to each other are moved as one, and a joint to the world moves with its
//! model, like the joints inside a model. A reset affects one model only: the caller resets attached models too, or
//! detaches them first.

use bridgehead_dynamics::ConstraintSpec;
use bridgehead_pose::{DVec3, Pose};

use super::check;
use super::error::PhysicsError;
use super::id::{JointId, LinkId, ModelId};
use super::joint::{self, Holder, Joint};
use super::link::{from_core, to_core};
use super::motor::JointCommand;
use super::spec::{JointKind, JointSpec};
use super::world::{Physics, Root};

impl Physics {
    /// Attaches a link to another one, or to the world if `parent` is `None`. Pose and axis of the
    /// specification are in the world, now; its link indices are ignored.
    ///
    /// # Errors
    /// Returns an error if a link was removed, both sides are one link, or the joint cannot be simulated; the
    /// error names the joint.
    pub fn add_joint(
        &mut self,
        spec: &JointSpec,
        parent: Option<LinkId>,
        child: LinkId,
    ) -> Result<JointId, PhysicsError> {
        let link = self.link(child).ok_or(PhysicsError::NoSuchLink(child))?;
        let (model, child_body) = (link.model, link.body);
        if parent == Some(child) {
            let (model, joint) = (self.model_name(model).to_owned(), spec.name.clone());
            return Err(PhysicsError::JointWithoutLinks { model, joint });
        }
        let free = check::runtime_joint(self.model_name(model), spec)?;
        let parent_model = parent.and_then(|parent| self.model_of(parent));
        let parent_body = match parent {
            Some(id) => self.link(id).ok_or(PhysicsError::NoSuchLink(id))?.body,
            None => self.anchor_for(model),
        };
        let bodies = [parent_body, child_body];
        let [one, other] = bodies.map(|body| from_core(&self.world.pose(body)));
        let frames = joint::frames(spec, &one, &other);
        let holder = if parent_body == child_body {
            Holder::Rigid
        } else {
            let frames = frames.map(|frame| to_core(&frame));
            Holder::Constraint(self.world.add_constraint(ConstraintSpec { bodies, frames, free }))
        };
        if let Some(parent) = parent {
            self.world.set_apart(parent.index(), child.index());
        }
        let id = self.add_to_table(Joint {
            model,
            parent_model,
            spec: spec.clone(),
            links: [parent, Some(child)],
            bodies,
            frames,
            holder,
            command: JointCommand::Passive,
            follows: None,
            twin: None,
        });
        if let Some(model) = self.models.get_mut(model) {
            model.joints.push(id);
        }
        self.topology += 1;
        Ok(id)
    }

    /// Fixes two links to each other at their current poses.
    ///
    /// # Errors
    /// Returns an error like [`Physics::add_joint`].
    pub fn fix_links(&mut self, parent: LinkId, child: LinkId) -> Result<JointId, PhysicsError> {
        let pose = self.link_pose(child).ok_or(PhysicsError::NoSuchLink(child))?;
        let spec = JointSpec::new("bond", JointKind::Fixed, None, 0, pose, DVec3::X);
        self.add_joint(&spec, Some(parent), child)
    }

    /// Removes a joint. Its id is invalid from then on.
    ///
    /// # Errors
    /// Returns an error if the joint was removed before, or is a part of a tree, which cannot lose joints.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), PhysicsError> {
        let joint = self.joint(id).ok_or(PhysicsError::NoSuchJoint(id))?.clone();
        let Holder::Constraint(constraint) = joint.holder else { return Err(PhysicsError::NoSuchJoint(id)) };
        self.world.remove_constraint(constraint);
        self.joints.remove(id);
        if let [Some(parent), Some(child)] = joint.links
            && !self.joints.values().any(|other| other.links == joint.links)
        {
            self.world.unset_apart(parent.index(), child.index());
        }
        if let Some(model) = self.models.get_mut(joint.model) {
            model.joints.retain(|&other| other != id);
            // Anchors of joints that were added at run time hold nothing else.
            let is_gone =
                |root: &Root| joint.links[0].is_none() && root.body == joint.bodies[0] && root.tree.is_none();
            if model.roots.iter().any(is_gone) {
                model.roots.retain(|root| !is_gone(root));
                self.world.remove_body(joint.bodies[0]);
            }
        }
        self.topology += 1;
        Ok(())
    }

    /// Adds a body that represents the world in a joint of a model.
    fn anchor_for(&mut self, model: ModelId) -> usize {
        let body = self.world.add_fixed(to_core(&Pose::IDENTITY));
        if let Some(model) = self.models.get_mut(model) {
            model.roots.push(Root {
                body,
                tree: None,
                initial: Pose::IDENTITY,
                is_anchor: true,
                moves: false,
            });
        }
        body
    }

    /// A model and all models attached to it, directly or through others, in the order found.
    pub(super) fn attached_models(&self, id: ModelId) -> Vec<ModelId> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&model) = found.get(next) {
            next += 1;
            for joint in self.joints.values() {
                let Some(parent) = joint.parent_model.filter(|&parent| parent != joint.model) else {
                    continue;
                };
                let sides = [(parent, joint.model), (joint.model, parent)];
                let others = sides.into_iter().filter(|(side, _)| *side == model).map(|(_, other)| other);
                for other in others {
                    if !found.contains(&other) && self.is_movable(other) {
                        found.push(other);
                    }
                }
            }
        }
        found
    }

    /// Returns true if a model moves along with an attached one; static and kinematic models do not.
    fn is_movable(&self, id: ModelId) -> bool {
        self.bodies_of(id).is_ok_and(|bodies| bodies.iter().any(|&body| self.world.is_dynamic(body)))
    }
}
