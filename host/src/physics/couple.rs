//! Joints that follow others: gears and mimics.
//!
//! Within a multibody a follower is coupled to its leader by the solver, and each feels the other. A mimic across
//! anything else is a servo that reaches, within its effort, for where the leader will be; the leader does not feel it.

use rapier3d_f64::dynamics::{JointMotor, MotorModel, MultibodyDofCoupling};

use serde::{Deserialize, Serialize};

use super::id::JointId;
use super::joint::{self, Attachment, Joint};
use super::motor::{self, RESTING, SERVO};
use super::parts::Coupling;
use super::world::Physics;

/// The share of its error that a servo makes good in a substep; more of it makes light followers hammer.
const GAIN: f64 = 0.1;

/// What a joint follows where the solver does not couple it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Follow {
    leader: JointId,
    multiplier: f64,
    offset: f64,
}

impl Physics {
    pub(super) fn couple(&mut self, coupling: &Coupling, leader: JointId, follower: JointId) {
        if self.couple_in_multibody(coupling, leader, follower).is_some() {
            return;
        }
        let Coupling { multiplier, offset, .. } = *coupling;
        if let Some(joint) = self.joints.get_mut(follower.0 as usize).and_then(Option::as_mut) {
            joint.follows = Some(Follow { leader, multiplier, offset });
        }
    }

    /// None where the two are not joints of one multibody.
    fn couple_in_multibody(&mut self, coupling: &Coupling, leader: JointId, follower: JointId) -> Option<()> {
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
        let joints = &mut self.rapier.multibody_joints;
        let [place1, place2] = children.map(|child| joints.rigid_body_link(child).copied());
        let (place1, place2) = (place1?, place2?);
        if place1.multibody != place2.multibody || first == second {
            return None;
        }
        let (link1, link2) = (place1.id, place2.id);
        let (coeff, offset) = (coupling.multiplier, coupling.offset);
        let coupling = MultibodyDofCoupling { link1, dof1, axis1, link2, dof2, axis2, coeff, offset };
        joints.get_multibody_mut(place1.multibody)?.add_dof_coupling(coupling);
        Some(())
    }

    /// Aims the servos of followers for the substep to come.
    pub(super) fn aim_followers(&mut self) {
        for index in 0..self.joints.len() {
            let aimed = self.joints[index].as_ref().and_then(|joint| self.aim(joint));
            let (Some(motor), Some(joint)) = (aimed, self.joints[index].as_ref()) else { continue };
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

    /// The motor that takes a follower to where its leader will be at the end of the substep.
    fn aim(&self, joint: &Joint) -> Option<JointMotor> {
        let Follow { leader, multiplier, offset } = joint.follows?;
        let (bodies, leader) = (&self.rapier.bodies, self.joint(leader)?);
        let target = multiplier * leader.here(bodies)? + offset;
        let error = target - joint.here(bodies)?;
        let wanted = multiplier * leader.velocity(bodies)? + GAIN * error / self.settings.substep();
        let max_force = motor::limit(joint.spec.effort).min(f64::MAX);
        let target_vel = motor::cut(wanted, joint.spec.velocity);
        let servo = JointMotor { model: MotorModel::ForceBased, ..JointMotor::default() };
        target_vel.is_finite().then_some(JointMotor { target_vel, damping: SERVO, max_force, ..servo })
    }
}
