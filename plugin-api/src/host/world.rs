//! The moving world: link and joint states, ray casts, and commands to it.

use bridgehead_abi as abi;

use super::extension_handle;
use super::model::{JointId, LinkId};
use crate::error::{Error, Result};
use crate::hosting::Rays;
use crate::vector::cross;

/// A rigid transform: the pose of a child frame in a parent frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// x, y, z in metres.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f64; 4],
}

impl Pose {
    /// No translation, no rotation.
    pub const IDENTITY: Pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] };

    pub(crate) fn from_abi(raw: abi::basic::Pose) -> Self {
        Pose { position: raw.position, orientation: raw.orientation }
    }

    pub(crate) fn to_abi(self) -> abi::basic::Pose {
        abi::basic::Pose { position: self.position, orientation: self.orientation }
    }

    /// This pose followed by `child`: `child` is given in this frame, the result in this frame's parent.
    #[must_use]
    pub fn compose(self, child: Pose) -> Pose {
        let moved = self.rotate(child.position);
        Pose {
            position: std::array::from_fn(|axis| self.position[axis] + moved[axis]),
            orientation: multiply(self.orientation, child.orientation),
        }
    }

    /// A vector of this frame, seen from the parent frame (rotation only).
    #[must_use]
    pub fn rotate(self, vector: [f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.orientation;
        let axis = [x, y, z];
        let once = cross(axis, vector);
        let scaled = once.map(|value| 2.0 * value);
        let twice = cross(axis, scaled);
        std::array::from_fn(|index| vector[index] + w * scaled[index] + twice[index])
    }

    /// A vector of the parent frame, seen from this frame (rotation only).
    #[must_use]
    pub fn rotate_inverse(self, vector: [f64; 3]) -> [f64; 3] {
        let [x, y, z, w] = self.orientation;
        Pose { position: [0.0; 3], orientation: [-x, -y, -z, w] }.rotate(vector)
    }
}

/// Hamilton product of two quaternions x, y, z, w.
fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// Motion of a link in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkState {
    /// Pose of the link frame.
    pub pose: Pose,
    /// Velocity of the link frame's origin, m/s.
    pub linear: [f64; 3],
    /// Angular velocity, rad/s.
    pub angular: [f64; 3],
}

impl LinkState {
    /// Velocity of a point fixed to the link, given in the link frame; world frame, m/s.
    #[must_use]
    pub fn velocity_at(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = cross(self.angular, self.pose.rotate(point));
        std::array::from_fn(|axis| self.linear[axis] + turned[axis])
    }
}

/// Motion of a joint: radians or metres, rad/s or m/s, N·m or N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// Position, not wrapped.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
    /// Effort that the commands of the last step applied.
    pub effort: f64,
}

/// Rays to cast, all seen from one frame.
#[derive(Clone, Copy, Debug)]
pub struct RayBatch<'a> {
    /// The frame of the directions and the common origin of the rays, in the world.
    pub frame: Pose,
    /// Unit vectors in that frame.
    pub directions: &'a [[f64; 3]],
    /// Metres; hits closer are passed through.
    pub range_min: f64,
    /// Metres; hits beyond are none.
    pub range_max: f64,
    /// Link whose own shapes are ignored.
    pub ignore: Option<LinkId>,
}

/// What one ray hit.
pub type RayHit = abi::host::RayHit;

extension_handle! {
    /// Looks at the world as it stands in the present phase of the step. `[sim]`
    World, abi::host::HostWorld, abi::extension::WORLD
}

impl World {
    /// Motion of a link.
    ///
    /// # Errors
    /// Returns an error if the link is gone or the call comes from another thread.
    pub fn link_state(self, link: LinkId) -> Result<LinkState> {
        let raw = self.extension.link_state(link.0)?;
        Ok(LinkState { pose: Pose::from_abi(raw.pose), linear: raw.linear, angular: raw.angular })
    }

    /// Motion of a joint.
    ///
    /// # Errors
    /// Returns an error if the joint is gone or the call comes from another thread.
    pub fn joint_state(self, joint: JointId) -> Result<JointState> {
        let raw = self.extension.joint_state(joint.0)?;
        Ok(JointState { position: raw.position, velocity: raw.velocity, effort: raw.effort })
    }

    /// Casts rays; `hits` gets one entry for each direction.
    ///
    /// # Errors
    /// Returns an error if `hits` is shorter than the directions, or the call comes from another thread.
    pub fn cast_rays(self, batch: &RayBatch<'_>, hits: &mut [RayHit]) -> Result {
        if hits.len() < batch.directions.len() {
            return Err(Error::invalid(format!(
                "{} rays need as many hits; the slice holds {}",
                batch.directions.len(),
                hits.len()
            )));
        }
        let rays = Rays {
            ignore_link: batch.ignore.map_or(abi::host::NO_LINK, |link| link.0),
            frame: batch.frame.to_abi(),
            directions: batch.directions,
            origins: None,
            range: [batch.range_min, batch.range_max],
        };
        Ok(self.extension.cast_rays(rays, hits)?)
    }

    /// Gravity in the world frame, m/s². `[any]`
    ///
    /// # Errors
    /// Returns an error if no world is loaded.
    pub fn gravity(self) -> Result<[f64; 3]> {
        Ok(self.extension.gravity()?)
    }
}

extension_handle! {
    /// Commands to the world, applied before physics of the next step. `[sim]`
    Command, abi::host::HostCommand, abi::extension::COMMAND
}

impl Command {
    /// Drives a joint towards a velocity with at most `max_effort` (infinity: the joint's own limit).
    ///
    /// # Errors
    /// Returns an error if the joint is gone, has no single axis, or a value is not a number.
    pub fn joint_velocity(self, joint: JointId, velocity: f64, max_effort: f64) -> Result {
        Ok(self.extension.joint_velocity(joint.0, velocity, max_effort)?)
    }

    /// Drives a joint towards a position with a spring and a damper.
    ///
    /// # Errors
    /// As [`Command::joint_velocity`].
    pub fn joint_position(
        self,
        joint: JointId,
        target: f64,
        stiffness: f64,
        damping: f64,
        max_effort: f64,
    ) -> Result {
        Ok(self.extension.joint_position(joint.0, target, stiffness, damping, max_effort)?)
    }

    /// Applies an effort to a joint until the next command.
    ///
    /// # Errors
    /// As [`Command::joint_velocity`].
    pub fn joint_effort(self, joint: JointId, effort: f64) -> Result {
        Ok(self.extension.joint_effort(joint.0, effort)?)
    }

    /// Applies a force (N) and torque (N·m), world frame, at a link's centre of mass during the next step.
    ///
    /// # Errors
    /// Returns an error if the link is gone or a value is not a number.
    pub fn link_wrench(self, link: LinkId, force: [f64; 3], torque: [f64; 3]) -> Result {
        Ok(self.extension.link_wrench(link.0, force, torque)?)
    }

    /// Sets the velocity of the whole model a link belongs to, world frame.
    ///
    /// # Errors
    /// Returns an error if the link is gone or a value is not a number.
    pub fn model_velocity(self, link: LinkId, linear: [f64; 3], angular: [f64; 3]) -> Result {
        Ok(self.extension.model_velocity(link.0, linear, angular)?)
    }

    /// Places the instance's model in the world.
    ///
    /// # Errors
    /// Returns an error if the instance has no model or a value is not a number.
    pub fn model_pose(self, pose: Pose) -> Result {
        Ok(self.extension.model_pose(pose.to_abi())?)
    }
}
