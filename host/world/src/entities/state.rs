//! Placing and moving entities at once. Simulation thread only.

use bridgehead_plugin_api::rules::{CommandFault, MAX_DISTANCE as REACH, check_requested_motion};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::error::StateError;
use crate::world::World;

/// Two vectors of motion, in the axes of a frame: of a velocity m/s and rad/s, of an acceleration those per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Of the origin of the model frame.
    pub linear: DVec3,
    /// Of the model about its origin.
    pub angular: DVec3,
}

impl Twist {
    fn is_zero(&self) -> bool {
        self.linear == DVec3::ZERO && self.angular == DVec3::ZERO
    }

    fn check(&self) -> Result<(), StateError> {
        check_requested_motion(self.linear.to_array(), self.angular.to_array()).map_err(|fault| match fault {
            CommandFault::TooLarge { name, value, most } => StateError::TooLarge { name, value, most },
            CommandFault::NotFinite | CommandFault::NotUnit { .. } | CommandFault::Negative { .. } => {
                StateError::NotFinite
            }
        })
    }
}

/// A change of an entity's state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateChange {
    /// Name of the entity in whose frame pose, velocity and acceleration are given; empty or `world` for the world.
    /// Only the pose of that entity matters: velocities are relative to the world, in the axes of the frame.
    pub frame: String,
    /// Pose of the model frame; joints keep their positions.
    pub pose: Option<Pose>,
    /// Velocity of the whole model; joint velocities become zero.
    pub twist: Option<Twist>,
    /// Has no effect on a dynamic entity, because accelerations result from forces; must be zero for a static one.
    pub acceleration: Option<Twist>,
}

/// Why a pose is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PoseFault {
    /// A number is not finite or too large.
    Invalid(String),
    /// Its frame does not exist.
    NoFrame(String),
}

/// Checks a pose and returns it with a quaternion of unit length.
pub(super) fn checked_pose(pose: &Pose) -> Result<Pose, PoseFault> {
    let refuse = |why: &str| Err(PoseFault::Invalid(why.to_owned()));
    if !pose.is_finite() {
        return refuse("one of its numbers is not finite");
    }
    if pose.position.abs().max_element() > REACH {
        return refuse(&format!("it is more than {REACH:e} m away"));
    }
    let length = pose.rotation.length();
    if length < 1e-9 || !length.is_finite() {
        return refuse("its quaternion has length 0; for no rotation, set w to 1");
    }
    Ok(Pose { rotation: pose.rotation.normalize(), ..*pose })
}

/// Converts a pose in the frame of an entity or of the world to the world frame.
pub(super) fn in_world(world: &World, frame: &str, pose: &Pose) -> Result<Pose, PoseFault> {
    Ok(frame_pose(world, frame).ok_or_else(|| PoseFault::NoFrame(frame.to_owned()))? * *pose)
}

pub(super) fn frame_pose(world: &World, frame: &str) -> Option<Pose> {
    if frame.is_empty() || frame == "world" {
        return Some(Pose::IDENTITY);
    }
    world.model_pose(world.find_entity(frame)?)
}

impl World {
    /// Sets the state of an entity at once: physics, rays and tables are consistent when this returns.
    ///
    /// # Errors
    /// Returns an error if there is no such entity or frame, if a number is not finite, or if the entity does not allow
    /// the change. The world is unchanged then.
    pub fn set_state(&mut self, name: &str, change: &StateChange) -> Result<(), StateError> {
        let index = self.find_entity(name).ok_or_else(|| StateError::NotFound(name.to_owned()))?;
        let frame =
            frame_pose(self, &change.frame).ok_or_else(|| StateError::UnknownFrame(change.frame.clone()))?;
        self.check_change(index, name, change)?;
        let fault = |fault| match fault {
            PoseFault::Invalid(why) => StateError::PoseInvalid(why),
            PoseFault::NoFrame(name) => StateError::UnknownFrame(name),
        };
        let pose = change.pose.as_ref().map(checked_pose).transpose().map_err(fault)?;
        if let Some(pose) = pose {
            self.place_model(index, frame * pose).map_err(StateError::Failed)?;
        }
        let is_static = self.models.get(index).is_some_and(|model| model.is_static);
        if let Some(twist) = change.twist.filter(|_| !is_static) {
            let (linear, angular) = (frame.rotate(twist.linear), frame.rotate(twist.angular));
            self.set_motion(index, linear, angular)?;
        }
        Ok(())
    }

    /// Checks that the entity allows the change.
    fn check_change(&self, index: usize, name: &str, change: &StateChange) -> Result<(), StateError> {
        let motions = [change.twist, change.acceleration];
        motions.iter().flatten().try_for_each(Twist::check)?;
        let Some(model) = self.models.get(index) else { return Ok(()) };
        if model.is_actor {
            return Err(StateError::Actor(name.to_owned()));
        }
        let moves = |motion: &Option<Twist>| motion.is_some_and(|motion| !motion.is_zero());
        if model.is_static && motions.iter().any(moves) {
            return Err(StateError::Static(name.to_owned()));
        }
        Ok(())
    }

    /// Sets the velocity of a whole model: velocity of the origin of its frame, world frame.
    fn set_motion(&mut self, index: usize, linear: DVec3, angular: DVec3) -> Result<(), StateError> {
        let Some(model) = self.models.get(index).and_then(|model| model.physics) else { return Ok(()) };
        let origin = self.model_pose(index).map(|pose| pose.position);
        // Physics expects the velocity of the first link's origin.
        let first = self.links.values().find(|link| link.model == index);
        let first = first.and_then(|link| self.physics.link_pose(link.physics)).map(|pose| pose.position);
        let arm = first.zip(origin).map_or(DVec3::ZERO, |(first, origin)| first - origin);
        let linear = linear + angular.cross(arm);
        self.physics.set_model_velocity(model, linear, angular).map_err(StateError::Failed)?;
        self.forget_motion(Some(index));
        Ok(())
    }
}
