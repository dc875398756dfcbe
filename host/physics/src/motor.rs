//! Commands to joints, and the passive dynamics of joints without a command.
//!
//! Velocity and position commands become motors of the solver, efforts become opposite torques or forces on the two
//! bodies. Motors are always force based: SDF and controllers state gains in N m/rad, not per unit of inertia.

use rapier3d_f64::dynamics::{GenericJoint, JointAxesMask, JointAxis, JointMotor, MotorModel};

use serde::{Deserialize, Serialize};

use super::error::PhysicsError;
use super::id::JointId;
use super::joint::{Attachment, Joint, axis_of};
use super::spec::JointKind;
use super::world::Physics;

/// The damping that makes a motor hold its speed against anything below its greatest effort, N m s/rad.
pub(super) const SERVO: f64 = 1e8;

/// Smaller gains of springs and dampers count as none, N m/rad and N m s/rad: rapier takes the inverse of a product of
/// gain and step as zero if the product is below 1e-20, which makes the joint rigid.
pub(super) const LEAST_GAIN: f64 = 1e-9;

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

    pub(super) fn set_command(&mut self, id: JointId, command: JointCommand) {
        let Some(joint) = self.joints.get_mut(id) else { return };
        joint.command = command;
        let (motor, attachment, child, kind) =
            (joint.motor(), joint.attachment, joint.ends.child, joint.spec.kind);
        if let Some(data) = self.joint_data(attachment) {
            set_motor(data, kind, motor);
        }
        self.rapier.wake_up(child, true);
    }

    pub(super) fn joint_data(&mut self, attachment: Attachment) -> Option<&mut GenericJoint> {
        match attachment {
            Attachment::Impulse(handle) => Some(&mut self.rapier.impulse_joints.get_mut(handle, true)?.data),
            Attachment::Multibody(handle) => {
                let (multibody, link) = self.rapier.multibody_joints.get_mut(handle)?;
                Some(&mut multibody.link_mut(link)?.joint.data)
            }
            Attachment::Coupling => None,
        }
    }

    /// Applies the efforts of all joints to their bodies, for the next substep.
    pub(super) fn apply_efforts(&mut self) {
        for joint in self.joints.values().filter(|joint| joint.has_effort()) {
            let Some(reading) = joint.read(&self.rapier.bodies) else { continue };
            let effort = joint.effort(reading.velocity);
            if effort == 0.0 {
                continue;
            }
            let push = Joint::axis(&reading) * effort;
            for (handle, push) in [(joint.ends.child, push), (joint.ends.parent, -push)] {
                let Some(body) = self.rapier.bodies.get_mut(handle) else { continue };
                if axis_of(joint.spec.kind) == Some(JointAxis::AngX) {
                    body.add_torque(push, true);
                } else {
                    body.add_force_at_point(push, reading.frame.position, true);
                }
                self.pushed.push(handle);
            }
        }
    }
}

pub(super) fn set_motor(data: &mut GenericJoint, kind: JointKind, motor: Option<JointMotor>) {
    let Some(axis) = axis_of(kind) else { return };
    let mask = JointAxesMask::from(axis);
    match motor {
        Some(motor) => {
            data.motors[axis as usize] = motor;
            data.motor_axes.insert(mask);
        }
        None => data.motor_axes.remove(mask),
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
    /// The motor that the solver runs for this joint, if any.
    pub(super) fn motor(&self) -> Option<JointMotor> {
        let none = JointMotor { model: MotorModel::ForceBased, ..JointMotor::default() };
        let reach = |effort: f64| effort.min(limit(self.spec.effort)).min(f64::MAX);
        match self.command {
            JointCommand::Passive | JointCommand::Effort(_) => self.passive_motor(),
            JointCommand::Velocity { target, max_effort } => {
                let limit = self.speed_limit().unwrap_or(f64::INFINITY);
                let target_vel = target.clamp(-limit, limit);
                Some(JointMotor { target_vel, damping: SERVO, max_force: reach(max_effort), ..none })
            }
            JointCommand::Position { target, stiffness, damping, max_effort } => {
                let max_force = reach(max_effort);
                let has_gain = stiffness > LEAST_GAIN || damping > LEAST_GAIN;
                has_gain.then_some(JointMotor { target_pos: target, stiffness, damping, max_force, ..none })
            }
        }
    }

    /// A multibody has friction, damping and springs of its own; an impulse joint gets one motor in their place.
    fn passive_motor(&self) -> Option<JointMotor> {
        let none = JointMotor { model: MotorModel::ForceBased, ..JointMotor::default() };
        let spec = &self.spec;
        if !matches!(self.attachment, Attachment::Impulse(_)) {
            return None;
        }
        if spec.spring_stiffness > LEAST_GAIN {
            let (target_pos, stiffness) = (spec.spring_reference, spec.spring_stiffness);
            return Some(JointMotor { target_pos, stiffness, damping: spec.damping, ..none });
        }
        if spec.friction > 0.0 {
            return Some(JointMotor { damping: SERVO, max_force: spec.friction, ..none });
        }
        (spec.damping > LEAST_GAIN).then_some(JointMotor { damping: spec.damping, ..none })
    }

    /// Returns true if [`Joint::effort`] can be non-zero: most joints have a motor and need not be read.
    fn has_effort(&self) -> bool {
        matches!(self.command, JointCommand::Effort(_)) || self.unmotored_damping() != 0.0
    }

    /// The torque or force on the child that the solver's motors do not give.
    fn effort(&self, velocity: f64) -> f64 {
        let spec = &self.spec;
        let commanded = match self.command {
            JointCommand::Effort(effort) => cut(effort, spec.effort),
            JointCommand::Passive | JointCommand::Velocity { .. } | JointCommand::Position { .. } => 0.0,
        };
        commanded - self.unmotored_damping() * velocity
    }

    /// The viscous damping that is not covered when the one motor of an impulse joint already models
    /// friction.
    fn unmotored_damping(&self) -> f64 {
        let passive = matches!(self.command, JointCommand::Passive | JointCommand::Effort(_));
        let impulse = matches!(self.attachment, Attachment::Impulse(_));
        let taken = self.spec.friction > 0.0 && self.spec.spring_stiffness <= LEAST_GAIN;
        if passive && impulse && taken { self.spec.damping } else { 0.0 }
    }
}

/// A limit of SDF; a negative number (-1 by custom) means none.
pub(super) fn limit(value: f64) -> f64 {
    if value >= 0.0 { value } else { f64::INFINITY }
}

/// Clamps a value to a limit of SDF on both sides of zero.
pub(super) fn cut(value: f64, at: f64) -> f64 {
    value.clamp(-limit(at), limit(at))
}
