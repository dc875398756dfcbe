//! Poses of the world that have a name.

use bridgehead_sdf::element::PoseBounds;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved;

use super::PoseError;
use super::state::frame_pose;
use crate::world::World;

/// A place of the world with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPose {
    /// Its name.
    pub name: String,
    /// For people.
    pub description: String,
    /// For filters.
    pub tags: Vec<String>,
    /// Where it is, in the world.
    pub pose: Pose,
    /// How much room there is, in the axes of the pose and about its origin; `None` where nothing is said.
    pub bounds: Option<PoseBounds>,
}

impl World {
    /// The named poses, in the order of the file, then those that were added.
    #[must_use]
    pub fn named_poses(&self) -> &[NamedPose] {
        &self.poses
    }

    /// The pose of that name.
    ///
    /// # Errors
    /// Where there is none.
    pub fn named_pose(&self, name: &str) -> Result<&NamedPose, PoseError> {
        self.poses.iter().find(|pose| pose.name == name).ok_or_else(|| PoseError::NotFound(name.to_owned()))
    }

    /// Gives further places a name.
    pub fn add_poses(&mut self, poses: Vec<NamedPose>) {
        self.poses.extend(poses);
        self.change_roster();
    }

    /// Where the frame of an entity stands in the world; an empty name and `world` are the world itself.
    #[must_use]
    pub fn frame(&self, name: &str) -> Option<Pose> {
        frame_pose(self, name)
    }

    /// Takes over the poses of a file.
    pub(in crate::world) fn adopt_poses(&mut self, source: &resolved::World) {
        self.change_roster();
        self.poses = source
            .poses
            .iter()
            .map(|placed| NamedPose {
                name: placed.element.name.clone(),
                description: placed.element.description.clone(),
                tags: placed.element.tags.clone(),
                pose: placed.pose,
                bounds: placed.element.bounds,
            })
            .collect();
    }
}
