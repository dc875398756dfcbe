//! Setting poses and velocities of models: resets and teleports.
//!
//! Only poses and velocities change here. [`Physics::refresh`] updates the broad phase and the contacts, so
//! that queries between two steps are consistent.

use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::{MultibodyIndex, MultibodyJoint, RigidBodyHandle};
use rapier3d_f64::geometry::ColliderHandle;

use super::body::{body_pose, from_rapier, to_rapier};
use super::error::PhysicsError;
use super::filter::Filter;
use super::id::{JointId, LinkId, ModelId};
use super::joint::Attachment;
use super::motor::JointCommand;
use super::world::Physics;

impl Physics {
    /// Resets every link of a model to the pose at which it was added, at rest, and removes the commands of
    /// its joints.
    ///
    /// # Errors
    /// Returns an error if the model was removed.
    pub fn reset_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        self.reset_models([id])
    }

    /// Resets several models as [`Self::reset_model`] does each.
    ///
    /// # Errors
    /// Returns an error if a model was removed; those before it are reset.
    pub fn reset_models(&mut self, ids: impl IntoIterator<Item = ModelId>) -> Result<(), PhysicsError> {
        let outcome = ids.into_iter().try_for_each(|id| self.place_model(id));
        // Once for all: this looks at every joint of the world.
        self.follow_joints();
        outcome
    }

    fn place_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        let model = self.model(id).ok_or(PhysicsError::NoSuchModel(id))?.clone();
        self.overlaps.place(id);
        for anchor in &model.anchors {
            self.place_body(*anchor, &Pose::IDENTITY);
        }
        for &link in &model.links {
            let start = self.link(link).map(|link| (link.body, body_pose(&link.initial, link.center)));
            if let Some((body, pose)) = start {
                self.place_body(body, &pose);
            }
        }
        for &joint in &model.joints {
            self.reset_joint(joint);
        }
        self.stop_surfaces(&model.collisions);
        self.set_model_velocity(id, DVec3::ZERO, DVec3::ZERO)?;
        self.halt_kinematic(id)?;
        self.update_multibodies(id)
    }

    /// Moves a model, and all models attached to it, so that one of its links is at a pose in the world.
    /// Joints keep their positions.
    ///
    /// # Errors
    /// Returns an error if the link was removed or the pose is not finite.
    pub fn set_link_pose(&mut self, id: LinkId, pose: Pose) -> Result<(), PhysicsError> {
        let (link, now) = self.link(id).zip(self.link_pose(id)).ok_or(PhysicsError::NoSuchLink(id))?;
        let model = link.model;
        if !pose.is_finite() {
            let what = format!("the new pose of link {}", link.name);
            return Err(PhysicsError::NotFinite { model: self.model_name(model).to_owned(), what });
        }
        let way = pose * now.inverse();
        self.wake_touching(model);
        self.attached_models(model).into_iter().try_for_each(|model| self.transform_model(model, &way))
    }

    /// Wakes the bodies that touch a model, because they may have rested on it.
    fn wake_touching(&mut self, model: ModelId) {
        let own: Vec<_> =
            self.model(model).into_iter().flat_map(|model| &model.collisions).copied().collect();
        self.wake_at(own.into_iter().filter_map(|collision| self.collider(collision)).collect());
    }

    /// Wakes the bodies that touch a body.
    pub(super) fn wake_bodies_at(&mut self, body: RigidBodyHandle) {
        self.wake(body);
        self.wake_at(self.rapier.bodies.get(body).map(|body| body.colliders().to_vec()).unwrap_or_default());
    }

    fn wake_at(&mut self, colliders: Vec<ColliderHandle>) {
        let pairs =
            colliders.into_iter().flat_map(|collider| self.rapier.narrow_phase.contact_pairs_with(collider));
        let both = pairs.flat_map(|pair| [pair.collider1, pair.collider2]);
        let mut bodies: Vec<_> =
            both.filter_map(|collider| self.rapier.colliders.get(collider)?.parent()).collect();
        bodies.sort_unstable_by_key(|body| body.into_raw_parts());
        bodies.dedup();
        bodies.into_iter().for_each(|body| self.rapier.wake_up(body, true));
    }

    /// Moves every body of a model, and its anchors to the world, by a transform of the world.
    fn transform_model(&mut self, model: ModelId, way: &Pose) -> Result<(), PhysicsError> {
        self.overlaps.place(model);
        let anchors = self.model(model).map(|model| model.anchors.clone()).unwrap_or_default();
        for body in self.bodies_of(model)?.into_iter().chain(anchors) {
            if let Some(here) = self.rapier.bodies.get(body).map(|body| from_rapier(body.position())) {
                self.place_body(body, &(*way * here));
            }
        }
        self.update_kinematics(model)?;
        self.forget_velocities(model);
        Ok(())
    }

    /// Sets the velocity of a whole model: m/s of the origin of its first link and rad/s, both in the world.
    ///
    /// # Errors
    /// Returns an error if the model was removed or a number is not finite.
    pub fn set_model_velocity(
        &mut self,
        id: ModelId,
        linear: DVec3,
        angular: DVec3,
    ) -> Result<(), PhysicsError> {
        if !(linear.is_finite() && angular.is_finite()) {
            let model = self.model_name(id).to_owned();
            return Err(PhysicsError::NotFinite { model, what: "the new velocity".into() });
        }
        let bodies = self.bodies_of(id)?;
        let first = self.model(id).and_then(|model| model.links.first().copied());
        let Some(origin) = first.and_then(|link| self.link_pose(link)).map(|pose| pose.position) else {
            return Ok(());
        };
        let moves = linear != DVec3::ZERO || angular != DVec3::ZERO;
        for &handle in &bodies {
            if moves {
                self.wake(handle);
            }
            let Some(body) = self.rapier.bodies.get_mut(handle) else { continue };
            let arm = body.translation() - origin;
            body.set_linvel(linear + angular.cross(arm), true);
            body.set_angvel(angular, true);
        }
        for multibody in self.multibodies_of(&bodies) {
            self.set_root_velocity(multibody);
        }
        Ok(())
    }

    /// Updates the broad phase and the contacts after poses were set, without advancing time.
    ///
    /// Does nothing while an added model has not been stepped yet, or after one was removed; the next step
    /// updates everything then. rapier's collision-only pass would consume the records of inserted bodies
    /// without handing them to its islands, and the bodies would never move.
    pub fn refresh(&mut self) {
        if !self.has_unstepped {
            let filter = Filter { apart: &self.apart, overlaps: self.overlaps.in_step() };
            self.rapier.detect_collisions(&filter, &());
        }
    }

    /// Wakes a body with its island. The setters of a body wake only the body: its island learns of it in the next step,
    /// unless [`Self::refresh`] comes before, which consumes the record of the change. Then the body never moves.
    fn wake(&mut self, body: RigidBodyHandle) {
        self.rapier.wake_up(body, true);
    }

    fn place_body(&mut self, handle: RigidBodyHandle, pose: &Pose) {
        if let Some(body) = self.rapier.bodies.get_mut(handle) {
            body.set_position(to_rapier(pose), true);
        }
        self.wake(handle);
    }

    fn reset_joint(&mut self, id: JointId) {
        let Some(joint) = self.joints.get_mut(id) else { return };
        joint.position = 0.0;
        match joint.attachment {
            Attachment::Impulse(handle) => {
                if let Some(joint) = self.rapier.impulse_joints.get_mut(handle, true) {
                    joint.impulses = Default::default();
                }
            }
            Attachment::Multibody(handle) => {
                let found = self.rapier.multibody_joints.get_mut(handle);
                if let Some(link) = found.and_then(|(multibody, link)| multibody.link_mut(link)) {
                    let (stiffness, reference) = (joint.spec.spring_stiffness, joint.spec.spring_reference);
                    link.joint = MultibodyJoint::new(link.joint.data, false);
                    if let Some(axis) = super::joint::axis_of(joint.spec.kind) {
                        link.joint.set_spring(axis as usize, stiffness, reference);
                    }
                }
            }
            Attachment::Coupling => {}
        }
        self.restart_approach(id);
        self.set_command(id, JointCommand::Passive);
    }

    /// Updates the links of multibodies from their roots, and the positions of joints from their links.
    fn update_kinematics(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        self.update_multibodies(id)?;
        self.follow_joints();
        Ok(())
    }

    /// Updates the links of multibodies of a model from their roots.
    fn update_multibodies(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        for index in self.multibodies_of(&self.bodies_of(id)?) {
            if let Some(multibody) = self.rapier.multibody_joints.get_multibody_mut(index) {
                multibody.forward_kinematics(&self.rapier.bodies, true);
                multibody.update_rigid_bodies(&mut self.rapier.bodies, true);
            }
        }
        if self.lost.is_some_and(|lost| self.model_of(lost) == Some(id)) {
            self.lost = None;
        }
        Ok(())
    }

    fn multibodies_of(&self, bodies: &[RigidBodyHandle]) -> Vec<MultibodyIndex> {
        let links = bodies.iter().filter_map(|&body| self.rapier.multibody_joints.rigid_body_link(body));
        let mut indices: Vec<MultibodyIndex> = Vec::new();
        for index in links.map(|link| link.multibody) {
            if !indices.contains(&index) {
                indices.push(index);
            }
        }
        indices
    }

    /// Sets the velocities of a multibody itself: those of its root, if that is free; its joints rest.
    fn set_root_velocity(&mut self, index: MultibodyIndex) {
        let Some(multibody) = self.rapier.multibody_joints.get_multibody_mut(index) else { return };
        multibody.forward_kinematics(&self.rapier.bodies, true);
        let root = self.rapier.bodies.get(multibody.root().rigid_body_handle());
        let free = multibody.root().joint().ndofs() == 6;
        let mut velocities = multibody.generalized_velocity_mut();
        velocities.fill(0.0);
        if let Some(root) = root.filter(|_| free) {
            let numbers = root.linvel().to_array().into_iter().chain(root.angvel().to_array());
            for (velocity, number) in velocities.iter_mut().zip(numbers) {
                *velocity = number;
            }
        }
    }
}
