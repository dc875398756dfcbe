//! Commands to joints, and the efforts that sensors report.

use bridgehead_dynamics::Motor;
use serde::{Deserialize, Serialize};

use super::error::PhysicsError;
use super::id::JointId;
use super::joint::Joint;
use super::spec::JointKind;
use super::world::Physics;

/// A command to a joint with a single position.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub enum JointCommand {
    /// Nothing but its own friction, damping and spring.
    #[default]
    Passive,
    /// Holds a speed, rad/s or m/s, within the effort.
    Velocity {
        /// The speed.
        target: f64,
        /// The greatest effort, N m or N; the joint's own limit holds as well.
        max_effort: f64,
    },
    /// A spring and damper towards a position, rad or m.
    Position {
        /// The position.
        target: f64,
        /// N m/rad or N/m.
        stiffness: f64,
        /// N m s/rad or N s/m.
        damping: f64,
        /// The greatest effort, N m or N; the joint's own limit holds as well.
        max_effort: f64,
    },
    /// A torque or force, N m or N, cut off at the joint's own limit.
    Effort(f64),
}

impl Physics {
    /// Commands a joint until the next command; wakes it when the command is a new one.
    ///
    /// # Errors
    /// Returns an error if the joint was removed, has no single position, or a number of the command is NaN.
    pub fn command_joint(&mut self, id: JointId, command: JointCommand) -> Result<(), PhysicsError> {
        let joint = self.joint(id).ok_or(PhysicsError::NoSuchJoint(id))?;
        if !joint.spec.kind.has_position() {
            let kind = joint.spec.kind.name();
            return Err(PhysicsError::NotActuated { joint: joint.spec.name.clone(), kind });
        }
        if !command.is_sound() {
            let model = self.model_name(joint.model).to_owned();
            return Err(PhysicsError::NotFinite {
                model,
                what: format!("a command for joint {}", joint.spec.name),
            });
        }
        if joint.command != command {
            self.set_command(id, command);
        }
        Ok(())
    }

    /// Returns the command of a joint.
    pub fn joint_command(&self, id: JointId) -> Option<JointCommand> {
        self.joint(id).map(|joint| joint.command)
    }

    /// Returns true if a joint slides, so that its position is a length and not an angle.
    #[must_use]
    pub fn joint_slides(&self, id: JointId) -> bool {
        self.joint(id).is_some_and(|joint| joint.spec.kind == JointKind::Prismatic)
    }

    pub(super) fn set_command(&mut self, id: JointId, command: JointCommand) {
        let Some(joint) = self.joints.get_mut(id) else { return };
        joint.command = command;
        let (motor, effort) = joint.drive();
        let Some(axis) = joint.axis() else { return };
        let body = joint.bodies[1];
        if let Some(axis) = self.world.axis_mut(axis) {
            (axis.motor, axis.effort) = (motor, effort);
        }
        self.world.wake(body);
    }

    /// Returns the effort of a joint on its child along its axis in the last step, N m or N; `None` if the joint was
    /// removed, or has no single axis.
    ///
    /// Of a watched joint with a velocity or position command ([`Physics::watch_joint`]) it is the sum of all that acts
    /// along the axis, otherwise what its motor exerts.
    pub fn joint_effort(&self, id: JointId) -> Option<f64> {
        let joint = self.joint(id)?;
        if !joint.spec.kind.has_position() {
            return None;
        }
        match joint.command {
            JointCommand::Passive => return Some(0.0),
            JointCommand::Effort(effort) => return Some(cut(effort, joint.spec.effort)),
            JointCommand::Velocity { .. } | JointCommand::Position { .. } => {}
        }
        let of_motor = || Some(joint.axis().map_or(0.0, |axis| self.world.motor_effort(axis)));
        self.watched_effort(id).or_else(of_motor)
    }
}

impl JointCommand {
    fn is_sound(&self) -> bool {
        match *self {
            Self::Passive => true,
            Self::Velocity { target, max_effort } => target.is_finite() && max_effort >= 0.0,
            Self::Position { target, stiffness, damping, max_effort } => {
                let gains =
                    stiffness.is_finite() && stiffness >= 0.0 && damping.is_finite() && damping >= 0.0;
                target.is_finite() && gains && max_effort >= 0.0
            }
            Self::Effort(effort) => effort.is_finite(),
        }
    }
}

impl Joint {
    /// The motor and the constant effort that a command asks for.
    fn drive(&self) -> (Motor, f64) {
        let most = |effort: f64| effort.min(limit(self.spec.effort));
        match self.command {
            JointCommand::Passive => (Motor::Off, 0.0),
            JointCommand::Velocity { target, max_effort } => {
                (Motor::Velocity { target, most: most(max_effort) }, 0.0)
            }
            JointCommand::Position { target, stiffness, damping, max_effort } => {
                (Motor::Position { target, stiffness, damping, most: most(max_effort) }, 0.0)
            }
            JointCommand::Effort(effort) => (Motor::Off, cut(effort, self.spec.effort)),
        }
    }
}

/// A limit of SDF; a negative number (-1 by custom) means none.
fn limit(value: f64) -> f64 {
    if value >= 0.0 { value } else { f64::INFINITY }
}

/// Clamps a value to a limit of SDF on both sides of zero.
fn cut(value: f64, at: f64) -> f64 {
    value.clamp(-limit(at), limit(at))
}
