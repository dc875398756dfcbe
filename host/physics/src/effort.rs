//! Efforts of commanded joints, as sensors report them.

use super::id::JointId;
use super::joint::{Joint, axis_of};
use super::motor::{JointCommand, SERVO, limit};
use super::world::Physics;

impl Physics {
    /// Returns the effort of a joint on its child along its axis in the last step, N m or N; `None` if the joint was
    /// removed, or has no single axis.
    ///
    /// A joint with a velocity or position command is watched from the first call on ([`Physics::watch_joint`]), because
    /// the engine does not tell the efforts of all its motors. The first call returns an estimate, later ones the sum of
    /// all that acts along the axis.
    pub fn joint_effort(&mut self, id: JointId) -> Option<f64> {
        let joint = self.joint(id)?;
        axis_of(joint.spec.kind)?;
        match joint.command {
            JointCommand::Passive | JointCommand::Effort(_) => return Some(joint.law(0.0)),
            JointCommand::Velocity { .. } | JointCommand::Position { .. } => {}
        }
        if let Some(effort) = self.watched_effort(id) {
            return Some(effort);
        }
        let estimate = joint.law(joint.velocity(&self.rapier.bodies)?);
        self.watch_joint(id).ok()?;
        Some(estimate)
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
