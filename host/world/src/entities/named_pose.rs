//! A named pose. Plain values.

use bridgehead_sdf::element;
use bridgehead_sdf::element::PoseBounds;
use bridgehead_sdf::pose::Pose;
use bridgehead_sdf::resolved::Placed;

/// A named pose.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPose {
    /// Its name.
    pub name: String,
    /// Description for users.
    pub description: String,
    /// Tags for filters.
    pub tags: Vec<String>,
    /// Pose in the world.
    pub pose: Pose,
    /// Free space around it, in the axes of the pose and relative to its origin; `None` if unknown.
    pub bounds: Option<PoseBounds>,
}

impl NamedPose {
    /// Returns a pose of a world file.
    pub(super) fn of(placed: &Placed<element::NamedPose>) -> Self {
        NamedPose {
            name: placed.element.name.clone(),
            description: placed.element.description.clone(),
            tags: placed.element.tags.clone(),
            pose: placed.pose,
            bounds: placed.element.bounds,
        }
    }
}
