//! Joints that follow others: gears and mimics.
//!
//! Within a multibody the solver couples a follower to its leader, and each feels the other. Otherwise a
//! mimic is a servo that drives the follower, within its effort, to the expected position of the leader; the
//! leader does not feel it. How a follower reaches an offset at which it does not begin is in `approach`.

use rapier3d_f64::dynamics::{JointMotor, MotorModel, MultibodyDofCoupling, MultibodyIndex};

use serde::{Deserialize, Serialize};

use super::id::JointId;
use super::joint::{self, Attachment, Joint};
use super::motor::{self, SERVO};
use super::parts::{Coupled, Coupling};
use super::world::Physics;

/// The share of its error that a servo corrects in a substep. A larger share makes light followers oscillate.
const GAIN: f64 = 0.1;

/// Below this speed a follower rests, rad/s or m/s.
const RESTING: f64 = 1e-4;

/// The leader of a joint and the relation to it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Follow {
    pub(super) leader: JointId,
    pub(super) multiplier: f64,
    pub(super) offset: f64,
    /// The current offset; like joints it begins at zero.
    pub(super) reached: f64,
    /// True if the solver couples the two, false if a servo does.
    pub(super) in_multibody: bool,
}

/// The coupling that makes two joints of one multibody equal, and the multibody.
pub(super) struct Place {
    pub(super) multibody: MultibodyIndex,
    pub(super) coupling: MultibodyDofCoupling,
}

impl Physics {
    pub(super) fn couple(&mut self, coupling: &Coupling, leader: JointId, follower: JointId) {
        let in_multibody = self.couple_in_multibody(coupling, leader, follower).is_some();
        let Coupling { multiplier, offset, why, .. } = *coupling;
        // Gears have no offset to reach, and their hinge may be the follower of a mimic as well.
        if in_multibody && why != Coupled::Mimic {
            return;
        }
        if let Some(joint) = self.joints.get_mut(follower) {
            joint.follows = Some(Follow { leader, multiplier, offset, reached: 0.0, in_multibody });
        }
    }

    /// Returns `None` if the two are not joints of one multibody.
    fn couple_in_multibody(&mut self, coupling: &Coupling, leader: JointId, follower: JointId) -> Option<()> {
        let place = self.place_in_multibody(leader, follower)?;
        let (coeff, offset) = (coupling.multiplier, 0.0);
        let multibody = self.rapier.multibody_joints.get_multibody_mut(place.multibody)?;
        multibody.add_dof_coupling(MultibodyDofCoupling { coeff, offset, ..place.coupling });
        Some(())
    }

    /// Returns `None` if the two are not joints of one multibody.
    pub(super) fn place_in_multibody(&self, leader: JointId, follower: JointId) -> Option<Place> {
        let (leader, follower) = (self.joint(leader)?, self.joint(follower)?);
        let (Attachment::Multibody(first), Attachment::Multibody(second)) =
            (leader.attachment, follower.attachment)
        else {
            return None;
        };
        let kinds = [leader.spec.kind, follower.spec.kind];
        let children = [leader.ends.child, follower.ends.child];
        let [axis1, axis2] = [joint::axis_of(kinds[0])?, joint::axis_of(kinds[1])?].map(|axis| axis as usize);
        let [dof1, dof2] = kinds.map(joint::freedom_of);
        let joints = &self.rapier.multibody_joints;
        let [place1, place2] = children.map(|child| joints.rigid_body_link(child).copied());
        let (place1, place2) = (place1?, place2?);
        if place1.multibody != place2.multibody || first == second {
            return None;
        }
        let (link1, link2, coeff, offset) = (place1.id, place2.id, 1.0, 0.0);
        let coupling = MultibodyDofCoupling { link1, dof1, axis1, link2, dof2, axis2, coeff, offset };
        Some(Place { multibody: place1.multibody, coupling })
    }

    /// Sets the servos of followers for the next substep.
    pub(super) fn update_servos(&mut self) {
        for place in 0..self.joints.len() {
            let Some((_, joint)) = self.joints.at(place) else { continue };
            let Some(motor) = self.servo(joint) else { continue };
            let (attachment, kind, child) = (joint.attachment, joint.spec.kind, joint.ends.child);
            let is_asleep = self.rapier.bodies.get(child).is_some_and(|body| body.is_sleeping());
            if is_asleep && motor.target_vel.abs() < RESTING {
                continue;
            }
            if let Some(data) = self.joint_data(attachment) {
                motor::set_motor(data, kind, Some(motor));
            }
            if is_asleep {
                self.rapier.wake_up(child, true);
            }
        }
    }

    /// The motor that drives a follower to the position of its leader at the end of the substep.
    fn servo(&self, joint: &Joint) -> Option<JointMotor> {
        let Follow { leader, multiplier, reached, .. } =
            joint.follows.filter(|follow| !follow.in_multibody)?;
        let (bodies, leader) = (&self.rapier.bodies, self.joint(leader)?);
        let target = multiplier * leader.here(bodies)? + reached;
        let error = target - joint.here(bodies)?;
        let wanted = multiplier * leader.velocity(bodies)? + GAIN * error / self.settings.substep();
        let max_force = motor::limit(joint.spec.effort).min(f64::MAX);
        let target_vel = motor::cut(wanted, joint.spec.velocity);
        let servo = JointMotor { model: MotorModel::ForceBased, ..JointMotor::default() };
        target_vel.is_finite().then_some(JointMotor { target_vel, damping: SERVO, max_force, ..servo })
    }
}
