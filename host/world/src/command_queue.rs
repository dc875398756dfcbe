//! Checks commands of plugins and applies them before the next step. Simulation thread only.

use bridgehead_physics::{JointCommand, PhysicsError};
use bridgehead_plugin_api::rules;
use bridgehead_plugin_api::rules::CommandFault;

use super::command::{CommandError, WorldCommand};
use super::world::World;

pub(super) fn check_vectors(command: &WorldCommand) -> Result<(), CommandFault> {
    match command {
        WorldCommand::Wrench { force, torque, .. } => {
            rules::check_wrench(force.to_array(), torque.to_array())
        }
        WorldCommand::ForceAt { force, point, .. } => {
            rules::check_force_at(force.to_array(), point.to_array())
        }
        WorldCommand::Velocity { linear, angular, .. } => {
            rules::check_motion(linear.to_array(), angular.to_array())
        }
        _ => Ok(()),
    }
}

pub(super) fn check_joint(command: &JointCommand) -> Result<(), CommandFault> {
    match *command {
        JointCommand::Passive => Ok(()),
        JointCommand::Velocity { target, max_effort } => rules::check_velocity(target, max_effort),
        JointCommand::Position { target, stiffness, damping, max_effort } => {
            rules::check_position(target, stiffness, damping, max_effort)
        }
        JointCommand::Effort(effort) => rules::check_effort(effort),
    }
}

impl World {
    /// Queues a command for the next step.
    ///
    /// # Errors
    /// Returns an error if a handle is unknown, or a number is not finite or negative where it must not be.
    pub fn queue(&mut self, command: WorldCommand) -> Result<(), CommandError> {
        self.check(&command)?;
        self.commands.push(command);
        Ok(())
    }

    fn check(&self, command: &WorldCommand) -> Result<(), CommandError> {
        let exists = |kind, handle: u64, is_there| {
            if is_there { Ok(()) } else { Err(CommandError::NoSuch { kind, handle }) }
        };
        match command {
            WorldCommand::Joint(joint, command) => {
                exists("joint", u64::from(*joint), self.joints.contains(*joint))?;
                Ok(check_joint(command)?)
            }
            WorldCommand::Wrench { link, .. }
            | WorldCommand::ForceAt { link, .. }
            | WorldCommand::Velocity { link, .. } => {
                exists("link", u64::from(*link), self.links.contains(*link))?;
                self.require_no_actor(self.links.get(*link).map(|link| link.model))?;
                Ok(check_vectors(command)?)
            }
            WorldCommand::Slip { collision, slips } => {
                exists("collision", u64::from(*collision), self.collisions.name(*collision).is_some())?;
                Ok(rules::check_slips(*slips)?)
            }
            WorldCommand::Drive { collision, motion } => {
                exists("collision", u64::from(*collision), self.collisions.name(*collision).is_some())?;
                let center = motion.center.map(|center| center.to_array());
                Ok(rules::check_surface(motion.axis.to_array(), motion.speed, center)?)
            }
            WorldCommand::MoveLink { link, pose } => {
                exists("link", u64::from(*link), self.links.contains(*link))?;
                self.require_free_link(*link)?;
                Ok(rules::check_pose(pose.position.to_array(), pose.rotation.to_array())?)
            }
            WorldCommand::Pose { model, pose } => {
                exists("model", *model as u64, self.models.contains(*model))?;
                self.require_no_actor(Some(*model))?;
                Ok(rules::check_pose(pose.position.to_array(), pose.rotation.to_array())?)
            }
            // Checked when the model or the bond was reserved.
            WorldCommand::Spawn { .. }
            | WorldCommand::Remove { .. }
            | WorldCommand::Attach { .. }
            | WorldCommand::Detach { .. } => Ok(()),
        }
    }

    pub(super) fn require_no_actor(&self, model: Option<usize>) -> Result<(), CommandError> {
        let actor = model.and_then(|model| self.models.get(model)).filter(|model| model.is_actor);
        actor.map_or(Ok(()), |actor| Err(CommandError::Actor(actor.name.clone())))
    }

    pub(super) fn apply_commands(&mut self) {
        let mut commands = std::mem::take(&mut self.commands);
        for command in commands.drain(..) {
            if let Err(error) = self.apply(command) {
                log::warn!("a command was not applied: {error}");
            }
        }
        self.commands = commands;
    }

    fn apply(&mut self, command: WorldCommand) -> Result<(), PhysicsError> {
        match command {
            WorldCommand::Joint(joint, command) => {
                let Some(entity) = self.joints.get(joint) else { return Ok(()) };
                log::trace!("joint {} gets {command:?}", entity.name);
                self.physics.command_joint(entity.physics, command)
            }
            WorldCommand::Wrench { link, force, torque } => {
                let Some(link) = self.links.get(link) else { return Ok(()) };
                self.physics.apply_wrench(link.physics, force, torque)
            }
            WorldCommand::ForceAt { link, force, point } => {
                let Some(link) = self.links.get(link) else { return Ok(()) };
                self.physics.push_link(link.physics, force, point)
            }
            WorldCommand::Slip { collision, slips } => {
                let Some(id) = self.collisions.physics(collision) else { return Ok(()) };
                self.physics.set_slips(id, slips)
            }
            WorldCommand::Drive { collision, motion } => {
                let Some(id) = self.collisions.physics(collision) else { return Ok(()) };
                self.physics.drive_surface(id, Some(motion))
            }
            WorldCommand::Velocity { link, linear, angular } => {
                let model = self.links.get(link).and_then(|link| self.models.get(link.model)?.physics);
                let Some(model) = model else { return Ok(()) };
                self.physics.set_model_velocity(model, linear, angular)
            }
            WorldCommand::MoveLink { link, pose } => self.move_link(link, pose),
            WorldCommand::Pose { model, pose } => self.place_model(model, pose),
            WorldCommand::Spawn { model, source } => {
                self.fill(model, &source);
                Ok(())
            }
            WorldCommand::Remove { model } => self.take_out_by_command(model),
            WorldCommand::Attach { bond, parent, child } => self.attach_now(bond, parent, child),
            WorldCommand::Detach { bond } => self.detach_now(bond),
        }
    }
}
