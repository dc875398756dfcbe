//! Placing and moving entities at once.

use bridgehead_sdf::pose::{DVec3, Pose};

use super::StateError;
use crate::world::World;

/// Metres from the origin: beyond these physics computes with numbers that mean nothing.
pub(super) const REACH: f64 = 1e7;

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

    fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

/// What of an entity is to be another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateChange {
    /// Name of the entity in whose frame pose, velocity and acceleration are given; empty or `world` for the world.
    /// Of that entity only the pose counts: a velocity is against the world, in the axes of the frame.
    pub frame: String,
    /// Pose of the model frame; joints keep their positions.
    pub pose: Option<Pose>,
    /// Velocity; joints rest.
    pub twist: Option<Twist>,
    /// Must be zero: an acceleration follows from forces.
    pub acceleration: Option<Twist>,
}

/// What is wrong with a pose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PoseFault {
    /// A number of it.
    Invalid(String),
    /// Its frame.
    NoFrame(String),
}

/// The pose with a quaternion of unit length.
pub(super) fn sound_pose(pose: &Pose) -> Result<Pose, PoseFault> {
    let refuse = |why: &str| Err(PoseFault::Invalid(why.to_owned()));
    if !pose.is_finite() {
        return refuse("a number of it is not finite");
    }
    if pose.position.abs().max_element() > REACH {
        return refuse(&format!("it is more than {REACH:e} m away"));
    }
    let length = pose.rotation.length();
    if length < 1e-9 || !length.is_finite() {
        return refuse("its quaternion has no length; that of no rotation has w = 1");
    }
    Ok(Pose { rotation: pose.rotation.normalize(), ..*pose })
}

/// A pose in the frame of an entity or of the world, in the world.
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
    /// Sets the state of an entity at once: bodies, rays and tables agree when this returns.
    ///
    /// # Errors
    /// Where there is no such entity or frame, a number is none, or the entity cannot be set so. Nothing has changed
    /// then.
    pub fn set_state(&mut self, name: &str, change: &StateChange) -> Result<(), StateError> {
        let index = self.find_entity(name).ok_or_else(|| StateError::NotFound(name.to_owned()))?;
        let frame =
            frame_pose(self, &change.frame).ok_or_else(|| StateError::UnknownFrame(change.frame.clone()))?;
        self.check_change(index, name, change)?;
        let fault = |fault| match fault {
            PoseFault::Invalid(why) => StateError::PoseInvalid(why),
            PoseFault::NoFrame(name) => StateError::UnknownFrame(name),
        };
        let pose = change.pose.as_ref().map(sound_pose).transpose().map_err(fault)?;
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

    /// Whether the entity can have these.
    fn check_change(&self, index: usize, name: &str, change: &StateChange) -> Result<(), StateError> {
        let motions = [change.twist, change.acceleration];
        if motions.iter().flatten().any(|motion| !motion.is_finite()) {
            return Err(StateError::NotFinite);
        }
        let Some(model) = self.models.get(index) else { return Ok(()) };
        if model.is_actor {
            return Err(StateError::Actor(name.to_owned()));
        }
        let moves = |motion: &Option<Twist>| motion.is_some_and(|motion| !motion.is_zero());
        if model.is_static && motions.iter().any(moves) {
            return Err(StateError::Static(name.to_owned()));
        }
        if moves(&change.acceleration) {
            return Err(StateError::Acceleration(name.to_owned()));
        }
        Ok(())
    }

    /// Sets a model in motion as a whole: velocity of the origin of its frame, world frame.
    fn set_motion(&mut self, index: usize, linear: DVec3, angular: DVec3) -> Result<(), StateError> {
        let Some(model) = self.models.get(index).and_then(|model| model.physics) else { return Ok(()) };
        let origin = self.model_pose(index).map(|pose| pose.position);
        // Physics takes the velocity of the first link's origin.
        let first = self.links.values().find(|link| link.model == index);
        let first = first.and_then(|link| self.physics.link_pose(link.physics)).map(|pose| pose.position);
        let arm = first.zip(origin).map_or(DVec3::ZERO, |(first, origin)| first - origin);
        let linear = linear + angular.cross(arm);
        self.physics.set_model_velocity(model, linear, angular).map_err(StateError::Failed)?;
        self.forget_motion(Some(index));
        Ok(())
    }
}
