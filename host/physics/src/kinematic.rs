//! Kinematic models: the caller prescribes their poses in each step, and they push what is in their way.
//!
//! Their bodies are kinematic by position, so that they arrive exactly. rapier derives their velocities,
//! which contacts and readers see.

use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::{RigidBodyHandle, RigidBodyType};
use serde::{Deserialize, Serialize};

use super::body::{body_pose, from_rapier, to_rapier};
use super::error::PhysicsError;
use super::id::{LinkId, ModelId};
use super::world::Physics;

/// The motion of a kinematic body during the next step, in the world.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct KinematicTarget {
    body: RigidBodyHandle,
    from: Pose,
    to: Pose,
}

impl Physics {
    /// Makes every link of a model kinematic. The model rests until a target is set.
    ///
    /// # Errors
    /// Returns an error if the model was removed.
    pub fn make_kinematic(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        for body in self.bodies_of(id)? {
            if let Some(body) = self.rapier.bodies.get_mut(body) {
                body.set_body_type(RigidBodyType::KinematicPositionBased, true);
            }
        }
        Ok(())
    }

    /// Makes a link kinematic, and sets the pose in the world that it reaches at the end of the next step. What rests on
    /// it is woken.
    ///
    /// # Errors
    /// Returns an error if the link was removed or the pose is not finite.
    pub fn lead_link(&mut self, id: LinkId, to: Pose) -> Result<(), PhysicsError> {
        let now = self.link_pose(id).ok_or(PhysicsError::NoSuchLink(id))?;
        let handle = self.link(id).map(|link| link.body).ok_or(PhysicsError::NoSuchLink(id))?;
        let was_at_rest = self.rapier.bodies.get(handle).is_some_and(|body| !body.is_moving());
        if let Some(body) = self.rapier.bodies.get_mut(handle)
            && body.body_type() != RigidBodyType::KinematicPositionBased
        {
            body.set_body_type(RigidBodyType::KinematicPositionBased, true);
        }
        if was_at_rest && now != to {
            self.wake_bodies_at(handle);
        }
        self.set_kinematic_target(id, to)
    }

    /// Returns true if a joint holds a link, so that its motion cannot be prescribed.
    pub fn is_held_by_joint(&self, id: LinkId) -> bool {
        let Some(link) = self.link(id) else { return false };
        self.rapier.multibody_joints.rigid_body_link(link.body).is_some()
            || self.rapier.impulse_joints.attached_joints(link.body).next().is_some()
    }

    /// Sets the pose in the world that a kinematic link reaches at the end of the next step.
    ///
    /// # Errors
    /// Returns an error if the link was removed or the pose is not finite.
    pub fn set_kinematic_target(&mut self, id: LinkId, to: Pose) -> Result<(), PhysicsError> {
        let (link, body) = self.link(id).zip(self.body(id)).ok_or(PhysicsError::NoSuchLink(id))?;
        if !to.is_finite() {
            let what = format!("the kinematic target of link {}", link.name);
            return Err(PhysicsError::NotFinite { model: self.model_name(link.model).to_owned(), what });
        }
        let target = KinematicTarget {
            body: link.body,
            from: from_rapier(body.position()),
            to: body_pose(&to, link.center),
        };
        self.kinematic_targets.push(target);
        Ok(())
    }

    /// Stops the bodies of a kinematic model where they are. rapier keeps their velocity until the next step
    /// and refuses to set it, hence the change of the body type.
    pub(super) fn halt_kinematic(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        for body in self.bodies_of(id)? {
            let body = self.rapier.bodies.get_mut(body);
            let Some(body) = body.filter(|body| body.body_type() == RigidBodyType::KinematicPositionBased)
            else {
                continue;
            };
            body.set_body_type(RigidBodyType::KinematicVelocityBased, false);
            body.set_linvel(DVec3::ZERO, false);
            body.set_angvel(DVec3::ZERO, false);
            body.set_body_type(RigidBodyType::KinematicPositionBased, false);
        }
        Ok(())
    }

    /// Moves every kinematic body to its pose at the end of a substep, counted from 1.
    pub(super) fn move_kinematic_bodies(&mut self, substep: u32) {
        let share = f64::from(substep) / f64::from(self.settings.substeps);
        for target in &self.kinematic_targets {
            if let Some(body) = self.rapier.bodies.get_mut(target.body) {
                body.set_next_kinematic_position(to_rapier(&target.at(share)));
            }
        }
    }
}

impl KinematicTarget {
    fn at(&self, share: f64) -> Pose {
        // The end is exact, so that no error accumulates.
        if share >= 1.0 { self.to } else { self.from.interpolate(&self.to, share) }
    }
}
