//! Adding and removing models.
//!
//! A model is checked as a whole before anything is added, so a refusal leaves the physics as it was.

use rapier3d_f64::dynamics::RigidBodyHandle;
use rapier3d_f64::geometry::ColliderBuilder;

use super::body::{self, Link};
use super::check;
use super::error::PhysicsError;
use super::filter::Tag;
use super::id::{CollisionId, JointId, LinkId, ModelId};
use super::joint::{self, Attachment, Ends, Frames, Joint};
use super::motor::JointCommand;
use super::spec::{JointKind, JointSpec, LinkSpec, ModelSpec};
use super::topology::{self, Modelled};
use super::world::{AddedModel, Model, Physics};
use crate::pose::Pose;

impl Physics {
    /// Adds a model where its links stand, at rest.
    ///
    /// # Errors
    /// When a joint, an inertia or a shape cannot be simulated; the error names it and nothing is added.
    pub fn add_model(&mut self, spec: &ModelSpec) -> Result<AddedModel, PhysicsError> {
        check::model(spec)?;
        let colliders = build_colliders(spec)?;
        self.has_unstepped = true;
        self.topology += 1;
        let model = ModelId::next(self.models.len());
        let mut added = AddedModel { model, links: Vec::new(), joints: Vec::new(), collisions: Vec::new() };
        for (index, (link, colliders)) in spec.links.iter().zip(colliders).enumerate() {
            let (id, body) = self.add_link(spec, index, model);
            added.links.push(id);
            added.collisions.push(self.add_colliders(link, colliders, id, model, body));
        }
        self.settle_masses(&added.links);
        let mut anchors = Vec::new();
        if !spec.is_static {
            added.joints = self.add_joints(spec, &added, &mut anchors);
        }
        let collisions = added.collisions.iter().flatten().copied().collect();
        let (links, joints) = (added.links.clone(), added.joints.clone());
        self.models.push(Some(Model { name: spec.name.clone(), links, joints, collisions, anchors }));
        self.settle_multibodies(&added.joints);
        Ok(added)
    }

    /// Removes a model with all its links and joints; their ids find nothing from then on.
    ///
    /// # Errors
    /// When it was removed before.
    pub fn remove_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        let place = self.models.get_mut(id.0 as usize).ok_or(PhysicsError::NoSuchModel(id))?;
        let model = place.take().ok_or(PhysicsError::NoSuchModel(id))?;
        self.topology += 1;
        for joint in model.joints {
            self.joints[joint.0 as usize] = None;
        }
        for collision in model.collisions {
            self.collisions[collision.0 as usize] = None;
        }
        for link in model.links {
            if let Some(link) = self.links[link.0 as usize].take() {
                self.rapier.remove_body(link.body);
                self.forget_joints_of(link.body);
            }
        }
        for anchor in model.anchors {
            self.rapier.remove_body(anchor);
        }
        self.lost = self.lost.filter(|&lost| self.link(lost).is_some());
        Ok(())
    }

    /// Forgets the joints by which other models hang on a body that was removed; rapier has removed them.
    fn forget_joints_of(&mut self, body: RigidBodyHandle) {
        for joint in &mut self.joints {
            if joint.as_ref().is_some_and(|joint| joint.ends.parent == body || joint.ends.child == body) {
                *joint = None;
            }
        }
    }

    fn add_link(&mut self, spec: &ModelSpec, index: usize, model: ModelId) -> (LinkId, RigidBodyHandle) {
        let link = &spec.links[index];
        let spins = spec.joints.iter().any(|joint| joint.child == index && turns_freely(joint));
        let body = self.rapier.insert_body(body::build(link, spec.is_static, spins, &self.settings));
        let center = body::center(link, spec.is_static);
        let id = LinkId::next(self.links.len());
        self.links.push(Some(Link { name: link.name.clone(), model, body, center, initial: link.pose }));
        (id, body)
    }

    fn add_colliders(
        &mut self,
        spec: &LinkSpec,
        colliders: Vec<ColliderBuilder>,
        link: LinkId,
        model: ModelId,
        body: RigidBodyHandle,
    ) -> Vec<CollisionId> {
        let mut ids = Vec::with_capacity(colliders.len());
        for (collider, collision) in colliders.into_iter().zip(&spec.collisions) {
            let id = CollisionId::next(self.collisions.len());
            let bitmask = collision.surface.collide_bitmask;
            let tag = Tag { collision: id, model, bitmask, self_collide: spec.self_collide };
            let collider = self.rapier.insert_collider(body::tagged(collider, tag), Some(body));
            self.collisions.push(Some((link, collider)));
            ids.push(id);
        }
        ids
    }

    /// Multibodies read the masses before rapier would compute them in the first step.
    fn settle_masses(&mut self, links: &[LinkId]) {
        for &id in links {
            let Some(handle) = self.link(id).map(|link| link.body) else { continue };
            if let Some(body) = self.rapier.bodies.get_mut(handle) {
                body.recompute_mass_properties_from_colliders(&self.rapier.colliders);
            }
        }
    }

    fn add_joints(
        &mut self,
        spec: &ModelSpec,
        added: &AddedModel,
        anchors: &mut Vec<RigidBodyHandle>,
    ) -> Vec<JointId> {
        let mut ids = Vec::with_capacity(spec.joints.len());
        for (joint, modelled) in spec.joints.iter().zip(topology::decide(spec)) {
            let Some(child) = self.link(added.links[joint.child]).map(|link| link.body) else { continue };
            let parent = match joint.parent.and_then(|parent| self.link(added.links[parent])) {
                Some(link) => link.body,
                None => {
                    let anchor = self.add_anchor(&Pose::IDENTITY);
                    anchors.push(anchor);
                    anchor
                }
            };
            let body_pose = |link: &LinkSpec| body::body_pose(&link.pose, body::center(link, false));
            let parent_pose = joint.parent.map_or(Pose::IDENTITY, |parent| body_pose(&spec.links[parent]));
            let frames = Frames::new(joint, &parent_pose, &body_pose(&spec.links[joint.child]));
            let ends = Ends { parent, child };
            let Some(attachment) = self.attach(joint, modelled, &ends, &frames) else { continue };
            let id = JointId::next(self.joints.len());
            let (model, spec) = (added.model, joint.clone());
            let (parent_model, command) = (spec.parent.map(|_| model), JointCommand::Passive);
            let joint = Joint { model, parent_model, spec, attachment, ends, frames, position: 0.0, command };
            self.joints.push(Some(joint));
            ids.push(id);
        }
        ids
    }

    fn attach(
        &mut self,
        spec: &JointSpec,
        modelled: Modelled,
        ends: &Ends,
        frames: &Frames,
    ) -> Option<Attachment> {
        let locked = joint::locked_axes(spec.kind)?;
        let describe = |turns| joint::describe(spec, locked, frames, turns);
        if modelled == Modelled::Multibody
            && let Some(handle) = self.rapier.insert_multibody_joint(ends.parent, ends.child, describe(true))
        {
            return Some(Attachment::Multibody(handle));
        }
        let handle = self.rapier.insert_impulse_joint(ends.parent, ends.child, describe(false));
        Some(Attachment::Impulse(handle))
    }

    /// Gives joints their friction, damping and spring, once all of a model are there.
    fn settle_multibodies(&mut self, joints: &[JointId]) {
        for &id in joints {
            let Some(joint) = self.joint(id) else { continue };
            if let Attachment::Multibody(handle) = joint.attachment {
                let spec = joint.spec.clone();
                self.settle_multibody_joint(handle, &spec);
            }
            self.set_command(id, JointCommand::Passive);
        }
    }

    fn settle_multibody_joint(
        &mut self,
        handle: rapier3d_f64::dynamics::MultibodyJointHandle,
        spec: &JointSpec,
    ) {
        let Some((multibody, link)) = self.rapier.multibody_joints.get_mut(handle) else { return };
        // Also removes the degrees of freedom of a root that turns out to be fixed, which shifts those of the links.
        multibody.forward_kinematics(&self.rapier.bodies, true);
        // rapier damps the rotation of a free root as well, as if it turned in honey.
        let of_root = multibody.root().joint().ndofs();
        multibody.damping_mut().rows_mut(0, of_root).fill(0.0);
        let Some(first) = multibody.link(link).map(|link| link.assembly_id()) else { return };
        let freedoms = multibody.link(link).map_or(0, |link| link.joint().ndofs());
        for freedom in first..first + freedoms {
            // Writing the damping of SDF, usually zero, also clears the 0.1 N m s/rad that rapier puts there.
            multibody.damping_mut()[freedom] = spec.damping;
            multibody.frictions_mut()[freedom] = spec.friction;
        }
        let axis = joint::axis_of(spec.kind);
        if let (Some(axis), Some(link)) = (axis, multibody.link_mut(link)) {
            link.joint.set_spring(axis as usize, spec.spring_stiffness, spec.spring_reference);
        }
    }
}

fn turns_freely(joint: &JointSpec) -> bool {
    let [lower, upper] = joint.limits;
    joint.kind == JointKind::Continuous || joint.kind == JointKind::Revolute && upper - lower > 1e3
}

fn build_colliders(spec: &ModelSpec) -> Result<Vec<Vec<ColliderBuilder>>, PhysicsError> {
    let of_link = |link: &LinkSpec| {
        let center = body::center(link, spec.is_static);
        let build = |collision| {
            body::build_collider(collision, center).map_err(|problem| PhysicsError::BadShape {
                model: spec.name.clone(),
                link: link.name.clone(),
                collision: collision.name.clone(),
                problem,
            })
        };
        link.collisions.iter().map(build).collect()
    };
    spec.links.iter().map(of_link).collect()
}
