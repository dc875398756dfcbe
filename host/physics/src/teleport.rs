//! Setting poses and velocities of models: resets and teleports.
//!
//! Only poses and velocities change here. [`Physics::refresh`] updates the contacts, so that queries between two steps
//! are consistent.

use bridgehead_pose::{DVec3, Pose};

use super::error::PhysicsError;
use super::id::{JointId, LinkId, ModelId};
use super::joint::Holder;
use super::link::{from_core, to_core};
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
        // Once for all: this looks at every constraint of the world.
        self.world.follow_constraints();
        outcome
    }

    fn place_model(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        let model = self.models.get(id).ok_or(PhysicsError::NoSuchModel(id))?.clone();
        for root in &model.roots {
            if let Some(tree) = root.tree {
                self.world.reset_tree(tree);
            }
            self.world.place(root.body, to_core(&root.initial));
            self.world.set_velocity(root.body, DVec3::ZERO, DVec3::ZERO);
        }
        for &joint in &model.joints {
            self.reset_joint(joint);
        }
        self.stop_surfaces(&model.collisions);
        Ok(())
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
        // They may have rested on it.
        self.bodies_of(model)?.into_iter().for_each(|body| self.world.wake_touching(body));
        for model in self.attached_models(model) {
            self.transform_model(model, &way);
        }
        self.world.follow_constraints();
        Ok(())
    }

    /// Moves every body of a model, and its anchors to the world, by a transform of the world.
    fn transform_model(&mut self, model: ModelId, way: &Pose) {
        let roots = self.model(model).map(|model| model.roots.clone()).unwrap_or_default();
        for root in roots {
            let here = from_core(&self.world.pose(root.body));
            self.world.place(root.body, to_core(&(*way * here)));
        }
        self.forget_velocities(model);
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
        let model = self.model(id).ok_or(PhysicsError::NoSuchModel(id))?;
        let moving = model.roots.iter().filter(|root| root.moves);
        let roots: Vec<usize> = moving.map(|root| root.body).collect();
        let first = model.links.first().copied();
        let Some(origin) = first.and_then(|link| self.link_pose(link)).map(|pose| pose.position) else {
            return Ok(());
        };
        for body in roots {
            let arm = self.world.pose(body).translation - origin;
            self.world.set_velocity(body, linear + angular.cross(arm), angular);
        }
        Ok(())
    }

    fn reset_joint(&mut self, id: JointId) {
        let Some(joint) = self.joint(id) else { return };
        if let Holder::Constraint(index) = joint.holder {
            self.world.reset_constraint(index);
        }
        self.restart_approach(id);
        self.set_command(id, JointCommand::Passive);
    }
}
