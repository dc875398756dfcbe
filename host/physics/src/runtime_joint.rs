//! Joints that are added and removed at run time: between links of different models, or between a link and
//! the world.
//!
//! They are impulse joints, however the models are modelled. Models that are attached to each other are moved
//! as one, and a joint to the world moves with its model, like the joints inside a model. A reset affects one
//! model only: the caller resets attached models too, or detaches them first.

use super::check;
use super::error::PhysicsError;
use super::id::{JointId, LinkId, ModelId};
use super::joint::{self, Attachment, Ends, Frames};
use super::motor::JointCommand;
use super::spec::{JointKind, JointSpec};
use super::world::Physics;
use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::RigidBodyHandle;

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
        let locked = check::runtime_joint(self.model_name(model), spec)?;
        let parent_model = parent.and_then(|parent| self.model_of(parent));
        let parent_body = match parent {
            Some(id) => self.link(id).ok_or(PhysicsError::NoSuchLink(id))?.body,
            None => self.anchor_for(child),
        };
        let ends = Ends { parent: parent_body, child: child_body };
        let frames = Frames::new(spec, &self.body_pose(ends.parent), &self.body_pose(ends.child));
        let described = joint::describe(spec, locked, &frames, false);
        let handle = self.rapier.insert_impulse_joint(ends.parent, ends.child, described);
        let id = self.add_to_table(model, spec, Attachment::Impulse(handle), ends, frames);
        if let Some(joint) = self.joints.get_mut(id) {
            joint.parent_model = parent_model;
        }
        if let Some(model) = self.models.get_mut(model) {
            model.joints.push(id);
        }
        self.topology += 1;
        self.set_command(id, JointCommand::Passive);
        self.wake_both(&ends);
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
    /// Returns an error if the joint was removed before, or is part of a multibody, which cannot lose joints.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), PhysicsError> {
        let joint = self.joint(id).ok_or(PhysicsError::NoSuchJoint(id))?.clone();
        let Attachment::Impulse(handle) = joint.attachment else {
            return Err(PhysicsError::NoSuchJoint(id));
        };
        self.wake_both(&joint.ends);
        self.rapier.remove_impulse_joint(handle);
        self.joints.remove(id);
        if let Some(model) = self.models.get_mut(joint.model) {
            model.joints.retain(|&other| other != id);
            let anchors = model.anchors.len();
            model.anchors.retain(|&anchor| anchor != joint.ends.parent);
            if model.anchors.len() < anchors {
                self.rapier.remove_body(joint.ends.parent);
            }
        }
        self.topology += 1;
        Ok(())
    }

    /// Adds a fixed body that represents the world in a joint of the model of `child`.
    fn anchor_for(&mut self, child: LinkId) -> RigidBodyHandle {
        let anchor = self.add_anchor(&Pose::IDENTITY);
        let model = self.model_of(child);
        if let Some(model) = model.and_then(|model| self.models.get_mut(model)) {
            model.anchors.push(anchor);
        }
        anchor
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
        self.bodies_of(id).is_ok_and(|bodies| {
            bodies.iter().any(|&body| self.rapier.bodies.get(body).is_some_and(|body| body.is_dynamic()))
        })
    }

    fn wake_both(&mut self, ends: &Ends) {
        self.rapier.wake_up(ends.parent, true);
        self.rapier.wake_up(ends.child, true);
    }
}
