//! Efforts of commanded joints, as sensors report them.

use super::id::JointId;
use super::joint::{Attachment, Joint, axis_of};
use super::motor::{JointCommand, SERVO, limit};
use super::world::Physics;

impl Physics {
    /// Returns the effort of a joint on its child along its axis in the last step, N m or N; `None` if the joint was
    /// removed, or has no single axis.
    ///
    /// Of a watched joint ([`Physics::watch_joint`]) it is the sum of all that acts along the axis, otherwise the
    /// effort of the command. The engine does not tell the efforts of motors in a multibody: such a joint is watched from
    /// the first call on, which returns an estimate.
    pub fn joint_effort(&mut self, id: JointId) -> Option<f64> {
        let joint = self.joint(id)?;
        axis_of(joint.spec.kind)?;
        match joint.command {
            JointCommand::Passive => return Some(0.0),
            JointCommand::Effort(_) => return Some(joint.law(0.0)),
            JointCommand::Velocity { .. } | JointCommand::Position { .. } => {}
        }
        if let Some(effort) = self.watched_effort(id) {
            return Some(effort);
        }
        match joint.attachment {
            Attachment::Impulse(_) => return self.motor_effort(joint),
            Attachment::Multibody(_) | Attachment::Coupling => {}
        }
        let estimate = joint.law(joint.velocity(&self.rapier.bodies)?);
        self.watch_joint(id).ok()?;
        Some(estimate)
    }

    /// The effort of the motor in the last solver iteration, as the engine reports it.
    fn motor_effort(&self, joint: &Joint) -> Option<f64> {
        let Attachment::Impulse(handle) = joint.attachment else { return None };
        let axis = axis_of(joint.spec.kind)? as usize;
        let motor = self.rapier.impulse_joints.get(handle)?.data.motors.get(axis)?;
        let iterations = u32::try_from(self.settings.solver_iterations).map_or(f64::INFINITY, f64::from);
        // The engine's impulse is on the parent.
        Some(-motor.impulse * iterations / self.settings.substep())
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
