//! Kinematic models: the caller prescribes their poses in each step, and they push what is in their way.
//!
//! Their bodies arrive exactly. The dynamics derive their velocities, which contacts and readers see.

use bridgehead_pose::Pose;
use serde::{Deserialize, Serialize};

use super::error::PhysicsError;
use super::id::{LinkId, ModelId};
use super::joint::{Holder, Joint};
use super::link::{from_core, to_core};
use super::world::Physics;

/// The motion of a kinematic body during the next step, in the world.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct KinematicTarget {
    body: usize,
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
            self.world.hold(body);
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
        let body = self.link(id).map(|link| link.body).ok_or(PhysicsError::NoSuchLink(id))?;
        let was_at_rest = self.world.velocity(body) == <[_; 2]>::default();
        self.world.hold(body);
        if was_at_rest && now != to {
            self.world.wake_touching(body);
        }
        self.set_kinematic_target(id, to)
    }

    /// Returns true if a joint holds a link, so that its motion cannot be prescribed.
    pub fn is_held_by_joint(&self, id: LinkId) -> bool {
        let holds = |joint: &Joint| joint.holder != Holder::Coupling && joint.links.contains(&Some(id));
        self.joints.values().any(holds)
    }

    /// Sets the pose in the world that a kinematic link reaches at the end of the next step.
    ///
    /// # Errors
    /// Returns an error if the link was removed or the pose is not finite.
    pub fn set_kinematic_target(&mut self, id: LinkId, to: Pose) -> Result<(), PhysicsError> {
        let link = self.link(id).ok_or(PhysicsError::NoSuchLink(id))?;
        if !to.is_finite() {
            let what = format!("the kinematic target of link {}", link.name);
            return Err(PhysicsError::NotFinite { model: self.model_name(link.model).to_owned(), what });
        }
        let to = if link.in_body == Pose::IDENTITY { to } else { to * link.in_body.inverse() };
        let target = KinematicTarget { body: link.body, from: from_core(&self.world.pose(link.body)), to };
        self.kinematic_targets.push(target);
        Ok(())
    }

    /// Leads every kinematic body to its pose at the end of a substep, counted from 1.
    pub(super) fn lead_kinematic_bodies(&mut self, substep: u32) {
        let share = f64::from(substep) / f64::from(self.settings.substeps);
        for target in &self.kinematic_targets {
            self.world.set_target(target.body, to_core(&target.at(share)));
        }
    }
}

impl KinematicTarget {
    fn at(&self, share: f64) -> Pose {
        // The end is exact, so that no error accumulates.
        if share >= 1.0 { self.to } else { self.from.interpolate(&self.to, share) }
    }
}
