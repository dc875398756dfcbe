//! Named poses of the world. Simulation thread only.

use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved;

use super::error::PoseError;
use super::named_pose::NamedPose;
use super::state::frame_pose;
use crate::world::World;

impl World {
    /// Returns the named poses, in the order of the file, then those that were added.
    #[must_use]
    pub fn named_poses(&self) -> &[NamedPose] {
        &self.poses
    }

    /// Returns the pose of that name.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn named_pose(&self, name: &str) -> Result<&NamedPose, PoseError> {
        self.poses.iter().find(|pose| pose.name == name).ok_or_else(|| PoseError::NotFound(name.to_owned()))
    }

    /// Adds named poses.
    pub fn add_poses(&mut self, poses: Vec<NamedPose>) {
        self.poses.extend(poses);
        self.mark_entities_changed();
    }

    /// Returns the pose of an entity's frame in the world; an empty name and `world` are the world itself.
    #[must_use]
    pub fn frame(&self, name: &str) -> Option<Pose> {
        frame_pose(self, name)
    }

    /// Sets the named poses to those of a file.
    pub(crate) fn set_named_poses(&mut self, source: &resolved::World) {
        self.mark_entities_changed();
        self.poses = source.poses.iter().map(NamedPose::of).collect();
    }
}
