//! The world of a run: its entities by name, physics, and what sensors see.
//!
//! It is built once from a resolved SDF world and lives on the simulation thread. Plugins reach it through
//! `api`; what they command is queued here and applied before the next physics step, in the order of the
//! plugins, so that the result does not depend on threads.

mod alias;
mod attachment;
mod build;
mod convert;
mod markers;
mod slot;

use std::num::NonZeroUsize;

use thiserror::Error;

pub use alias::{BUILT_IN_SYSTEMS, Resolution, SENSOR_TYPES, SYSTEM_NAMES, system_plugin};
pub use attachment::{Attachment, JointFacts, LinkFacts};
pub use build::{BuildError, Built, build};
pub use markers::SceneMarkers;
pub use slot::{PluginSlot, SlotKind};

use crate::physics::{JointCommand, JointId, LinkId, ModelId, Physics, PhysicsError};
use crate::pose::{DVec3, Pose};
use crate::rays::{FrameId, Hit, Query, Ray, RayScene};

/// A top-level model.
#[derive(Debug)]
pub struct ModelEntity {
    /// Name in the world.
    pub name: String,
    /// Whether nothing of it moves.
    pub is_static: bool,
    /// Whether a sensor or plugin is attached to it: a vehicle.
    pub is_vehicle: bool,
    /// Handle of the link that carries the model frame, with the model frame's pose in that link.
    canonical: Option<(u32, Pose)>,
    physics: Option<ModelId>,
}

/// A link in the table of handles.
#[derive(Debug)]
struct LinkEntity {
    physics: LinkId,
    model: usize,
    frame: FrameId,
    moves: bool,
}

/// A joint in the table of handles.
#[derive(Debug)]
struct JointEntity {
    name: String,
    physics: JointId,
}

/// Motion of a link, world frame.
#[derive(Clone, Copy, Debug)]
pub struct LinkState {
    /// Pose of the link frame.
    pub pose: Pose,
    /// Velocity of its origin, m/s.
    pub linear: DVec3,
    /// Angular velocity, rad/s.
    pub angular: DVec3,
}

/// Motion of a joint; NaN where a value is not known.
#[derive(Clone, Copy, Debug)]
pub struct JointState {
    /// Radians or metres.
    pub position: f64,
    /// rad/s or m/s.
    pub velocity: f64,
    /// N·m or N; known for effort commands and passive joints only.
    pub effort: f64,
}

/// Rays seen from one frame.
pub struct RayQuery<'a> {
    /// Frame of directions and origins, in the world.
    pub frame: Pose,
    /// Unit vectors in that frame.
    pub directions: &'a [[f64; 3]],
    /// Origins in that frame; `None` for its origin.
    pub origins: Option<&'a [[f64; 3]]>,
    /// Nearest and farthest distance that counts, metres.
    pub range: [f64; 2],
    /// Link whose own shapes are not seen.
    pub ignore: Option<u32>,
}

/// An effect that a plugin asked for.
#[derive(Clone, Debug)]
pub enum WorldCommand {
    /// Drives a joint until the next command.
    Joint(u32, JointCommand),
    /// Pushes a link during the next step: newtons and newton metres at its centre of mass, world frame.
    Wrench {
        /// The link.
        link: u32,
        /// Newtons.
        force: DVec3,
        /// Newton metres.
        torque: DVec3,
    },
    /// Sets the velocity of the model a link belongs to, world frame.
    Velocity {
        /// A link of the model.
        link: u32,
        /// m/s.
        linear: DVec3,
        /// rad/s.
        angular: DVec3,
    },
    /// Places a model.
    Pose {
        /// Index of the model.
        model: usize,
        /// Pose of the model frame in the world.
        pose: Pose,
    },
}

/// Why a command was refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CommandError {
    /// A handle that names nothing.
    #[error("[BH-PHY-050] there is no {kind} with handle {handle}: handles come from the model extension")]
    NoSuch {
        /// link, joint or model.
        kind: &'static str,
        /// What was given.
        handle: usize,
    },
    /// A number that is not one.
    #[error("[BH-PHY-051] a command holds a number that is not finite")]
    NotFinite,
    /// Physics refused it.
    #[error("{0}")]
    Physics(String),
}

/// The world.
pub struct World {
    /// Name of the world.
    pub name: String,
    /// Gravity, m/s².
    pub gravity: DVec3,
    physics: Physics,
    rays: RayScene,
    models: Vec<ModelEntity>,
    links: Vec<LinkEntity>,
    joints: Vec<JointEntity>,
    commands: Vec<WorldCommand>,
    /// Whether the ray scene stands where the links stand.
    rays_are_fresh: bool,
    ray_buffer: Vec<Ray>,
    hit_buffer: Vec<Hit>,
    ray_threads: NonZeroUsize,
}

impl World {
    /// The top-level models in document order.
    #[must_use]
    pub fn models(&self) -> &[ModelEntity] {
        &self.models
    }

    /// Where a model frame stands: carried by the canonical link.
    #[must_use]
    pub fn model_pose(&self, model: usize) -> Option<Pose> {
        let (link, in_link) = self.models.get(model)?.canonical?;
        Some(self.link_state(link)?.pose * in_link)
    }

    /// Motion of a link.
    #[must_use]
    pub fn link_state(&self, link: u32) -> Option<LinkState> {
        let link = self.links.get(link as usize)?.physics;
        let pose = self.physics.link_pose(link)?;
        let (linear, angular) = self.physics.link_velocity(link)?;
        Some(LinkState { pose, linear, angular })
    }

    /// Motion of a joint.
    #[must_use]
    pub fn joint_state(&self, joint: u32) -> Option<JointState> {
        let joint = self.joints.get(joint as usize)?.physics;
        Some(JointState {
            position: self.physics.joint_position(joint).unwrap_or(f64::NAN),
            velocity: self.physics.joint_velocity(joint).unwrap_or(f64::NAN),
            effort: match self.physics.joint_command(joint)? {
                JointCommand::Passive => 0.0,
                JointCommand::Effort(effort) => effort,
                JointCommand::Velocity { .. } | JointCommand::Position { .. } => f64::NAN,
            },
        })
    }

    /// Casts rays and shows each hit to `take`, in order.
    pub fn cast_rays(&mut self, query: &RayQuery<'_>, mut take: impl FnMut(usize, &Hit)) {
        self.freshen_rays();
        self.ray_buffer.clear();
        self.ray_buffer.extend(query.directions.iter().enumerate().map(|(index, direction)| Ray {
            origin: match query.origins.and_then(|origins| origins.get(index)) {
                Some(origin) => query.frame.transform_point(DVec3::from_array(*origin)),
                None => query.frame.position,
            },
            direction: query.frame.rotation * DVec3::from_array(*direction),
        }));
        self.hit_buffer.resize(self.ray_buffer.len(), Hit::NONE);
        let ignore = query.ignore.and_then(|link| Some(self.links.get(link as usize)?.frame));
        let [from, to] = query.range;
        let settings = Query { from, to, ignore, normals: true, ..Query::up_to(to) };
        self.rays.caster().cast_batch(&self.ray_buffer, &settings, &mut self.hit_buffer, self.ray_threads);
        self.hit_buffer.iter().enumerate().for_each(|(index, hit)| take(index, hit));
    }

    /// Moves the ray scene to where the links are; only when somebody casts.
    fn freshen_rays(&mut self) {
        if self.rays_are_fresh {
            return;
        }
        for link in self.links.iter().filter(|link| link.moves) {
            if let Some(pose) = self.physics.link_pose(link.physics) {
                self.rays.set_pose(link.frame, pose);
            }
        }
        self.rays_are_fresh = true;
    }

    /// Queues a command for the next step.
    ///
    /// # Errors
    /// Where a handle names nothing or a number is not finite.
    pub fn queue(&mut self, command: WorldCommand) -> Result<(), CommandError> {
        self.check(&command)?;
        self.commands.push(command);
        Ok(())
    }

    fn check(&self, command: &WorldCommand) -> Result<(), CommandError> {
        let finite = |is_finite| if is_finite { Ok(()) } else { Err(CommandError::NotFinite) };
        let exists = |kind, handle: usize, count| {
            if handle < count { Ok(()) } else { Err(CommandError::NoSuch { kind, handle }) }
        };
        match command {
            WorldCommand::Joint(joint, command) => {
                exists("joint", *joint as usize, self.joints.len())?;
                finite(is_sound(command))
            }
            WorldCommand::Wrench { link, force: a, torque: b }
            | WorldCommand::Velocity { link, linear: a, angular: b } => {
                exists("link", *link as usize, self.links.len())?;
                finite(a.is_finite() && b.is_finite())
            }
            WorldCommand::Pose { model, pose } => {
                exists("model", *model, self.models.len())?;
                finite(pose.is_finite())
            }
        }
    }

    /// Applies what was commanded, and advances physics by one step.
    ///
    /// # Errors
    /// Where a state is not finite any more, with the entity's name.
    pub fn step(&mut self) -> Result<(), PhysicsError> {
        self.apply_commands();
        self.physics.step();
        self.rays_are_fresh = false;
        self.physics.check_finite()
    }

    fn apply_commands(&mut self) {
        let mut commands = std::mem::take(&mut self.commands);
        for command in commands.drain(..) {
            if let Err(error) = self.apply(&command) {
                log::warn!("a command was not applied: {error}");
            }
        }
        self.commands = commands;
    }

    fn apply(&mut self, command: &WorldCommand) -> Result<(), PhysicsError> {
        match *command {
            WorldCommand::Joint(joint, command) => {
                let Some(entity) = self.joints.get(joint as usize) else { return Ok(()) };
                log::trace!("joint {} gets {command:?}", entity.name);
                self.physics.command_joint(entity.physics, command)
            }
            WorldCommand::Wrench { link, force, torque } => {
                let Some(link) = self.links.get(link as usize) else { return Ok(()) };
                self.physics.apply_wrench(link.physics, force, torque)
            }
            WorldCommand::Velocity { link, linear, angular } => {
                let model =
                    self.links.get(link as usize).and_then(|link| self.models.get(link.model)?.physics);
                let Some(model) = model else { return Ok(()) };
                self.physics.set_model_velocity(model, linear, angular)
            }
            WorldCommand::Pose { model, pose } => self.place_model(model, pose),
        }
    }

    /// Places a model: physics, contacts and rays agree when this returns.
    ///
    /// # Errors
    /// Where physics refuses the pose.
    pub fn place_model(&mut self, model: usize, pose: Pose) -> Result<(), PhysicsError> {
        let Some((link, in_link)) = self.models.get(model).and_then(|model| model.canonical) else {
            return Ok(());
        };
        let Some(link) = self.links.get(link as usize) else { return Ok(()) };
        self.physics.set_link_pose(link.physics, pose * in_link.inverse())?;
        self.physics.refresh();
        self.rays_are_fresh = false;
        Ok(())
    }

    /// Puts every model back to where it was loaded, at rest and without commands.
    ///
    /// # Errors
    /// Where physics refuses.
    pub fn reset_state(&mut self) -> Result<(), PhysicsError> {
        self.commands.clear();
        for model in self.models.iter().filter_map(|model| model.physics) {
            self.physics.reset_model(model)?;
        }
        self.physics.refresh();
        self.rays_are_fresh = false;
        Ok(())
    }

    /// A hash of all poses and velocities.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.physics.state_hash()
    }
}

fn is_sound(command: &JointCommand) -> bool {
    match command {
        JointCommand::Passive => true,
        JointCommand::Velocity { target, max_effort } => target.is_finite() && !max_effort.is_nan(),
        JointCommand::Position { target, stiffness, damping, max_effort } => {
            target.is_finite() && stiffness.is_finite() && damping.is_finite() && !max_effort.is_nan()
        }
        JointCommand::Effort(effort) => effort.is_finite(),
    }
}

#[cfg(test)]
mod tests;
