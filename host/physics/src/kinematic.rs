//! Models that are led: they stand where they are told in each step, and push what is in their way.
//!
//! Their bodies are kinematic by position, so that they arrive exactly, and rapier gives them the velocity of the way
//! they make, which contacts and whoever asks see.

use bridgehead_sdf::pose::{DVec3, Pose};
use rapier3d_f64::dynamics::{RigidBodyHandle, RigidBodyType};

use super::body::{body_pose, from_rapier, to_rapier};
use super::error::PhysicsError;
use super::id::{LinkId, ModelId};
use super::world::Physics;

/// The way of a body during the next step, in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct KinematicTarget {
    body: RigidBodyHandle,
    from: Pose,
    to: Pose,
}

impl Physics {
    /// Makes every link of a model one that is led; it then rests until it is.
    ///
    /// # Errors
    /// When the model was removed.
    pub fn make_kinematic(&mut self, id: ModelId) -> Result<(), PhysicsError> {
        for body in self.bodies_of(id)? {
            if let Some(body) = self.rapier.bodies.get_mut(body) {
                body.set_body_type(RigidBodyType::KinematicPositionBased, true);
            }
        }
        Ok(())
    }

    /// Leads a link to a pose in the world, where it arrives with the end of the next step.
    ///
    /// # Errors
    /// When the link was removed or the pose is not finite.
    pub fn set_kinematic_target(&mut self, id: LinkId, to: Pose) -> Result<(), PhysicsError> {
        let (link, body) = self.link(id).zip(self.body(id)).ok_or(PhysicsError::NoSuchLink(id))?;
        if !to.is_finite() {
            let what = format!("the pose to which link {} is led", link.name);
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

    /// Brings the bodies of a model that is led to rest where they are; rapier keeps their velocity until the next step,
    /// and refuses to set it.
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

    /// Sends every body that is led to where it is at the end of the substep of that number, counted from 1.
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
        // Where it ends is exact, so that no error grows from step to step.
        if share >= 1.0 { self.to } else { self.from.interpolate(&self.to, share) }
    }
}
