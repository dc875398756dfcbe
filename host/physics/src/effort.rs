//! Efforts of commanded joints, as sensors report them.

use rapier3d_f64::dynamics::{RigidBody, RigidBodyHandle};

use super::id::JointId;
use super::joint::{Attachment, Ends, Joint, axis_of};
use super::motor::{JointCommand, SERVO, limit};
use super::world::Physics;

impl Physics {
    /// Returns the effort of a joint on its child along its axis in the last step, N m or N; `None` if the joint was
    /// removed, or has no single axis.
    ///
    /// Of a watched joint with a velocity or position command ([`Physics::watch_joint`]) it is the sum of all that acts
    /// along the axis, otherwise an estimate of what the command applies.
    pub fn joint_effort(&self, id: JointId) -> Option<f64> {
        let joint = self.joint(id)?;
        axis_of(joint.spec.kind)?;
        match joint.command {
            JointCommand::Passive | JointCommand::Effort(_) => return Some(joint.law(0.0)),
            JointCommand::Velocity { .. } | JointCommand::Position { .. } => {}
        }
        self.watched_effort(id)
            .or_else(|| self.motor_effort(joint))
            .or_else(|| Some(joint.law(joint.velocity(&self.rapier.bodies)?)))
    }

    /// The effort of the motor of an impulse joint in the last solver iteration. Too small if the bodies touch others that
    /// need more iterations.
    fn motor_effort(&self, joint: &Joint) -> Option<f64> {
        let Attachment::Impulse(handle) = joint.attachment else { return None };
        let axis = axis_of(joint.spec.kind)? as usize;
        let motor = self.rapier.impulse_joints.get(handle)?.data.motors.get(axis)?;
        let Ends { parent, child } = joint.ends;
        // The engine's impulse is on the parent.
        Some(-motor.impulse / self.iteration([parent, child]))
    }

    /// Returns the length of a solver iteration for a joint of two bodies, seconds.
    pub(super) fn iteration(&self, bodies: [RigidBodyHandle; 2]) -> f64 {
        let additional = |body| self.rapier.bodies.get(body).map(RigidBody::additional_solver_iterations);
        let additional = bodies.into_iter().filter_map(additional).max().unwrap_or(0);
        let iterations = u32::try_from(self.settings.solver_iterations + additional).unwrap_or(u32::MAX);
        self.settings.substep() / f64::from(iterations)
    }
}

impl Joint {
    /// The effort that the command asks for at the current position and a velocity.
    fn law(&self, velocity: f64) -> f64 {
        let (wanted, most) = match self.command {
            JointCommand::Passive => (0.0, 0.0),
            JointCommand::Effort(effort) => (effort, f64::INFINITY),
            JointCommand::Velocity { target, max_effort } => (SERVO * (target - velocity), max_effort),
            JointCommand::Position { target, stiffness, damping, max_effort } => {
                (stiffness * (target - self.position) - damping * velocity, max_effort)
            }
        };
        let most = most.min(limit(self.spec.effort));
        wanted.clamp(-most, most)
    }
}
